"""Ctrl-C, SIGTERM, and callers who close what the run would write to: nothing is lost, and it is said how to go on."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

THINK = "import time; time.sleep({seconds})"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_finishes_the_matches_under_way_and_says_how_to_go_on(
    field: Any, wait_until: Any, number: int
) -> None:
    file = field.cup(field.bots(4), rounds=400)
    run = field.start("run", file.name, "-j2")
    wait_until(lambda: field.size() > 0, lambda: "no progress")
    run.send_signal(number)
    stdout, stderr = run.communicate()
    assert run.returncode == 130
    assert stderr.splitlines()[0] == "finishing the matches under way (Ctrl-C again stops at once)"
    assert "To go on: arena run cup.toml -j2 --sandbox none\n" in stdout
    recorded = len(field.records())
    assert f"cup: {recorded} of 4800 matches recorded" in stdout
    assert field.matches().read_bytes().endswith(b"\n")


def test_a_stopped_run_waits_for_the_matches_under_way_and_for_no_others(field: Any, wait_until: Any) -> None:
    begun = field.folder / "begun"
    slow = field.bot("slow", on_game=f"open({str(begun)!r}, 'a').write('x')", on_go=THINK.format(seconds=0.3))
    file = field.cup({"slow": slow, "b": field.bot("b")}, rounds=50)
    run = field.start("run", file, "-j1", "--json")
    wait_until(begun.exists, lambda: "no match has begun")
    run.send_signal(signal.SIGINT)
    stdout, _ = run.communicate()
    assert json.loads(stdout)["stopped"] is True
    assert json.loads(stdout)["recorded"] == len(field.records()) == begun.stat().st_size
    assert begun.stat().st_size <= 2  # of the eight that were handed out


def test_the_second_ctrl_c_stops_at_once_and_loses_nothing_recorded(field: Any, wait_until: Any) -> None:
    thinking = field.folder / "thinking"
    long = f"open({str(thinking)!r}, 'w').close(); " + THINK.format(seconds=600)
    bots = field.bots(2) | {"slow": field.bot("slow", on_go=long)}
    run = field.start("run", field.cup(bots, limits="move_ms = 600000"), "-j2")
    wait_until(thinking.exists, lambda: "no match has begun")
    assert run.stderr is not None
    run.send_signal(signal.SIGINT)
    assert run.stderr.readline().startswith("finishing the matches under way")
    run.send_signal(signal.SIGINT)
    _, stderr = run.communicate()
    assert run.returncode == 130
    assert "stopped at once; " in stderr
    assert "To go on: arena run" in stderr
    assert "Traceback" not in stderr
    field.nothing_is_left()


def test_a_stopped_run_goes_on_where_it_was(field: Any, wait_until: Any) -> None:
    file = field.cup(field.bots(4), rounds=50)
    run = field.start("run", file, "-j2", "-q")
    wait_until(lambda: field.size() > 0, lambda: "no progress")
    run.send_signal(signal.SIGINT)
    run.communicate()
    before = field.matches().read_bytes()
    done = field.arena("run", file, "-j2", "--json")
    assert json.loads(done.stdout)["recorded"] == len(field.records()) == 600
    assert field.matches().read_bytes().startswith(before)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_run_needs_neither_input_nor_output(field: Any, closed: str) -> None:
    file = field.cup(field.bots(3))
    script = f'exec "$0" -m arena run {file.name} -j2 --sandbox none {closed}'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable],
        cwd=field.folder, env=field.env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(field.records()) == 12


def test_a_reader_of_the_events_who_leaves_does_not_stop_the_run(field: Any) -> None:
    file = field.cup(field.bots(3), rounds=100)
    run = field.start("run", file, "-j2", "--events", "-")
    assert run.stdout is not None
    assert json.loads(run.stdout.readline())["event"] == "start"
    run.stdout.close()
    assert run.stderr is not None
    stderr = run.stderr.read()
    assert run.wait() == 0, stderr
    assert "no more events, they cannot be written: Broken pipe" in stderr
    assert len(field.records()) == 600


def test_ctrl_c_while_the_workers_are_started_shows_no_traceback(field: Any, wait_until: Any) -> None:
    file = field.cup(field.bots(3), rounds=200)
    for what in ("resource_tracker", "forkserver", "forkserver"):
        run = field.start("run", file, "-j2", start_new_session=True)
        wait_until(partial(field.has_child, run, what), lambda: "no worker is started")
        os.killpg(run.pid, signal.SIGINT)
        _, stderr = run.communicate()
        assert run.returncode == 130, stderr
        assert "Traceback" not in stderr


def test_any_number_of_ctrl_c_ends_a_series_with_one_line(field: Any) -> None:
    first, second = (field.folder / script for script in field.bots(2).values())
    series = field.start("match", "squares", first, second, "-n", "100000", "--json", "--sandbox", "none")
    assert series.stdout is not None
    assert json.loads(series.stdout.readline())["format"] == 1
    while series.poll() is None:
        series.send_signal(signal.SIGINT)
        select.select([series.stdout], [], [], 0.001)
        os.read(series.stdout.fileno(), 1 << 16)
    assert series.stderr is not None
    assert (series.returncode, series.stderr.read()) == (130, "arena: interrupted\n")
