"""`arena report`: the whole run as one page that works offline."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.errors import UsageError
from arena.record import read_records


def command(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run: its folder.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.html", help="Where the page is written.")
    ],
    analysis: Annotated[
        bool, typer.Option("--analysis/--no-analysis", help="Judge every move with the exact solver.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Write the whole run as one HTML page: tables, drawings, and every match to step through.

    The page needs no network and no server. It may be written at any time, also while the run goes on: it
    shows the matches that are over. A page that is there already is replaced.

    \b
    Examples:
      arena report runs/spring-cup -o spring-cup.html
      arena report runs/spring-cup -o quick.html --no-analysis
    """
    from arena.report.data import build
    from arena.report.page import check_target, render, write

    name, records, scheduled = _found(run)
    check_target(output)
    data = build(name, read_records(records), scheduled=scheduled, analyse=analysis, progress=_progress)
    _progress(0)
    size = write(render(data), output)
    if as_json:
        print(json.dumps({"file": str(output), "bytes": size, "run": name, "matches": data.played}))
    else:
        noun = "match" if data.played == 1 else "matches"
        print(f"wrote {output}: {data.played:,} {noun}, {size / 1e6:.2f} MB")


def _found(run: str) -> tuple[str, Path, int | None]:
    """The name of a run, its records, and how many matches are scheduled, if that is known."""
    folder = Path(run)
    records = folder / "matches.jsonl"
    if not folder.exists():
        raise UsageError(f"there is no run {run!r}: give the folder of a run, such as runs/spring-cup")
    if not records.is_file():
        raise UsageError(f"{run} is no run: it has no file matches.jsonl")
    return folder.resolve().name, records, None


def _progress(done: int) -> None:
    """Say how far it is, where somebody watches; 0 wipes the line."""
    if sys.stderr is not None and sys.stderr.isatty() and done % 100 == 0:
        print(f"\r{done:,} matches" if done else "\r\033[K", end="", file=sys.stderr, flush=True)
