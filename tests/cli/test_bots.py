"""`arena bots`: what is listed, and what is removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import run_here

import bots
from arena.bot import BotSpec
from arena.doctor import Report
from arena.store import Store
from arena.submission import submit


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def arena(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_here(capsys, "bots", *args)


def add(tmp_path: Path, name: str, text: str, *, build: bool = False) -> str:
    """Submit a bot; its version."""
    folder = tmp_path / "source"
    folder.mkdir(exist_ok=True)
    lines = [f'name = "{name}"', 'run = "python3 bot.py"', 'games = ["squares"]']
    (folder / "bot.toml").write_text(
        "\n".join([*lines, 'build = "true"'] if build else lines), encoding="utf-8"
    )
    (folder / "bot.py").write_text(text, encoding="utf-8")
    return submit(folder, None, _advised).version


def _advised(spec: BotSpec) -> Report:
    report = Report.of(spec)
    report.find("no-quit", "it stays")
    return report


def submitted(out: str) -> list[dict[str, object]]:
    return [bot for bot in json.loads(out) if bot["from"] == "submitted"]


def test_without_submissions_the_bundled_bots_are_listed(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    status, out, err = arena(capsys)
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[2:]] == list(bots.bundled())
    assert not home.exists(), "looking makes nothing"


def test_a_submitted_bot_is_listed_with_language_games_and_last_check(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    version = add(tmp_path, "alice", "# one")
    row = arena(capsys)[1].splitlines()[2]
    assert row.split()[:4] == ["alice", version, "python", "squares"]
    assert "ok: no-quit" in row
    told = submitted(arena(capsys, "--json")[1])[0]
    assert (told["name"], told["version"], told["current"]) == ("alice", version, True)
    assert (told["language"], told["games"]) == ("python", ["squares"])
    assert isinstance(told["check"], dict)
    assert (told["check"]["ok"], told["check"]["findings"]) == (True, ["no-quit"])


def test_old_versions_are_listed_when_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old, new = add(tmp_path, "alice", "# one"), add(tmp_path, "alice", "# two")
    assert [bot["version"] for bot in submitted(arena(capsys, "--json")[1])] == [new]
    assert [bot["version"] for bot in submitted(arena(capsys, "--json", "--versions")[1])] == [new, old]
    assert f"alice@{old}" in arena(capsys, "--versions")[1]


def test_one_version_or_all_of_a_bot_are_removed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old, new = add(tmp_path, "alice", "# one"), add(tmp_path, "alice", "# two")
    assert arena(capsys, "remove", f"alice@{new}") == (0, f"Removed alice@{new}.\n", "")
    assert Store().find("alice").version == old
    status, out, _ = arena(capsys, "remove", "alice", "--json")
    assert (status, json.loads(out)) == (0, {"removed": [f"alice@{old}"]})
    assert Store().names() == []


def test_what_was_built_goes_with_the_last_bot_that_needs_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    version = add(tmp_path, "alice", "# one", build=True)
    submit(tmp_path / "source", "bob", _advised)
    arena(capsys, "remove", "alice")
    assert (home / "builds" / version).is_dir()
    arena(capsys, "remove", "bob")
    assert not (home / "builds" / version).exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("remove", "nobody"), "no bot 'nobody' was submitted"),
        (("remove", "alice@ffff"), "alice has no version 'ffff'"),
        (("remove", "alice", "nobody"), "no bot 'nobody' was submitted"),
        (("remove", "random"), "random comes with Arena and cannot be removed"),
        (("remove", "../.."), "no bot '../..' was submitted"),
        (("remove",), "say 'arena bots remove NAME[@VERSION]'"),
        (("delete", "alice"), "say 'arena bots remove NAME[@VERSION]'"),
    ],
)
def test_a_wrong_call_is_one_line_and_removes_nothing(
    args: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    add(tmp_path, "alice", "# one")
    status, out, err = arena(capsys, *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
    assert Store().names() == ["alice"]


def test_an_older_store_cannot_move_the_cursor(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    about = home / "bots" / "alice" / add(tmp_path, "alice", "print()") / "about.json"
    about.write_text(about.read_text(encoding="utf-8").replace("squares", r"\u001b[2J"), encoding="utf-8")
    status, out, _ = arena(capsys)
    assert status == 0
    assert r"\x1b[2J" in out
    assert out.replace("\n", "").isprintable()


def test_a_bot_named_twice_is_removed_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    version = add(tmp_path, "alice", "# one")
    status, out, err = arena(capsys, "remove", "alice", "alice", f"alice@{version}")
    assert (status, out, err) == (0, f"Removed alice@{version}.\n", "")


def test_a_damaged_bot_is_listed_as_such_beside_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    version = add(tmp_path, "alice", "# one")
    add(tmp_path, "bob", "# two")
    (home / "bots" / "alice" / version / "about.json").write_text("", encoding="utf-8")
    (home / "bots" / "bob" / "current").write_bytes(b"\xff")
    status, out, err = arena(capsys)
    assert (status, err) == (0, "")
    rows = [line for line in out.splitlines() if line.startswith(("alice", "bob"))]
    assert [row.split()[0] for row in rows] == ["alice", "bob"]
    assert all("DAMAGED: submit it again" in row for row in rows)
    assert arena(capsys, "remove", "alice", "bob")[0] == 0
    assert Store().names() == []
