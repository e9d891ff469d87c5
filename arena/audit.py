"""The audit of a run's records, line by line: each by the rules, by the schedule, and against the others.

Owns what ties records together: ids, starts and bots are what the schedule says, nothing is there twice, nothing is
missing, bots keep their version. A single record is proved by `arena.proof`.

Raises nothing: whatever is wrong is a Problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from arena.names import quote
from arena.proof import Finding, prove, read
from arena.record import MatchRecord
from arena.schedule import Match, Pairing, Schedule, read_id
from arena.standings import Standings

IDS_NAMED = 3
"""How many missing matches are named."""
MISSING = object()
ROUNDS_SEARCHED = 10_000
"""In how many rounds the right place of a record is looked for."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it should be: its line and match, if it has such, the field, and a sentence."""

    line: int | None
    id: str | None
    field: str
    sentence: str

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line is not None else []
        return ", ".join([*place, *([self.id] if self.id else []), f"{self.field}: {self.sentence}"])


@dataclass(slots=True)
class Verification:
    """What came out: no problems means proved. `notes` are worth knowing and no fault.

    `played` counts matches with a result, `void` the records of spoilt ones; `scheduled` is None without a
    tournament file.
    """

    run: str = ""
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    records: int = 0
    moves: int = 0
    played: int = 0
    void: int = 0
    scheduled: int | None = None
    digest: str = ""
    sealed: int = 0

    @property
    def ok(self) -> bool:
        """Whether everything that could be checked is as it should be."""
        return not self.problems


class Auditor:
    """Takes the lines of a run one after another, and finds what is wrong with each and with all together."""

    def __init__(
        self,
        schedule: Schedule | None = None,
        versions: Mapping[str, str] | None = None,
        *,
        count: bool = False,
    ) -> None:
        self.schedule = schedule
        self.standings = Standings() if count else None
        self.found = Verification(scheduled=None if schedule is None else len(schedule))
        self._known_versions = dict(versions or {})
        self._versions: dict[str, dict[str, tuple[int, str, int]]] = {}
        self._lines: dict[str, int] = {}
        self._starts: dict[str, tuple[int, str, Any]] = {}
        self._rounds: dict[Pairing, dict[int, int]] = {}
        self._strange_ids = 0

    def take(self, number: int, line: bytes) -> MatchRecord | None:
        """Prove one line; the record, if it is one."""
        self.found.records += 1
        record = read(line)
        if isinstance(record, Finding):
            self._report(number, None, record)
            return None
        self.found.moves += len(record.opening) + len(record.moves)
        # A record under another's id is no result of that match: so the schedule comes first.
        finding = self._planned(record) or self._twice(number, record) or prove(record)
        finding = finding or self._paired(number, record)
        if finding:
            self._report(number, record.id, finding)
        else:
            self._note_versions(number, record)
        return record

    def _report(self, number: int | None, match: str | None, finding: Finding) -> None:
        self.found.problems.append(Problem(number, match, finding.field, finding.sentence))

    def _twice(self, number: int, record: MatchRecord) -> Finding | None:
        """A match has one result; void records of it may stand before and, the order being free, after it."""
        if record.void:
            self.found.void += 1
            return None
        first = self._lines.setdefault(record.id, number)
        if first != number:
            return Finding("id", f"the match is there twice: it has a result in line {first}")
        self.found.played += 1
        if self.standings is not None:
            self.standings.add(record)
        return None

    # --- the schedule

    def _planned(self, record: MatchRecord) -> Finding | None:
        """Whether id, game, options, seed, opening and seats are what the schedule says."""
        if self.schedule is None:
            return self._own_id(record)
        if record.id not in self.schedule:
            meant = self._meant(record)
            return Finding("id", f"is not in the schedule{f': this is the match {meant}' if meant else ''}")
        finding = _compared(record, self.schedule.match_of(record.id))
        if finding is None or not (meant := self._meant(record)):
            return finding
        if (
            meant[:-1] == record.id[:-1]
        ):  # the other match of the pair: either the seats or the id were changed
            return Finding(finding.field, f"{finding.sentence}; in these seats it is the match {meant}")
        return Finding("id", f"does not fit: this is the match {meant}")

    def _meant(self, record: MatchRecord) -> str | None:
        """The id of the scheduled match that has the game, start and seats of this record."""
        schedule = self.schedule
        if schedule is None:
            return None
        first, second = sorted(bot.name for bot in record.bots)
        for key, entry in schedule.games.items():
            if entry.id != record.game:
                continue
            number = self._rounds_of(schedule, key, first, second).get(record.seed)
            if number is None:
                continue
            for match_id in Pairing(key, first, second, number).ids:
                if not _compared(record, schedule.match_of(match_id)):
                    return match_id
        return None

    def _rounds_of(self, schedule: Schedule, key: str, first: str, second: str) -> dict[int, int]:
        """The round of each seed with which two bots meet in a game, worked out once: all records may be wrong."""
        met = Pairing(key, first, second, 1)
        if met not in self._rounds:
            there = met.ids[0] in schedule
            numbers = range(min(schedule.tournament.rounds, ROUNDS_SEARCHED) if there else 0, 0, -1)
            self._rounds[met] = {schedule.seed(met._replace(round=number)): number for number in numbers}
        return self._rounds[met]

    # --- without a schedule

    def _own_id(self, record: MatchRecord) -> Finding | None:
        """Whether the id, if it is that of a tournament, names the record's own game and bots."""
        parts = read_id(record.id)
        if parts is None:
            self._strange_ids += 1
            return None
        names = [quote(bot.name) for bot in record.bots]
        seats = [parts.first, parts.second] if parts.seating == "a" else [parts.second, parts.first]
        if parts.key.partition("~")[0] != record.game:
            return Finding("game", f"is {record.game!r}, but the id names {parts.key!r}")
        for seat in (0, 1):
            if names[seat] != seats[seat]:
                return Finding(
                    f"bots.{seat}.name", f"is {record.bots[seat].name!r}, by the id {seats[seat]!r}"
                )
        return None

    def _paired(self, number: int, record: MatchRecord) -> Finding | None:
        """Without a schedule: whether both matches of a pair have the same start."""
        if self.schedule is not None or read_id(record.id) is None:
            return None
        start = {"options": record.options, "seed": record.seed, "opening": record.opening}
        line, partner, other = self._starts.setdefault(record.id[:-1], (number, record.id, start))
        for name, value in start.items():
            if other[name] != value:
                what = f"is {_shown(value)}, but {_shown(other[name])} in {partner}"
                return Finding(name, f"{what} (line {line}): both matches of a pair have one start")
        return None

    # --- versions

    def _note_versions(self, number: int, record: MatchRecord) -> None:
        for bot in record.bots:
            seen = self._versions.setdefault(bot.name, {})
            line, match, count = seen.get(bot.version, (number, record.id, 0))
            seen[bot.version] = (line, match, count + 1)

    def _check_versions(self) -> None:
        """A bot has one version in a run: the run's own, or else the one that it mostly played with."""
        for name, seen in self._versions.items():
            usual = self._known_versions.get(name) or max(seen, key=lambda version: seen[version][2])
            for version, (line, match, count) in seen.items():
                if version != usual:
                    more = f" ({count} records)" if count > 1 else ""
                    what = f"{name} played as {version}{more}, in this run it is {usual}"
                    self._report(line, match, Finding("bots.version", what))

    # --- all together

    def finish(self, *, complete: bool) -> Verification:
        """What can only be said at the end: versions, and what is missing."""
        self._check_versions()
        found, schedule = self.found, self.schedule
        if schedule is None:
            found.notes.append(
                "there is no plan of a run beside the records: whether anything is missing, and whether seeds, "
                "options and openings are the scheduled ones, could not be checked"
            )
            if self._strange_ids:
                found.notes.append(
                    f"{self._strange_ids} ids are not those of a tournament, and were not checked"
                )
        elif found.played < len(schedule):
            missing = len(schedule) - found.played
            names = list(islice((name for name in schedule.ids() if name not in self._lines), IDS_NAMED))
            listed = ", ".join(names) + (", ..." if missing > len(names) else "")
            what = f"{found.played} of {len(schedule)} matches played; to be played: {listed}"
            if complete:
                self._report(None, None, Finding("matches", what))
            else:
                found.notes.append(what)
        return found


def _compared(record: MatchRecord, match: Match) -> Finding | None:
    """The first field in which a record differs from its match in the schedule."""
    for name, found, right in (
        ("game", record.game, match.game),
        ("options", record.options, match.options),
        ("seed", record.seed, match.seed),
        ("opening", list(record.opening), list(match.opening)),
    ):
        if found != right:
            return _difference(name, found, right)
    for seat in (0, 1):
        if record.bots[seat].name != match.bots[seat]:
            return _difference(f"bots.{seat}.name", record.bots[seat].name, match.bots[seat])
    return None


def _difference(name: str, found: Any, right: Any) -> Finding:
    """What is found and what is scheduled; of options only the first that differs."""
    if isinstance(found, dict) and isinstance(right, dict):
        for key in [*right, *found]:
            one, other = found.get(key, MISSING), right.get(key, MISSING)
            if one != other:
                return _difference(f"{name}.{key}", one, other)
    return Finding(name, f"is {_shown(found)}, by the schedule {_shown(right)}")


def _shown(value: Any) -> str:
    text = "missing" if value is MISSING else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
