"""`arena replay`: the matches of a run, and one of them step by step. Owns the terminal while it does."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, islice
from typing import Annotated, Any

import typer

from arena.analysis import Analyst, MatchAnalysis
from arena.cli import completion, keys
from arena.cli.run_argument import Run
from arena.cli.terminal import can_redraw
from arena.errors import UsageError
from arena.evidence import Evidence, gather
from arena.printable import visible
from arena.record import Ending, MatchRecord
from arena.replay import Filters, Replay, find, verdict
from arena.schedule import id_order
from arena.tables import width
from arena.walk import Walk

SORTED_MATCHES = 100_000
"""A longer list is too long to wait for, and to read."""
CLEAR = "\x1b[2J\x1b[H"


def command(
    run: Run,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="A match's id, or a part that no other id has.")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot", metavar="NAME", help="Only matches of this bot.", autocompletion=completion.bots
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="ID", help="Only matches of this game.", autocompletion=completion.games
        ),
    ] = None,
    ending: Annotated[
        str | None,
        typer.Option(
            "--ending",
            metavar="ENDING",
            help="Only matches that ended so: timeout, ...",
            autocompletion=completion.one_of(Ending),
        ),
    ] = None,
    lost_by: Annotated[
        str | None,
        typer.Option(
            "--lost-by",
            metavar="NAME",
            help="Only matches that this bot lost.",
            autocompletion=completion.bots,
        ),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print the whole match, without keys.")] = False,
    analysis: Annotated[
        bool, typer.Option("--analysis/--no-analysis", help="Judge every move with the exact solver.")
    ] = True,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="BOT",
            help="Send the recorded lines to this bot, without limits.",
            autocompletion=completion.bots,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", metavar="1|2", help="The seat that --against takes (its own, or the loser's)."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> int:
    """List the matches of a run, or step through one of them.

    Keys: right, n or space go on, left or p back; home and end; a number and enter go to that move; q leaves. A page
    that is taller than the window is scrolled by up and down, k and j, page up and page down.

    Blunders are marked, with the moves that would have kept the win, as far as the position can be solved.

    With --against the bot is sent what was sent then, with no time limit, up to the first answer that differs
    (exit status 1). A bot that failed then and fails in the same way now is as recorded (exit status 0). To meet a
    crash again, give a command line with a debugger in it.

    \b
    Examples:
      arena replay runs/spring-cup --lost-by alice --ending timeout
      arena replay runs/spring-cup squares.alice.bob.3a
      arena replay runs/spring-cup alice.bob.3a --plain
      arena replay runs/spring-cup alice.bob.3a --against ./alice.py
    """
    filters = Filters(bot, game, ending, lost_by)
    evidence = gather(run)
    if bot or game or lost_by:
        filters.check(*_names(evidence))
    chosen = (record for record in evidence.records() if filters.take(record))
    if match is None:
        if against is not None:
            raise UsageError("--against needs the match that is to be replayed: arena replay RUN MATCH")
        return _list(chosen, as_json=as_json)
    record = find(chosen, match)
    if against is not None:
        from arena.cli.rerun import rerun  # late: nothing else here starts a process

        return rerun(run, record, against, seat, as_json=as_json)
    if seat is not None:
        raise UsageError("--seat is the seat that --against BOT takes: name the bot")
    judged = Analyst().analyse(record) if analysis else None
    if as_json:
        print(json.dumps(_facts(record, judged)))
        return 0
    replay = Replay(record, judged)
    if plain or not (sys.stdin.isatty() and can_redraw(sys.stdout)):
        print("\n\n".join(replay.pages()))
        return 0
    _walk(replay)
    return 0


def _names(evidence: Evidence) -> tuple[set[str], set[str]]:
    """The bots and the games of a run: of its plan, or of all its records where there is none."""
    if (plan := evidence.plan) is not None:
        return set(plan.bots), {entry.id for entry in plan.tournament.games}
    bots, games = set(), set()
    for record in evidence.records():
        bots |= {bot.name for bot in record.bots}
        games.add(record.game)
    return bots, games


def _facts(record: MatchRecord, judged: MatchAnalysis | None) -> dict[str, Any]:
    """What programs are told of one match."""
    return {"record": record.model_dump(mode="json"), "analysis": None if judged is None else asdict(judged)}


# --- the list --------------------------------------------------------------------------------------


def _list(records: Iterator[MatchRecord], *, as_json: bool) -> int:
    """A line for each match, by its id; those of a very long run as they are read."""
    rows = ((record.id, json.dumps(_summary(record)) if as_json else _row(record)) for record in records)
    first = list(islice(rows, SORTED_MATCHES + 1))
    if len(first) <= SORTED_MATCHES:
        first.sort(key=lambda row: id_order(row[0]))
    for _, row in chain(first, rows):
        print(row)
    if not first and not as_json:
        print("no match is like that")
    return 0


def _summary(record: MatchRecord) -> dict[str, Any]:
    result = record.result
    return {
        "id": record.id,
        "game": record.game,
        "bots": [bot.name for bot in record.bots],
        "moves": len(record.moves),
        "winner": result.winner,
        "ending": result.ending.value,
        "at_fault": result.at_fault,
        "detail": result.detail,
    }


def _row(record: MatchRecord) -> str:
    name = visible(record.id)
    noun = "move" if len(record.moves) == 1 else "moves"
    return f"{name}{' ' * max(0, 40 - width(name))}  {len(record.moves):3} {noun:5}  {verdict(record)}"


# --- step by step ----------------------------------------------------------------------------------


def _walk(replay: Replay) -> None:
    """Show a page, wait for a key, and so on; the terminal is left as it was, whatever happens."""
    walk = Walk(replay)
    with keys.single() as pressed:
        while not walk.over:
            walk.fit(*os.get_terminal_size(sys.stdout.fileno()))
            sys.stdout.write(CLEAR + walk.page())
            sys.stdout.flush()
            key = pressed()
            if key is None:  # the terminal is gone
                return
            if key != keys.RESIZED:
                walk.press(key)
    print()
