"""The journal: whole lines or nothing, each match once, one run at a time, and nothing lost on a full disk."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HarnessFailure, UsageError
from arena.journal import MATCHES, TORN, Journal, read_entry
from arena.record import RecordError, makes_sense, parse_record, read_heads, record_line
from arena.record_scan import scan_whole
from arena.seal import LOST_SEALS, SEALS, check, read_seals


def line(match_id: str, **changes: Any) -> str:
    values: dict[str, Any] = {
        "id": match_id, "game": "squares", "options": {"total": 9}, "seed": 1, "opening": [],
        "bots": [("alice", "v1"), ("bob", "v2")], "moves": [(1, "9", 0.1, ())], "winner": 1,
        "ending": "completed", "at_fault": None, "detail": "", "started": "2026-01-31T12:00:00.000Z",
        "wall_ms": 1.0,
    }  # fmt: skip
    return record_line(**(values | changes))


def void(match_id: str) -> str:
    return line(match_id, winner=None, ending="void", detail="the worker died")


def ids(folder: Path) -> list[str]:
    return [head.id for head in read_heads(folder / MATCHES)]


def test_what_is_appended_is_there_and_done_after_opening_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "runs" / "cup") as journal:
        assert journal.append([line("a"), line("b").encode()]) == [True, True]
        assert journal.append([line("c") + "\n"]) == [True]
    with Journal.open(tmp_path / "runs" / "cup") as journal:
        assert (journal.done, journal.note) == ({"a", "b", "c"}, None)
    assert ids(tmp_path / "runs" / "cup") == ["a", "b", "c"]


def test_an_id_is_accepted_once_within_a_batch_and_ever_after(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.append([line("a"), line("a"), line("b")]) == [True, False, True]
        assert journal.append([line("b"), line("c")]) == [False, True]
    with Journal.open(tmp_path) as journal:
        assert journal.append([line("a"), void("c")]) == [False, False]
    assert ids(tmp_path) == ["a", "b", "c"]


def test_a_void_match_is_not_done_and_may_be_recorded_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.append([void("a"), void("a")]) == [True, True]
        assert journal.done == set()
    with Journal.open(tmp_path) as journal:
        assert journal.done == set()
        assert journal.append([line("a"), void("a")]) == [True, False]
        assert journal.done == {"a"}


def test_a_text_that_looks_like_an_ending_is_not_one() -> None:
    record = line("a", detail='"ending": "void"', options={"ending": "void"}, opening=['"ending": "void"'])
    assert read_entry(record.encode()) == ("a", False)
    assert read_entry(void("a").encode()) == ("a", True)


def test_ids_are_read_whoever_wrote_the_line() -> None:
    compact = json.dumps(json.loads(line("squares.%2E.b.1a")), separators=(",", ":"))
    assert read_entry(compact.encode()) == ("squares.%2E.b.1a", False)
    assert read_entry(line('quo"te\\').encode()) == ('quo"te\\', False)


@pytest.mark.parametrize("cut", [1, 30, -1])
def test_a_torn_last_line_is_set_aside_with_a_note_and_played_again(tmp_path: Path, cut: int) -> None:
    torn = line("b")[:cut] if cut > 0 else line("b")
    (tmp_path / MATCHES).write_text(line("a") + "\n" + torn)
    with Journal.open(tmp_path) as journal:
        assert journal.done == {"a"}
        assert journal.note is not None
        assert f"({len(torn)} bytes" in journal.note
        assert TORN in journal.note
        assert journal.append([line("b")]) == [True]
    assert ids(tmp_path) == ["a", "b"]
    assert (tmp_path / TORN).read_text() == torn + "\n"
    with Journal.open(tmp_path) as journal:
        assert journal.note is None


def test_torn_lines_are_collected_and_never_dropped(tmp_path: Path) -> None:
    for torn in ("{one", "{two"):
        with open(tmp_path / MATCHES, "a") as file:
            file.write(torn)
        Journal.open(tmp_path).close()
    assert (tmp_path / TORN).read_text() == "{one\n{two\n"


def test_a_bad_line_in_the_middle_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    text = f"{line('a')}\nnonsense\n{line('b')}\n{{torn"
    (tmp_path / MATCHES).write_text(text)
    with pytest.raises(RecordError, match=r"matches\.jsonl line 2: "):
        Journal.open(tmp_path)
    assert (tmp_path / MATCHES).read_text() == text
    (tmp_path / MATCHES).unlink()
    Journal.open(tmp_path).close()  # the lock was let go


@pytest.mark.parametrize(
    "key", ["game", "options", "seed", "opening", "bots", "moves", "seat", "info", "result", "detail"]
)
def test_a_record_that_was_damaged_anywhere_does_not_count_as_played(tmp_path: Path, key: str) -> None:
    damaged = bytearray(line("b").encode())
    at = damaged.index(f'"{key}"'.encode())
    damaged[at : at + 12] = bytes(12)
    text = f"{line('a')}\n".encode() + damaged + f"\n{line('c')}\n".encode()
    (tmp_path / MATCHES).write_bytes(text)
    with pytest.raises(RecordError, match=r"matches\.jsonl line 2: .*: sed -i 2d "):
        Journal.open(tmp_path)
    assert (tmp_path / MATCHES).read_bytes() == text


def test_what_is_quickly_taken_for_a_record_is_one_byte_by_byte() -> None:
    whole = line(
        "a", detail='a \\ "quote" \u00e9', opening=["4", "9"], options={"n": -3, "on": True}
    ).encode()
    assert scan_whole(whole) is not None
    chance = random.Random(8)
    for _ in range(3000):
        changed = bytearray(whole)
        changed[chance.randrange(len(whole))] = chance.randrange(256)
        found = scan_whole(bytes(changed))
        if found is not None and makes_sense(found[1]):
            assert parse_record(bytes(changed)).id == found[0]


def test_every_bad_line_is_told_with_the_command_that_takes_them_out(tmp_path: Path) -> None:
    path = tmp_path / MATCHES
    path.write_text(f"{line('a')}\nnonsense\n{line('b')}\n{{}}\n")
    with pytest.raises(
        RecordError, match=r"line 2: .*the lines 2, 4 out, .* played again: sed -i '2d;4d' "
    ) as told:
        Journal.open(tmp_path)
    subprocess.run(str(told.value).rpartition("again: ")[2], shell=True, check=True)
    with Journal.open(tmp_path) as journal:
        assert journal.done == {"a", "b"}
    path.write_text("nonsense\n" * 40)
    with pytest.raises(RecordError, match=r"line 1: .*; 39 lines more are no records: restore the file"):
        Journal.open(tmp_path)


def test_nothing_is_said_to_be_played_again_if_nothing_is(tmp_path: Path) -> None:
    for torn in (bytes(512), line("a")[:60].encode()):
        (tmp_path / MATCHES).write_bytes(f"{line('a')}\n".encode() + torn)
        with Journal.open(tmp_path) as journal:
            assert journal.note is not None
            assert "was cut short" in journal.note
            assert "played again" not in journal.note


def test_a_folder_that_may_not_be_written_is_the_users_to_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match="cannot be used for a run: Permission denied"):
        Journal.open(tmp_path / "cup")


def test_what_is_no_record_is_never_written(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for bad in ("{}", "", line("a") + "\n" + line("b")):
            with pytest.raises(RecordError):
                journal.append([line("c"), bad])
        assert journal.done == set()
    assert (tmp_path / MATCHES).read_bytes() == b""


# --- two runs at a time ----------------------------------------------------------------------------


def test_a_second_run_is_told_the_process_of_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    with (
        Journal.open(folder),
        pytest.raises(UsageError, match=rf"^the run 'cup' is under way already, in process {os.getpid()}: "),
    ):
        Journal.open(folder)
    Journal.open(folder).close()


def test_the_lock_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib, arena.journal as j\n"
        "journal = j.Journal.open(pathlib.Path(sys.argv[1]))\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match=f"in process {child.pid}:"):
            Journal.open(tmp_path)
        child.kill()
        child.wait()
        Journal.open(tmp_path).close()


# --- disks that fail -------------------------------------------------------------------------------


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes: a disk that is full, as far as writes can tell."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("room", [0, 1, 100, len(line("a")) + 1, len(line("a")) + 2, 2 * len(line("a")) + 1])
def test_a_full_disk_keeps_whole_lines_and_loses_nothing(tmp_path: Path, room: int) -> None:
    size = len(line("a")) + 1
    with Journal.open(tmp_path) as journal:
        journal.append([line("0")])
        with (
            largest_file(size + room),
            pytest.raises(HarnessFailure, match=r"matches\.jsonl cannot be written: "),
        ):
            journal.append([line("a"), line("b"), line("c")])
        whole = room // size
        assert journal.done == {"0", *"abc"[:whole]}
        assert ids(tmp_path) == ["0", *"abc"[:whole]]
        assert (tmp_path / MATCHES).stat().st_size == size * (1 + whole)
        left = [text for text in "abc" if text not in journal.done]
        assert journal.append([line(text) for text in left]) == [True] * len(left)
    assert ids(tmp_path) == ["0", "a", "b", "c"]


def test_the_message_of_a_full_disk_says_what_is_kept_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal.open(tmp_path) as journal:
        journal.append([line("a")])
        monkeypatch.setattr("arena.journal.os.write", full)
        with pytest.raises(
            HarnessFailure, match=r"No space left on device.*The 1 matches .* kept.*run the same"
        ):
            journal.append([line("b")])
        monkeypatch.undo()


def test_a_disk_that_does_not_sync_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    journal = Journal.open(tmp_path)
    monkeypatch.setattr("arena.journal._sync_data", broken)
    with pytest.raises(HarnessFailure, match="cannot be synced: Input/output error"):
        journal.close()
    monkeypatch.undo()
    Journal.open(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HarnessFailure, match="cannot be used for a run: Not a directory"):
        Journal.open(tmp_path / "file" / "cup")


# --- seals -----------------------------------------------------------------------------------------


def test_what_was_written_is_sealed_at_once_and_over_several_runs(tmp_path: Path) -> None:
    for number in range(3):
        with Journal.open(tmp_path) as journal:
            journal.append([line(f"{number}a")])
            assert check(tmp_path / MATCHES).sealed == 2 * number + 1, "before any sync"
            journal.append([line(f"{number}b")])
    assert [stamp.lines for stamp in read_seals(tmp_path / SEALS)] == [1, 2, 3, 4, 5, 6]
    checked = check(tmp_path / MATCHES)
    assert (checked.problem, checked.sealed, checked.lines) == (None, 6, 6)


def test_nothing_new_is_not_sealed_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.append([line("a")])
    Journal.open(tmp_path).close()
    assert len(read_seals(tmp_path / SEALS)) == 1


def test_a_torn_seal_is_cut_off_and_made_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.append([line("a")])
    with open(tmp_path / SEALS, "r+b") as file:
        file.truncate(40)
    with Journal.open(tmp_path) as journal:
        journal.append([line("b")])
    assert [(stamp.lines, stamp.adopted) for stamp in read_seals(tmp_path / SEALS)] == [(1, 1), (2, 0)]
    assert check(tmp_path / MATCHES).problem is None


def test_seals_of_lines_that_are_lost_are_set_aside_and_told(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for name in "abcd":
            journal.append([line(name)])
    os.truncate(tmp_path / MATCHES, 2 * (len(line("a")) + 1) + 5)
    with Journal.open(tmp_path) as journal:
        assert journal.note is not None
        assert "was cut short" in journal.note
        assert "has lost 2 lines that were written and sealed" in journal.note
        journal.append([line("d"), line("c")])
    assert check(tmp_path / MATCHES).problem is None
    assert [stamp.lines for stamp in read_seals(tmp_path / LOST_SEALS)] == [3, 4]
    with Journal.open(tmp_path) as journal:
        assert journal.note is None


def test_seals_of_lines_that_were_changed_stay_and_it_is_told(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for name in "abc":
            journal.append([line(name)])
    path = tmp_path / MATCHES
    path.write_bytes(path.read_bytes().replace(b'"wall_ms": 1.0', b'"wall_ms": 1'))
    before = check(path).problem
    for _ in range(2):
        with Journal.open(tmp_path) as journal:
            assert journal.note == f"{MATCHES}: {before} ('arena verify' tells more)"
    checked = check(path)
    assert (checked.problem, checked.reordered) == (before, False)
    assert not (tmp_path / LOST_SEALS).exists()


def test_seals_that_cannot_be_read_do_not_stop_a_run(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        journal.append([line("a")])
    (tmp_path / SEALS).write_text("nonsense\n")
    with Journal.open(tmp_path) as journal:
        assert journal.note == f"{SEALS} line 1 is no seal: it needs upto, lines, sha256 and bag"
        journal.append([line("b")])
    assert (tmp_path / SEALS).read_text().startswith("nonsense\n{")


def test_seals_hold_after_a_full_disk(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        size = len(line("a")) + 1
        with largest_file(size + 9), pytest.raises(HarnessFailure):
            journal.append([line("a"), line("b")])
        journal.append([line("b")])
    assert check(tmp_path / MATCHES).problem is None


# --- any cut at all --------------------------------------------------------------------------------


def test_a_file_cut_anywhere_goes_on_to_the_same_records(tmp_path: Path) -> None:
    wanted = [line(str(number)) for number in range(8)]
    whole = "".join(text + "\n" for text in wanted).encode()
    chance = random.Random(4)
    for trial in range(40):
        folder = tmp_path / str(trial)
        folder.mkdir()
        (folder / MATCHES).write_bytes(whole[: chance.randrange(len(whole) + 1)])
        with Journal.open(folder) as journal:
            journal.append(wanted)
        assert (folder / MATCHES).read_bytes() == whole
