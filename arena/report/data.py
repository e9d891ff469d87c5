"""The data of a report: one pass over the records of a run, folded into all that the page shows.

Owns what is counted for the page beyond the standings: think times by bin, accuracy, and the packed matches.
Raises what reading the records raises (RecordError); a match that cannot be analysed is shown without marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena import accuracy
from arena.analysis import Accuracy, Analyst, MatchAnalysis
from arena.catalogue import get_game
from arena.errors import ArenaError
from arena.printable import visible
from arena.record import Ending, MatchRecord
from arena.report.figures import Axis, Bar, TimeAxis, apart, axis_over, rank_labels, time_bin
from arena.report.matches import MatchColumns
from arena.standings import ALL, Row, Score, Share, Standings, Table

MOST_ROWS = 200
"""How many bots a table of the page shows, the best first."""
MOST_CROSSED = 40
"""How many bots a crosstable shows: more cannot be read."""


@dataclass
class _Times:
    """The think times of one bot in one game: counts by bin, and the longest."""

    bins: Counter[int] = field(default_factory=Counter)
    longest: float = 0.0

    def add(self, ms: float) -> None:
        self.bins[time_bin(ms)] += 1
        self.longest = max(self.longest, ms)

    def merge(self, other: _Times) -> None:
        self.bins.update(other.bins)
        self.longest = max(self.longest, other.longest)


class Line(NamedTuple):
    """One bot in the tables of a panel: its row of the standings, and how it is drawn.

    `label` is its rank, with a letter where several share it.
    """

    number: int
    label: str
    name: str
    row: Row
    low: float
    middle: float
    high: float
    bars: list[Bar]
    longest: float
    accuracy: Accuracy | None


class Cell(NamedTuple):
    """One cell of the crosstable: the numbers of the two bots, and the score of the first against the second."""

    first: int
    second: int
    score: Score | None

    @property
    def step(self) -> int:
        """The step of the heat map, 0 to 10."""
        return round(10 * self.score.share) if self.score else 0


class Point(NamedTuple):
    """A bot in the drawing of rating against accuracy: its place in percent, and how its disc is moved, in pixels."""

    label: str
    name: str
    across: float
    up: float
    shift: tuple[int, int]


class Scatter(NamedTuple):
    """Rating against accuracy."""

    accuracy: Axis
    rating: Axis
    points: list[Point]


@dataclass(frozen=True)
class Panel:
    """All tables and drawings of one game, or of all together."""

    game: str
    title: str
    lines: list[Line]
    bots: int
    rating_axis: Axis
    time_axis: TimeAxis
    crosstable: list[tuple[Line, list[Cell]]]
    endings: list[Ending]
    first_seat: Share | None
    scatter: Scatter | None
    islands: int
    not_judged: int


@dataclass(frozen=True)
class ReportData:
    """Everything on the page. `scheduled` is None where only the records are known."""

    run: str
    played: int
    void: int
    scheduled: int | None
    bots: list[str]
    began: str
    ended: str
    panels: list[Panel]
    analysed: bool
    packed: dict[str, Any]


class Fold:
    """What the records of a run come to, one after the other."""

    def __init__(self, analyst: Analyst | None) -> None:
        self.standings = Standings()
        self.matches = MatchColumns()
        self.bots: dict[str, int] = {}
        self.games: dict[str, int] = {}
        self.times: dict[str, dict[str, _Times]] = {}
        self.accuracy: accuracy.Tables = {}
        self.not_judged: Counter[str] = Counter()
        self.began = self.ended = ""
        self._analyst = analyst

    def add(self, record: MatchRecord) -> None:
        """Count one record and pack its match."""
        analysis = self._analysis(record)
        numbers = [self.bots.setdefault(bot.name, len(self.bots)) for bot in record.bots]
        game = self.games.setdefault(record.game, len(self.games))
        self.standings.add(record)
        self.matches.add(record, numbers, game, analysis)
        self.began = min(self.began or record.started, record.started)
        self.ended = max(self.ended, record.started)
        if record.result.winner is not None:
            self._count(record, analysis)

    def _count(self, record: MatchRecord, analysis: MatchAnalysis | None) -> None:
        times = self.times.setdefault(record.game, {})
        for move in record.moves:
            times.setdefault(record.bots[move.seat - 1].name, _Times()).add(move.ms)
        if analysis is not None:
            accuracy.count(self.accuracy, record, analysis)

    def _analysis(self, record: MatchRecord) -> MatchAnalysis | None:
        if self._analyst is None:
            return None
        if self._analyst.has_given_up(record.game):
            self.not_judged[record.game] += 1
            return None
        try:
            return self._analyst.analyse(record)
        except ArenaError:  # a game that is not installed, or a record that breaks its rules
            return None

    def times_of(self, game: str) -> dict[str, _Times]:
        """The think times of each bot in one game, or in all."""
        if game != ALL:
            return self.times.get(game, {})
        total: dict[str, _Times] = {}
        for times in self.times.values():
            for bot, some in times.items():
                total.setdefault(bot, _Times()).merge(some)
        return total


def build(
    run: str,
    records: Iterable[MatchRecord],
    *,
    scheduled: int | None = None,
    analyse: bool = True,
    progress: Callable[[int], None] | None = None,
) -> ReportData:
    """The data of a report on these records; `progress` is told how many are done."""
    fold = Fold(Analyst() if analyse else None)
    for done, record in enumerate(records, start=1):
        fold.add(record)
        if progress:
            progress(done)
    tables = fold.standings.tables() if fold.standings.played else []
    names = [visible(bot) for bot in fold.bots]
    return ReportData(
        run=visible(run), played=fold.standings.played, void=fold.standings.void, scheduled=scheduled,
        bots=names, began=fold.began, ended=fold.ended, panels=[_panel(fold, table) for table in tables],
        analysed=analyse, packed=_packed(fold, names),
    )  # fmt: skip


def title_of(game: str) -> str:
    """A game's name for people; its id if it is not installed here."""
    try:
        return get_game(game).title
    except ArenaError:
        return game


def _packed(fold: Fold, names: list[str]) -> dict[str, Any]:
    return {
        "bots": names,
        "games": [{"id": game, "title": title_of(game)} for game in fold.games],
        "endings": [[ending.value, ending.sentence] for ending in Ending],
        **fold.matches.to_json(),
    }


def _panel(fold: Fold, table: Table) -> Panel:
    rows = table.rows[:MOST_ROWS]
    rating_axis = axis_over((end for row in rows for end in row.rating[1:3]), at_least=100.0)
    times = fold.times_of(table.game)
    time_axis = TimeAxis.over(step for some in times.values() for step in some.bins)
    judged = fold.accuracy.get(table.game, {})
    lines = [
        _line(fold, row, label, rating_axis, time_axis, times, judged.get(row.bot))
        for row, label in zip(rows, rank_labels([row.rank for row in rows]), strict=True)
    ]
    seen = {ending for row in rows for ending in row.endings}
    return Panel(
        game=table.game, title="All games" if table.game == ALL else title_of(table.game), lines=lines,
        bots=len(table.rows), rating_axis=rating_axis, time_axis=time_axis,
        crosstable=_crosstable(table, lines[:MOST_CROSSED]),
        endings=[ending for ending in Ending if ending.value in seen], first_seat=table.first_seat,
        scatter=_scatter(lines, rating_axis), islands=len(table.islands),
        not_judged=fold.not_judged.total() if table.game == ALL else fold.not_judged[table.game],
    )  # fmt: skip


def _line(
    fold: Fold,
    row: Row,
    label: str,
    ratings: Axis,
    clock: TimeAxis,
    times: dict[str, _Times],
    accuracy: Accuracy | None,
) -> Line:
    mine = times.get(row.bot, _Times())
    low, middle, high = (ratings.at(value) for value in (row.rating.low, row.rating.rating, row.rating.high))
    # A bound says that the evidence has no end on that side: the line is drawn to the edge.
    low = 0.0 if row.rating.bound == "at most" else low
    high = 100.0 if row.rating.bound == "at least" else high
    return Line(
        fold.bots[row.bot], label, visible(row.bot), row, low, middle, high,
        clock.bars(mine.bins), mine.longest, accuracy,
    )  # fmt: skip


def _crosstable(table: Table, lines: list[Line]) -> list[tuple[Line, list[Cell]]]:
    return [
        (line, [Cell(line.number, other.number, table.against[line.row.bot].get(other.row.bot)) for other in lines])
        for line in lines
    ]  # fmt: skip


def _scatter(lines: list[Line], ratings: Axis) -> Scatter | None:
    """Rating against accuracy; None where fewer than two bots have both."""
    known = [(line, line.accuracy.accuracy) for line in lines if line.accuracy is not None]
    found = [(line, 100 * share) for line, share in known if share is not None]
    if len(found) < 2:
        return None
    across = axis_over((percent for _, percent in found), at_least=10.0)
    across = across._replace(ticks=tuple(tick for tick in across.ticks if float(tick.label) <= 100))
    ratings = axis_over((line.row.rating.rating for line, _ in found), at_least=100.0)
    places = [(across.at(percent), 100 - ratings.at(line.row.rating.rating)) for line, percent in found]
    points = [
        Point(line.label, line.name, *place, shift)
        for (line, _), place, shift in zip(found, places, apart(places), strict=True)
    ]
    return Scatter(across, ratings, points)
