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
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from arena.keeper import children_of, descendants_of
from arena.spent import CpuTime, TaskTime

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PF_EXITING = 4
_READS = {"x86_64": {0: "read", 45: "recvfrom"}, "aarch64": {63: "read", 207: "recvfrom"}}
_WAITS = {
    "x86_64": {7, 271, 23, 270, 232, 281},  # poll, ppoll, select, pselect6, epoll_wait, epoll_pwait
    "aarch64": {73, 72, 22},  # ppoll, pselect6, epoll_pwait
}


def below(root: int, levels: int) -> tuple[list[int], list[int]]:
    """The processes that many levels below this one, with everything under them; and those above them, the holders."""
    holders: list[int] = []
    roots = [root]
    for _ in range(levels):
        holders += roots
        roots = [child for pid in roots for child in children_of(pid)]
    return descendants_of(roots), holders


def cpu_times(pids: Iterable[int]) -> dict[int, CpuTime]:
    """The processor time that each of these processes has used."""
    times: dict[int, CpuTime] = {}
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            own = time.clock_gettime_ns((~pid << 3) | 2)  # the kernel's name for another process's clock
            times[pid] = CpuTime(own, sum(map(int, _stat(pid)[13:15])) * TICK_NS)
    return times


def resident_bytes(pids: Iterable[int]) -> int:
    """An upper bound of the memory that these processes hold, cheap to get: shared pages count in each."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/statm", "rb") as file:
            pages += int(file.read().split()[1])
    return pages * PAGE


def own_bytes(pids: Iterable[int]) -> int:
    """The memory that these processes hold of their own: no files, and a page shared by two counted once.

    A file in memory (`memfd_create`) counts whether it is mapped or not; mapped, it is not counted twice.
    """
    pids = list(pids)
    private = shared = 0
    for pid in pids:
        rollup, status = f"/proc/{pid}/smaps_rollup", f"/proc/{pid}/status"
        private += _fields(rollup, (b"Pss_Anon:",)) or _fields(status, (b"RssAnon:",))
        shared += _fields(rollup, (b"Pss_Shmem:",)) or _fields(status, (b"RssShmem:",))
    return private * 1024 + max(shared * 1024, memory_file_bytes(pids))


def memory_file_bytes(pids: Iterable[int]) -> int:
    """The size of all files in memory that these processes have open."""
    sizes: dict[int, int] = {}
    for pid in pids:
        for fd in _listed(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                path = f"/proc/{pid}/fd/{fd}"
                if os.readlink(path).startswith("/memfd:"):
                    found = os.stat(path)
                    sizes[found.st_ino] = found.st_blocks * 512
    return sum(sizes.values())


def thread_count(pids: Iterable[int]) -> int:
    """How many threads these processes have, all together."""
    return sum(int(words[17]) for words in map(_stat, pids) if words)


def strays(pids: Iterable[int], cpus: Collection[int]) -> bool:
    """Whether one of their threads may run on another core than these."""
    for pid in pids:
        for task in _listed(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                if not os.sched_getaffinity(int(task)).issubset(cpus):
                    return True
    return False


def holds_file(pids: Iterable[int], device: int, inode: int) -> bool:
    """Whether one of these processes has this file or pipe open; True where the system does not tell."""
    for pid in pids:
        try:
            fds = os.listdir(f"/proc/{pid}/fd")
        except OSError:
            return True
        for fd in fds:
            with contextlib.suppress(OSError):
                found = os.stat(f"/proc/{pid}/fd/{fd}")
                if (found.st_dev, found.st_ino) == (device, inode):
                    return True
    return False


def _fields(path: str, names: tuple[bytes, ...]) -> int:
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError), open(path, "rb") as file:
        for line in file:
            if line.startswith(names):
                total += int(line.split()[1])
    return total


def _stat(pid: int, task: str = "") -> list[bytes]:
    """What /proc tells of a process or thread, from its state on; nothing if it is gone."""
    path = f"/proc/{pid}/task/{task}/stat" if task else f"/proc/{pid}/stat"
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read().rpartition(b")")[2].split()
    return []


def state(pid: int) -> str:
    """One letter: R runnable, S sleeping, D in the kernel, T stopped, Z ended; '' if it is gone."""
    return b"".join(_stat(pid)[:1]).decode()


def any_alive(pids: Iterable[int]) -> bool:
    """Whether one of these processes has not ended and is not just ending."""
    for pid in pids:
        words = _stat(pid)
        if words and words[0] not in (b"Z", b"X") and not int(words[6]) & PF_EXITING:
            return True
    return False


def task_times(pids: Iterable[int]) -> dict[str, TaskTime]:
    """The times of each thread of these processes."""
    times: dict[str, TaskTime] = {}
    for pid in pids:
        for task in _listed(f"/proc/{pid}/task"):
            path = f"/proc/{pid}/task/{task}"
            with (
                contextlib.suppress(OSError, IndexError, ValueError),
                open(f"{path}/schedstat", "rb") as file,
            ):
                ran, waited = map(int, file.read().split()[:2])
                sleeps = _fields(f"{path}/status", (b"voluntary_ctxt_switches:",))
                times[task] = TaskTime(ran, waited, sleeps, _stat(pid, task)[:1] == [b"R"])
    return times


def newest_number(pids: Iterable[int]) -> int:
    """The highest number that one of these has in its own process table, where numbers are given in turn."""
    newest = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/status", "rb") as file:
            for line in file:
                if line.startswith(b"NSpid:"):
                    newest = max(newest, int(line.split()[-1]))
    return newest


@dataclass(frozen=True)
class Doing:
    """What a set of processes was doing at one moment."""

    reads_input: bool
    """One of its threads waits in a read of its standard input."""
    waits_for_something: bool
    """One of its threads waits for input of any kind, or for a time (poll, select, epoll)."""
    runnable: int
    """How many of its threads run, or are ready to."""
    stopped: bool
    """All of its threads were stopped by a signal."""
    blocked: bool = False
    """One of its threads waits in the kernel and cannot be woken: for a disk, or for memory."""


def doing(pids: Iterable[int]) -> Doing:
    """What these processes wait for, thread by thread, as far as the kernel tells."""
    machine = platform.machine()
    reads, waits = _READS.get(machine, {}), _WAITS.get(machine, set())
    reads_input = waits_for = False
    states: list[bytes] = []
    for pid in pids:
        for task in _listed(f"/proc/{pid}/task"):
            states += _stat(pid, task)[:1]
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/task/{task}/syscall") as file:
                words = file.read().split()
                if len(words) < 2 or not words[0].isdigit():
                    continue
                call = int(words[0])
                reads_input = reads_input or (call in reads and int(words[1], 16) == 0)
                waits_for = waits_for or call in waits
    stopped = bool(states) and states.count(b"T") == len(states)
    return Doing(reads_input, waits_for, states.count(b"R"), stopped, b"D" in states)


def _listed(path: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(path)
    return []


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Signal processes that may be gone already."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
