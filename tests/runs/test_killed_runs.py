"""Kill -9 of everything that can be killed, at any moment: the next run goes on, and ends as if nothing had been."""

from __future__ import annotations

import json
import os
import random
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from combinations import is_whole

KILLS = 20 if is_whole() else 12


def undisturbed(field: Any, file: Path) -> tuple[Any, Any]:
    """The records and tables of a run that nobody disturbs, in a run of another name."""
    quiet = file.with_name("quiet.toml")
    quiet.write_text(
        file.read_text(encoding="utf-8").replace('name = "cup"', 'name = "quiet"', 1), encoding="utf-8"
    )
    done = field.here("run", quiet, "-j2", "-q")
    assert done.returncode == 0, done.stderr
    return field.records("quiet"), field.tables("quiet")


def finished(field: Any, file: Path) -> None:
    """Run the file to its end."""
    done = field.arena("run", file, "-j2", "--json")
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["recorded"] == outcome["scheduled"]


@pytest.mark.parametrize("part", [0, 1])  # two halves, so that two cores share the work
def test_a_run_killed_at_any_moment_ends_with_the_records_of_an_undisturbed_one(
    field: Any, wait_until: Any, part: int
) -> None:
    file = field.cup(field.bots(3), rounds=130)
    expected = undisturbed(field, file)
    moments = random.Random(part)
    lock = field.matches().with_name("lock")

    def has_come_to(run: Any, size: int) -> bool:
        holds = lock.exists() and lock.read_text() == f"{run.pid}\n"
        return run.poll() is not None or (holds and field.size() >= size)

    for _ in range(KILLS // 2):
        assert len(field.matches().read_bytes().splitlines() if field.size() else []) < len(expected[0])
        before = field.size()
        growth = moments.choice([0, 1, 1, moments.randrange(40_000)])
        run = field.start("run", file, "-j2", "-q")
        wait_until(partial(has_come_to, run, before + growth), lambda: "the run makes no progress")
        run.send_signal(signal.SIGKILL)
        run.communicate()
    finished(field, file)
    assert (field.records(), field.tables()) == expected


def test_killed_workers_are_replaced_and_no_match_is_lost_or_played_twice(
    field: Any, wait_until: Any
) -> None:
    file = field.cup(field.bots(4), rounds=60)
    expected = undisturbed(field, file)
    moments = random.Random(3)
    run = field.start("run", file, "-j2", "--json")
    killed = 0
    for goal in sorted(moments.sample(range(1, 300_000), 6)):
        wait_until(
            lambda goal=goal: run.poll() is not None or (field.size() >= goal and bool(field.workers(run))),
            lambda: "the run makes no progress",
        )
        for pid in field.workers(run)[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    stdout, stderr = run.communicate()
    assert (run.returncode, stderr) == (0, "")
    assert killed >= 3
    assert json.loads(stdout)["unplayable"] == {}
    assert (field.records(), field.tables()) == expected


def test_a_killed_fork_server_is_no_obstacle(field: Any, wait_until: Any) -> None:
    file = field.cup(field.bots(4), rounds=60)
    run = field.start("run", file, "-j2", "--json")
    wait_until(lambda: field.size() > 0, lambda: "the run makes no progress")
    workers = field.workers(run)
    server = int(Path(f"/proc/{workers[0]}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(server, signal.SIGKILL)
    os.kill(workers[0], signal.SIGKILL)
    stdout, stderr = run.communicate()
    assert (run.returncode, stderr) == (0, "")
    assert json.loads(stdout)["recorded"] == len(field.records()) == 720


def test_workers_and_bots_end_at_once_when_the_run_is_killed_in_a_long_match(
    field: Any, wait_until: Any
) -> None:
    ready = field.folder / "thinking"
    long = f"open({str(ready)!r}, 'w').close(); import time; time.sleep(600)"
    file = field.cup({"slow": field.bot("slow", on_go=long), "b": field.bot("b")}, limits="move_ms = 600000")
    run = field.start("run", file, "-j2", "-q")
    wait_until(ready.exists, lambda: "no bot has come to think")
    run.send_signal(signal.SIGKILL)
    run.communicate()
    field.nothing_is_left()
    assert list(field.scratch.iterdir()) == []


def test_the_next_run_starts_at_once_although_the_last_one_is_still_ending(
    field: Any, wait_until: Any
) -> None:
    file = field.cup(field.bots(3), rounds=100)
    for _ in range(3):
        run = field.start("run", file, "-j2", "-q")
        before = field.size()
        wait_until(lambda goal=before: field.size() > goal, lambda: "no progress")
        run.send_signal(signal.SIGKILL)  # and the next one is started without waiting for anything
    done = field.arena("run", file, "-j2", "--json")
    assert (done.returncode, json.loads(done.stdout)["recorded"]) == (0, 600)
    field.records()


def test_a_torn_last_line_is_set_aside_with_a_note_and_its_match_is_played_again(field: Any) -> None:
    file = field.cup(field.bots(3), rounds=3)
    assert field.here("run", file, "-q").returncode == 0
    expected = field.records()
    whole = field.matches().read_bytes()
    torn = whole[:-40]
    field.matches().write_bytes(torn)
    field.matches().with_name("seals.jsonl").unlink()
    done = field.arena("run", file)
    assert done.returncode == 0
    assert "the last line of matches.jsonl was cut short" in done.stderr
    assert "18 of 18 matches recorded, 1 now" in done.stdout
    assert field.records() == expected
    assert field.matches().with_name("matches.torn.jsonl").read_bytes().strip() == torn.splitlines()[-1]


def test_a_killed_run_leaves_no_folder_of_its_fork_server_behind(field: Any, wait_until: Any) -> None:
    """Once workers play, that is: before the server has started nobody is there to remove it."""
    file = field.cup(field.bots(2))
    run = field.start("run", file, "-j2", "-q")
    played = field.matches()
    wait_until(lambda: played.exists() and played.stat().st_size, lambda: "nothing is played")
    run.send_signal(signal.SIGKILL)
    run.communicate()
    field.nothing_is_left()
    assert list(field.scratch.iterdir()) == []
