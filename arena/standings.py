"""Standings: what the records of a run add up to, for each game and over all.

Owns the counting and the order of the table. A fold: every record adds to the tally of its game, tallies add
to tallies, and a table is worked out of a tally when it is asked for. All but the think times depends on
results alone, not on the order of records. Each match is expected once, as the journal promises.

Decided here, where the contract is silent:

- Void records count for nothing.
- The rank goes by score a match (the same order as by score when all played equally often), so that a bot is
  not ahead merely because it has played more in an unfinished run or a gauntlet. Equal score a match is equal
  rank; such rows are listed by score among themselves, then Sonneborn-Berger a match, then name.
- `endings` of a bot add up to its matches. A fault (timeout, illegal, ...) is counted for the bot at fault;
  for its opponent, who did nothing wrong, the match counts as completed. A turn limit counts for both.
- `version` is the one that started a match last, where a bot played in several.
- Think times are exact up to 1,024 moves of a bot in a table's game, and within 1% above, in bounded memory.

Raises UsageError for the table of a game that is none of the run; `Standings.read` passes on RecordError.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from math import ceil, exp, fsum, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import UsageError
from arena.ratings import Z95, Rating, Ratings, fit
from arena.record import Ending, Head, MatchRecord, read_heads

ALL = "all"
"""The table of every game together."""


class ThinkTimes:
    """The times of a bot's moves in ms, for quantiles: exact while few, then counted in steps of 2%."""

    EXACT = 1024
    STEPS = 1 / log(1.02)

    def __init__(self) -> None:
        self._few = array("d")
        self._many: Counter[int] = Counter()

    def extend(self, times: array[float]) -> None:
        """Add some moves."""
        self._few.extend(times)
        if self._many or len(self._few) > self.EXACT:
            self._fold_when_full()

    def _fold_when_full(self) -> None:
        if len(self._few) > self.EXACT:
            steps = self.STEPS
            self._many.update([int(log(1 + ms * 1000) * steps) for ms in self._few])
            self._few = array("d")

    def add(self, other: ThinkTimes) -> None:
        """Add all of another's moves."""
        self._many.update(other._many)
        self.extend(other._few)

    def __len__(self) -> int:
        return len(self._few) + self._many.total()

    def quantile(self, share: float) -> float | None:
        """The time that this share of moves did not exceed; None without any move."""
        counts = Counter({self._middle(step): count for step, count in self._many.items()})
        counts.update(self._few)
        rank = ceil(share * counts.total())
        for ms in sorted(counts):
            rank -= counts[ms]
            if rank <= 0:
                return round(ms, 3)
        return None

    def _middle(self, step: int) -> float:
        return (exp((step + 0.5) / self.STEPS) - 1) / 1000


@dataclass
class Tally:
    """The counts of one game, or of several added together."""

    pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """By the bots in seat 1 and seat 2: wins of seat 1, draws, wins of seat 2."""
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    """By bot: the endings other than completed that are counted for it."""
    think: dict[str, ThinkTimes] = field(default_factory=dict)
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    """By bot and version: when it last started a match."""

    def add_head(self, head: Head) -> None:
        """Count one match that is not void."""
        result = self.pairs.setdefault(head.names, [0, 0, 0])
        result[{1: 0, 0: 1, 2: 2}[head.winner or 0]] += 1
        for seat, times in ((1, head.think_1), (2, head.think_2)):
            bot, version = head.names[seat - 1], head.versions[seat - 1]
            if bot not in self.think:
                self.think[bot], self.faults[bot], self.versions[bot] = ThinkTimes(), Counter(), {}
            self.think[bot].extend(times)
            seen = self.versions[bot]
            seen[version] = max(seen.get(version, ""), head.started)
            if head.at_fault == seat or head.ending == Ending.TURN_LIMIT:
                self.faults[bot][head.ending] += 1

    def add(self, other: Tally) -> None:
        """Count all that another tally counted."""
        for pair, counts in other.pairs.items():
            mine = self.pairs.setdefault(pair, [0, 0, 0])
            mine[:] = [a + b for a, b in zip(mine, counts, strict=True)]
        for bot in other.think:
            self.think.setdefault(bot, ThinkTimes()).add(other.think[bot])
            self.faults.setdefault(bot, Counter()).update(other.faults[bot])
            seen = self.versions.setdefault(bot, {})
            for version, started in other.versions[bot].items():
                seen[version] = max(seen.get(version, ""), started)

    @property
    def matches(self) -> int:
        """How many matches were counted."""
        return sum(map(sum, self.pairs.values()))

    def against(self) -> dict[str, dict[str, Score]]:
        """The crosstable: for each bot, its score against each opponent it met, seats taken together."""
        table: dict[str, dict[str, Score]] = {bot: {} for bot in sorted(self.think)}
        for (first, second), (wins, draws, losses) in self.pairs.items():
            table[first][second] = table[first].get(second, NO_SCORE).plus(wins, draws, losses)
            table[second][first] = table[second].get(first, NO_SCORE).plus(losses, draws, wins)
        return table


class Score(NamedTuple):
    """Wins, draws and losses."""

    wins: int
    draws: int
    losses: int

    def plus(self, wins: int, draws: int, losses: int) -> Score:
        """With some more results."""
        return Score(self.wins + wins, self.draws + draws, self.losses + losses)

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> Fraction:
        """Points a match, exactly; 0 without a match."""
        return Fraction(2 * self.wins + self.draws, 2 * self.matches or 1)


NO_SCORE = Score(0, 0, 0)


class Share(NamedTuple):
    """A share of points between 0 and 1, with its 95% interval (Wilson's)."""

    share: float
    low: float
    high: float
    matches: int

    @classmethod
    def of(cls, score: Score) -> Share | None:
        """The share that these results show; None without a match."""
        n = score.matches
        if not n:
            return None
        p, z = score.points / n, Z95
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return cls(p, max(middle - reach, 0.0), min(middle + reach, 1.0), n)


class Row(NamedTuple):
    """One bot's line of a table. `better`: the probability that it is stronger than the next row's bot."""

    rank: int
    bot: str
    version: str
    versions: int
    score: Score
    rating: Rating
    better: float | None
    endings: dict[str, int]
    median_ms: float | None
    p99_ms: float | None

    def to_json(self) -> dict[str, Any]:
        """The row as the contract has it."""
        score, rating = self.score, self.rating
        return {
            "rank": self.rank, "bot": self.bot, "version": self.version, "matches": score.matches,
            "wins": score.wins, "draws": score.draws, "losses": score.losses, "score": score.points,
            "rating": _tenth(rating.rating), "low": _tenth(rating.low), "high": _tenth(rating.high),
            "endings": self.endings, "think_ms": {"median": self.median_ms, "p99": self.p99_ms},
        }  # fmt: skip


def _tenth(number: float) -> float:
    return round(number, 1) + 0.0  # + 0.0: never -0.0


@dataclass(frozen=True)
class Table:
    """The table of one game, or of all: rows in order, crosstable, first-seat share, islands of the field."""

    game: str
    rows: list[Row]
    against: dict[str, dict[str, Score]]
    first_seat: Share | None
    islands: list[list[str]]

    def to_json(self, *, details: bool = False) -> dict[str, Any]:
        """The table as the contract has it; with `details` also all that the text tables show."""
        rows = [row.to_json() for row in self.rows]
        if not details:
            return {"game": self.game, "rows": rows}
        for shown, row in zip(rows, self.rows, strict=True):
            shown["bound"] = row.rating.bound or None
            shown["better_than_next"] = None if row.better is None else round(row.better, 4)
            shown["versions"] = row.versions
        return {
            "game": self.game, "rows": rows, "first_seat": self.first_seat and self.first_seat._asdict(),
            "crosstable": {
                bot: {other: score._asdict() for other, score in row.items()}
                for bot, row in self.against.items()
            },
            "islands": self.islands,
        }  # fmt: skip


class Standings:
    """The standings of a run, record by record. `planned` are its games, also those without a match yet."""

    def __init__(self, planned: Iterable[str] = ()) -> None:
        self._planned = tuple(planned)
        self._tallies: dict[str, Tally] = {}
        self.void = 0

    @classmethod
    def from_records(cls, records: Iterable[MatchRecord | Head], planned: Iterable[str] = ()) -> Standings:
        """The standings after all these records."""
        standings = cls(planned)
        for record in records:
            standings.add(record)
        return standings

    @classmethod
    def read(cls, path: Path, planned: Iterable[str] = ()) -> Standings:
        """The standings of a file of records, as far as whole lines go; RecordError for a bad line."""
        return cls.from_records(read_heads(path), planned)

    def add(self, record: MatchRecord | Head) -> None:
        """Count one more record."""
        head = record if isinstance(record, Head) else record.head()
        if head.void:
            self.void += 1
            return
        if head.game not in self._tallies:
            self._tallies[head.game] = Tally()
        self._tallies[head.game].add_head(head)

    @property
    def played(self) -> int:
        """How many matches count."""
        return sum(tally.matches for tally in self._tallies.values())

    @property
    def games(self) -> list[str]:
        """The games that were played, in alphabetical order."""
        return sorted(self._tallies)

    def tally(self, game: str = ALL) -> Tally:
        """The counts of one game, or of all together."""
        if game != ALL:
            return self._tallies.get(game, Tally())
        total = Tally()
        for name in self.games:
            total.add(self._tallies[name])
        return total

    def faults(self) -> dict[str, dict[str, int]]:
        """The bots that lost matches by their faults, with how many by which; the worst first."""
        counted = {
            bot: {ending: count for ending, count in endings.most_common() if Ending(ending).is_fault}
            for bot, endings in self.tally().faults.items()
        }
        worst = sorted(counted.items(), key=lambda item: (-sum(item[1].values()), item[0]))
        return {bot: endings for bot, endings in worst if endings}

    def leaders(self, count: int) -> list[tuple[str, Score]]:
        """The top of the table over all, without ratings: quick enough to show while a run goes on."""
        against = self.tally().against()
        return [(bot, score) for _, bot, score in _ranking(against)[:count]]

    def check_game(self, game: str) -> None:
        """Refuse a game that is no part of the run, with those that are."""
        known = [ALL, *dict.fromkeys([*self._planned, *self.games])]
        if game not in known:
            near = get_close_matches(game, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise UsageError(f"no table of {game!r} in this run: {hint}")

    def table(self, game: str = ALL) -> Table:
        """The table of one game, or of all together; UsageError for a game that is no part of the run."""
        self.check_game(game)
        tally = self.tally(game)
        against = tally.against()
        ratings = fit({pair: (w, d, lost) for pair, (w, d, lost) in tally.pairs.items()})
        first = NO_SCORE.plus(*map(sum, zip(*tally.pairs.values(), strict=True))) if tally.pairs else NO_SCORE
        return Table(game, _rows(tally, against, ratings), against, Share.of(first), ratings.islands)

    def tables(self) -> list[Table]:
        """The table over all, then each game's."""
        return [self.table(game) for game in (ALL, *self.games)]

    def to_json(
        self, run_name: str, scheduled: int, *, details: bool = False, game: str | None = None
    ) -> dict[str, Any]:
        """What `arena standings --json` prints; with `details`, more keys in each table; or one game's alone."""
        tables = [table.to_json(details=details) for table in ([self.table(game)] if game else self.tables())]
        return {"run": run_name, "played": self.played, "scheduled": scheduled, "tables": tables}


# --- the order of the table ------------------------------------------------------------------------


def _ranking(against: dict[str, dict[str, Score]]) -> list[tuple[int, str, Score]]:
    """Rank, bot and score of every bot, in the order of the table."""
    scores = {bot: _sum(row.values()) for bot, row in against.items()}
    tied: dict[Fraction, set[str]] = {}
    for bot, score in scores.items():
        tied.setdefault(score.share, set()).add(bot)
    ranked: list[tuple[int, str, Score]] = []
    for share in sorted(tied, reverse=True):
        group = tied[share]
        rank = len(ranked) + 1
        order = sorted(group, key=lambda bot: (*_tie_break(bot, group, against, scores), bot))
        ranked += [(rank, bot, scores[bot]) for bot in order]
    return ranked


def _tie_break(
    bot: str, group: set[str], against: dict[str, dict[str, Score]], scores: dict[str, Score]
) -> tuple[Fraction, float]:
    """Score a match among the tied bots, then Sonneborn-Berger a match; negated: the best is first."""
    if len(group) == 1:
        return Fraction(0), 0.0
    among = _sum(score for other, score in against[bot].items() if other in group)
    # fsum is the same in any order; rounding keeps equal sums equal
    berger = fsum(score.points * float(scores[other].share) for other, score in against[bot].items())
    return -among.share, -round(berger / scores[bot].matches, 9)


def _sum(scores: Iterable[Score]) -> Score:
    total = NO_SCORE
    for score in scores:
        total = total.plus(*score)
    return total


def _rows(tally: Tally, against: dict[str, dict[str, Score]], ratings: Ratings) -> list[Row]:
    ranking = _ranking(against)
    following: list[str | None] = [*(bot for _, bot, _ in ranking[1:]), None]
    rows = []
    for (rank, bot, score), below in zip(ranking, following, strict=False):  # an empty field has no last row
        seen, think = tally.versions[bot], tally.think[bot]
        latest = max(seen, key=lambda version: (seen[version], version))
        better = ratings.better(bot, below) if below is not None else None
        endings = _endings(score.matches, tally.faults[bot])
        times = think.quantile(0.5), think.quantile(0.99)
        rows.append(Row(rank, bot, latest, len(seen), score, ratings[bot], better, endings, *times))
    return rows


def _endings(matches: int, faults: Counter[str]) -> dict[str, int]:
    """All of a bot's matches by ending, in the order of the contract, zeros left out."""
    counts = {Ending.COMPLETED.value: matches - faults.total(), **faults}
    return {ending.value: counts[ending] for ending in Ending if counts.get(ending)}
