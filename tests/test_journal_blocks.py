"""A block of records is written as its single records would be: the same file, seals and ids, on a full disk too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_runner import line

from arena.errors import HarnessFailure
from arena.journal import Journal
from arena.seal import Seal, bag_of

IDS = [f"squares.a.b.{number}a" for number in range(1, 6)]


def blob(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def bag(lines: list[str]) -> int:
    return bag_of(line.encode() for line in lines)


def test_a_block_is_written_and_sealed_as_single_records_are(tmp_path: Path) -> None:
    lines = [line(match_id) for match_id in IDS]
    with Journal.open(tmp_path / "one") as one, Journal.open(tmp_path / "many") as many:
        assert one.append(lines) == many.append_block(blob(lines), IDS, bag(lines)) == [True] * 5
        assert one.done == many.done == set(IDS)
    for name in ("matches.jsonl", "seals.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes()


@pytest.mark.parametrize("ids", [[IDS[0], IDS[1]], [IDS[1], IDS[1]], [IDS[0], IDS[0]]])
def test_what_is_done_already_is_not_accepted_in_a_block_either(tmp_path: Path, ids: list[str]) -> None:
    with Journal.open(tmp_path) as journal:
        journal.append([line(IDS[0])])
        lines = [line(match_id) for match_id in ids]
        expected = [match_id != IDS[0] and match_id not in ids[:at] for at, match_id in enumerate(ids)]
        assert journal.append_block(blob(lines), ids, bag(lines)) == expected
        assert journal.done == {IDS[0], *ids}
    assert len((tmp_path / "matches.jsonl").read_bytes().splitlines()) == 1 + sum(expected)
    assert (
        Seal.of(tmp_path / "matches.jsonl").line() == (tmp_path / "seals.jsonl").read_text().splitlines()[-1]
    )


@pytest.mark.parametrize("room", [0, 1, 500, 1000, 1500])
def test_a_block_that_the_disk_does_not_take_leaves_whole_lines_and_their_ids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    lines = [line(match_id) for match_id in IDS]
    left = room
    write = os.write

    def filling(file: int, data: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(28, "No space left on device")
        written = write(file, data[:left])
        left -= written
        return written

    with Journal.open(tmp_path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("arena.journal.os.write", filling)
            with pytest.raises(HarnessFailure, match="No space left on device"):
                journal.append_block(blob(lines), IDS, bag(lines))
        whole = room // (len(lines[0]) + 1)
        assert journal.done == set(IDS[:whole])
        assert (tmp_path / "matches.jsonl").read_text() == "".join(f"{text}\n" for text in lines[:whole])
        assert journal.append(lines) == [at >= whole for at in range(5)]
    assert (
        Seal.of(tmp_path / "matches.jsonl").line() == (tmp_path / "seals.jsonl").read_text().splitlines()[-1]
    )
