"""`arena standings`: the tables of a run, at any time, also while it runs. Owns how they are asked for.

Raises UsageError for a run, a game or a format that is not there; what a broken record raises passes through.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import completion
from arena.errors import UsageError
from arena.run_folder import Plan, RunFolder, find_run
from arena.standings import ALL, Standings
from arena.tables import add_extra, check_format, render

if TYPE_CHECKING:
    from arena.accuracy import Columns

DEFAULT_FORMAT = "simple"


def command(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run's folder, its name in ./runs, or the tournament file.",
            autocompletion=completion.runs,
        ),
    ],
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
    folder = find_run(run)
    plan = folder.plan()
    standings = read_standings(folder)
    if game is not None:
        _check_game(game, standings, plan)
    scheduled = standings.played if plan is None else plan.scheduled
    extra = _judged(folder) if analysis else {}
    if as_json:
        print(json.dumps(add_extra(standings.to_json(folder.name, scheduled, game=game), extra)))
        return
    print(render(standings, format, folder.name, scheduled, game=game, extra=extra), end="")


def read_standings(folder: RunFolder) -> Standings:
    """The standings as far as matches are recorded; empty for a run that has only just begun."""
    return Standings.read(folder.matches) if folder.matches.exists() else Standings()


def _judged(folder: RunFolder) -> Columns:
    """How well each bot played, as far as matches are recorded."""
    from arena.accuracy import columns
    from arena.record import read_records

    return columns(read_records(folder.matches)) if folder.matches.exists() else {}


def _check_game(game: str, standings: Standings, plan: Plan | None) -> None:
    """Refuse a game that is no part of the run."""
    planned = [] if plan is None else [entry.id for entry in plan.tournament.games]
    known = [ALL, *dict.fromkeys([*planned, *standings.games])]
    if game not in known:
        near = get_close_matches(game, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        raise UsageError(f"no table of {game!r} in this run: {hint}")
