"""perfect: plays every bundled game exactly, and says in an `info` line whether the position is won.

Each game has one class with a method `best`: a turn in, a move and a verdict out. The tricks, game by game:

- squares, primes: the losing totals are few. Each is found once, with a big integer as a row of bits.
- linked: for each N, the numbers that are good to subtract; whether a position is lost is then one look.
- grid: a threat must be answered, so the tree is narrow: a search that remembers.
- sum-to-zero: every set of numbers left is one bit of a big integer, and one shift moves them all at once.

A position that is too large to be solved within its time gets a sensible move and the verdict "unsure".
"""

import sys
from math import isqrt
from time import monotonic

BUDGET_S = 0.08  # for one move; less where the referee's limit is shorter


class OutOfTimeError(Exception):
    pass


class Turn:
    """What is known when a move is due: the options, the position, the moves if listed, and the time."""

    def __init__(self, options, state, legal, deadline):
        self.options, self.state, self.legal, self.deadline = options, state, legal, deadline


def is_prime(n):
    """The test of Miller and Rabin; with these bases it is never wrong below 3 * 10**23."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(pow(b, odd, n) == 1 or any(pow(b, odd << i, n) == n - 1 for i in range(twos)) for b in bases)


def is_square(n):
    return isqrt(n) ** 2 == n


def prime_bits(limit):
    """An integer whose bit k is set if k is a prime, up to `limit`."""
    sieve = bytearray(b"01") * (limit // 2 + 1)
    sieve[:3] = b"001"
    for k in range(3, isqrt(limit) + 1, 2):
        if sieve[k] == 49:  # "1"
            sieve[k * k :: k] = b"0" * len(range(k * k, len(sieve), k))
    return int(sieve[limit::-1], 2)


def square_bits(limit):
    return sum(1 << k * k for k in range(1, isqrt(limit) + 1))


class Subtraction:
    """squares and primes: whoever cannot subtract loses."""

    def __init__(self, key, smallest, is_move, move_bits, largest_table):
        self.key, self.smallest, self.is_move, self.move_bits = key, smallest, is_move, move_bits
        self.largest_table = largest_table
        self.solved, self.losing = -1, []  # every losing total up to `solved`

    def best(self, turn):
        total = int(turn.state[self.key])
        if self.solved < min(total, self.largest_table):
            self.solve(min(max(2 * total, 2000), self.largest_table), turn.deadline)
        # a move to a losing total wins, however large the total is that it starts from
        for losing in self.losing:
            if losing >= total:
                break
            if self.is_move(total - losing):
                return total - losing, "won"
        return self.smallest, "lost" if total <= self.solved else "unsure"

    def solve(self, limit, deadline):
        """Find the losing totals up to `limit`: those from which no move leads to a losing one."""
        moves = self.move_bits(limit)
        won, total, self.losing = 0, 0, []  # bit k of `won`: total + k is won
        while total <= limit and monotonic() < deadline:
            self.losing.append(total)
            won |= moves & ((1 << (limit + 1 - total)) - 1)
            won >>= 1
            step = (~won & (won + 1)).bit_length() - 1  # the lowest bit that is not set
            won >>= step
            total += 1 + step
        self.solved = min(total - 1, limit)


class Linked:
    """linked: good[n] are the numbers q that win if subtracted from n, because (n - q, q) is lost."""

    WIDTH = 1024  # larger numbers are not tabulated

    def __init__(self):
        self.tables = {}

    def best(self, turn):
        lowest = 1 if turn.options.get("allow_one", "true") == "true" else 2
        n = int(turn.state["n"])
        previous = None if turn.state["previous"] == "-" else int(turn.state["previous"])
        good = self.table(lowest, min(n, self.WIDTH), turn.deadline)
        moves = self.near_moves(n, previous, lowest, len(good) - 1)
        fewest, trap = None, None
        for q in moves:
            answers = sum(1 for g in good[n - q] if g % q == 0 or q % g == 0)
            if answers == 0:
                return q, "won"
            if fewest is None or answers < fewest:
                fewest, trap = answers, q
        if n - lowest < len(good):
            return trap, "lost"
        return self.careful(n, previous, turn.legal), "unsure"

    def near_moves(self, n, previous, lowest, solved):
        """The legal moves to an N that is in the table, the largest first."""
        for rest in range(min(n - lowest, solved) + 1):
            q = n - rest
            if (rest > 0) if previous is None else (q % previous == 0 or previous % q == 0):
                yield q

    def careful(self, n, previous, legal):
        """Beyond the table: a move that does not let the other finish at once."""
        some = [int(word) for word in legal]
        if not some:  # more than 1,000 moves: the multiples of the previous number, or anything at the start
            some = range(previous or 2, n, previous or 1)[:1000] or [2]  # so many divisors: it is even
        for q in some:
            if q < n and (n - q) % q and q % (n - q):
                return q
        return some[0]

    def table(self, lowest, upto, deadline):
        """good[0..upto], or as far as the time allows; it goes on from there at the next turn."""
        if lowest not in self.tables:
            self.tables[lowest] = ([[]], [-1], self.links())
        good, lost, links = self.tables[lowest]
        for n in range(len(good), upto + 1):
            if monotonic() > deadline:
                break
            good.append([q for q in range(lowest, n + 1) if lost[n - q] >> q & 1])
            won = 0  # bit p: won if p was subtracted last
            for q in good[n]:
                won |= links[q]
                if q == 1:
                    break
            lost.append(~won)
        return good

    def links(self):
        """links[q]: bit p is set if p divides q or q divides p."""
        links = [0] * (self.WIDTH + 1)
        for q in range(1, self.WIDTH + 1):
            for p in range(q, self.WIDTH + 1, q):
                links[q] |= 1 << p
                links[p] |= 1 << q
        return links


class Grid:
    """grid: the numbers left are the bits of one integer; where they stand does not matter."""

    def best(self, turn):
        mine, theirs = int(turn.state["you"]), int(turn.state["opponent"])
        free = sum(1 << int(number) for number in turn.state["grid"].split(",") if number != "x")
        self.memory, self.deadline = {}, turn.deadline
        moves = self.moves(free, mine, theirs)
        if not moves:  # the threat cannot be answered: any legal move
            return (free & -free).bit_length() - 1, "lost"
        try:
            for y in moves:
                if y == theirs or not self.wins(free ^ 1 << y, theirs - y, mine):
                    return y, "won"
        except (OutOfTimeError, RecursionError):
            return moves[0], "unsure"
        return moves[-1], "lost"

    def moves(self, free, mine, theirs):
        """The moves worth a thought: to finish; or to take the number that threatens; or else all."""
        if free >> theirs & 1:
            return [theirs]
        if free >> mine & 1:
            return [mine] if mine < theirs else []
        low = free & ((1 << min(theirs, free.bit_length())) - 1)
        return [y for y in range(low.bit_length() - 1, 0, -1) if low >> y & 1]

    def wins(self, free, mine, theirs):
        """Whether the player to move wins."""
        key = (free, mine, theirs)
        if key not in self.memory:
            if len(self.memory) % 64 == 0 and monotonic() > self.deadline:
                raise OutOfTimeError
            self.memory[key] = any(
                y == theirs or not self.wins(free ^ 1 << y, theirs - y, mine)
                for y in self.moves(free, mine, theirs)
            )
        return self.memory[key]


class SumToZero:
    """sum-to-zero: a set of numbers left is a mask; a set of masks is one integer with a bit for each."""

    LARGEST_POOL = 20

    def best(self, turn):
        total = int(turn.state["sum"])
        pool = [int(number) for number in turn.state["pool"].split(",")]
        left = set(pool)
        if -total in left:
            return -total, "won"
        # a move is safe if the other cannot finish at once
        safe = [x for x in pool if -(total + x) not in left or -(total + x) == x]
        if len(pool) == 1:
            return pool[0], "won"
        if not safe:
            return min(pool, key=abs), "lost"
        if len(pool) > self.LARGEST_POOL:
            return min(safe, key=abs), "unsure"
        lost, everything = self.lost_masks(pool, total), (1 << len(pool)) - 1
        for x in safe:
            if lost >> (everything ^ 1 << pool.index(x)) & 1:
                return x, "won"
        return min(safe, key=abs), "lost"

    def lost_masks(self, pool, total):
        """Bit m: with the numbers of mask m left, the player to move loses."""
        over = self.masks_by(pool).get(sum(pool) + total, 0)  # the sum is zero: the other has just won
        layers = self.masks_by([1] * len(pool))  # by how many numbers are left
        lacking = [self.masks_without(i, len(pool)) for i in range(len(pool))]
        lost = layer = 1  # nothing left: the last mover has won
        for count in range(1, len(pool) + 1):
            won = 0  # all masks of this layer from which taking some number leads to a lost one
            for i, lacks in enumerate(lacking):
                won |= (layer & lacks) << (1 << i)
            layer = layers[count] & (over | (layers[count] ^ (layers[count] & won)))
            lost |= layer
        return lost

    def masks_by(self, weights):
        """For each sum of weights, the masks that have it."""
        found = {0: 1}
        for i, weight in enumerate(weights):
            old = list(found.items())
            for weighed, masks in old:
                found[weighed + weight] = found.get(weighed + weight, 0) | masks << (1 << i)
        return found

    def masks_without(self, i, count):
        """All masks of `count` bits whose bit i is not set."""
        masks, width = (1 << (1 << i)) - 1, 2 << i
        while width < 1 << count:
            masks |= masks << width
            width *= 2
        return masks


def pairs(words):
    return dict(word.split("=", 1) for word in words if "=" in word)


def players():
    """A player for each game; what it works out is kept from one game to the next."""
    return {
        "squares": Subtraction("total", 1, is_square, square_bits, 60_000),
        "primes": Subtraction("n", 2, is_prime, prime_bits, 40_000),
        "linked": Linked(),
        "grid": Grid(),
        "sum-to-zero": SumToZero(),
    }


def main():
    known = players()
    player, options, state, legal = None, {}, {}, []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "game":
            player, options = known.get(rest[0]), pairs(rest[1:])
            print("ready", flush=True)
        elif word == "state":
            state, legal = pairs(rest), []
        elif word == "legal":
            legal = rest
        elif word == "go":
            deadline = monotonic() + min(BUDGET_S, int(rest[0]) / 2000)
            if player:
                move, verdict = player.best(Turn(options, state, legal, deadline))
                print(f"info {verdict}\n{move}", flush=True)
            else:  # a game that is not known here: at least a legal move
                print(legal[0] if legal else "0", flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
