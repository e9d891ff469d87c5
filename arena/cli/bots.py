"""`arena bots`: the bots that can be played by their names, and how submitted ones are removed.

Raises UnknownBot for a bot that was not submitted, UsageError for a call that cannot be read.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

import bots
from arena.bot import read_manifest
from arena.build import forget
from arena.cli.fitting import fitted
from arena.contents import content_version
from arena.errors import UnknownBot, UsageError
from arena.printable import printable
from arena.store import Snapshot, Store
from arena.submission import language_of

HEADERS = ("name", "version", "language", "games", "last check", "from")


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[remove NAME[@VERSION] ...]", help="Remove submitted bots.")
    ] = None,
    every: Annotated[bool, typer.Option("--versions", help="List old versions too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the bots that have names, or remove submitted ones.

    Submitted and bundled bots are played by their names alone.

    \b
    Examples:
      arena bots
      arena bots --versions --json
      arena bots remove alice
      arena bots remove alice@9f2c51e0a7d3
    """
    if words:
        _remove(words, as_json)
        return
    listed = [_submitted(found) for found in Store().snapshots() if every or found.current]
    listed += [_bundled(name, folder) for name, folder in bots.bundled().items()]
    if as_json:
        print(json.dumps(listed, indent=2))
    else:
        print(fitted([_row(bot) for bot in listed], HEADERS, folding=HEADERS.index("games")))


def _remove(words: list[str], as_json: bool) -> None:
    """Remove each of these; all must be there before the first is removed."""
    if words[0] != "remove" or len(words) < 2:
        raise UsageError(
            f"'arena bots {' '.join(words)}' is not understood: say 'arena bots remove NAME[@VERSION]'"
        )
    store = Store()
    wanted = [_name_and_version(word) for word in words[1:]]
    for name, version in wanted:
        if name in bots.bundled() and name not in store.names():
            raise UsageError(f"{name} comes with Arena and cannot be removed")
        store.look(name, version)
    gone = []
    for name, version in wanted:
        with contextlib.suppress(UnknownBot):  # it was removed with a word before: it was named twice
            gone += store.remove(name, version)
    left = {snapshot.version for snapshot in store.snapshots()}
    for snapshot in gone:
        if snapshot.version not in left:
            forget(snapshot.version)
    if as_json:
        print(json.dumps({"removed": [f"{bot.name}@{bot.version}" for bot in gone]}))
    else:
        print("\n".join(f"Removed {bot.name}@{bot.version}." for bot in gone))


def _name_and_version(word: str) -> tuple[str, str | None]:
    name, at, version = word.partition("@")
    return name, version if at else None


def _submitted(found: Snapshot) -> dict[str, Any]:
    return {
        "name": found.name,
        "version": found.version,
        "current": found.current,
        "language": found.language,
        "games": None if found.games is None else list(found.games),
        "submitted": found.submitted,
        "check": found.check,
        "damage": found.damage,
        "from": "submitted",
    }


def _bundled(name: str, folder: Path) -> dict[str, Any]:
    manifest = read_manifest(folder)
    return {
        "name": name,
        "version": content_version(folder),
        "current": True,
        "language": language_of(manifest, folder),
        "games": manifest.get("games"),
        "submitted": None,
        "check": None,
        "damage": None,
        "from": "bundled",
    }


def _row(bot: dict[str, Any]) -> tuple[str, ...]:
    games = "any" if bot["games"] is None else ", ".join(bot["games"])
    name = bot["name"] if bot["current"] else f"{bot['name']}@{bot['version']}"
    checked = "DAMAGED: submit it again" if bot["damage"] else _checked(bot["check"])
    cells = (name, bot["version"], bot["language"], games, checked, bot["from"])
    return tuple(map(printable, cells))


def _checked(check: dict[str, Any] | None) -> str:
    """The last check in a few words: the day, and what was found."""
    if check is None:
        return "-"
    found = ", ".join(map(str, check.get("findings") or ())) or "nothing found"
    return f"{str(check.get('when'))[:10]} {'ok' if check.get('ok') else 'LOSES MATCHES'}: {found}"
