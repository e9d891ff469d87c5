"""What every animal of the zoo can do before it misbehaves: say ready, hear its turns, answer."""

import os
import sys
from collections.abc import Callable, Iterator


def say(text: str) -> None:
    """Write this text at once, exactly as it is."""
    os.write(1, text.encode())


def turns(*, on_ready: str = "ready\n") -> Iterator[list[str]]:
    """The legal moves of each turn; answers `game` by itself and leaves on `quit`."""
    legal: list[str] = []
    for line in iter(sys.stdin.readline, ""):
        word, *rest = line.split()
        if word == "game":
            say(on_ready)
        elif word == "legal":
            legal = rest
        elif word == "go":
            yield legal
        elif word == "quit":
            return


def fair(*, before_first: Callable[[], object] = lambda: None) -> None:
    """Play the first legal move for ever; do something of one's own in the first turn."""
    for number, legal in enumerate(turns()):
        if number == 0:
            before_first()
        say(legal[0] + "\n")


def run(species: dict[str, Callable[[], object]]) -> None:
    """Be the animal that the command line names; its second word is only a mark to be found by."""
    species[sys.argv[1]]()
