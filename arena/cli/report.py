"""`arena report`: the whole run as one page that works offline."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.run_argument import Run
from arena.cli.terminal import can_redraw
from arena.evidence import gather


def command(
    run: Run,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.html", help="Where the page is written.")
    ],
    analysis: Annotated[
        bool, typer.Option("--analysis/--no-analysis", help="Judge every move with the exact solver.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Write the whole run as one HTML page.

    It has the tables, drawings and every match to step through. The page needs no network and no server. It may
    be written at any time, also while the run goes on: it shows the matches that are over. A page that is there
    already is replaced.

    \b
    Examples:
      arena report runs/spring-cup -o spring-cup.html
      arena report spring-cup.toml -o quick.html --no-analysis
    """
    from arena.report.data import build
    from arena.report.page import check_target, render, write

    evidence = gather(run, planned=True)
    check_target(output)
    scheduled = evidence.plan.scheduled if evidence.plan else None
    data = build(evidence.name, evidence.records(), scheduled=scheduled, analyse=analysis, progress=_progress)
    _progress(0)
    size = write(render(data), output)
    if as_json:
        print(json.dumps({"file": str(output), "bytes": size, "run": evidence.name, "matches": data.played}))
    else:
        noun = "match" if data.played == 1 else "matches"
        print(f"wrote {output}: {data.played:,} {noun}, {size / 1e6:.2f} MB")


def _progress(done: int) -> None:
    """Say how far it is, where somebody watches; 0 wipes the line."""
    if can_redraw(sys.stderr) and done % 100 == 0:
        print(f"\r{done:,} matches" if done else "\r\033[K", end="", file=sys.stderr, flush=True)
