"""The mistakes of a tournament file: what is found wrong, where, and in which words.

Owns the checks that no single key shows (duplicate names, heroes, options against the games' own models) and
the words for what pydantic finds. It looks at the plain data of the file, as far as that has the right shape,
so that one mistake does not hide another.

Raises nothing; `config_error` makes the error.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from arena.catalogue import get_game
from arena.errors import ConfigError, UsageError
from arena.files import named
from arena.limits import NO_BANK
from arena.toml_places import Place, Places
from arena.toml_words import plain_words
from games.interface import Game, OptionError, number_range

_MAX_CORNERS = 64
"""With more than six ranges not every combination of their ends is tried."""


_PROGRAM = re.compile(r"(?!-)[\w./+-]+\.(py|js|sh|jar)")
"""A word of a command line that can only be a program's file. A path by itself may be one that a bot is to write."""


class Mistake(NamedTuple):
    """One thing that is wrong, and its place: keys and indices from the top of the file."""

    place: Place
    what: str


def config_error(path: Path, text: str, mistakes: Iterable[Mistake]) -> ConfigError:
    """All mistakes as one error, a line each, in the order of the file."""
    places = Places(text)
    told = sorted({(places.line(mistake.place) or 0, _described(mistake)) for mistake in mistakes})
    lines = [f"{path.name} line {line}: {what}" if line else f"{path.name}: {what}" for line, what in told]
    return ConfigError("\n".join(lines))


def syntax_error(path: Path, error: Exception) -> ConfigError:
    """The error for a text that is no TOML, with the place that the reader names."""
    return ConfigError(f"{path.name} is not TOML: {plain_words(error)}")


def _described(mistake: Mistake) -> str:
    """A mistake with its key: `limits.move_ms: ...`, or `[[bots]] 2, path: ...`."""
    place = list(mistake.place)
    if len(place) > 1 and isinstance(place[1], int) and place[0] in ("games", "bots"):
        entry = f"[[{place[0]}]] {place[1] + 1}"
        where = f"{entry}, {'.'.join(map(str, place[2:]))}" if place[2:] else entry
    else:
        where = ".".join(str(part + 1) if isinstance(part, int) else part for part in place)
    return " ".join(f"{where}: {mistake.what}".split()) if where else mistake.what


_TEXTS = {
    "int_type": "must be a whole number",
    "string_type": "must be a text in quotes",
    "list_type": "must be a list in [ ]",
    "dict_type": "must be a table in {{ }}",
    "model_type": "must be a table",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "less_than": "must be less than {lt}",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
    "literal_error": "must be {expected}",
}


_EXAMPLES: dict[Place, str] = {("games",): '{{ id = "{}" }}', ("bots",): '{{ name = "{}" }}'}
"""How an entry is written for which only its name was given."""


def _translated(model: type[BaseModel], item: Any) -> Mistake:
    """What pydantic found, in the words of this file."""
    place: Place = tuple(item["loc"])
    kind, given = item["type"], item["input"]
    if kind == "extra_forbidden":
        return Mistake(place, _unknown(str(place[-1]), _known(model, place)))
    if kind == "missing":
        return Mistake(place, f"is missing; {_meaning(model, place)}")
    if kind == "too_short":
        least = item["ctx"]["min_length"]
        return Mistake(place, f"a tournament needs at least {least} of [[{place[-1]}]], not {len(given)}")
    if kind == "value_error":
        return Mistake(place, str(item["ctx"]["error"]))
    if kind == "model_type" and isinstance(given, str) and place[:1] in _EXAMPLES:
        return Mistake(
            place, f"must be a table such as {_EXAMPLES[place[:1]].format(given)}, not {_shown(given)}"
        )
    if kind in _TEXTS:
        return Mistake(place, f"{_TEXTS[kind].format(**item.get('ctx', {}))}, not {_shown(given)}")
    return Mistake(place, f"{_lowered(item['msg'])}, not {_shown(given)}")


def _known(model: type[BaseModel], place: Place) -> dict[str, Any]:
    """The fields of the table that a place stands in."""
    if len(place) > 1:
        inner = model.model_fields[str(place[0])].annotation
        model = next(
            (part for part in (*getattr(inner, "__args__", ()), inner) if isinstance(part, type)), model
        )
    return dict(model.model_fields) if issubclass(model, BaseModel) else {}


def _meaning(model: type[BaseModel], place: Place) -> str:
    field = _known(model, place).get(str(place[-1]))
    if field is not None and field.description:
        return f"it says {field.description}"
    return f"add [[{place[-1]}]] entries"


def _unknown(key: str, known: Iterable[str]) -> str:
    known = list(known)
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    return f"unknown key {key!r}; " + (
        f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = (
        repr(value)
        if not isinstance(value, dict | list)
        else "a list"
        if isinstance(value, list)
        else "a table"
    )
    return text if len(text) <= 60 else text[:57] + "..."


# --- what no single key shows ----------------------------------------------------------------------


def shape_mistakes(model: type[BaseModel], error: ValidationError) -> list[Mistake]:
    """What pydantic found wrong with the data of this model."""
    return [_translated(model, item) for item in error.errors(include_url=False)]


def cross_mistakes(data: Mapping[str, Any], folder: Path) -> list[Mistake]:
    """What does not fit together in the data of a file that stands in this folder."""
    return [
        *_game_mistakes(data),
        *_bot_mistakes(data, folder),
        *_hero_mistakes(data),
        *_limit_mistakes(data),
    ]


def entries(data: Mapping[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The tables of an array of tables, as far as they are some: the rest is pydantic's to tell."""
    found = data.get(key)
    if isinstance(found, list):
        yield from ((index, entry) for index, entry in enumerate(found) if isinstance(entry, dict))


def _game_mistakes(data: Mapping[str, Any]) -> Iterator[Mistake]:
    for index, entry in entries(data, "games"):
        if not isinstance(entry.get("id"), str):
            continue
        try:
            game = get_game(entry["id"])
        except UsageError as error:
            yield Mistake(("games", index, "id"), str(error))
            continue
        if isinstance(options := entry.get("options", {}), dict):
            yield from _option_mistakes(game, options, ("games", index, "options"))


def _option_mistakes(game: Game[Any, Any], options: dict[str, Any], place: Place) -> Iterator[Mistake]:
    """What the game's own model says of every option, at both ends of every range."""
    wrong = [name for name, value in options.items() if _is_no_range(game, name, value)]
    for name in wrong:
        what = f"a range is [least, greatest], two whole numbers in order, not {options[name]}"
        yield Mistake((*place, name), what)
    others = {name: value for name, value in options.items() if name not in wrong}
    ends = [
        dict.fromkeys(value) if is_range(game, name, value) else [value] for name, value in others.items()
    ]
    for corner in islice(product(*ends), _MAX_CORNERS):
        given = dict(zip(others, corner, strict=True))
        try:
            game.options_type.model_validate(given)
            game.options(given)
        except ValidationError as error:
            yield from (_option_mistake(game, item, place) for item in error.errors(include_url=False))
        except OptionError as error:
            if not wrong:  # if not, what does not fit may be the default of one that is wrong
                yield Mistake(place, str(error))


def _is_no_range(game: Game[Any, Any], name: str, value: Any) -> bool:
    """Whether an option's value is meant for a range and is none."""
    field = game.options_type.model_fields.get(name)
    whole = field is not None and field.annotation is int
    return whole and isinstance(value, list) and not is_range(game, name, value)


def _option_mistake(game: Game[Any, Any], item: Any, place: Place) -> Mistake:
    here = (*place, *item["loc"][:1])
    if item["type"] == "extra_forbidden":
        return Mistake(
            here, f"{_unknown(str(item['loc'][0]), game.options_type.model_fields)} (options of {game.id})"
        )
    what = number_range(game.options_type, str(item["loc"][0])) if item["loc"] else None
    return Mistake(
        here, (what or _lowered(item["msg"])) + (f", not {_shown(item['input'])}" if item["loc"] else "")
    )


def _lowered(message: str) -> str:
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _bot_mistakes(data: Mapping[str, Any], folder: Path) -> Iterator[Mistake]:
    first: dict[str, int] = {}
    for index, entry in entries(data, "bots"):
        name, path, run = entry.get("name"), entry.get("path"), entry.get("run")
        if isinstance(name, str):
            if name in first:
                what = f"{name!r} is the name of [[bots]] {first[name] + 1} already; give each bot its own"
                yield Mistake(("bots", index, "name"), what)
            first.setdefault(name, index)
        if path is not None and run is not None:
            yield Mistake(("bots", index, "run"), "give path or run, not both")
        if isinstance(path, str) and named(path, folder) is None:
            yield Mistake(("bots", index, "path"), f"{path!r} is not there (looked in {folder.name}/)")
        if isinstance(run, str) and (what := _command_mistake(run, folder)):
            yield Mistake(("bots", index, "run"), what)


def _command_mistake(run: str, folder: Path) -> str:
    try:
        words = shlex.split(run)
    except ValueError as error:
        return f"the command line {run!r} cannot be read: {error}"
    if not words:
        return "the command line is empty"
    absent = [word for word in words[1:] if _PROGRAM.fullmatch(word) and named(word, folder) is None]
    return f"{absent[0]!r} in the command line is not there (looked in {folder.name}/)" if absent else ""


def _hero_mistakes(data: Mapping[str, Any]) -> Iterator[Mistake]:
    heroes = data.get("heroes")
    if data.get("format") != "gauntlet":
        if heroes:
            yield Mistake(("heroes",), "heroes are for format = 'gauntlet' only; leave them out, or set it")
        return
    if not heroes:
        yield Mistake(("format",), 'a gauntlet needs heroes = ["NAME", ...], the bots that play all others')
    elif isinstance(heroes, list):
        names = [entry["name"] for _, entry in entries(data, "bots") if isinstance(entry.get("name"), str)]
        for hero, times in Counter(hero for hero in heroes if isinstance(hero, str)).items():
            if times > 1:
                yield Mistake(("heroes",), f"{hero!r} is listed {times} times; once is enough")
        for hero in dict.fromkeys(hero for hero in heroes if isinstance(hero, str) and hero not in names):
            near = get_close_matches(hero, names, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            yield Mistake(("heroes",), f"no [[bots]] entry is called {hero!r}{hint}")
        if names and set(names) <= {hero for hero in heroes if isinstance(hero, str)}:
            yield Mistake(("heroes",), "every bot is a hero: nobody is left for them to play against")


def _limit_mistakes(data: Mapping[str, Any]) -> Iterator[Mistake]:
    limits = data.get("limits")
    if isinstance(limits, dict) and limits.get("increment_ms") and not limits.get("bank_ms"):
        yield Mistake(("limits", "increment_ms"), NO_BANK)


def is_range(game: Game[Any, Any], name: str, value: Any) -> bool:
    """Whether an option's value is a range to draw from: two whole numbers in order, for a whole number."""
    field = game.options_type.model_fields.get(name)
    if field is None or field.annotation is not int or not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(end) is int for end in value) and value[0] <= value[1]
