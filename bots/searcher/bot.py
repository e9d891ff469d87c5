"""searcher: looks ahead as far as its time allows, then plays the rest out at random to see who tends to win.

In all five bundled games whoever cannot move has lost (at zero nothing can be subtracted), so the rules come
down to one function a game: the positions that can be reached. Two steps find a move:

1. Iterative deepening: look 1, 2, 3 ... moves ahead for a proven win. What is proven is remembered.
2. If half of the time was not enough: random games from each move that is not proven lost; the best share
   wins.
"""

import random
import sys
from functools import lru_cache
from math import isqrt
from time import monotonic

MOST_MOVES = 300  # of more moves than these, an even sample is looked at
LONGEST_S = 1.0  # more thinking than this hardly changes a move


class OutOfTimeError(Exception):
    pass


def squares(total):
    """A position is the total."""
    return [(k * k, total - k * k) for k in thin(range(isqrt(total), 0, -1))]


@lru_cache(maxsize=20_000)
def primes(n):
    """A position is N. Of a large N only the largest primes are looked at, and 2."""
    found = [k for k in range(n, max(1, n - 1000), -1) if is_prime(k)]
    return [(p, n - p) for p in (found if n < 1000 else [*found, 2])]


@lru_cache(maxsize=20_000)
def is_prime(n):
    """The test of Miller and Rabin; with these bases it is never wrong below 3 * 10**9."""
    bases = (2, 3, 5, 7)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(pow(b, odd, n) == 1 or any(pow(b, odd << i, n) == n - 1 for i in range(twos)) for b in bases)


def sum_to_zero(position):
    """A position is the sum and the pool; None once the sum has come to zero."""
    if position is None:
        return []
    total, pool = position
    return [(x, (total + x, pool - {x}) if total + x else None) for x in thin(sorted(pool, key=abs))]


def grid(position):
    """A position is the mover's score, the other's score, and the numbers left."""
    mine, theirs, free = position
    if mine == 0:
        return []
    fitting = sorted((y for y in free if y <= theirs), reverse=True)
    return [(y, (theirs - y, mine, free - {y})) for y in thin(fitting)]


def linked(position):
    """A position is N, the previous number (0: none), and the lowest number that may be subtracted."""
    n, previous, lowest = position
    if not previous:
        numbers = thin(range(n - 1, lowest - 1, -1))
    elif previous <= n:
        numbers = [*thin(range(n - n % previous, 0, -previous)), *divisors(previous)]
        numbers = [q for q in dict.fromkeys(numbers) if q >= lowest]
    else:
        numbers = [q for q in divisors(previous) if lowest <= q <= n]
    return [(q, (n - q, q, lowest)) for q in numbers]


@lru_cache(maxsize=20_000)
def divisors(number):
    small = [d for d in range(1, isqrt(number) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)}, reverse=True)


def thin(moves):
    """At most MOST_MOVES of them, evenly spread, the first and the last included."""
    if len(moves) <= MOST_MOVES:
        return moves
    return [moves[i * (len(moves) - 1) // (MOST_MOVES - 1)] for i in range(MOST_MOVES)]


def read_position(game, options, state):
    """The function that gives the next positions, and the position of a `state` line."""
    if game == "squares":
        return squares, int(state["total"])
    if game == "primes":
        return primes, int(state["n"])
    if game == "sum-to-zero":
        return sum_to_zero, (int(state["sum"]), frozenset(map(int, state["pool"].split(","))))
    if game == "grid":
        free = frozenset(int(number) for number in state["grid"].split(",") if number != "x")
        return grid, (int(state["you"]), int(state["opponent"]), free)
    lowest = 1 if options.get("allow_one", "true") == "true" else 2
    return linked, (int(state["n"]), int(state["previous"].replace("-", "0")), lowest)


class Search:
    """One turn's thinking."""

    def __init__(self, after, deadline, rng):
        self.after, self.deadline, self.rng = after, deadline, rng
        self.proven = {}  # position -> True if the player to move wins, False if not

    def best(self, position, started):
        """The move to play."""
        moves, end = self.after(position), self.deadline
        self.deadline = (started + end) / 2
        winning = self.prove(position)
        if winning is not None:
            return winning
        open_moves = [(move, then) for move, then in moves if then not in self.proven]
        if not open_moves:  # lost, if the other sees it: make the game last
            return moves[-1][0]
        return self.by_playouts(open_moves, end)

    def prove(self, position):
        """A move that wins for certain, or None if there is none or it was not found in time."""
        try:
            for depth in range(1, 200):
                if self.look(position, depth) is not None:
                    break
        except (OutOfTimeError, RecursionError):
            pass
        return next((move for move, then in self.after(position) if self.proven.get(then) is False), None)

    def look(self, position, depth):
        """True: the player to move wins; False: loses; None: not to be seen at this depth."""
        if position in self.proven:
            return self.proven[position]
        if monotonic() > self.deadline:
            raise OutOfTimeError
        moves = self.after(position)
        if depth == 0 and moves:
            return None
        # of a sample, no winning move does not mean that there is none
        verdict = None if len(moves) >= MOST_MOVES or (self.after is primes and position >= 1000) else False
        for _, then in moves:
            answer = self.look(then, depth - 1)
            if answer is False:
                verdict = True
                break
            if answer is None:
                verdict = None
        if verdict is not None:
            self.proven[position] = verdict
        return verdict

    def by_playouts(self, moves, end):
        """The move after which random play (that never misses what is proven) wins most often."""
        won, played = [0.0] * len(moves), 0
        while played == 0 or monotonic() < end:
            for i, (_, then) in enumerate(moves):
                won[i] += not self.playout(then, end)
                if monotonic() > end:
                    break
            played += 1
        return moves[max(range(len(moves)), key=won.__getitem__)][0]

    def playout(self, position, end):
        """Whether the player to move wins a game that is played at random from here."""
        mover_wins, plies = False, 0
        while position not in self.proven and (plies == 0 or monotonic() < end):
            moves = self.after(position)
            if not moves:
                return mover_wins
            position = self.rng.choice(moves)[1]
            mover_wins, plies = not mover_wins, plies + 1
        return self.proven.get(position, False) != mover_wins


def pairs(words):
    return dict(word.split("=", 1) for word in words if "=" in word)


def main():
    game, options, state, legal, rng = "", {}, {}, [], random.Random(0)
    known = ("squares", "primes", "sum-to-zero", "grid", "linked")
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "game":
            game, options = rest[0], pairs(rest[1:])
            rng = random.Random(options.get("seed"))
            print("ready", flush=True)
        elif word == "state":
            state, legal = pairs(rest), []
        elif word == "legal":
            legal = rest
        elif word == "go" and game in known:
            started = monotonic()
            deadline = started + min(LONGEST_S, int(rest[0]) / 1000 * 0.5)
            after, position = read_position(game, options, state)
            print(Search(after, deadline, rng).best(position, started), flush=True)
        elif word == "go":  # a game that is not known here: at least a legal move
            print(rng.choice(legal) if legal else "0", flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
