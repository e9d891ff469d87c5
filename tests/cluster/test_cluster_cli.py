"""`arena run --cluster` as a user types it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cluster_hosts import played, run_alone, workers_of, write_tournament

Arena = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.xdist_group("cluster")


def test_a_local_cluster_records_what_one_machine_records(
    arena_process: Arena, tmp_path: Path, alone_on_the_cores: None
) -> None:
    path = write_tournament(tmp_path, 'name = "first"', rounds=10)
    done = arena_process("run", str(path), "--cluster", "local", "-j", "2", "--sandbox", "none", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["recorded"] == 40
    assert played(path) == run_alone(path)
    assert all(name.endswith(("-0", "-1")) for name in workers_of(path))


def test_ctrl_c_is_for_the_runner_and_what_was_being_played_is_recorded(
    tmp_path: Path, alone_on_the_cores: None
) -> None:
    path = write_tournament(tmp_path, 'name = "first"', rounds=100_000)
    words = ["run", str(path), "--cluster", "local", "-j", "2", "--sandbox", "none", "-q", "--events", "-"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    for _ in range(3):  # the start, and two reports
        assert process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "finishing the matches under way (Ctrl-C again stops at once)\n"
    assert played(path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ("--cluster", "HOST"),
            "--cluster HOST: give the scheduler's address, such as tcp://HOST:8786, or 'local'",
        ),
        (
            ("--cluster", "tcp://127.0.0.1"),
            "--cluster tcp://127.0.0.1: give the scheduler's address, such as tcp://HOST:8786, or 'local'",
        ),
        (
            ("--cluster", "tcp://127.0.0.1:99999"),
            "--cluster tcp://127.0.0.1:99999: give the scheduler's address, such as tcp://HOST:8786, or 'local'",
        ),
        (
            ("--cluster", "tcp://h:1", "-j", "2"),
            "-j is for this machine: on a cluster every worker that is there plays",
        ),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    arena: Arena, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    path = write_tournament(tmp_path, 'name = "first"')
    refused(arena("run", str(path), *words), path, expected)


def test_certificates_that_are_missing_are_named(arena_process: Arena, tmp_path: Path) -> None:
    path = write_tournament(tmp_path, 'name = "first"')
    settings = {"DASK_CONFIG": str(tmp_path)}  # Dask reads it when it is loaded
    done = arena_process("run", str(path), "--cluster", "tls://h:1", env=settings)
    refused(done, path, "--cluster: tls://h:1 needs certificates: set distributed.comm.tls")


def refused(done: subprocess.CompletedProcess[str], path: Path, expected: str) -> None:
    assert done.returncode == 2
    assert done.stderr.startswith(f"arena: {expected}")
    assert done.stderr.count("\n") == 1
    assert not (path.parent / "runs").exists()
