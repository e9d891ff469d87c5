"""The parts of the keeper that can be called without one: folders, process trees, streams of wake-ups."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena import keeper

SLEEP = "import signal; print(flush=True); signal.pause()"


@pytest.fixture(autouse=True)
def same_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`remove_folder` leaves the working folder: a keeper has none to lose, a test has."""
    monkeypatch.chdir(tmp_path)


def test_a_folder_is_removed_with_links_but_not_what_they_lead_to(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine")
    folder = tmp_path / "scratch"
    keeper.make_folder(str(folder), [str(outside), str(outside / "file")])
    assert (folder / "outside" / "file").read_text() == "mine"
    (folder / "dangling").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")
    (folder / "a").chmod(0)
    keeper.remove_folder(str(folder))
    assert not folder.exists()
    assert (outside / "file").read_text() == "mine"


def test_a_folder_deeper_than_a_path_may_be_long_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    os.chdir(folder)
    for _ in range(60):
        name = "n" * 200
        os.mkdir(name)
        os.mkdir("beside")
        os.chdir(name)
    os.chdir(tmp_path)
    keeper.remove_folder(str(folder))
    assert not folder.exists()


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    keeper.remove_folder(str(tmp_path / "missing"))
    keeper.remove_folder(None)
    keeper.make_folder(None, [])


def test_a_private_folder_is_never_somebody_elses(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        keeper.make_folder(str(tmp_path), [])


def test_a_tree_is_killed_to_its_leaves() -> None:
    script = (
        f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEP!r}], start_new_session=True)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        family = keeper.descendants_of([parent.pid])
        assert len(family) == 2
        keeper.kill_trees([parent.pid])
        assert parent.stdout.read() == b""  # whoever held it is gone
        assert parent.wait() == -signal.SIGKILL
    assert keeper.descendants_of([parent.pid]) == [parent.pid]


def test_an_unknown_process_has_no_children() -> None:
    assert keeper.children_of(2**22 + 1) == []


def test_a_limit_is_lowered_and_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (100, 200))
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: asked.append((which, pair)))
    keeper.lower_limit(resource.RLIMIT_NOFILE, 150)
    keeper.lower_limit(resource.RLIMIT_NOFILE, 1000)
    keeper.lower_limit(None, 5)
    assert asked == [(resource.RLIMIT_NOFILE, (150, 150)), (resource.RLIMIT_NOFILE, (200, 200))]


def test_an_end_is_told_by_code_or_signal() -> None:
    assert keeper._how(3 << 8) == b"exited 3\n"
    assert keeper._how(signal.SIGSEGV) == b"signal 11\n"


def test_the_keeper_imports_nothing_of_the_harness_and_no_more_than_it_needs() -> None:
    script = f"import sys, runpy; runpy.run_path({keeper.__file__!r}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"arena", "subprocess", "tempfile", "shutil", "asyncio", "threading"}
