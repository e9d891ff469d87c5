"""`arena submit`: builds, examines and keeps a bot. Owns how that is told.

Raises what `arena.submission` raises, and AnswerIsNo for a bot whose build fails.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.bot import BotSpec
from arena.build import BuildFailed
from arena.cli import check
from arena.cli import limit_flags as flags
from arena.doctor import POSITIONS, Report
from arena.limits import Limits
from arena.sandbox import choose
from arena.store import Snapshot, Store
from arena.submission import Submitted, submit


def command(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A folder with a bot.toml, a script, a .zip or a .tar.gz.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name, if not the one in its bot.toml.")
    ] = None,
    positions: check.Positions = POSITIONS,
    move_ms: flags.MoveMs = None,
    start_ms: flags.StartMs = None,
    memory_mb: flags.MemoryMb = None,
    output_kb: flags.OutputKb = None,
    sandbox: flags.Sandbox = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
    quiet: check.Quiet = False,
) -> None:
    """Examine a bot, and keep a snapshot of it under its name.

    It is built first, if it says how. The same content again changes nothing. New content is a new version; the
    old one can still be played as NAME@VERSION. A bot that would lose matches by its faults is not taken (exit
    status 1), and the version before stays in place.

    \b
    Examples:
      arena submit ./alice
      arena submit bot.py --name carol
      arena submit bob.zip --json
    """
    limits = flags.limits_from(
        Limits(), move_ms=move_ms, start_ms=start_ms, memory_mb=memory_mb, output_kb=output_kb
    )

    def examine(spec: BotSpec) -> Report:
        return check.examined(spec, [], limits, sandbox, positions, quiet=quiet or as_json)

    choose(sandbox)  # before anything of the bot's runs: its build, too, is code of somebody's
    try:
        done = submit(path, name, examine)
    except BuildFailed as error:
        called = name or error.name
        report = check.failed_build(called, error)
        refused = Submitted(called, error.version, "refused", report, _kept(called))
        check.tell_failed_build(error, _told(refused) if as_json else None)
    print(json.dumps(_told(done), indent=2) if as_json else "\n".join(_words(done)))
    if done.outcome == "refused":
        raise typer.Exit(1)


def _kept(name: str) -> Snapshot | None:
    """What the name means now."""
    store = Store()
    return store.look(name) if name in store.names() else None


def _told(done: Submitted) -> dict[str, Any]:
    return {
        "name": done.name,
        "version": done.version,
        "outcome": done.outcome,
        "current": done.snapshot.version if done.snapshot else None,
        "report": done.report.told() if done.report else None,
    }


def _words(done: Submitted) -> list[str]:
    """What became of it, below what the examination found."""
    if done.outcome == "unchanged":
        return [f"{done.name} {done.version} is what was submitted before: nothing is changed."]
    lines = check.words(done.report) if done.report else []
    if done.outcome == "taken":
        games = done.report.games if done.report else []
        game = "squares" if "squares" in games or not games else games[0]
        try_it = f"Try: arena match {game} {done.name} random"
        return [*lines, f"Taken as {done.name}, version {done.version}. {try_it}"]
    kept = (
        f"{done.name} stays at version {done.snapshot.version}."
        if done.snapshot
        else "Nothing is kept of it."
    )
    return [*lines, f"Not taken. {kept}"]
