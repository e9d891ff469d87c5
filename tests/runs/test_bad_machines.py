"""What the machine can do to a run: a full disk, a folder that cannot be written, another run, a match that kills."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from combinations import paired

DEADLY = '''\
"""Squares, with a start that its worker does not survive."""
import os, signal
from games.squares import Squares

class Deadly(Squares):
    id = "deadly"
    title = "Deadly Squares"

    def start(self, options, seed):
        if options.total == 61 and os.environ.get("DEADLY") == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if options.total == 61 and os.environ.get("DEADLY") == "raise":
            raise ZeroDivisionError("the rules of\\nthis game are broken")
        return super().start(options, seed)
'''


@pytest.fixture
def deadly(field: Any) -> Path:
    """A field in which a plug-in game is installed that is deadly with one of its starts, and a file that plays it."""
    site = field.folder / "site"
    (site / "deadly-1.0.dist-info").mkdir(parents=True)
    (site / "deadly.py").write_text(DEADLY)
    (site / "deadly-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: deadly\nVersion: 1.0\n"
    )
    (site / "deadly-1.0.dist-info" / "entry_points.txt").write_text("[arena.games]\ndeadly = deadly:Deadly\n")
    field.env["PYTHONPATH"] = str(site)
    games = '[[games]]\nid = "deadly"\noptions = { total = [60, 69] }\n'
    return Path(field.cup(field.bots(2), rounds=16, games=games))


ENDS = {
    "kill": "it was ended by SIGKILL",
    "raise": "ZeroDivisionError: the rules of this game are broken",
}


@pytest.mark.parametrize(("how", "workers"), paired(list(ENDS), ["-j1", "-j2"]))
def test_a_match_that_ends_its_worker_each_time_is_named_and_all_others_are_played(
    field: Any, deadly: Path, how: str, workers: str
) -> None:
    field.env["DEADLY"] = how
    run = field.arena("run", deadly, workers)
    assert run.returncode == 3
    assert "Traceback" not in run.stderr
    played = field.records()
    field.env["DEADLY"] = "no"
    assert field.arena("run", deadly, "-q").returncode == 0
    whole = field.records()
    missing = {match_id for match_id, record in whole.items() if record["options"]["total"] == 61}
    assert missing == set(whole) - set(played)
    assert len(missing) == 2
    for match_id in missing:
        assert (
            f"arena run: {match_id} could not be played: its worker died each time: {ENDS[how]}\n"
            in run.stderr
        )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with little room."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let root mount a disk")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_stops_the_run_with_a_clear_message_and_loses_nothing(
    field: Any, small_disk: Path
) -> None:
    file = field.cup(field.bots(3), rounds=200)
    runs = field.folder / "runs"
    runs.symlink_to(small_disk)
    done = field.arena("run", file, "-j2", "-q")
    assert done.returncode == 3
    assert re.search("matches.jsonl cannot be (written|synced): No space left on device", done.stderr)
    assert "run the same file again to go on" in done.stderr
    kept = field.matches().read_bytes()
    assert kept.endswith(b"\n")
    assert len(field.records()) == kept.count(b"\n") > 10
    room = field.folder / "room"
    room.mkdir()
    subprocess.run(["cp", "-r", f"{small_disk}/cup", room], check=True)
    runs.unlink()
    room.rename(runs)
    done = field.arena("run", file, "-j2", "--json")
    assert json.loads(done.stdout)["recorded"] == len(field.records()) == 1200
    assert field.matches().read_bytes().startswith(kept)


def test_a_file_that_may_not_grow_stops_the_run_and_the_next_one_goes_on(field: Any) -> None:
    file = field.cup(field.bots(3), rounds=20)
    limit = 20_000
    field.env["PYTHONDONTWRITEBYTECODE"] = "1"  # a module that was changed would be written in part
    done = field.arena(
        "run", file, "-j2", "-q", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    )
    assert done.returncode == 3
    assert "matches.jsonl cannot be written: File too large" in done.stderr
    assert 0 < field.size() <= limit
    assert field.matches().read_bytes().endswith(b"\n")
    assert field.arena("run", file, "-j2", "-q").returncode == 0
    assert len(field.records()) == 120


def test_two_runs_at_once_are_kept_apart(field: Any, wait_until: Any) -> None:
    file = field.cup(field.bots(3), rounds=2000)
    first = field.start("run", file, "-j1", "-q")
    wait_until(lambda: field.size() > 0, lambda: "no progress")
    second = field.arena("run", file)
    assert (second.returncode, second.stdout) == (2, "")
    assert f"the run 'cup' is under way already, in process {first.pid}" in second.stderr
    assert first.poll() is None


def test_a_folder_that_cannot_be_written_is_told_before_anything_starts(field: Any) -> None:
    file = field.cup(field.bots(2))
    (field.folder / "runs").write_text("in the way")
    done = field.arena("run", file)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert f"{field.folder}/runs/cup cannot be used for a run: Not a directory" in done.stderr


def test_a_current_folder_that_is_gone_is_told(field: Any) -> None:
    file = field.cup(field.bots(2))
    gone = field.folder / "gone"
    gone.mkdir()
    script = f'cd {gone} && rmdir {gone} && exec "$0" -m arena run {file} --sandbox none'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable], env=field.env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "the current folder is no longer there" in done.stderr


def test_no_folder_for_temporary_files_is_told_in_one_line(field: Any) -> None:
    field.env["TMPDIR"] = str(field.folder / ("x" * 200))
    os.mkdir(field.env["TMPDIR"])
    done = field.arena("run", field.cup(field.bots(2)))
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3)
    assert done.returncode == 0 or "a worker cannot be started: " in done.stderr
