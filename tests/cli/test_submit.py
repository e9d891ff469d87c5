"""`arena submit` as its user sees it, from the first version to the second and to one that is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import run_here

from arena.starter import make_starter

QUICK = ("--positions", "10")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    make_starter("alice", "python", tmp_path)
    return tmp_path


def edit(folder: Path, old: str, new: str) -> None:
    source = folder / "bot.py"
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")


def submitted(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(run_here(capsys, "submit", *args, *QUICK, "--json")[1])
    return told


def test_a_starter_is_taken_as_it_is_and_plays_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_here(capsys, "submit", "alice", *QUICK)
    assert (status, err) == (0, "")
    assert "Nothing was found by which it would lose matches." in out
    assert "Taken as alice, version" in out
    status, out, _ = run_here(capsys, "match", "squares", "alice", "random", "--json")
    assert status == 0
    assert json.loads(out)["result"]["ending"] == "completed"


def test_the_same_again_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    first = submitted(capsys, "alice")
    again = submitted(capsys, "./alice")
    assert (again["outcome"], again["version"]) == ("unchanged", first["version"])
    assert "nothing is changed" in run_here(capsys, "submit", "alice")[1]


def test_a_new_version_leaves_the_old_one_playable(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    old = submitted(capsys, "alice")["version"]
    edit(here / "alice", "PUT YOUR IDEA HERE", "MY IDEA")
    new = submitted(capsys, "alice")["version"]
    assert new != old
    out = run_here(capsys, "match", "squares", f"alice@{old}", "alice", "--json")[1]
    assert [bot["version"] for bot in json.loads(out)["bots"]] == [old, new]


def test_a_bot_that_would_lose_is_not_taken_and_the_old_one_stays(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    old = submitted(capsys, "alice")["version"]
    edit(here / "alice", "import", "raise SystemExit('oh no')\nimport")
    status, out, _ = run_here(capsys, "submit", "alice", *QUICK)
    assert status == 1
    assert "oh no" in out
    assert out.endswith(f"Not taken. alice stays at version {old}.\n")
    assert submitted(capsys, "alice")["current"] == old


def test_a_first_submission_that_is_refused_leaves_nothing(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    edit(here / "alice", "import", "raise SystemExit('oh no')\nimport")
    status, out, _ = run_here(capsys, "submit", "alice", *QUICK)
    assert (status, out.endswith("Not taken. Nothing is kept of it.\n")) == (1, True)
    assert "submitted" not in run_here(capsys, "bots")[1]


def test_a_compiler_error_is_shown_and_is_an_answer(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "alice" / "bot.toml").write_text(
        'name = "alice"\nrun = "./bot"\nbuild = "echo bot.c:7: error; exit 1"\n', encoding="utf-8"
    )
    status, out, err = run_here(capsys, "submit", "alice")
    assert (status, out) == (1, "")
    assert err.splitlines()[1:] == ["  bot.c:7: error"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nowhere",), "nowhere does not exist: submit a folder"),
        (("alice", "--name", "random"), "the name of a bundled bot"),
        (("alice", "--name", "../alice"), "cannot be a bot's name"),
        (("alice", "--name", ""), "cannot be a bot's name"),
        (("alice/README.md",), "is not executable"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(
    args: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_here(capsys, "submit", *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_submits_from_two_terminals_at_once_both_arrive(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_starter("bob", "python", here)
    command = [sys.executable, "-m", "arena", "submit", *QUICK, "--quiet"]
    running = [
        subprocess.Popen([*command, name], stdout=subprocess.DEVNULL) for name in ("alice", "bob", "alice")
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    listed = json.loads(run_here(capsys, "bots", "--versions", "--json")[1])
    assert [bot["name"] for bot in listed if bot["from"] == "submitted"] == ["alice", "bob"]


def test_a_failing_build_is_told_to_programs_too(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "alice" / "bot.toml").write_text(
        'name = "alice"\nrun = "./bot"\nbuild = "echo bot.c:7: error; exit 1"\n', encoding="utf-8"
    )
    status, out, _ = run_here(capsys, "submit", "alice", "--json")
    told = json.loads(out)
    assert (status, told["name"], told["outcome"], told["current"]) == (1, "alice", "refused", None)
    status, out, _ = run_here(capsys, "check", "./alice", "--json")
    report = json.loads(out)
    assert (status, report["ok"], report["version"]) == (1, False, told["version"])
    for finding in (report["findings"][0], told["report"]["findings"][0]):
        assert finding["code"] == "no-build"
        assert "bot.c:7: error" in finding["stderr"]
