"""A person at a console who types what a test gives, and what they then see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.session import Console, Session
from games.interface import Game


@pytest.fixture
def transcript() -> Callable[..., str]:
    """Play these lines from a position, as if piped in; gives all that was written."""

    def play(game: Game[Any, Any], state: Any, *lines: str) -> str:
        typed = iter([f"{line}\n" for line in lines])
        written: list[str] = []
        console = Console(lambda: next(typed, ""), written.append, echo=True)
        Session(game, console, max_moves=1_000).play(state)
        return "".join(written)

    return play
