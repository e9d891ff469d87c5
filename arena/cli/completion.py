"""What the shell offers at the tab key for games and bots. Raises nothing: a tab key has nobody to tell."""

from __future__ import annotations

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
