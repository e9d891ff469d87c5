"""`arena run`: a tournament from its file, or the rest of it. Owns what is said while it runs, and Ctrl-C."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from arena.cli import limit_flags as flags
from arena.cli.match import RESTARTS
from arena.cli.progress import EventWriter, duration, facts, progress
from arena.crew import Crew, LocalCrew
from arena.errors import UsageError
from arena.organiser import Event, Order, default_workers, opened, take_order
from arena.runner import Outcome, Runner, Tally
from arena.worker import Report

INTERRUPTED = 130


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament file.")],
    workers: Annotated[
        int | None, typer.Option("-j", "--workers", metavar="N", min=1, help="Workers (default: one for each core).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")] = False,
    events: Annotated[
        str | None, typer.Option("--events", metavar="FILE", help="Write events as JSON lines; - for stdout.")
    ] = None,
    move_ms: flags.MoveMs = None,
    bank_ms: flags.BankMs = None,
    increment_ms: flags.IncrementMs = None,
    start_ms: flags.StartMs = None,
    memory_mb: flags.MemoryMb = None,
    output_kb: flags.OutputKb = None,
    reprompts: flags.Reprompts = None,
    sandbox: flags.Sandbox = "auto",
    restart: Annotated[
        str, typer.Option("--restart", metavar="fault|always", help="When a bot is started afresh.")
    ] = "fault",
    ponder: Annotated[
        bool, typer.Option("--ponder", help="Let bots think in the other's turn; needs -j 1 and two cores.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no table.")] = False,
) -> int:
    """Run a tournament, or go on with one.

    The records are in runs/NAME beside the file. Running the same file again plays what is missing; Ctrl-C finishes
    the matches under way, a second Ctrl-C stops at once, and neither loses anything.

    \b
    Examples:
      arena run spring-cup.toml
      arena run spring-cup.toml --dry-run
      arena run spring-cup.toml -j 4 --move-ms 200
    """
    if restart not in RESTARTS:
        raise UsageError(f"--restart {restart}: it is one of {', '.join(RESTARTS)}")
    if ponder and (workers or 1) > 1:
        raise UsageError(f"--ponder gives each bot a core of its own, so it needs -j 1, not -j {workers}")
    limits = flags.given_limits(
        move_ms=move_ms, bank_ms=bank_ms, increment_ms=increment_ms, start_ms=start_ms,
        memory_mb=memory_mb, output_kb=output_kb, reprompts=reprompts,
    )  # fmt: skip
    order = take_order(file, limits=limits, sandbox_mode=sandbox, restart=restart == "always", ponder=ponder)
    if dry_run:
        _say_plan(order, as_json)
        return 0
    if not quiet:
        for warning in order.warnings:
            print(f"arena run: {warning}", file=sys.stderr)
    count = 1 if ponder else workers or default_workers()
    with ExitStack() as stack:
        event = stack.enter_context(opened(order))
        writer = _writer(stack, events)
        if event.journal.note and not quiet:
            print(f"arena run: {event.journal.note}", file=sys.stderr)
        outcome = _run(event, LocalCrew(order.setup, count), writer, quiet or as_json)
    return _tell(order, outcome, as_json, quiet)


def _writer(stack: ExitStack, where: str | None) -> EventWriter | None:
    if where is None:
        return None
    file: IO[str] = sys.stdout if where == "-" else stack.enter_context(Path(where).open("a", encoding="utf-8"))  # noqa: SIM115
    return EventWriter(file)


def _run(event: Event, crew: Crew, writer: EventWriter | None, quiet: bool) -> Outcome:
    """Run it with a crew, and see to Ctrl-C and to whoever watches."""
    try:
        with progress(quiet) as show:

            def observe(tally: Tally, report: Report | None) -> None:
                if writer is not None and report is not None:
                    writer.report(tally, report)
                show(tally, report)

            runner = event.runner(crew, observe)
            if writer is not None:
                writer.write("start", run=event.order.folder.name, workers=crew.lanes, **facts(runner.tally))
            with _stoppable(runner):
                outcome = runner.run()
    except BaseException:
        crew.close(at_once=True)
        raise
    crew.close()
    if writer is not None:
        writer.write("end", stopped=outcome.stopped, **facts(outcome.tally))
    return outcome


class _stoppable:  # noqa: N801 - used as a statement: with _stoppable(runner)
    """The first Ctrl-C (or SIGTERM) lets the matches under way finish; the second stops at once."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._first)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _first(self, *_: object) -> None:
        for number in self._before:
            signal.signal(number, self._second)
        self._runner.stop()
        print("\nfinishing the matches under way (Ctrl-C again stops at once)", file=sys.stderr, flush=True)

    def _second(self, *_: object) -> None:
        raise KeyboardInterrupt


# --- what is said ------------------------------------------------------------------------------


def _say_plan(order: Order, as_json: bool) -> None:
    """What would be played."""
    tournament, schedule = order.file.tournament, order.plan.schedule()
    per_game = dict.fromkeys(schedule.games, 0)
    for pairing in schedule.pairings():
        per_game[pairing.key] += 2
    if as_json:
        print(json.dumps({"run": tournament.name, "scheduled": len(schedule), "games": per_game,
                          "bots": {bot.name: bot.version for bot in order.setup.bots}}))  # fmt: skip
        return
    print(f"{tournament.name}: {tournament.format}, {len(order.setup.bots)} bots, {len(schedule)} matches")
    for key, count in per_game.items():
        print(f"  {key}: {count} matches")
    for bot in order.setup.bots:
        plays = f", plays {', '.join(bot.games)}" if bot.games is not None else ""
        print(f"  {bot.name} ({bot.version}){plays}")
    print(f"The records would be in {_shown_folder(order)}.")


def _tell(order: Order, outcome: Outcome, as_json: bool, quiet: bool) -> int:
    """How the run ended, the top of the table, and what to do next."""
    tally = outcome.tally
    status = INTERRUPTED if outcome.stopped else 3 if outcome.unplayable else 0
    if as_json:
        print(json.dumps({"run": order.folder.name, "stopped": outcome.stopped, **facts(tally),
                          "unplayable": list(outcome.unplayable)}))  # fmt: skip
        return status
    seconds = tally.played / tally.rate if tally.played else 0.0
    speed = f" in {duration(seconds)}, {tally.rate:.0f} matches/s" if tally.played else ""
    print(f"{order.folder.name}: {tally.recorded} of {tally.scheduled} matches recorded, {tally.played} now{speed}.")
    if outcome.unplayable:
        print(f"{len(outcome.unplayable)} matches could not be played, their worker died each time: "
              f"{', '.join(outcome.unplayable[:3])}", file=sys.stderr)  # fmt: skip
    if tally.voided:
        print(f"{tally.voided} matches are void (the machine was too slow): the same command plays them again.")
    if outcome.stopped:
        print(f"Stopped. To go on: arena run {order.file.path}")
    if not quiet:
        _say_table(order)
    return status


def _say_table(order: Order) -> None:
    """The table over all, short."""
    from tabulate import tabulate

    from arena.standings import Standings
    from arena.tables import visible

    rows = Standings.read(order.folder.matches).table().rows
    if not rows:
        return
    shown = [
        [row.rank, visible(row.bot), row.score.matches, f"{row.score.points:.1f}", f"{row.rating.rating:+.0f}",
         f"{row.rating.low:+.0f} to {row.rating.high:+.0f}"]
        for row in rows[:20]
    ]  # fmt: skip
    headers = ["rank", "bot", "matches", "score", "rating", "95% interval"]
    align = ["right", "left", "right", "right", "right", "right"]
    print("\n" + tabulate(shown, headers, disable_numparse=True, colalign=align) + "\n")
    folder = _shown_folder(order)
    print(f"More: arena standings {folder}   arena report {folder} -o report.html   arena verify {folder}")


def _shown_folder(order: Order) -> str:
    path = order.folder.path
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
