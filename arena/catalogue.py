"""The games that are installed, found through the entry-point group `arena.games`.

Bundled games come through the same door as anyone's. Raises UnknownGame for an id that is not installed, or that
several packages claim, and UsageError for options that a game does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arena.errors import UnknownGame, UsageError
from games.interface import Game, OptionError, shortened

GROUP = "arena.games"


@lru_cache(maxsize=1)
def _entries() -> dict[str, list[EntryPoint]]:
    """What is registered under each id: one class, unless packages disagree."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, {}).setdefault(entry.value, entry)
    return {game_id: list(by_class.values()) for game_id, by_class in found.items()}


def game_ids() -> list[str]:
    """The ids of all installed games, in alphabetical order."""
    return sorted(_entries())


@cache
def get_game(game_id: str) -> Game[Any, Any]:
    """The game of this id; UnknownGame, with the nearest names, if there is none."""
    entry = _entry(game_id)
    try:
        game = entry.load()()
    except (Exception, SystemExit) as error:  # a plug-in is anyone's code: whatever it raises is one line
        why = "it leaves" if isinstance(error, SystemExit) else " ".join(str(error).split())
        raise UnknownGame(f"the game {game_id!r} ({entry.value}) cannot be loaded: {why}") from error
    if not isinstance(game, Game):
        raise UnknownGame(f"the game {game_id!r} ({entry.value}) does not follow games.interface.Game")
    if game.id != game_id:
        raise UnknownGame(f"the game registered as {game_id!r} ({entry.value}) calls itself {game.id!r}")
    return game


def _entry(game_id: str) -> EntryPoint:
    """The one class that is registered under this id: none wins over another, or results would depend on paths."""
    entries = _entries().get(game_id)
    if not entries:
        near = get_close_matches(game_id, game_ids(), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"installed are {', '.join(game_ids())}"
        raise UnknownGame(f"no game {game_id!r}: {hint}")
    if len(entries) > 1:
        packages = " and ".join(sorted(map(_package, entries)))
        raise UnknownGame(
            f"the game {game_id!r} is registered by the packages {packages}: "
            "uninstall all but one of them, or give a game another id"
        )
    return entries[0]


def _package(entry: EntryPoint) -> str:
    """The package that registers a game, and what it calls the class."""
    return f"{entry.dist.name if entry.dist else 'without a name'} ({entry.value})"


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
            raise UsageError(f"{shortened(word)} is not OPTION=VALUE; the options of {game.id} are {known}")
        if name in given:
            raise UsageError(f"option {shortened(name)} is given twice")
        given[name] = value
    try:
        return game.options(given)
    except OptionError as error:
        raise UsageError(str(error)) from None
