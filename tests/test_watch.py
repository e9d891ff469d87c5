"""What can be seen of processes from outside, tried on processes that do one thing each."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from arena import watch

Run = Callable[[str], "subprocess.Popen[bytes]"]
NOBODY = 2**22 + 1


@pytest.fixture
def run() -> Iterator[Run]:
    """Start a Python program that prints a line when it is where it should be."""
    started = []

    def start(script: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", f"import os, signal, time\n{script}"]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(program)
        assert program.stdout is not None
        program.stdout.readline()
        return program

    yield start
    for program in started:
        program.kill()
        program.communicate()


def soon(claim: Callable[[], bool]) -> bool:
    """Whether it becomes true; what a process does next takes it a moment."""
    return any(claim() for _ in range(100_000))


def test_processor_time_is_that_of_the_process_and_of_children_it_has_reaped(run: Run) -> None:
    work = "t = time.process_time() + 0.1\nwhile time.process_time() < t: pass\n"
    alone = run(f"{work}print(flush=True); signal.pause()")
    assert watch.cpu_times([alone.pid])[alone.pid].own >= 100_000_000
    parent = run(
        f"if os.fork() == 0:\n    {work.replace(chr(10), chr(10) + '    ')}os._exit(0)\n"
        "os.wait(); print(flush=True); signal.pause()"
    )
    assert watch.cpu_times([parent.pid])[parent.pid].reaped >= 90_000_000
    assert watch.cpu_times([NOBODY]) == {}


def test_memory_is_counted_whoever_holds_it(run: Run) -> None:
    size = 40 << 20
    held = run(f"x = b'x' * {size}; print(flush=True); signal.pause()")
    assert size < watch.own_bytes([held.pid]) < 2 * size
    assert watch.resident_bytes([held.pid]) >= watch.own_bytes([held.pid])
    in_file = run(f"f = os.memfd_create('f'); os.write(f, b'x' * {size}); print(flush=True); signal.pause()")
    assert watch.memory_file_bytes([in_file.pid]) >= size
    assert size < watch.own_bytes([in_file.pid]) < 2 * size
    assert watch.own_bytes([NOBODY]) == watch.memory_file_bytes([NOBODY]) == 0


def test_a_page_shared_by_two_counts_once(run: Run) -> None:
    size = 40 << 20
    shared = run(f"import mmap; m = mmap.mmap(-1, {size}); m.write(b'x' * {size}); os.fork() or signal.pause()\n"
                 "print(flush=True); signal.pause()")  # fmt: skip
    family = watch.descendants_of([shared.pid])
    try:
        assert len(family) == 2
        assert watch.own_bytes(family) < 2 * size
    finally:
        watch.send_signal(family, signal.SIGKILL)


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="numbers of system calls are not known"
)
def test_what_a_process_does_is_told(run: Run) -> None:
    reading = run("print(flush=True); input()")
    assert soon(lambda: watch.doing([reading.pid]).reads_input)
    polling = run("import select; print(flush=True); select.select([0], [], [], 3600)")
    assert soon(lambda: watch.doing([polling.pid]).waits_for_something)
    computing = run("print(flush=True)\nwhile True: pass")
    assert soon(lambda: watch.doing([computing.pid]).runnable)
    in_thread = run(
        "import threading; threading.Thread(target=lambda: exec('while True: pass')).start()\nprint(flush=True)"
    )
    assert soon(lambda: watch.doing([in_thread.pid]).runnable)
    computing.send_signal(signal.SIGSTOP)
    assert soon(lambda: watch.doing([computing.pid]).stopped)
    assert soon(lambda: watch.state(computing.pid) == "T")
    assert not watch.doing([reading.pid]).stopped
    assert not watch.doing([]).stopped


def test_who_is_alive_and_who_has_ended(run: Run) -> None:
    living, ended = run("print(flush=True); signal.pause()"), run("print(flush=True)")
    assert watch.any_alive([NOBODY, living.pid])
    assert soon(lambda: not watch.any_alive([ended.pid]))
    assert soon(lambda: watch.state(ended.pid) == "Z")
    assert watch.state(NOBODY) == ""


def test_who_holds_a_pipe(run: Run) -> None:
    holding = run("print(flush=True); signal.pause()")
    assert holding.stdout is not None
    pipe = os.fstat(holding.stdout.fileno())
    assert watch.holds_file([holding.pid], pipe.st_dev, pipe.st_ino)
    closed = run("print(flush=True); os.close(1); os.close(0); signal.pause()")
    assert closed.stdout is not None
    other = os.fstat(closed.stdout.fileno())
    assert soon(lambda: not watch.holds_file([closed.pid], other.st_dev, other.st_ino))
    assert watch.holds_file([NOBODY], 0, 0)  # where nothing can be seen, nothing is claimed


def test_levels_part_a_bot_from_those_that_hold_it(run: Run) -> None:
    parent = run("os.fork() and signal.pause()\nprint(flush=True); signal.pause()")
    pids, holders = watch.below(parent.pid, 1)
    assert holders == [parent.pid]
    assert pids == watch.children_of(parent.pid)
    assert watch.below(parent.pid, 0) == ([parent.pid, *pids], [])
    watch.send_signal(pids, signal.SIGKILL)


def test_a_thread_that_runs_has_run() -> None:
    assert watch.task_times([os.getpid()])[str(os.getpid())].ran > 0


def test_a_thread_that_computes_is_ready_to_run_and_one_that_waits_is_not(run: Run) -> None:
    busy = run("print(flush=True)\nwhile True: pass")
    idle = run("print(flush=True); signal.pause()")
    assert soon(lambda: watch.task_times([busy.pid])[str(busy.pid)].runnable)
    assert soon(lambda: not watch.task_times([idle.pid])[str(idle.pid)].runnable)


def test_a_signal_to_nobody_is_no_mistake() -> None:
    watch.send_signal([NOBODY], signal.SIGCONT)
