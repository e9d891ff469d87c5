"""greedy: plays the largest legal number; in a game whose moves are no numbers, the last one listed.

It thinks of nothing but the size of the bite, so it wins where a big bite happens to finish the game and
falls into every trap. Where the `legal` line is left out (more than 1,000 moves) it finds the largest move of
the bundled games from the `state` line.
"""

import sys
from math import isqrt


def is_prime(n):
    """The test of Miller and Rabin; with these bases it is never wrong below 3 * 10**23."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(pow(b, odd, n) == 1 or any(pow(b, odd << i, n) == n - 1 for i in range(twos)) for b in bases)


def largest(moves):
    try:
        return max(moves, key=int)
    except ValueError:  # not numbers: some other game
        return moves[-1]


def without_a_list(game, state):
    """The largest legal move from the position alone, where there are too many to be listed."""
    if game == "squares":
        return isqrt(int(state["total"])) ** 2
    if game == "primes":
        number = int(state["n"])
        while not is_prime(number):
            number -= 1
        return number
    if game == "sum-to-zero":
        return largest(state["pool"].split(","))
    if game == "grid":
        free = [number for number in state["grid"].split(",") if number != "x"]
        return largest([number for number in free if int(number) <= int(state["opponent"])])
    if game == "linked" and state["previous"] == "-":
        return int(state["n"]) - 1
    if game == "linked":  # a multiple, or else a divisor
        n, previous = int(state["n"]), int(state["previous"])
        by = 1
        while previous % by or previous // by > n:
            by += 1
        return max(n - n % previous, previous // by)
    return "0"  # a game that is not known here and lists no moves: say something, and learn why it is refused


game, state, legal = "", {}, []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "game":
        game = rest[0]
        print("ready", flush=True)
    elif word == "state":
        state, legal = dict(pair.split("=", 1) for pair in rest), []
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(largest(legal) if legal else without_a_list(game, state), flush=True)
    elif word == "quit":
        break
