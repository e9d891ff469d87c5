"""`arena games`: the installed games. Also owns how a game's options are told to people and to programs."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from arena.catalogue import game_ids, get_game
from arena.cli.fitting import fitted
from arena.errors import UnknownGame
from games.interface import Game

_TOLD = {"type": "type", "default": "default", "minimum": "minimum", "maximum": "maximum", "enum": "values"}


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the installed games and their options.

    \b
    Examples:
      arena games
      arena games --json
    """
    games = _installed()
    if as_json:
        print(json.dumps([told(game) for game in games], indent=2))
        return
    rows = [(game.id, game.title, game.summary, _defaults(game)) for game in games]
    print(fitted(rows, ("id", "title", "summary", "options (default)"), folding=2))


def _installed() -> list[Game[Any, Any]]:
    """Every game that can be loaded; one that cannot is told of on stderr and hides no other."""
    found = []
    for game_id in game_ids():
        try:
            found.append(get_game(game_id))
        except UnknownGame as error:
            print(f"arena games: {error}", file=sys.stderr)
    return found


def told(game: Game[Any, Any]) -> dict[str, Any]:
    """What programs are told of a game."""
    return {"id": game.id, "title": game.title, "summary": game.summary, "options": option_facts(game)}


def option_facts(game: Game[Any, Any]) -> list[dict[str, Any]]:
    """Each option's name, type, default, range and description, from the game's own options type."""
    properties = game.options_type.model_json_schema().get("properties", {})
    facts = []
    for name, schema in properties.items():
        fact = {"name": name} | {word: schema[key] for key, word in _TOLD.items() if key in schema}
        facts.append(fact | {"description": schema.get("description", "")})
    return facts


def as_typed(value: Any) -> str:
    """A value as it is typed on the command line: true, not True."""
    return value if isinstance(value, str) else json.dumps(value)


def _defaults(game: Game[Any, Any]) -> str:
    return " ".join(f"{fact['name']}={as_typed(fact.get('default'))}" for fact in option_facts(game))
