"""A bot for Arena: reads one line after another and answers two of them, `game` and `go`."""

import random
import sys


def pairs(words: list[str]) -> dict[str, str]:
    """["total=64", "x=1"] -> {"total": "64", "x": "1"}"""
    return dict(word.split("=", 1) for word in words if "=" in word)


def choose(game: str, options: dict[str, str], state: dict[str, str], legal: list[str]) -> str:
    """The move to play.

    game     the game's id, such as "squares"
    options  what the `game` line said, such as {"seat": "1", "seed": "7", "total": "100"}
    state    the position, such as {"total": "64"}
    legal    every legal move; empty if there are more than 1,000: then work one out from `state`
    """
    # PUT YOUR IDEA HERE. This one plays any legal move.
    if legal:
        return random.choice(legal)
    return {"squares": "1", "primes": "2"}.get(game) or large_linked(state)


def large_linked(state: dict[str, str]) -> str:
    """`linked` with over 1,000 moves: any number below N at the start, then the previous number again."""
    return str(int(state["n"]) - 1) if state["previous"] == "-" else state["previous"]


def main() -> None:
    game = ""
    options: dict[str, str] = {}
    state: dict[str, str] = {}
    legal: list[str] = []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "game":
            game, options = rest[0], pairs(rest[1:])
            random.seed(options.get("seed"))  # the same seed gives the same play
            print("ready", flush=True)
        elif word == "state":
            state, legal = pairs(rest), []
        elif word == "legal":
            legal = rest
        elif word == "go":  # rest[0] is the number of milliseconds you have
            print(choose(game, options, state, legal), flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
