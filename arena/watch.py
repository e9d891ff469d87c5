"""Looking at running processes from outside: who is below whom, processor time, memory, what they wait for.

Everything here is read from /proc and may be gone the next moment: a process that has ended counts as nothing, and
where the system does not tell (not Linux), nothing is found. Raises nothing.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass

from arena.keeper import children_of, descendants_of

PAGE = os.sysconf("SC_PAGE_SIZE")
_READS = {"x86_64": {0: "read", 45: "recvfrom"}, "aarch64": {63: "read", 207: "recvfrom"}}
_WAITS = {
    "x86_64": {7, 271, 23, 270, 232, 281},  # poll, ppoll, select, pselect6, epoll_wait, epoll_pwait
    "aarch64": {73, 72, 22},  # ppoll, pselect6, epoll_pwait
}


def below(root: int, levels: int) -> list[int]:
    """The processes that many levels below this one, and everything under them."""
    roots = [root]
    for _ in range(levels):
        roots = [child for pid in roots for child in children_of(pid)]
    return descendants_of(roots)


def cpu_ns(pids: Iterable[int]) -> int:
    """The processor time that these processes have used, all threads together."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += time.clock_gettime_ns((~pid << 3) | 2)  # the kernel's name for another process's clock
    return total


def resident_bytes(pids: Iterable[int]) -> int:
    """An upper bound of the memory that these processes hold, cheap to get: shared pages count in each."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/statm", "rb") as file:
            pages += int(file.read().split()[1])
    return pages * PAGE


def own_bytes(pids: Iterable[int]) -> int:
    """The memory that these processes hold of their own: no files, and a page shared by two counted once."""
    kilobytes = 0
    for pid in pids:
        rollup = _fields(f"/proc/{pid}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:"))
        kilobytes += rollup or _fields(f"/proc/{pid}/status", (b"RssAnon:", b"RssShmem:"))
    return kilobytes * 1024


def _fields(path: str, names: tuple[bytes, ...]) -> int:
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError), open(path, "rb") as file:
        for line in file:
            if line.startswith(names):
                total += int(line.split()[1])
    return total


def state(pid: int) -> str:
    """One letter: R runnable, S sleeping, D in the kernel, T stopped, Z ended; '' if it is gone."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0].decode()
    return ""


def any_runnable(pids: Iterable[int]) -> bool:
    """Whether one of these processes would use the processor now (its first thread, at least)."""
    return any(state(pid) == "R" for pid in pids)


def run_delay_ns(pids: Iterable[int]) -> int:
    """The longest time that a first thread of these was ready to run and had to wait for a processor."""
    longest = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/schedstat", "rb") as file:
            longest = max(longest, int(file.read().split()[1]))
    return longest


@dataclass(frozen=True)
class Doing:
    """What a set of processes was doing at one moment."""

    reads_input: bool
    """One of its threads waits in a read of its standard input."""
    waits_for_something: bool
    """One of its threads waits for input of any kind, or for a time (poll, select, epoll)."""
    runnable: bool


def doing(pids: Iterable[int]) -> Doing:
    """What these processes wait for, thread by thread, as far as the kernel tells."""
    machine = platform.machine()
    reads, waits = _READS.get(machine, {}), _WAITS.get(machine, set())
    reads_input = waits_for = runnable = False
    for pid in pids:
        runnable = runnable or state(pid) == "R"
        for task in _listed(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/task/{task}/syscall") as file:
                words = file.read().split()
                if len(words) < 2 or not words[0].isdigit():
                    continue
                call = int(words[0])
                reads_input = reads_input or (call in reads and int(words[1], 16) == 0)
                waits_for = waits_for or call in waits
    return Doing(reads_input, waits_for, runnable)


def _listed(path: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(path)
    return []


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal processes that may be gone already."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
