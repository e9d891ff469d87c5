"""The head of a record read straight from its bytes: of what `record_line` wrote, in 10 µs instead of 16 (20 moves).

Owns the knowledge of how `record_line` lays a line out, to the last space. A line that is laid out in any other
way, or in which anything looks odd, is not judged here: `scan` says None, and the caller reads it whole, with every
check. What stands in options, opening, detail and info is passed over; `arena verify` is who proves a record.

It cannot be misled by texts: inside one every quote is escaped, and all that is looked for has bare quotes.

Raises nothing.
"""

from __future__ import annotations

import json
import re
from array import array
from functools import cache, lru_cache
from typing import NamedTuple

_TEXT = rb'"([^"\\]*(?:\\.[^"\\]*)*)"'
_SKIP = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_BOT = rb'\{"name": ' + _TEXT + rb', "version": ' + _TEXT + rb"\}"
_HEAD = re.compile(
    rb'\{"format": 1, "id": '
    + _TEXT
    + rb', "game": '
    + _TEXT
    + rb', "options": \{[^{}\[\]]*\}, "seed": -?\d+, '
    rb'"opening": \[[^\[\]{}]*\], "bots": \[' + _BOT + rb", " + _BOT + rb'\], "moves": \['
)
_MOVE = re.compile(rb'\{"seat": ([12]), "move": ' + _SKIP + rb', "ms": (\d+\.\d{3}), "info": \[')
_MOVE_BEGINS = b'{"seat": '
_END = re.compile(
    rb'\], "result": \{"winner": (0|1|2|null), "scores": \[(\d\.\d), (\d\.\d)\], "ending": "([a-z-]+)", '
    rb'"at_fault": (1|2|null), "detail": ' + _SKIP + rb"\}, "
    rb'"started": "(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z)", '
    rb'"wall_ms": (?:0|[1-9]\d*)\.\d{3}'
    rb'(?:, "worker": ' + _SKIP + rb')?(?:, "stderr": ' + _SKIP + rb")?\}\n?\Z"
)
_END_BEGINS = b'], "result": {"winner": '
_SEATS: dict[bytes, int | None] = {b"0": 0, b"1": 1, b"2": 2, b"null": None}


class ScannedResult(NamedTuple):
    """The result as it stands in a line."""

    winner: int | None
    scores: tuple[float, float]
    ending: str
    at_fault: int | None


class Scan(NamedTuple):
    """What was found in a line, not yet checked for sense."""

    id: str
    game: str
    names: tuple[str, str]
    versions: tuple[str, str]
    result: ScannedResult
    started: str
    think_1: array[float]
    think_2: array[float]


def scan(line: bytes) -> Scan | None:
    """The head of a line that is laid out as `record_line` does it; None for any other."""
    head = _HEAD.match(line)
    at = line.rfind(_END_BEGINS)
    end = _END.match(line, at) if at >= 0 else None
    if head is None or end is None or not line.isascii():
        return None
    moves = _MOVE.findall(line, head.end(), at)
    if len(moves) != line.count(_MOVE_BEGINS):
        return None
    try:
        match_id, game, name_1, version_1, name_2, version_2 = map(_text, head.groups())
    except ValueError:
        return None
    *result, started = end.groups()
    return Scan(
        match_id, game, (name_1, name_2), (version_1, version_2), _result(*result), started.decode("ascii"),
        array("d", [float(ms) for seat, ms in moves if seat == b"1"]),
        array("d", [float(ms) for seat, ms in moves if seat == b"2"]),
    )  # fmt: skip


def scan_whole(line: bytes) -> tuple[str, ScannedResult] | None:
    """The id and the result of a line in which every byte is where `record_line` puts it; None for any other.

    Quicker than `scan`, which tells more, and passes over the inside of texts and moves.
    """
    found = _whole_line().match(line)
    if found is None:
        return None
    match_id, _, *result, _ = found.groups()
    return match_id.decode("ascii"), _result(*result)


@cache
def _whole_line() -> re.Pattern[bytes]:
    """A line to its last byte, made when it is first needed: that takes as long as a few hundred lines do.

    Not of every line that can be written: one with escapes in its id, or with characters beyond U+FFFF, is for whoever
    reads lines whole.
    """
    plain = rb'[^"\\\x00-\x1f\x7f-\xff]++'
    text = rb'"(?:' + plain + rb'|\\(?:["\\/bfnrt]|u(?!d[89a-f])[0-9a-f]{4}))*+"'
    number = rb"(?:0|[1-9]\d*+)"
    value = rb"(?:" + text + rb"|-?" + number + rb"(?:\.\d+)?(?:e[-+]?\d+)?|true|false|null)"
    texts = _several(text)
    move = (
        rb'\{"seat": [12], "move": '
        + text
        + rb', "ms": '
        + number
        + rb'\.\d{3}, "info": \['
        + texts
        + rb"\]\}"
    )
    version = rb', "version": ' + text + rb"\}"
    return re.compile(
        rb'\{"format": 1, "id": "(' + plain + rb')", "game": ' + text
        + rb', "options": \{' + _several(text + rb": " + value) + rb'\}, "seed": -?' + number
        + rb', "opening": \[' + texts + rb'\], "bots": \[\{"name": (' + text + rb")" + version
        + rb', \{"name": (?!\2)' + text + version + rb'\], "moves": \[' + _several(move)
        + _END.pattern.replace(_SKIP, text)
    )  # fmt: skip


def _several(part: bytes) -> bytes:
    """So many of these, none as well, with commas between them."""
    return rb"(?:" + part + rb"(?:, " + part + rb")*+)?+"


@lru_cache(maxsize=256)
def _result(winner: bytes, score_1: bytes, score_2: bytes, ending: bytes, at_fault: bytes) -> ScannedResult:
    scores = float(score_1), float(score_2)
    return ScannedResult(_SEATS[winner], scores, ending.decode("ascii"), _SEATS[at_fault])


@lru_cache(maxsize=4096)
def _name(quoted: bytes) -> str:
    text: str = json.loads(b'"' + quoted + b'"')
    return text


def _text(quoted: bytes) -> str:
    """The text that stands between these quotes; ValueError if it is none."""
    return _name(quoted) if b"\\" in quoted else quoted.decode("ascii")
