"""The games that are installed, found through the entry-point group `arena.games`.

Bundled games come through the same door as anyone's. Raises UnknownGame for an id that is not installed and
UsageError for options that a game does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arena.errors import UnknownGame, UsageError
from games.interface import Game, OptionError

GROUP = "arena.games"


@lru_cache(maxsize=1)
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def game_ids() -> list[str]:
    """The ids of all installed games, in alphabetical order."""
    return sorted(_entries())


@cache
def get_game(game_id: str) -> Game[Any, Any]:
    """The game of this id; UnknownGame, with the nearest names, if there is none."""
    entry = _entries().get(game_id)
    if entry is None:
        near = get_close_matches(game_id, game_ids(), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"installed are {', '.join(game_ids())}"
        raise UnknownGame(f"no game {game_id!r}: {hint}")
    try:
        game = entry.load()()
    except Exception as error:  # a plug-in is anyone's code: whatever it raises is told in one line
        raise UnknownGame(f"the game {game_id!r} ({entry.value}) cannot be loaded: {error}") from error
    if not isinstance(game, Game):
        raise UnknownGame(f"the game {game_id!r} ({entry.value}) does not follow games.interface.Game")
    if game.id != game_id:
        raise UnknownGame(f"the game registered as {game_id!r} ({entry.value}) calls itself {game.id!r}")
    return game


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Start options as words `OPTION=VALUE`, as they are typed: true, not True."""
    return [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options.items()
    ]


def parse_options(game: Game[Any, Any], words: Iterable[str]) -> Any:
    """The start options from words `OPTION=VALUE` as typed on the command line."""
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            known = ", ".join(game.options_type.model_fields)
            raise UsageError(f"{word!r} is not OPTION=VALUE; the options of {game.id} are {known}")
        if name in given:
            raise UsageError(f"option {name!r} is given twice")
        given[name] = value
    try:
        return game.options(given)
    except OptionError as error:
        raise UsageError(str(error)) from None
