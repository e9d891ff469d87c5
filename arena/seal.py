"""Seals: running digests of a run's `matches.jsonl`, in `seals.jsonl` beside it, one line for each batch written.

    {"upto": 48213, "lines": 20, "sha256": "...", "bag": "..."}

`sha256` is the digest of the first `upto` bytes of the journal, which are its first `lines` lines; `bag` is the
sum of the single lines' digests, the same in whatever order the lines stand: it proves nothing (such sums can
be forged), and is there to explain a file in which only the order is another. Whoever writes the journal calls
`update` with the bytes once they are on disk, and appends `line()` to the seals.

What seals prove: nothing that was sealed has been changed, cut, added or moved since, unless the seals were
rewritten as well. Anybody who may write the folder can do that, so the last digest is worth publishing: against
a published digest nothing can be rewritten. What they cannot prove: that the records were true when written.

Raises RecordError for seals that cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from arena.record import RecordError

JOURNAL = "matches.jsonl"
SEALS = "seals.jsonl"

_BAG_BITS = 256
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Stamp(NamedTuple):
    """One line of the seals."""

    upto: int
    lines: int
    sha256: str
    bag: str


class Seal:
    """The running digest of a journal, fed with whole lines in the order in which they stand."""

    def __init__(self) -> None:
        self._hash = sha256()
        self._bag = 0
        self.upto = 0
        self.lines = 0

    @classmethod
    def of(cls, journal: Path) -> Seal:
        """The seal of all whole lines that a journal has; of nothing, if there is no journal yet."""
        seal = cls()
        if journal.exists():
            for line in _whole_lines(journal):
                seal.update(line)
        return seal

    def update(self, blob: bytes) -> None:
        """Take in one or more whole lines, each with its newline."""
        self._hash.update(blob)
        self.upto += len(blob)
        for line in blob.split(b"\n")[:-1]:
            self._bag += int.from_bytes(sha256(line).digest(), "big")
            self.lines += 1

    @property
    def digest(self) -> str:
        """The SHA-256 of all bytes so far, as it is published."""
        return self._hash.hexdigest()

    @property
    def stamp(self) -> Stamp:
        """What a line of the seals says now."""
        bag = self._bag % (1 << _BAG_BITS)
        return Stamp(self.upto, self.lines, self.digest, f"{bag:064x}")

    def line(self) -> str:
        """The line to append to the seals, without its newline."""
        return json.dumps(self.stamp._asdict())


@dataclass(frozen=True, slots=True)
class SealCheck:
    """What the seals say of a journal. `problem` is None if every seal fits.

    `sealed` of the journal's `lines` whole lines are covered by seals that fit; `digest` is the digest of all
    whole lines; `torn` is how many bytes stand after the last whole line; `reordered` says that the sealed lines
    are all there and only their order is another. `known_at` is the number of lines after which the digest was
    the one asked for, or None.
    """

    problem: str | None
    sealed: int
    lines: int
    digest: str
    torn: int
    reordered: bool = False
    known_at: int | None = None


def read_seals(path: Path) -> list[Stamp]:
    """The seals of a file, in order; none if there is no file; RecordError for a line that is none."""
    if not path.exists():
        return []
    stamps = []
    for number, line in enumerate(_whole_lines(path), 1):
        stamp = _parsed(line)
        if stamp is None:
            raise RecordError(f"{path.name} line {number} is no seal: it needs upto, lines, sha256 and bag")
        stamps.append(stamp)
    return stamps


def check(journal: Path, digest: str | None = None) -> SealCheck:
    """Compare a journal with its seals, and look for a digest that was published."""
    stamps = read_seals(journal.with_name(SEALS))
    waiting = sorted(stamps, reverse=True)
    seal, last_good, problem, known_at, same_lines = Seal(), 0, None, None, False
    for line in _whole_lines(journal):
        seal.update(line)
        if digest is not None and seal.digest == digest:
            known_at = seal.lines
        if stamps and seal.lines == stamps[-1].lines:
            same_lines = seal.stamp.bag == stamps[-1].bag
        while problem is None and waiting and waiting[-1].upto <= seal.upto:
            problem = _difference(waiting.pop(), seal, last_good)
            last_good = last_good if problem else seal.lines
    if problem is None and waiting:
        problem = f"it was cut: {waiting[0].lines} lines were sealed, {seal.lines} whole ones are left"
    torn = journal.stat().st_size - seal.upto
    reordered = problem is not None and same_lines
    return SealCheck(problem, last_good, seal.lines, seal.digest, torn, reordered, known_at)


def _difference(stamp: Stamp, seal: Seal, last_good: int) -> str | None:
    """What a seal and the journal up to its place disagree about."""
    if stamp == seal.stamp:
        return None
    lines = (
        f"line {stamp.lines}" if stamp.lines == last_good + 1 else f"lines {last_good + 1} to {stamp.lines}"
    )
    return f"{lines} were changed after they were sealed"


def _parsed(line: bytes) -> Stamp | None:
    try:
        stamp = Stamp(**json.loads(line))
    except (ValueError, TypeError):
        return None
    counts = all(type(count) is int and count >= 0 for count in (stamp.upto, stamp.lines))
    texts = all(isinstance(text, str) and _DIGEST.fullmatch(text) for text in (stamp.sha256, stamp.bag))
    return stamp if counts and texts else None


def _whole_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file that end with a newline: one that does not is still being written, or was torn."""
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
