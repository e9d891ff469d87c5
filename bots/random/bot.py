"""random: plays any legal move, each as likely as the next. The same seed gives the same play.

It knows no game: it picks from the `legal` line. Only where the referee leaves that line out (more than
1,000 moves) does it make up a move from the `state` line, for the five bundled games.
"""

import random
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


def without_a_list(game, options, state, rng):
    """A random legal move from the position alone, where there are too many to be listed."""
    if game == "squares":
        return rng.randint(1, isqrt(int(state["total"]))) ** 2
    if game == "primes":
        while True:  # among numbers of d digits about one in 2.3 * d is a prime
            number = rng.randint(2, int(state["n"]))
            if is_prime(number):
                return number
    if game == "sum-to-zero":
        return rng.choice(state["pool"].split(","))
    if game == "grid":
        free = [number for number in state["grid"].split(",") if number != "x"]
        return rng.choice([number for number in free if int(number) <= int(state["opponent"])])
    if game == "linked" and state["previous"] == "-":
        return rng.randint(1 if options.get("allow_one", "true") == "true" else 2, int(state["n"]) - 1)
    if game == "linked":  # a multiple; or 2, because a larger number with so many divisors is even
        previous, most = int(state["previous"]), int(state["n"])
        return previous * rng.randint(1, most // previous) if previous <= most else 2
    return "0"  # a game that is not known here and lists no moves: say something, and learn why it is refused


def pairs(words):
    return dict(word.split("=", 1) for word in words if "=" in word)


game, options, state, legal, rng = "", {}, {}, [], random.Random(0)
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "game":
        game, options = rest[0], pairs(rest[1:])
        rng = random.Random(options.get("seed"))  # a new game, a new start: nothing is left of the last one
        print("ready", flush=True)
    elif word == "state":
        state, legal = pairs(rest), []
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(rng.choice(legal) if legal else without_a_list(game, options, state, rng), flush=True)
    elif word == "quit":
        break
