"""`arena run`: a tournament from its file, or the rest of it. Owns what is said while it runs, and Ctrl-C.

Raises UsageError for flags that do not fit together; what the organiser raises passes through.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli import limit_flags as flags
from arena.cli.match import RESTARTS
from arena.cli.progress import STOPPING, EventWriter, duration, facts, is_live, progress, rate
from arena.cli.terminal import can_redraw, program
from arena.crew import Crew, LocalCrew
from arena.errors import HarnessFailure, UsageError
from arena.organiser import Event, Order, default_workers, opened, recorded_already, take_order
from arena.printable import printable, visible
from arena.runner import Runner, RunOutcome, Tally
from arena.tables import elo, interval
from arena.worker import Report

INTERRUPTED = 130
SHOWN_UNPLAYABLE = 5
SHOWN_VOID = 5
SHOWN_FAULTY = 5


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament file.")],
    workers: Annotated[
        int | None,
        typer.Option("-j", "--workers", metavar="N", min=1, help="Workers (default: one for each core)."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler, or 'local'."
        ),
    ] = None,
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
      arena run spring-cup.toml --cluster tcp://HOST:8786
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
    for warning in order.warnings:
        print(f"arena run: {warning}", file=sys.stderr)
    if not (quiet or as_json):
        _note_repeats(order)
    if cluster is not None:
        from arena.cluster import check

        check(cluster, order.setup, workers)
    with ExitStack() as stack:
        writer = _writer(stack, events)
        event = stack.enter_context(opened(order))
        if event.journal.note:
            print(f"arena run: {event.journal.note}", file=sys.stderr)
        try:
            outcome = _run(event, lambda: _crew(order, workers, cluster, quiet), writer, quiet or as_json)
        except KeyboardInterrupt:
            _tell_stopped_at_once(order, len(event.journal.done))
            return INTERRUPTED
    if events == "-" and not as_json:  # stdout belongs to the events
        return _status(outcome)
    return _tell(order, outcome, as_json, quiet)


def _writer(stack: ExitStack, where: str | None) -> EventWriter | None:
    if where is None:
        return None
    if where == "-":
        return EventWriter(sys.stdout)
    try:
        return EventWriter(stack.enter_context(Path(where).open("a", encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"--events {where}: the file cannot be written: {error.strerror or error}") from None


def _crew(order: Order, workers: int | None, cluster: str | None, quiet: bool) -> Crew:
    """Who plays: processes of this machine, or the workers of a cluster."""
    if cluster is None:
        return LocalCrew(order.setup, 1 if order.setup.ponder else workers or default_workers())
    from arena.cluster import hire

    def notify(text: str) -> None:
        if not quiet:
            lead = "\r\x1b[K" if can_redraw(sys.stderr) else ""
            print(f"{lead}arena run: {text}", file=sys.stderr, flush=True)

    return hire(cluster, order.setup, order.file.folder, notify, workers)


def _say_left_out(crew: Crew) -> None:
    """The bots that no worker of a cluster could play, and why."""
    left_out: dict[str, str] = getattr(crew, "left_out", {})
    for name, why in sorted(left_out.items()):
        print(f"arena run: {name} could not be played on any worker: {why}", file=sys.stderr)


def _run(event: Event, hire: Callable[[], Crew], writer: EventWriter | None, quiet: bool) -> RunOutcome:
    """Run it with a crew, and see to Ctrl-C and to whoever watches."""
    crew = hire()
    try:
        with progress(quiet) as show:

            def observe(tally: Tally, report: Report | None) -> None:
                if writer is not None and report is not None:
                    writer.report(tally, report)
                show(tally, report)

            runner = event.runner(crew, observe)
            if writer is not None:
                writer.write("start", run=event.order.folder.name, workers=crew.lanes, **facts(runner.tally))
            with _stoppable(runner, told=is_live(quiet)):
                outcome = runner.run()
    except BaseException:
        crew.close(at_once=True)
        raise
    crew.close()
    _say_left_out(crew)
    if writer is not None:
        writer.write("end", stopped=outcome.stopped, **facts(outcome.tally))
    return outcome


class _stoppable:  # noqa: N801 - used as a statement: with _stoppable(runner)
    """The first Ctrl-C (or SIGTERM) lets the matches under way finish; the second stops at once."""

    def __init__(self, runner: Runner, *, told: bool) -> None:
        self._runner = runner
        self._told = told
        """Whether whoever shows the progress says that it is being stopped."""
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
        if not self._told:
            with suppress(OSError):  # not print: the signal may have come in the middle of one
                os.write(2, f"{STOPPING}\n".encode())

    def _second(self, *_: object) -> None:
        for number in self._before:
            signal.signal(number, signal.SIG_IGN)  # a third would disturb the leaving
        self._before.clear()
        raise KeyboardInterrupt


def _note_repeats(order: Order) -> None:
    """A line on games of which more rounds tell nothing new of bots that play by the position alone."""
    if repeated := order.plan.schedule().repeated_starts():
        print(
            f"arena run: every round of {', '.join(repeated)} has the same start, and many bots will play the same "
            "match again: give an option a range, or opening_plies",
            file=sys.stderr,
        )


# --- what is said ------------------------------------------------------------------------------


def _say_plan(order: Order, as_json: bool) -> None:
    """What would be played, of all that and of what is left; refuses what the run itself would refuse."""
    tournament, schedule = order.file.tournament, order.plan.schedule()
    recorded = recorded_already(order)
    per_game = dict.fromkeys(schedule.games, 0)
    for pairing in schedule.pairings():
        per_game[pairing.key] += 2
    if as_json:
        print(json.dumps({"run": tournament.name, "scheduled": len(schedule), "recorded": recorded, "games": per_game,
                          "bots": {bot.name: bot.version for bot in order.setup.bots}}))  # fmt: skip
        return
    print(f"{tournament.name}: {tournament.format}, {len(order.setup.bots)} bots, {len(schedule)} matches")
    if recorded:
        print(f"  {recorded} of them are recorded, {len(schedule) - recorded} are left")
    for key, count in per_game.items():
        print(f"  {key}: {count} matches")
    for bot in order.setup.bots:
        plays = f", plays {printable(', '.join(bot.games))}" if bot.games is not None else ""
        print(f"  {visible(bot.name)} ({bot.version}){plays}")
    print(f"The records {'are' if recorded else 'would be'} in {_shown_folder(order)}.")


def _status(outcome: RunOutcome) -> int:
    """The exit status: 0 if every match is recorded."""
    return INTERRUPTED if outcome.stopped else 0 if outcome.complete else HarnessFailure.exit_status


def _tell(order: Order, outcome: RunOutcome, as_json: bool, quiet: bool) -> int:
    """How the run ended, the top of the table, and what to do next."""
    tally = outcome.tally
    if as_json:
        from arena.standings import Standings

        print(json.dumps({"run": order.folder.name, "stopped": outcome.stopped, **facts(tally),
                          "unplayable": outcome.unplayable, "void_matches": outcome.void, "left_out": outcome.left_out,
                          "faults": Standings.read(order.folder.matches).faults()}))  # fmt: skip
        return _status(outcome)
    if outcome.complete and not tally.played:
        print(
            f"{order.folder.name}: all {tally.scheduled} matches are recorded, there was nothing left to play."
        )
    else:
        print(f"{order.folder.name}: {tally.recorded} of {tally.scheduled} matches recorded, {_now(tally)}.")
    _tell_missing(outcome)
    if not outcome.complete:
        print(f"To go on: {_again(order)}")
    if not quiet:
        _say_table(order)
    return _status(outcome)


def _now(tally: Tally) -> str:
    """How many matches were played by this call, and how fast."""
    if not tally.played:
        return "0 now"
    took = f"{tally.seconds:.1f} s" if tally.seconds < 10 else duration(tally.seconds)
    return f"{tally.played} now, in {took} ({rate(tally)} matches/s)"


def _tell_missing(outcome: RunOutcome) -> None:
    """Which matches could not be played although they should have been, and why."""
    for match_id, why in list(outcome.unplayable.items())[:SHOWN_UNPLAYABLE]:
        print(f"arena run: {match_id} could not be played: its worker died each time: {why}", file=sys.stderr)
    more = len(outcome.unplayable) - SHOWN_UNPLAYABLE
    if more > 0:
        print(f"arena run: nor could {more} more (--json lists them all)", file=sys.stderr)
    for name, why in sorted(outcome.left_out.items()):
        print(
            f"arena run: {visible(name)} was left out: {printable(why)}; restore them and run the same file again, "
            "or add the new bot under another name",
            file=sys.stderr,
        )
    _tell_void(outcome.void)


def _tell_void(void: dict[str, str]) -> None:
    """How many matches counted for nothing each time, by their reasons: those alike but for a number are one."""
    alike: dict[str, list[str]] = {}
    for why in void.values():
        alike.setdefault(re.sub(r"\d+", "0", why), []).append(why)
    for whys in sorted(alike.values(), key=len, reverse=True)[:SHOWN_VOID]:
        are = "match is" if len(whys) == 1 else "matches are"
        print(f"arena run: {len(whys)} {are} void, each time: {printable(whys[0])}", file=sys.stderr)
    if (more := len(alike) - SHOWN_VOID) > 0:
        print(f"arena run: others are void for {more} more reasons (--json lists them all)", file=sys.stderr)


def _tell_stopped_at_once(order: Order, recorded: int) -> None:
    """What there is to know after the second Ctrl-C."""
    print(
        f"arena run: stopped at once; {recorded} matches are recorded. To go on: {_again(order)}",
        file=sys.stderr,
    )


def _again(order: Order) -> str:
    """The command that goes on with this run, as this call was."""
    words = [word for word in sys.argv[1:] if word != "--dry-run"]
    return f"{program()} {shlex.join(words if words[:1] == ['run'] else ['run', str(order.file.path)])}"


def _say_table(order: Order) -> None:
    """The table over all, short."""
    from tabulate import tabulate

    from arena.standings import Standings

    standings = Standings.read(order.folder.matches)
    rows = standings.table().rows
    if not rows:
        return
    shown = [
        [row.rank, visible(row.bot), row.score.matches, f"{row.score.points:.1f}", elo(row.rating.rating),
         interval(row)]
        for row in rows[:20]
    ]  # fmt: skip
    headers = ["rank", "bot", "matches", "score", "rating", "95% interval"]
    align = ["right", "left", "right", "right", "right", "right"]
    print("\n" + tabulate(shown, headers, disable_numparse=True, colalign=align) + "\n")
    folder = _shown_folder(order)
    _say_faults(standings.faults(), {row.bot: row.score.matches for row in rows}, folder)
    me = program()
    print(f"More: {me} standings {folder}   {me} report {folder} -o report.html   {me} verify {folder}")


def _say_faults(faults: dict[str, dict[str, int]], matches: dict[str, int], folder: str) -> None:
    """A line for each bot that lost matches by its faults, with the command that lists them."""
    for bot, endings in list(faults.items())[:SHOWN_FAULTY]:
        counts = [f"{name} ({count})" if len(endings) > 1 else name for name, count in endings.items()]
        lost = f"{sum(endings.values())} of {matches[bot]} matches lost by {', '.join(counts)}"
        print(f"{visible(bot)}: {lost} ({program()} replay {folder} --lost-by {shlex.quote(bot)})")
    if (more := len(faults) - SHOWN_FAULTY) > 0:
        print(
            f"and {more} more {'bot' if more == 1 else 'bots'} lost by faults ({program()} standings {folder})"
        )
    if faults:
        print()


def _shown_folder(order: Order) -> str:
    path = order.folder.path
    try:
        return shlex.quote(str(path.relative_to(Path.cwd())))
    except (ValueError, OSError):  # elsewhere, or the current folder is gone
        return shlex.quote(str(path))
