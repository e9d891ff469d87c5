"""`arena rules`: one game's rules, and its options with their ranges."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from tabulate import tabulate

from arena.catalogue import get_game
from arena.cli import completion
from arena.cli.games import as_typed, option_facts, told


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="The game's id (see 'arena games').", autocompletion=completion.games
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Print the rules of a game and its start options.

    \b
    Examples:
      arena rules squares
      arena rules linked --json
    """
    chosen = get_game(game)
    if as_json:
        print(json.dumps(told(chosen) | {"rules": chosen.rules}, indent=2))
        return
    print(chosen.rules.rstrip())
    rows = [
        (fact["name"], as_typed(fact.get("default")), _range(fact), fact["description"])
        for fact in option_facts(chosen)
    ]
    if rows:
        print("\n## Options\n")
        headers = ("option", "default", "values", "meaning")
        print(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))


def _range(fact: dict[str, Any]) -> str:
    """The values that an option takes, in words."""
    if "values" in fact:
        return ", ".join(map(as_typed, fact["values"]))
    if "minimum" in fact and "maximum" in fact:
        return f"{fact['minimum']} to {fact['maximum']}"
    if "minimum" in fact:
        return f"{fact['minimum']} or more"
    if "maximum" in fact:
        return f"{fact['maximum']} or less"
    return "true or false" if fact.get("type") == "boolean" else str(fact.get("type", "any"))
