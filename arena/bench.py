"""A bench: how many moves and matches a second this machine makes, with everything on.

Plays bundled bots with a real crew, referee and journal, in a temporary folder, for a second or two each. Owns what is
measured; the comparison with a bare C loop is in `benchmarks/`. Raises what a run raises.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.bot import BotSpec, resolve
from arena.crew import LocalCrew
from arena.errors import ArenaError
from arena.journal import Journal
from arena.organiser import default_workers
from arena.runner import Runner, Tally
from arena.tournament import BotEntry, GameEntry, Tournament
from arena.worker import Report, Setup

BOTS = (("c-greedy", "C"), ("first", "Python"))
WARM_SECONDS = 0.5


@dataclass(frozen=True)
class Figure:
    """One measurement: what two bots of a kind made on so many workers."""

    bot: str
    language: str
    workers: int
    sandbox: str
    seconds: float
    matches: int
    moves: int

    @property
    def us_per_move(self) -> float:
        """The time of one worker that a move takes, with all that belongs to its match."""
        return self.workers * self.seconds * 1e6 / max(1, self.moves)


def measure(seconds: float, sandbox_mode: str) -> Iterator[Figure]:
    """Each case in turn: compiled and Python bots, one worker and one for each core."""
    for bot, language in BOTS:
        try:
            spec = resolve(bot)
        except ArenaError:  # no compiler here
            continue
        for workers in sorted({1, default_workers()}):
            yield _measured(spec, language, workers, sandbox_mode, seconds)


def _measured(spec: BotSpec, language: str, workers: int, mode: str, seconds: float) -> Figure:
    """Play until the time is over, after a moment for the bots to start."""
    names = [f"{side}-{number}" for number in range(workers) for side in ("one", "two")]
    tournament = Tournament(
        name="bench",
        rounds=1_000_000,
        games=[GameEntry(id="sum-to-zero", opening_plies=1)],
        bots=[BotEntry(name=name) for name in names],
    )
    setup = Setup(tournament, tuple(spec.renamed(name) for name in names), mode)
    watch = _Stopwatch(seconds)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, Journal.open(Path(folder)) as journal:
        crew = LocalCrew(setup, workers)
        try:
            watch.runner = runner = Runner(setup.schedule(), journal, crew, watch.look)
            runner.run()
        finally:
            crew.close(at_once=True)
    return Figure(spec.name, language, workers, mode, watch.seconds, watch.matches, watch.moves)


class _Stopwatch:
    """Counts from when the bots are warm until the time is over, then stops the run."""

    def __init__(self, seconds: float) -> None:
        self.runner: Runner | None = None
        self.seconds = 0.0
        self.matches = self.moves = 0
        self._wanted = seconds
        self._begin: tuple[float, int, int] | None = None
        self._opened = time.monotonic()

    def look(self, tally: Tally, report: Report | None) -> None:
        """Told by the runner after every report."""
        now = time.monotonic()
        if self._begin is None:
            if report is not None and now - self._opened >= WARM_SECONDS:
                self._begin = now, tally.played, tally.moves
            return
        begin, matches, moves = self._begin
        if (
            report is not None
            and self.runner is not None
            and not self.seconds
            and now - begin >= self._wanted
        ):
            self.seconds, self.matches, self.moves = now - begin, tally.played - matches, tally.moves - moves
            self.runner.stop()
