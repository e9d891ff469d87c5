"""`arena new` through the command line: it is there, it makes what it says, and its mistakes are one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import run_here


def arena(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_here(capsys, "new", *args)


def test_a_starter_is_made_where_the_user_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = arena(capsys, "alice", "--lang", "bash")
    assert (status, err) == (0, "")
    assert out.startswith("Made alice/ with README.md, bot.sh, bot.toml.")
    assert (tmp_path / "alice" / "bot.toml").is_file()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("../alice",), "cannot be a bot's name"),
        (("alice", "--lang", "cobol"), "there is no starter in 'cobol'"),
        ((), "Missing argument 'NAME'"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(
    args: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = arena(capsys, *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
