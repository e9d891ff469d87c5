"""What the shell offers at the tab key for games, bots, runs and fixed choices.

Raises nothing: a tab key has nobody to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.catalogue import game_ids
from arena.errors import ArenaError


def games(incomplete: str) -> list[str]:
    """The installed games that begin so."""
    return [name for name in game_ids() if name.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """The bots that have names that begin so; files are the shell's own to offer."""
    from arena.store import Store
    from bots import bundled

    try:
        submitted = Store().names()
    except (ArenaError, OSError):
        submitted = []
    return sorted(name for name in {*bundled(), *submitted} if name.startswith(incomplete))


def runs(incomplete: str) -> list[str]:
    """The runs in ./runs that begin so."""
    from pathlib import Path

    from arena.run_folder import RUNS, run_names

    try:
        return [name for name in run_names(Path(RUNS)) if name.startswith(incomplete)]
    except OSError:
        return []


def formats(incomplete: str) -> list[str]:
    """The formats of tables that begin so."""
    from arena import tables

    return [name for name in tables.formats() if name.startswith(incomplete)]


def one_of(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """What offers those of these words that begin so."""

    def offered(incomplete: str) -> list[str]:
        return [word for word in choices if word.startswith(incomplete)]

    return offered
