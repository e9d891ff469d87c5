"""From a tournament file to a run: the order of things, and the library's one call for all of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from legal_bot import legal_bot

from arena.errors import ConfigError, UsageError
from arena.organiser import default_workers, opened, run_tournament, take_order


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(legal_bot())
    path = tmp_path / "cup.toml"
    path.write_text(
        'name = "cup"\n[[games]]\nid = "squares"\n'
        '[[bots]]\nname = "a"\npath = "bot.py"\n[[bots]]\nname = "b"\npath = "bot.py"\n'
    )
    return path


def test_one_call_runs_a_tournament_to_its_end_and_a_second_finds_nothing_to_do(file: Path) -> None:
    first = run_tournament(file, workers=1, sandbox="none")
    assert (first.complete, first.tally.played) == (True, 2)
    again = run_tournament(file, workers=1, sandbox="none")
    assert (again.complete, again.tally.played) == (True, 0)


def test_an_order_writes_nothing(file: Path) -> None:
    order = take_order(file, sandbox_mode="none")
    assert order.plan.scheduled == 2
    assert not (file.parent / "runs").exists()


def test_limits_of_the_caller_stand_above_those_of_the_file(file: Path) -> None:
    order = take_order(file, sandbox_mode="none", limits={"move_ms": 77})
    assert order.setup.tournament.limits.move_ms == order.plan.tournament.limits.move_ms == 77


def test_an_open_event_keeps_the_plan_and_holds_the_lock(file: Path) -> None:
    order = take_order(file, sandbox_mode="none")
    with opened(order) as event:
        assert event.order.folder.plan() == order.plan
        with pytest.raises(UsageError, match="under way already"), opened(order):
            pass
    with opened(order):
        pass


def test_a_file_that_contradicts_changes_nothing(file: Path) -> None:
    run_tournament(file, workers=1, sandbox="none")
    plan = (file.parent / "runs" / "cup" / "run.json").read_bytes()
    file.write_text("seed = 9\n" + file.read_text())
    with pytest.raises(ConfigError, match="seed is 9, and was 0"):
        run_tournament(file, workers=1, sandbox="none")
    assert (file.parent / "runs" / "cup" / "run.json").read_bytes() == plan


def test_an_observer_that_fails_ends_the_run_and_its_workers(file: Path) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("not interested")

    with pytest.raises(RuntimeError, match="not interested"):
        run_tournament(file, workers=1, sandbox="none", observer=fail)
    assert run_tournament(file, workers=1, sandbox="none").complete


def test_a_current_folder_that_is_gone_is_told(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="the current folder is no longer there"):
        take_order(file)
    os.chdir(tmp_path)


def test_there_is_a_worker_for_each_core() -> None:
    assert default_workers() == len(os.sched_getaffinity(0))
