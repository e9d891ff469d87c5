"""The organiser: gets a tournament ready to be run, from its file to the open journal, and has it run.

Owns the order in which that happens: the file is read and every bot found (and built) before anything is written; the
journal's lock is taken before the file is compared with what was played; only then the plan is saved. Raises what
those raise, before anything starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena import cores
from arena import sandbox as sandboxes
from arena.bot import BotSpec
from arena.crew import Crew, LocalCrew
from arena.errors import UsageError
from arena.files import disk_error
from arena.journal import Journal, read_entries
from arena.limits import Limits
from arena.run_folder import Plan, RunFolder
from arena.runner import Observer, Runner, RunOutcome
from arena.tournament import TournamentFile, load, resolve_bots
from arena.worker import Setup


@dataclass(frozen=True)
class Order:
    """A tournament file, with what the caller wants otherwise, checked: nothing is written yet."""

    file: TournamentFile
    setup: Setup
    plan: Plan
    folder: RunFolder
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Event:
    """A tournament that can begin: its journal is open and locked, and nothing contradicts it."""

    order: Order
    journal: Journal

    def runner(self, crew: Crew, observer: Observer) -> Runner:
        """Who runs it with this crew."""
        setup = self.order.setup
        specs = {bot.name: bot for bot in setup.bots}
        return Runner(
            setup.schedule(), self.journal, crew, observer, unfit=lambda name: _why_unfit(specs[name])
        )


def _why_unfit(bot: BotSpec) -> str | None:
    """Why a bot cannot be played any more: its records would name a version that it no longer is."""
    if bot.content is None or (what := bot.content.change()) is None:
        return None
    return f"its files {what} during the run ({', '.join(bot.content.paths)})"


def take_order(
    path: Path,
    *,
    limits: Limits | Mapping[str, int] | None = None,
    sandbox_mode: str = "auto",
    restart: bool = False,
    ponder: bool = False,
) -> Order:
    """Read a tournament file and find its bots; `limits` stand above those in the file."""
    _check_current_folder()
    file = load(path)
    if limits:
        changed = file.tournament.limits.changed(limits)
        file = file._replace(tournament=file.tournament.model_copy(update={"limits": changed}))
    bots = tuple(resolve_bots(file))
    mode, warning = sandboxes.choose(sandbox_mode)
    setup = Setup(file.tournament, bots, mode, restart, ponder)
    plan = Plan.of(file.tournament, bots)
    return Order(file, setup, plan, RunFolder.of(file), (warning,) if warning else ())


def _check_current_folder() -> None:
    """Bots and workers are started from somewhere."""
    try:
        Path.cwd()
    except OSError:
        raise UsageError(
            "the current folder is no longer there: go to one that is, and run the file again"
        ) from None


@contextmanager
def opened(order: Order) -> Iterator[Event]:
    """Open the journal of a run, compare the file with what was played, and keep the plan."""
    with Journal.open(order.folder.path) as journal:
        order.folder.check(order.plan, journal.done, order.file.path.name)
        order.folder.save(order.plan, order.file.text)
        yield Event(order, journal)


def recorded_already(order: Order) -> int:
    """How many matches of this order are recorded; refuses a file that contradicts them. Writes and locks nothing."""
    try:
        entries = [entry for _, entry in read_entries(order.folder.matches) if entry is not None]
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise disk_error(f"{order.folder.matches} cannot be read", error) from None
    done = {entry.id for entry in entries if not entry.void}
    order.folder.check(order.plan, done, order.file.path.name)
    schedule = order.plan.schedule()
    return sum(match_id in schedule for match_id in done)


def default_workers() -> int:
    """One worker for each core."""
    return max(1, len(cores.available()))


def run_tournament(
    path: str | os.PathLike[str],
    *,
    workers: int | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    sandbox: str = "auto",
    restart: bool = False,
    ponder: bool = False,
    observer: Observer = lambda tally, report: None,
) -> RunOutcome:
    """Run a tournament file to its end on this machine, or go on with it.

    path: the tournament file; the run is the folder `runs/NAME` beside it.
    workers: how many matches are played at a time; one for each core if not given.
    limits: those that are named here stand above the file's: `Limits(move_ms=100)`, or a mapping.
    sandbox: "auto" (bubblewrap where it works), "bwrap" or "none".
    restart: start bots afresh for each match, instead of only after a fault.
    ponder: let bots think in the other's turn.
    observer: called with the tally after every report of a worker, and now and then with None for the report.
    """
    order = take_order(Path(path), limits=limits, sandbox_mode=sandbox, restart=restart, ponder=ponder)
    with opened(order) as event:
        crew = LocalCrew(order.setup, workers or default_workers())
        try:
            outcome = event.runner(crew, observer).run()
        except BaseException:
            crew.close(at_once=True)
            raise
        crew.close()
        return outcome
