"""first: plays the first legal move of the list. The least that a bot can do; a good one to test against.

Where the `legal` line is left out (more than 1,000 moves) it plays one that is legal in any such position of
the bundled games.
"""

import sys


def without_a_list(game, options, state):
    """A small legal move from the position alone, where there are too many to be listed."""
    if game == "squares":
        return 1
    if game == "primes":
        return 2
    if game == "sum-to-zero":
        return state["pool"].split(",")[0]
    if game == "grid":
        free = [number for number in state["grid"].split(",") if number != "x"]
        return next(number for number in free if int(number) <= int(state["opponent"]))
    if game == "linked" and options.get("allow_one", "true") == "true":
        return 1  # divides everything
    if game == "linked" and state["previous"] != "-" and int(state["previous"]) <= int(state["n"]):
        return state["previous"]
    if game == "linked":
        return 2  # at the start; and a number above N with so many divisors is even
    return "0"  # a game that is not known here and lists no moves: say something, and learn why it is refused


def pairs(words):
    return dict(word.split("=", 1) for word in words if "=" in word)


game, options, state, legal = "", {}, {}, []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "game":
        game, options = rest[0], pairs(rest[1:])
        print("ready", flush=True)
    elif word == "state":
        state, legal = pairs(rest), []
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(legal[0] if legal else without_a_list(game, options, state), flush=True)
    elif word == "quit":
        break
