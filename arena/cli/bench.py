"""`arena bench`: moves and matches a second on this machine. Owns how they are shown."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from typing import Annotated

import typer

from arena import __version__, sandbox
from arena.bench import measure
from arena.cli import limit_flags as flags
from arena.errors import UsageError


def command(
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="How long each measurement takes.")
    ] = 1.0,
    sandbox_mode: flags.Sandbox = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Measure how fast matches are played here, with everything on.

    Two bundled bots play sum-to-zero, compiled and in Python, on one worker and on all cores; validation, clocks,
    records and the journal included.

    \b
    Examples:
      arena bench
      arena bench --seconds 5 --sandbox none
    """
    from tabulate import tabulate

    if not 0.1 <= seconds <= 3600:
        raise UsageError(f"--seconds {seconds:g}: it should be between 0.1 and 3600")
    mode, _ = sandbox.choose(sandbox_mode)
    figures = list(measure(seconds, mode))
    if as_json:
        machine = {"arena": __version__, "python": platform.python_version(), "machine": platform.machine()}
        print(json.dumps({**machine, "figures": [asdict(figure) for figure in figures]}))
        return
    rows = [
        [f.bot, f.language, f.workers, f"{f.matches / f.seconds:,.0f}", f"{f.moves / f.seconds:,.0f}",
         f"{f.us_per_move:.1f}"]
        for f in figures
    ]  # fmt: skip
    headers = ["bots", "language", "workers", "matches/s", "moves/s", "µs a move"]
    print(tabulate(rows, headers, disable_numparse=True, colalign=["left", "left", *["right"] * 4]))
    print(f"\nArena {__version__}, Python {platform.python_version()}, sandbox {mode}.")
