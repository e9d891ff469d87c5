"""The runner: has all matches of a tournament played that are not recorded yet, and records each once.

Owns what is handed out, to which lane and in which size, and what happens to matches whose worker died. It neither
plays (a crew does) nor prints (an observer is told). What is left to play is what is scheduled minus what is recorded;
a match counts when its record is in the journal. Raises what the journal and the crew raise.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import compress

from arena.crew import Crew, Done
from arena.journal import Journal
from arena.names import quote
from arena.record import parse_record
from arena.schedule import Schedule, read_id
from arena.worker import Block, Report, Result

AHEAD = 2
"""Blocks that a lane has at a time: one being played, one waiting, so that no worker ever waits for the runner."""
TARGET_SECONDS = 0.5
FIRST_BLOCK = 4
SYNC_SECONDS = 1.0
MAX_LOST = 3
"""A match whose worker died so often, playing it alone, is left for another run."""
VOID_ROUNDS = 3
"""A match that was void so often, the referee's own tries aside, is left for another run."""
ROUNDS_AT_ONCE = 16
"""Of so many rounds ids are made together, where few bots play: one by one took a third of the time of a match here."""


@dataclass
class Tally:
    """What a run has come to so far, in this process: for the progress and its table."""

    scheduled: int
    recorded: int
    """In the journal, from before and from now."""
    played: int = 0
    voided: int = 0
    """Matches that counted for nothing, so far each time."""
    moves: int = 0
    starts: int = 0
    lost_workers: int = 0
    """How many workers died; each was replaced."""
    stopping: bool = False
    """Nothing more is handed out: somebody has stopped it."""
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    points: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    matches: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def count(self, first: str, second: str, winner: int | None, ending: str, times: int = 1) -> None:
        """Count accepted records, so many of one kind."""
        self.played += times
        self.endings[ending] += times
        if winner is None:
            return
        self.recorded += times
        self.matches[first] += times
        self.matches[second] += times
        if winner == 0:
            self.points[first] += times / 2
            self.points[second] += times / 2
        else:
            self.points[first if winner == 1 else second] += times

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return (self.ended or time.monotonic()) - self.began

    @property
    def rate(self) -> float:
        """Matches a second so far."""
        return self.played / max(1e-9, self.seconds)

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at this rate; None before the first match."""
        return (self.scheduled - self.recorded) / self.rate if self.played else None

    def leaders(self, count: int) -> list[tuple[str, float, int]]:
        """The bots with the largest share of their points: name, points, matches."""
        names = sorted(self.matches, key=lambda name: (-self.points[name] / self.matches[name], name))
        return [(name, self.points[name], self.matches[name]) for name in names[:count]]


Observer = Callable[[Tally, Report | None], None]
"""Told after every report, with it, and at least a few times a second without."""
Unfit = Callable[[str], str | None]
"""Why the bot of this name cannot be played any more; None if it can."""


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended: what it came to, and what is missing although nobody stopped it, each with the reason.

    `unplayable` are the ids of the matches that no worker survived, `void` of those that counted for nothing each
    time. `left_out` are the bots that could not be played any more: no match of theirs is in the others.
    """

    tally: Tally
    stopped: bool
    unplayable: dict[str, str]
    void: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every match that is scheduled is recorded."""
        return self.tally.recorded >= self.tally.scheduled


class Runner:
    """Runs what is left of a schedule with a crew, into a journal."""

    def __init__(
        self,
        schedule: Schedule,
        journal: Journal,
        crew: Crew,
        observer: Observer,
        unfit: Unfit = lambda name: None,
    ) -> None:
        self._journal = journal
        self._crew = crew
        self._observer = observer
        self._unfit = unfit
        recorded = sum(match_id in schedule for match_id in journal.done)
        self.tally = Tally(len(schedule), recorded)
        self._tiles = _left(schedule, journal.done)
        self._queues: dict[int, deque[str]] = {}
        self._under_way: dict[int, list[Block]] = {}
        self._sizes: dict[int, int] = {}
        self._suspects: deque[str] = deque()
        self._lost: Counter[str] = Counter()
        self._unplayable: dict[str, str] = {}
        self._again: deque[str] = deque()
        self._void: dict[str, list[str]] = {}
        self._left_out: dict[str, str] = {}
        self._numbers = iter(range(1, 1 << 62))

    def stop(self) -> None:
        """Hand out nothing more; what is under way is finished and recorded."""
        self.tally.stopping = True

    def run(self) -> RunOutcome:
        """Play until nothing is left or somebody stops it."""
        synced = time.monotonic()
        handed_in = False
        while True:
            if not self.tally.stopping:
                self._hand_out()
            elif not handed_in:
                self._crew.hand_in()
                handed_in = True
            if not any(self._under_way.values()):
                break
            done = self._crew.wait(0.2)
            for item in done:
                self._take(item)
            if not done:
                self._observer(self.tally, None)
            if time.monotonic() - synced >= SYNC_SECONDS:
                self._journal.sync()
                synced = time.monotonic()
        self._journal.sync()
        self.tally.ended = time.monotonic()
        void = {match_id: whys[-1] for match_id, whys in self._void.items() if not self._is_out(match_id)}
        return RunOutcome(self.tally, self.tally.stopping, dict(self._unplayable), void, dict(self._left_out))

    # --- handing out -----------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Give every lane blocks until it has one to play and one in waiting."""
        for lane in range(self._crew.lanes):
            blocks = self._under_way.setdefault(lane, [])
            while len(blocks) < AHEAD:
                ids = self._next(lane)
                if not ids:
                    return
                block = Block(next(self._numbers), ids)
                blocks.append(block)
                self._crew.submit(lane, block)

    def _next(self, lane: int) -> tuple[str, ...]:
        """The next matches for a lane, without those of bots that are left out."""
        ids = self._drawn(lane)
        while ids and self._left_out and not (ids := tuple([one for one in ids if not self._is_out(one)])):
            ids = self._drawn(lane)
        return ids

    def _is_out(self, match_id: str) -> bool:
        part = read_id(match_id) if self._left_out else None
        return part is not None and any(quote(name) in (part.first, part.second) for name in self._left_out)

    def _drawn(self, lane: int) -> tuple[str, ...]:
        """The next matches for a lane: of its own tile as long as there are, so that its bots stay the same."""
        if self._suspects:
            return (self._suspects.popleft(),)
        queue = self._queues.setdefault(lane, deque())
        wanted = self._sizes.get(lane, FIRST_BLOCK)
        while len(queue) < wanted and (
            tile := next(self._tiles, None)
        ):  # of two bots a tile is but two matches
            queue.extend(tile)
        if not queue:
            queue = max(self._queues.values(), key=len)
        if not queue and self._again:
            return (self._again.popleft(),)
        # Towards the end everybody gets a share of what is left.
        size = wanted if len(queue) >= wanted else max(1, len(queue) // max(1, self._crew.lanes))
        return tuple([queue.popleft() for _ in range(min(size, len(queue)))])

    # --- taking in -------------------------------------------------------------------------------

    def _take(self, done: Done) -> None:
        """Record what was played; what was not goes back."""
        blocks = self._under_way[done.lane]
        known = done.block in blocks  # if not, it was given up, and its matches were handed out again
        if known:
            blocks.remove(done.block)
        report = done.report
        if report is None:
            if known:
                self._lose(done)
            return
        if known:
            self._queues.setdefault(done.lane, deque()).extendleft(reversed(report.rest))
        self._record(report)
        self.tally.moves += report.moves
        self.tally.starts += report.starts
        if report.results:
            rate = len(report.results) / max(report.seconds, 1e-6)
            self._sizes[done.lane] = max(1, min(self._crew.largest_block, round(rate * TARGET_SECONDS)))
        self._observer(self.tally, report)

    def _record(self, report: Report) -> None:
        """Write the records of a report, and count those that are new."""
        results = report.results
        counts = Counter(results)
        void = any(result[2] is None for result in counts)
        if void:
            accepted = self._journal.append(report.lines)
        else:
            accepted = self._journal.append_block(report.blob, report.ids, report.bag)
        if not all(accepted):
            counts = Counter(compress(results, accepted))
        if void or self._void:
            for match_id, result, line in compress(
                zip(report.ids, results, report.lines, strict=True), accepted
            ):
                self._note(match_id, result, line)
            self.tally.voided = len(self._void)
        for (first, second, winner, ending), times in counts.items():
            self.tally.count(first, second, winner, ending, times)

    def _note(self, match_id: str, result: Result, line: bytes) -> None:
        """A match that counted for nothing is played again when all else is, a few times.

        Not those of a bot that will never be fit to play again: nothing of it is handed out any more.
        """
        first, second, winner, _ = result
        if winner is not None:
            self._void.pop(match_id, None)
            return
        for name in (first, second):
            if name not in self._left_out and (why := self._unfit(name)) is not None:
                self._left_out[name] = why
        whys = self._void.setdefault(match_id, [])
        whys.append(parse_record(line).result.detail)
        if len(whys) < VOID_ROUNDS:
            self._again.append(match_id)

    def _lose(self, done: Done) -> None:
        """The worker died: what it was playing is played again, each alone, so that a match that kills is found."""
        ids = done.block.ids
        if not done.begun:
            self._queues.setdefault(done.lane, deque()).extendleft(reversed(ids))
            return
        self.tally.lost_workers += 1
        for match_id in ids:
            self._lost[match_id] += len(ids) == 1
            if self._lost[match_id] >= MAX_LOST:
                self._unplayable[match_id] = done.why
            else:
                self._suspects.append(match_id)


def _left(schedule: Schedule, done: Collection[str]) -> Iterator[list[str]]:
    """What is still to be played, tile by tile. No match is in two tiles, so what is played meanwhile is no matter."""
    fresh = not done
    for tile in _tiles(schedule):
        ids = tile if fresh else [match_id for match_id in tile if match_id not in done]
        if ids:
            yield ids


def _tiles(schedule: Schedule) -> Iterator[list[str]]:
    """The ids of all tiles. Rounds differ in their number alone: after the first, this makes ids ten times as fast."""
    stems: list[list[str]] = []
    for tile in schedule.tiles():
        if tile[0].round > 1:
            break
        yield [match_id for pairing in tile for match_id in pairing.ids]
        stems.append([pairing.ids[0].rpartition(".")[0] for pairing in tile])
    rounds = schedule.tournament.rounds
    at_once = (
        ROUNDS_AT_ONCE if len(stems) == 1 else 1
    )  # the same bots play on: those of one tile need not be parted
    for first in range(2, rounds + 1, at_once):
        ends = [(f".{number}a", f".{number}b") for number in range(first, min(first + at_once, rounds + 1))]
        for stem_tile in stems:
            yield [stem + end for pair in ends for stem in stem_tile for end in pair]
