"""The match record: one JSON object a line of a run's `matches.jsonl`, as it is written and as it is read.

Owns the shape of a record. `record_line` writes one, quickly, from plain values; `MatchRecord` reads one
whole and checks it; `Head` is the little of it that the tables need.

Decided here, where the contract is silent:

- keys that this version does not know are left out when a record is read, and are no mistake: a later version
  may add some. Two are known and optional: `worker` (which worker played it), and `stderr`, the end of what
  the bot at fault wrote there (64 kB at most), where a match ended by a fault and there was some.
- `info` of a move may be missing when read; it is always written.
- names, details and info lines are anyone's text. A lone surrogate, which JSON readers disagree about, is
  written as U+FFFD. Lines are pure ASCII, so no reader can split one in the wrong place.
- a last line without its newline is still being written: `read_heads` and `read_records` stop before it.

Raises RecordError, with file and line, for a line that is no record, and HarnessFailure for a match of which a
faulty game says what no record can hold.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from json.encoder import encode_basestring_ascii as _quote
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arena.errors import HarnessFailure, UsageError
from arena.match_ids import MatchIds
from arena.record_scan import ScannedResult, scan

Seat = Annotated[int, Field(ge=1, le=2)]  # not Literal[1, 2], which takes true for 1
Milliseconds = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
Moment = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?Z$"
    ),
]


class RecordError(UsageError):
    """A line that is no match record; the message names the line and what is wrong with it."""


class Ending(StrEnum):
    """How a match ended; `sentence` says it for people."""

    COMPLETED = "completed"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    CRASHED = "crashed"
    FLOODED = "flooded"
    MEMORY = "memory"
    NO_START = "no-start"
    TURN_LIMIT = "turn-limit"
    VOID = "void"

    @property
    def sentence(self) -> str:
        """What this ending means, in one sentence."""
        return _SENTENCES[self]

    @property
    def is_fault(self) -> bool:
        """Whether a bot lost by its own failing and not by the rules."""
        return self in FAULTS


_SENTENCES = {
    Ending.COMPLETED: "The rules decided the match.",
    Ending.TIMEOUT: "The bot gave no whole answer line in time.",
    Ending.ILLEGAL: "The bot made a well-formed move that the rules refuse, and its reprompts were used up.",
    Ending.MALFORMED: "The bot sent a line that is no move of this game, and its reprompts were used up.",
    Ending.CRASHED: "The bot's process ended or closed its output.",
    Ending.FLOODED: "The bot wrote more output than allowed.",
    Ending.MEMORY: "The bot went over its memory limit.",
    Ending.NO_START: "The bot could not be started, or did not say ready in time.",
    Ending.TURN_LIMIT: "The game's own cap on moves was reached: a draw.",
    Ending.VOID: "The harness or the machine failed, not a bot: it counts for nothing and is played again.",
}
_ENDINGS = frozenset(ending.value for ending in Ending)
FAULTS = frozenset(Ending) - {Ending.COMPLETED, Ending.TURN_LIMIT, Ending.VOID}
"""The endings in which one bot is at fault and loses."""

SCORES: dict[int | None, tuple[float, float]] = {
    1: (1.0, 0.0),
    2: (0.0, 1.0),
    0: (0.5, 0.5),
    None: (0.0, 0.0),
}
"""The scores of seat 1 and seat 2 by winner: a seat, 0 for a draw, None for a void match."""


def result_mistake(
    winner: int | None, scores: Sequence[float], ending: str, at_fault: int | None
) -> str | None:
    """What contradicts itself in a result, or None."""
    if tuple(scores) != SCORES[winner]:
        return f"scores {list(scores)} do not fit winner {winner}: should be {list(SCORES[winner])}"
    if (winner is None) != (ending == Ending.VOID):
        return "winner is null for the ending 'void', and only for it"
    if ending in FAULTS:
        if at_fault is None or winner != 3 - at_fault:
            return f"ending {str(ending)!r} needs at_fault, the losing seat"
    elif at_fault is not None:
        return f"nobody is at fault in the ending {str(ending)!r}: at_fault should be null"
    if ending == Ending.TURN_LIMIT and winner != 0:
        return "ending 'turn-limit' is a draw: winner should be 0"
    return None


# --- the whole record ------------------------------------------------------------------------------


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class BotRef(_Model):
    """A bot as it played: its name in the run, and the hash of its files."""

    name: str
    version: str


class MoveRecord(_Model):
    """One move that a bot made: the clock's milliseconds, and the info lines it printed before it."""

    seat: Seat
    move: str
    ms: Milliseconds
    info: tuple[str, ...] = ()


class Result(_Model):
    """Who won (a seat, 0 for a draw, None for void), how it ended, and what happened in one sentence."""

    winner: Annotated[int, Field(ge=0, le=2)] | None
    scores: tuple[float, float]
    ending: Ending
    at_fault: Seat | None
    detail: str

    @model_validator(mode="after")
    def _consistent(self) -> Result:
        mistake = result_mistake(self.winner, self.scores, self.ending, self.at_fault)
        if mistake:
            raise ValueError(mistake)
        return self


class MatchRecord(_Model):
    """One match, whole: all that is needed to play it again through the rules."""

    format: Annotated[int, Field(ge=1, le=1)]
    id: str
    game: str
    options: dict[str, Any]
    seed: int
    opening: tuple[str, ...]
    bots: tuple[BotRef, BotRef]
    moves: tuple[MoveRecord, ...]
    result: Result
    started: Moment
    wall_ms: Milliseconds
    worker: str | None = None
    stderr: str | None = None

    @model_validator(mode="after")
    def _two_names(self) -> MatchRecord:
        if self.bots[0].name == self.bots[1].name:
            raise ValueError(f"both bots are called {self.bots[0].name!r}")
        return self

    @property
    def void(self) -> bool:
        """Whether the match counts for nothing."""
        return self.result.winner is None

    def head(self) -> Head:
        """The part that the tables need."""
        first, second = self.bots
        times = [array("d", [m.ms for m in self.moves if m.seat == seat]) for seat in (1, 2)]
        return Head(
            self.id, self.game, (first.name, second.name), (first.version, second.version),
            self.result.winner, self.result.ending, self.result.at_fault, self.started, times[0], times[1],
        )  # fmt: skip


def parse_record(line: str | bytes, where: str = "record") -> MatchRecord:
    """The record that a line holds, fully checked; RecordError, beginning with `where`, if it is none."""
    try:
        return MatchRecord.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        raise RecordError(f"{where}: {place + ': ' if place else ''}{what}") from None


# --- the head of a record, for the tables ----------------------------------------------------------


class Head(NamedTuple):
    """What the tables need of one record. `think_1` and `think_2` are the seats' move times in ms."""

    id: str
    game: str
    names: tuple[str, str]
    versions: tuple[str, str]
    winner: int | None
    ending: str
    at_fault: int | None
    started: str
    think_1: array[float]
    think_2: array[float]

    @property
    def void(self) -> bool:
        """Whether the match counts for nothing."""
        return self.winner is None

    @property
    def scores(self) -> tuple[float, float]:
        """The scores of seat 1 and seat 2."""
        return SCORES[self.winner]


def parse_head(line: str | bytes, where: str = "record") -> Head:
    """The head of the record that a line holds; RecordError, beginning with `where`, if it is none.

    Lines as `record_line` writes them are scanned for it; all others, and those that make no sense, are read whole.
    """
    found = scan(line) if isinstance(line, bytes) else None
    if found is None or found.names[0] == found.names[1] or not makes_sense(found.result):
        return parse_record(line, where).head()
    winner, _, ending, at_fault = found.result
    return Head(
        found.id, found.game, found.names, found.versions, winner, ending, at_fault, found.started,
        found.think_1, found.think_2,
    )  # fmt: skip


@lru_cache(maxsize=256)
def makes_sense(result: ScannedResult) -> bool:
    """Whether a result that was scanned does not contradict itself."""
    return result.ending in _ENDINGS and result_mistake(*result) is None


T = TypeVar("T", "MatchRecord", "Head")


# --- files -----------------------------------------------------------------------------------------


def read_heads(path: Path) -> Iterator[Head]:
    """The heads of all records of a file, one at a time, as `read_records` gives them."""
    return _read(path, parse_head)


def read_records(path: Path) -> Iterator[MatchRecord]:
    """All records of a file, whole, one at a time; RecordError for the first line that is none.

    A match counts once: a line that repeats an id is passed over (`arena verify` names it).
    """
    return _read(path, parse_record)


def _read(path: Path, parse: Callable[[bytes, str], T]) -> Iterator[T]:
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed by the `with` below; here only opening may fail
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
    seen = MatchIds()
    with file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            if line.isspace():
                continue
            record = parse(line, f"{path.name} line {number}")
            if record.void or seen.claim(record.id):
                yield record


# --- writing ---------------------------------------------------------------------------------------

MAX_STDERR_BYTES = 65_536
"""As much of a bot's stderr as a record keeps: its end, where the reason of a crash stands."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_compact = json.JSONEncoder(allow_nan=False).encode


def record_line(
    *,
    id: str,
    game: str,
    options: Mapping[str, Any],
    seed: int,
    opening: Sequence[str],
    bots: Sequence[tuple[str, str]],
    moves: Sequence[tuple[int, str, float, Sequence[str]]],
    winner: int | None,
    ending: str,
    at_fault: int | None,
    detail: str,
    started: str,
    wall_ms: float,
    worker: str | None = None,
    stderr: str | None = None,
) -> str:
    """The JSON text of one record, without a newline, which `MatchRecord` reads back equal.

    `bots` are (name, version) by seat, `moves` are (seat, move, ms, info). Times are rounded to microseconds;
    but for these and the winner nothing is checked here, on the path between two matches.
    """
    if not isfinite(wall_ms + sum([move[2] for move in moves])):
        raise ValueError("a time that is not a finite number")
    if not _fits(winner, ending):
        raise HarnessFailure(
            f"{game} has a fault: the winner of an outcome must be 1, 2, or 0 for a draw, not {winner!r} "
            "(python -m games.conformance examines a game)"
        )
    (name_1, version_1), (name_2, version_2) = bots
    score_1, score_2 = SCORES[winner]
    tail = "" if worker is None else f', "worker": {_quote(worker)}'
    if stderr is not None:
        tail += f', "stderr": {_quote(_end(stderr))}'
    # Put together by hand: a dict of dicts through json.dumps takes about twice as long.
    played = ", ".join(
        [
            f'{{"seat": {seat:d}, "move": {_quote(move)}, "ms": {ms:.3f}, "info": {_texts(info)}}}'
            for seat, move, ms, info in moves
        ]
    )
    line = (
        f'{{"format": 1, "id": {_quote(id)}, "game": {_quote(game)}, "options": {_compact(dict(options))}, '
        f'"seed": {seed}, "opening": {_texts(opening)}, '
        f'"bots": [{{"name": {_quote(name_1)}, "version": {_quote(version_1)}}}, '
        f'{{"name": {_quote(name_2)}, "version": {_quote(version_2)}}}], "moves": [{played}], '
        f'"result": {{"winner": {_seat(winner)}, "scores": [{score_1}, {score_2}], '
        f'"ending": {_quote(ending)}, "at_fault": {_seat(at_fault)}, "detail": {_quote(detail)}}}, '
        f'"started": {_quote(started)}, "wall_ms": {wall_ms:.3f}'
        f"{tail}}}"
    )
    return _mended(line) if "\\ud" in line else line


def _fits(winner: object, ending: str) -> bool:
    """Whether this can be written as the winner. A game is anyone's code, and to Python True is 1 and so is 1.0."""
    if winner is None:
        return ending == Ending.VOID
    return winner in (0, 1, 2) and isinstance(winner, int) and not isinstance(winner, bool)


def _texts(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quote, texts))}]" if texts else "[]"


def _end(text: str) -> str:
    """The last MAX_STDERR_BYTES of a text, without half a character at the cut."""
    if len(text) * 4 <= MAX_STDERR_BYTES:
        return text
    data = text[-MAX_STDERR_BYTES:].encode("utf-8", "surrogatepass")[-MAX_STDERR_BYTES:]
    start = next((at for at, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 0)
    return data[start:].decode("utf-8", "surrogatepass")


def _seat(seat: int | None) -> str:
    return "null" if seat is None else f"{seat:d}"


def _mended(line: str) -> str:
    """The line with lone surrogates replaced: rare, so it may take a second pass over the whole record."""
    plain = json.dumps(json.loads(line), ensure_ascii=False)
    return _compact(json.loads(_LONE_SURROGATE.sub("\ufffd", plain)))
