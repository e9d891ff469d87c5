"""Files: what a word names, and that a file is replaced as a whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.files import named, write_whole


def test_a_word_names_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a").touch()
    assert named("a", tmp_path) == named(str(tmp_path / "a")) == named("~/a") == tmp_path / "a"


@pytest.mark.parametrize("word", ["b", "a/b", "x" * 300, "y/" * 3000, "~no-such-user/a", "a\0"])
def test_a_word_that_is_no_path_names_nothing(word: str, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert named(word, tmp_path) is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_what_may_not_be_looked_at_is_said(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(UsageError, match="permission denied"):
        named("closed/a", tmp_path)


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", "old")
        write_whole(tmp_path / "a", "nęw\r\n")
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == "nęw\r\n".encode()
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_that_cannot_be_replaced_stays_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "a", b"new")
    assert os.listdir(tmp_path) == ["a"]
