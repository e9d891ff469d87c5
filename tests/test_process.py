"""Children and their leash: how they start, end, fail, and what becomes of the keeper."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from arena import process
from arena.errors import HarnessFailure
from arena.process import Child, Program, run_quietly

ENV = {"PATH": os.environ["PATH"]}


def program(script: str, **more: object) -> Program:
    return Program([sys.executable, "-c", script], ENV, "/", **more)  # type: ignore[arg-type]


def read_all(fd: int) -> bytes:
    os.set_blocking(fd, True)
    pieces = []
    while piece := os.read(fd, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


def test_a_child_talks_over_its_pipes_and_tells_its_status() -> None:
    child = Child(program("import sys; print(input() * 2); print('err', file=sys.stderr); sys.exit(3)"))
    try:
        os.write(child.stdin, b"ab\n")
        assert read_all(child.stdout) == b"abab\n"
        assert read_all(child.stderr) == b"err\n"
        assert child.wait(10)
        assert child.status == ("exited", 3)
    finally:
        child.close()


@pytest.mark.parametrize("isolate", [True, False])
def test_a_signal_is_told_by_its_number(isolate: bool) -> None:
    child = Child(program("import os; os.kill(os.getpid(), 9)", isolate=isolate))
    try:
        assert child.wait(10)
        assert child.status == ("signal", signal.SIGKILL)
    finally:
        child.close()


@pytest.mark.parametrize("isolate", [True, False])
def test_a_program_that_cannot_be_started_is_named(isolate: bool) -> None:
    child = Child(Program(["/nowhere/bot"], ENV, "/", isolate=isolate))
    try:
        assert child.wait(10)
        assert child.failure == "No such file or directory: /nowhere/bot"
        assert child.broken is None
    finally:
        child.close()


def test_a_folder_that_cannot_be_made_is_not_the_programs_fault(tmp_path: Path) -> None:
    child = Child(program("print()", scratch=str(tmp_path)))
    try:
        assert child.wait(10)
        assert child.failure is None
        assert child.broken is not None
        assert "File exists" in child.broken
    finally:
        child.close()
    assert tmp_path.exists()


def test_letting_go_ends_a_child_that_would_stay() -> None:
    child = Child(
        program(
            "import signal; signal.signal(15, signal.SIG_IGN); print(flush=True)\nwhile 1: signal.pause()"
        )
    )
    os.set_blocking(child.stdout, True)
    os.read(child.stdout, 10)
    child.let_go()
    assert child.wait(10)
    assert child.status == ("signal", signal.SIGKILL)
    child.close()
    child.close()  # a second time is no mistake


def test_descriptors_of_the_parent_are_not_inherited_and_those_of_a_child_are_closed() -> None:
    before = set(os.listdir("/proc/self/fd"))
    secret = os.open("/dev/zero", os.O_RDONLY)
    os.set_inheritable(secret, True)
    child = Child(program("import os; print(sorted(os.listdir('/proc/self/fd')))"))
    try:
        assert read_all(child.stdout) == b"['0', '1', '2', '3']\n"  # 3 is the listing itself
    finally:
        child.close()
        os.close(secret)
    keeper_socket = 1
    assert len(os.listdir("/proc/self/fd")) <= len(before) + keeper_socket


def test_a_process_with_thousands_of_open_files_can_still_wait() -> None:
    many = []
    try:
        while not many or many[-1] < 1100:
            many.append(os.dup(0))
        status, output = run_quietly([sys.executable, "-c", "print('fine')"], env=ENV)
    except OSError:
        pytest.skip("so many files may not be open here")
    finally:
        for fd in many:
            os.close(fd)
    assert (status, output) == (0, "fine\n")


def test_run_quietly_gives_status_and_output_together() -> None:
    script = "import sys, os; os.write(1, b'a'); os.write(2, b'b'); sys.exit(5)"
    assert run_quietly([sys.executable, "-c", script], env=ENV) == (5, "ab")


def test_run_quietly_gives_128_and_the_signal() -> None:
    script = "import os; os.kill(os.getpid(), 15)"
    assert run_quietly([sys.executable, "-c", script], env=ENV) == (143, "")


def test_run_quietly_gives_127_for_what_is_no_program() -> None:
    assert run_quietly(["/nowhere"], env=ENV) == (127, "No such file or directory: /nowhere")


def test_run_quietly_stops_what_takes_too_long_and_keeps_its_last_words() -> None:
    status, output = run_quietly([sys.executable, "-c", "print('x' * 3000, flush=True); input()\nwhile 1: pass"],
                                 env=ENV, seconds=0.5, max_output=100)  # fmt: skip
    assert status in (1, 124)  # it has no input, and may end of that first
    assert len(output) <= 100 + len("\nstopped after 0.5 s")


def test_a_killed_keeper_is_replaced() -> None:
    run_quietly(["/bin/true"], env=ENV)
    assert process._keeper is not None
    first = process._keeper.process
    first.kill()
    first.wait()
    assert run_quietly(["/bin/true"], env=ENV)[0] == 0
    assert process._keeper is not None
    assert process._keeper.process.pid != first.pid


def test_a_keeper_that_cannot_be_started_is_a_failure_of_the_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    process.close_keeper()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(HarnessFailure, match="the keeper of the bots cannot be started"):
        Child(program("print()"))


def test_a_child_that_is_root_has_no_power_but_over_files() -> None:
    if os.getuid() != 0:
        pytest.skip("only root has powers to lose")
    script = "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('CapEff')))"
    child = Child(program(script, confine=True))
    try:
        assert int(read_all(child.stdout), 16) & ~0x1F == 0
    finally:
        child.close()
