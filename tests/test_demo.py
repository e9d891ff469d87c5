"""The demo's tournament: every bundled bot that can play here, and a folder that is made afresh."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from arena import demo
from arena.catalogue import game_ids
from arena.errors import HarnessFailure, UnknownBot, UsageError
from arena.tournament import load


@pytest.fixture
def without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which all bots can be started but one."""

    def resolve(name: str) -> None:
        if name == "java-random":
            raise UnknownBot("the program 'java' is not installed")

    monkeypatch.setattr(demo, "resolve", resolve)


@pytest.mark.usefixtures("without_java")
def test_bots_that_cannot_be_started_here_are_left_out_and_named(tmp_path: Path) -> None:
    made = demo.prepare(tmp_path)
    names = [bot["name"] for bot in tomllib.loads(made.file.read_text())["bots"]]
    assert names == [name for name in demo.BOTS if name != "java-random"]
    assert made.missing == (("java-random", "the program 'java' is not installed"),)


@pytest.mark.usefixtures("without_java")
def test_the_file_is_one_that_can_be_run_over_all_five_games(tmp_path: Path) -> None:
    tournament = load(demo.prepare(tmp_path).file).tournament
    bundled = {"squares", "primes", "sum-to-zero", "grid", "linked"}
    assert {game.id for game in tournament.games} == bundled <= set(game_ids())


@pytest.mark.usefixtures("without_java")
def test_a_second_demo_begins_afresh(tmp_path: Path) -> None:
    old = demo.prepare(tmp_path).file.parent / "runs" / "demo" / "matches.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text("{}\n")
    demo.prepare(tmp_path)
    assert not old.exists()


@pytest.mark.usefixtures("without_java")
def test_a_folder_that_may_not_be_made_is_the_users_to_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match=r"the demo cannot be written to .*: Permission denied"):
        demo.prepare(tmp_path)


@pytest.mark.usefixtures("without_java")
def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / demo.FOLDER).write_text("a file is in the way")
    with pytest.raises(HarnessFailure, match="the demo cannot be written to"):
        demo.prepare(tmp_path)
