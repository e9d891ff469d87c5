"""`arena demo`: a first look, in seconds. Owns what a newcomer is shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import run
from arena.cli.terminal import program
from arena.demo import FOLDER, prepare

NEXT = (
    ("play squares total=87 --vs perfect", "play against a bot yourself"),
    ("new my-bot --lang python", "begin a bot of your own"),
    (f"replay {FOLDER}/runs/demo", "look at single matches"),
)


def command(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> int:
    """Play a small tournament of the bundled bots, in seconds.

    All five games are played: progress, standings, and a report to open in a browser, all in the folder arena-demo.

    \b
    Examples:
      arena demo
    """
    demo = prepare(Path())
    if demo.missing and not quiet:
        for name, why in demo.missing:
            print(f"Without {name}: {_in_one_line(why)}", file=sys.stderr)
    status = run.command(demo.file, quiet=quiet)
    if status:
        return status
    from arena.cli import report

    page = demo.file.parent / "report.html"
    report.command(str(demo.file.parent / "runs" / "demo"), page)
    print(f"\nOpen {page} in a browser. Three commands to try next:")
    commands = [f"{program()} {words}" for words, _ in NEXT]
    for command_line, (_, what) in zip(commands, NEXT, strict=True):
        print(f"  {command_line:<{max(map(len, commands)) + 2}}{what}")
    return 0


def _in_one_line(why: str) -> str:
    """Why a bot cannot take part; of what a build printed, the line that tells most."""
    what, _, printed = why.partition("; it printed:\n")
    lines = [line.strip() for line in printed.splitlines()]
    reason = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    return f"{what}: {reason}" if reason else what
