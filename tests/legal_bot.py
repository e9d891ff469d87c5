"""A well-behaved bot for every game."""

from __future__ import annotations


def legal_bot(pick: str = "0") -> str:
    """The program of a bot that answers with `legal[pick]`."""
    return f"""\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(legal[{pick}], flush=True)
    elif word == "quit":
        break
"""
