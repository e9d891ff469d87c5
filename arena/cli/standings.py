"""`arena standings`: the tables of a run, at any time, also while it runs. Owns how they are asked for.

Raises UsageError for a run, a game or a format that is not there; what a broken record raises passes through.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completion
from arena.cli.run_argument import Run
from arena.evidence import Evidence, gather
from arena.tables import add_extra, check_format, render

if TYPE_CHECKING:
    from arena.accuracy import Columns

DEFAULT_FORMAT = "simple"


def command(
    run: Run,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="F",
            help="A format of tabulate's, csv, json or markdown.",
            autocompletion=completion.formats,
        ),
    ] = DEFAULT_FORMAT,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="Only this game's table, or 'all' for the sum.",
            autocompletion=completion.games,
        ),
    ] = None,
    analysis: Annotated[
        bool,
        typer.Option("--analysis", help="Judge every move with the exact solver: accuracy and blunders."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Print the tables of a run.

    They are the standings, how matches ended, the crosstable and the share of the first seat. It may be asked for
    while the run goes on: every match that is recorded counts.

    \b
    Examples:
      arena standings spring-cup
      arena standings spring-cup.toml --game squares
      arena standings runs/spring-cup --format markdown > table.md
      arena standings spring-cup --analysis
      arena standings spring-cup --json
    """
    check_format(format)
    evidence = gather(run, planned=True)
    standings = evidence.standings()
    if game is not None:
        standings.check_game(game)  # before the analysis, which takes its time
    scheduled = standings.played if evidence.plan is None else evidence.plan.scheduled
    extra = _judged(evidence) if analysis else {}
    if as_json:
        print(json.dumps(add_extra(standings.to_json(evidence.name, scheduled, game=game), extra)))
        return
    print(render(standings, format, evidence.name, scheduled, game=game, extra=extra), end="")


def _judged(evidence: Evidence) -> Columns:
    """How well each bot played, as far as matches are recorded."""
    from arena.accuracy import columns

    return columns(evidence.records())
