"""Seals: running digests of a run's `matches.jsonl`, in `seals.jsonl` beside it, one line for each batch written.

    {"upto": 48213, "lines": 20, "sha256": "...", "bag": "..."}

`sha256` is the digest of the first `upto` bytes of the journal, which are its first `lines` lines; `bag` is the
sum of the single lines' digests, the same in whatever order the lines stand: it proves nothing (such sums can
be forged), and is there to explain a file in which only the order is another. Whoever writes the journal calls
`update` with the bytes once they are written, and appends `line()` to the seals. `adopted`, if it is there, says that
so many of these lines were found unsealed when a run was gone on with. Seals of lines that the journal has lost are
moved to `seals.lost.jsonl`.

What seals prove: nothing that was sealed has been changed, cut, added or moved since, unless the seals were
rewritten as well. Anybody who may write the folder can do that, so the last digest is worth publishing: against
a published digest nothing can be rewritten. What they cannot prove: that the records were true when written.

Raises RecordError for seals that cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from arena.record import RecordError

SEALS = "seals.jsonl"
LOST_SEALS = "seals.lost.jsonl"

_BAG_BITS = 256
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Stamp(NamedTuple):
    """One line of the seals."""

    upto: int
    lines: int
    sha256: str
    bag: str
    adopted: int = 0


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

    def update(self, blob: bytes, bag: int | None = None, lines: int | None = None) -> None:
        """Take in one or more whole lines, each with its newline.

        `bag` is that of these lines, and `lines` how many they are, where that is known.
        """
        self._hash.update(blob)
        self.upto += len(blob)
        self.lines += blob.count(b"\n") if lines is None else lines
        self._bag += bag_of(blob.split(b"\n")[:-1]) if bag is None else bag

    @property
    def digest(self) -> str:
        """The SHA-256 of all bytes so far, as it is published."""
        return self._hash.hexdigest()

    @property
    def stamp(self) -> Stamp:
        """What a line of the seals says now."""
        bag = self._bag % (1 << _BAG_BITS)
        return Stamp(self.upto, self.lines, self.digest, f"{bag:064x}")

    def line(self, adopted: int = 0) -> str:
        """The line to append to the seals, without its newline."""
        return json.dumps(stamp_fields(self.stamp._replace(adopted=adopted)))


def stamp_fields(stamp: Stamp) -> dict[str, int | str]:
    """What a line of the seals has; `adopted` only if there is something to say."""
    fields: dict[str, int | str] = stamp._asdict()
    if not stamp.adopted:
        del fields["adopted"]
    return fields


def bag_of(lines: Iterable[bytes]) -> int:
    """The sum of the digests of lines, given without their newlines."""
    return sum(int.from_bytes(sha256(line).digest(), "big") for line in lines)


@dataclass(frozen=True, slots=True)
class SealCheck:
    """What the seals say of a journal. `problem` is None if every seal fits.

    `sealed` of the journal's `lines` whole lines are covered by seals that fit; `digest` is the digest of all
    whole lines; `torn` is how many bytes stand after the last whole line; `reordered` says that the sealed lines
    are all there and only their order is another. `known_at` is the number of lines after which the digest was
    the one asked for, or None. `cut` says that all that is left fits, and that lines are missing behind it.
    """

    problem: str | None
    sealed: int
    lines: int
    digest: str
    torn: int
    reordered: bool = False
    known_at: int | None = None
    cut: bool = False


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


class Checker:
    """Compares the lines of a journal, one after another, with seals and with a digest that was published."""

    def __init__(self, stamps: Sequence[Stamp], digest: str | None = None) -> None:
        self.seal = Seal()
        """That of the lines so far."""
        self._waiting = sorted(stamps, reverse=True)
        self._last = max(stamps, key=lambda stamp: stamp.lines, default=None)
        self._wanted = digest
        self._good = 0
        self._problem: str | None = None
        self._known_at: int | None = None
        self._same_lines = False

    def take(self, line: bytes) -> None:
        """The next whole line."""
        seal = self.seal
        seal.update(line)
        if self._wanted is not None and seal.digest == self._wanted:
            self._known_at = seal.lines
        if self._last is not None and seal.lines == self._last.lines:
            self._same_lines = seal.stamp.bag == self._last.bag and seal.digest != self._last.sha256
        while self._problem is None and self._waiting and self._waiting[-1].upto <= seal.upto:
            self._problem = _difference(self._waiting.pop(), seal, self._good)
            self._good = self._good if self._problem else seal.lines

    def result(self, torn: int = 0) -> SealCheck:
        """What came out; `torn` bytes stand after the last whole line."""
        seal, problem, cut = self.seal, self._problem, False
        if problem is None and self._waiting:
            first, last = self._waiting[-1], self._waiting[0]
            cut = first.lines > seal.lines
            if cut:
                problem = f"it was cut: {last.lines} lines were sealed, {seal.lines} whole ones are left"
            else:  # as many lines as were sealed, but fewer bytes
                problem = _changed(self._good, first.lines)
        reordered = problem is not None and self._same_lines
        return SealCheck(problem, self._good, seal.lines, seal.digest, torn, reordered, self._known_at, cut)


def check(journal: Path, digest: str | None = None) -> SealCheck:
    """Compare a journal with the seals beside it, and look for a digest that was published."""
    checker = Checker(read_seals(journal.with_name(SEALS)), digest)
    torn = 0
    for line in lines_of(journal):
        if line.endswith(b"\n"):
            checker.take(line)
        else:
            torn = len(line)
    return checker.result(torn)


def _difference(stamp: Stamp, seal: Seal, last_good: int) -> str | None:
    """What a seal and the journal up to its place disagree about."""
    return None if stamp._replace(adopted=0) == seal.stamp else _changed(last_good, stamp.lines)


def _changed(last_good: int, last: int) -> str:
    """That something between the last seal that fits and the first that does not was changed."""
    lines = f"line {last} was" if last == last_good + 1 else f"lines {last_good + 1} to {last} were"
    return f"{lines} changed after being sealed"


def _parsed(line: bytes) -> Stamp | None:
    try:
        stamp = Stamp(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None
    counts = all(type(count) is int and count >= 0 for count in (stamp.upto, stamp.lines, stamp.adopted))
    texts = all(isinstance(text, str) and _DIGEST.fullmatch(text) for text in (stamp.sha256, stamp.bag))
    return stamp if counts and texts else None


def _whole_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file that end with a newline: one that does not is still being written, or was torn."""
    return (line for line in lines_of(path) if line.endswith(b"\n"))


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file, as they stand there."""
    try:
        with open(path, "rb") as file:
            yield from file
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
