"""The journal: `matches.jsonl` of a run, and the only one that writes it.

A match is done when its record stands here as a whole line. Owns the file, the lock that keeps two runs apart,
and what happens when a write fails or was cut short:

- whole lines only, a batch at a time. A write that fails (a full disk) is taken back to the last whole line, and
  what stood before it stays;
- a last line without its end, from a run that was killed, is moved to `matches.torn.jsonl` when the journal is
  opened, and `note` says so: its match is played again;
- what was written is sealed (see arena.seal), in `seals.jsonl` beside it. Lines that are found unsealed are sealed as
  adopted; where sealed lines are missing, their seals go to `seals.lost.jsonl`, and `note` says so;
- each id is accepted once. A void record counts for nothing: its match may be recorded again.

The lock is an flock on the file `lock`, so it goes with the process that holds it, however that ends. A process
forked (without exec) from the holder would hold it too: workers are to be started by forkserver or spawn.

Anyone may read the file meanwhile (see arena.record.read_heads): it only grows, and a line counts from its newline on.

Raises UsageError if another run holds the lock or the folder may not be written, RecordError for a file that is no
journal, and HarnessFailure when the disk fails.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import compress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from arena.errors import HarnessFailure, UsageError
from arena.files import disk_error, sync, write_whole
from arena.match_ids import MatchIds
from arena.record import RecordError, makes_sense, parse_record
from arena.record_scan import scan_whole
from arena.seal import LOST_SEALS, SEALS, Checker, Seal, SealCheck, Stamp, read_seals, stamp_fields

MATCHES = "matches.jsonl"
TORN = "matches.torn.jsonl"
LOCK = "lock"

_ID = re.compile(rb'\{"format": 1, "id": "([^"\\]+)"')
_SHOWN_BAD = 5


class Entry(NamedTuple):
    """What the journal looks at in a record: its id, and whether it counts for nothing."""

    id: str
    void: bool


def read_entry(line: bytes, where: str = "record") -> Entry:
    """The entry that a line holds; RecordError, beginning with `where`, if it is no record.

    A line as `record_line` writes it is held against that, byte by byte; every other line is read whole.
    """
    found = scan_whole(line)
    if found is None or not makes_sense(found[1]):
        record = parse_record(line, where)
        return Entry(record.id, record.void)
    return Entry(found[0], found[1].winner is None)


def read_entries(path: Path) -> Iterator[tuple[bytes, Entry | None]]:
    """The whole lines of a journal with what they hold, None for a blank one.

    RecordError, once all were read, if some are no records: with their numbers, and what can be done.
    """
    bad: dict[int, str] = {}
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break
            try:
                yield line, None if line.isspace() else read_entry(line, f"{path} line {number}")
            except RecordError as error:
                bad[number] = str(error)
    if bad:
        raise RecordError(f"{next(iter(bad.values()))}; {_remedy(path, list(bad))}")


def _remedy(path: Path, bad: list[int]) -> str:
    """What to do about lines that are no records."""
    if len(bad) > _SHOWN_BAD:
        return f"{len(bad) - 1} lines more are no records: restore the file, or begin a new run under another name"
    edit = shlex.join(["sed", "-i", ";".join(f"{number}d" for number in bad), str(path)])
    lines = "this line" if len(bad) == 1 else f"the lines {', '.join(map(str, bad))}"
    match = "its match" if len(bad) == 1 else "their matches"
    return f"restore the file, or take {lines} out, and {match} will be played again: {edit}"


class Journal:
    """An open journal. `done`: the ids that need not be played; `note`: what was set aside on opening, if any."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self.path = folder / MATCHES
        self.done = MatchIds()
        self.note: str | None = None
        self._lock = lock
        self._file = self._seals = -1
        self._size = 0
        self._seal = Seal()
        self._sealed = 0

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """The journal in this folder, made if need be, and held until it is closed."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            journal = cls(folder, _take_lock(folder))
        except OSError as error:
            raise disk_error(f"{folder} cannot be used for a run", error) from None
        try:
            journal._begin()
        except OSError as error:
            journal._release()
            raise disk_error(f"{journal.path} cannot be opened", error) from None
        except BaseException:
            journal._release()
            raise
        return journal

    def _begin(self) -> None:
        """Read what is recorded, and set a torn last line aside."""
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        stamps = self._read_seals()
        checker = Checker(stamps)
        for line, entry in read_entries(self.path):
            self._size += len(line)
            checker.take(line)
            if entry is not None and not entry.void:
                self.done.add(entry.id)
        if torn := self._after_last_line():
            self._set_aside(torn)
        self._seal = checker.seal
        unsealed = self._match_seals(stamps, checker.result())
        self._seals = os.open(self.folder / SEALS, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._append_seal(adopted=unsealed)
        sync(self.folder)  # the file's name, too

    def _after_last_line(self) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(self._size)
            return file.read()

    def _set_aside(self, torn: bytes) -> None:
        """Move the torn line to a file of its own: it is there, on disk, before it is cut off here."""
        with open(self.folder / TORN, "ab") as file:
            file.write(torn + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.ftruncate(self._file, self._size)
        self._add_note(
            f"the last line of {MATCHES} was cut short ({len(torn)} bytes, as by a run that is killed while it "
            f"writes): it is set aside in {TORN}{', and its match is played again' * self._was_match(torn)}"
        )

    def _was_match(self, torn: bytes) -> bool:
        """Whether a line that was cut short is of a match that is still to be recorded."""
        head = _ID.match(torn)
        return torn.startswith(b"{") and (head is None or head[1].decode("utf-8", "replace") not in self.done)

    def _read_seals(self) -> list[Stamp]:
        _cut_torn_seal(self.folder / SEALS)
        try:
            return read_seals(self.folder / SEALS)
        except RecordError as error:  # no reason not to play on; verify will say the same
            self._add_note(str(error))
            return []

    def _match_seals(self, stamps: Sequence[Stamp], checked: SealCheck) -> int:
        """Set seals aside whose lines are lost; how many lines have no seal yet.

        Where lines were changed, the seals stay as they are: they are the proof of it.
        """
        if checked.problem and not checked.cut:
            self._add_note(f"{MATCHES}: {checked.problem} ('arena verify' tells more)")
            stamps = [stamp for stamp in stamps if stamp.lines <= self._seal.lines]
        kept = [stamp for stamp in stamps if stamp.lines <= self._seal.lines]
        if lost := stamps[len(kept) :]:
            with open(self.folder / LOST_SEALS, "a", encoding="ascii") as file:
                file.writelines(f"{json.dumps(stamp_fields(stamp))}\n" for stamp in lost)
                file.flush()
                os.fsync(file.fileno())
            write_whole(
                self.folder / SEALS, "".join(f"{json.dumps(stamp_fields(stamp))}\n" for stamp in kept)
            )
            self._add_note(
                f"{MATCHES} has lost {lost[-1].lines - self._seal.lines} lines that were written and sealed: their "
                f"seals are set aside in {LOST_SEALS}, and the matches are played again"
            )
        self._sealed = kept[-1].upto if kept else 0
        return max(0, self._seal.lines - (kept[-1].lines if kept else 0))

    def _append_seal(self, adopted: int = 0) -> None:
        if self._seal.upto == self._sealed:
            return
        line = f"{self._seal.line(adopted)}\n".encode("ascii")
        written = os.write(self._seals, line)
        if written < len(line):  # a full disk: half a seal is worse than none
            os.ftruncate(self._seals, os.fstat(self._seals).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._sealed = self._seal.upto

    def _add_note(self, text: str) -> None:
        self.note = text if self.note is None else f"{self.note}; {text}"

    # --- writing

    def append(self, lines: Sequence[bytes | str]) -> list[bool]:
        """Write records, one whole line each, and say of each whether it was accepted.

        Not accepted is what is done already. HarnessFailure if the disk does not take all of them: those
        that it took whole stay and are in `done`.
        """
        data = [
            (line.encode("ascii") if isinstance(line, str) else line).rstrip(b"\n") + b"\n" for line in lines
        ]
        if any(line.count(b"\n") != 1 for line in data):
            raise RecordError("a record is one line, not several")
        entries = [read_entry(line) for line in data]  # all of them, before anything is claimed
        accepted: list[bool] = []
        claimed: list[str | None] = []
        for entry in entries:
            accepted.append(entry.id not in self.done if entry.void else self.done.claim(entry.id))
            if accepted[-1]:
                claimed.append(None if entry.void else entry.id)
        batch = compress(data, accepted)
        self._write(b"".join(batch), claimed)
        return accepted

    def append_block(self, blob: bytes, ids: Sequence[str], bag: int | None = None) -> list[bool]:
        """As `append`, for who has just made the lines: none is void, their ids are known, and their bag may be.

        That is a third of the work, and the supervisor of a run may have to do it twenty thousand times a second.
        """
        if not (blob.count(b"\n") == len(ids) and blob.endswith(b"\n") and self.done.claim_all(ids)):
            return self.append(blob.split(b"\n")[:-1])
        self._write(blob, ids, bag)
        return [True] * len(ids)

    def _write(self, blob: bytes, claimed: Sequence[str | None], bag: int | None = None) -> None:
        """Write lines at once; where that fails, keep the whole lines and take back the rest.

        `claimed` is for each line the id that it has claimed in `done`, None for a void one.
        """
        data = memoryview(blob)
        written, failure = 0, None
        while written < len(data) and failure is None:
            try:
                written += os.write(self._file, data[written:])  # a full disk first writes less, then fails
            except OSError as error:
                failure = error
        if failure is None:
            self._size += len(blob)
            self._seal.update(blob, bag, len(claimed))
            self._seal_written()
            return
        whole = blob[: blob.rfind(b"\n", 0, written) + 1]
        self._size += len(whole)
        self._seal.update(whole)
        for match_id in claimed[whole.count(b"\n") :]:
            if match_id is not None:
                self.done.discard(match_id)
        self._take_back(failure)

    def _seal_written(self) -> None:
        """Seal at once, so that a run that is killed leaves nothing unsealed; a full disk is told by `sync`."""
        with suppress(OSError):
            self._append_seal()

    def _take_back(self, failure: OSError) -> None:
        """Cut the file after its last whole line, and say what happened."""
        with suppress(OSError):  # if even that fails, the next opening sets the torn line aside
            os.ftruncate(self._file, self._size)
        raise self._failed("written", failure)

    def sync(self) -> None:
        """Have the disk keep all that was written, whatever happens to the machine."""
        try:
            _sync_data(self._file)
            self._append_seal()
        except OSError as error:
            raise self._failed("synced", error) from None

    def _failed(self, what: str, error: OSError) -> HarnessFailure:
        return HarnessFailure(
            f"{self.path} cannot be {what}: {error.strerror or error}. The {len(self.done)} matches recorded so "
            "far are kept; mend that (free some space, say) and run the same file again to go on"
        )

    # --- the end

    def close(self) -> None:
        """Sync, and let go of the lock. Closing twice is no mistake."""
        if self._file < 0:
            return
        try:
            self.sync()
        finally:
            self._release()

    def _release(self) -> None:
        for descriptor in (self._file, self._seals, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._file = self._seals = self._lock = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _take_lock(folder: Path) -> int:
    """The lock of a run, with our process id in it; UsageError if another process holds it."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise UsageError(
            f"the run {folder.name!r} is under way already, in process {holder}: wait for it, or stop it first"
        ) from None
    except BaseException:
        os.close(lock)
        raise
    with suppress(OSError):  # a full disk: the lock holds without the number, too
        os.ftruncate(lock, 0)
        os.pwrite(lock, b"%d\n" % os.getpid(), 0)
    return lock


_sync_data = getattr(os, "fdatasync", os.fsync)  # macOS has only the one


def _cut_torn_seal(path: Path) -> None:
    """Cut off a seal that was not written to its end."""
    with suppress(FileNotFoundError):
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole != len(text):
            os.truncate(path, whole)
