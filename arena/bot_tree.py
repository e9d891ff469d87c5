"""The processes of one bot, seen from outside: which they are, what they use, and holding them off their turn.

Raises Fault when they hold too much memory or are too many.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection
from typing import NamedTuple

from arena import watch
from arena.limits import Limits
from arena.looks import LOOK_MS, MS, Sample
from arena.player import Fault
from arena.process import Child
from arena.record import Ending
from arena.spent import Spent

MAX_PROCESSES = 64
MAX_THREADS = 512
OFF_TURN_SHARE = 0.25
OFF_TURN_NS = 1 * MS
"""Who uses as much of the processor, and such a share of the time, while it is the rival's turn, is held."""


class Members(NamedTuple):
    """The processes of a bot at one moment."""

    own: list[int]
    holders: list[int]
    """Those that only hold it: bubblewrap, the first of a namespace."""


class BotTree:
    """A bot's process and all that it has started."""

    def __init__(self, child: Child, limits: Limits, *, sandboxed: bool) -> None:
        self.held: list[int] = []
        """Processes that are stopped until the bot's next turn."""
        self.offender = False
        """It was caught using the processor while it was not its turn: from now on it is held after each answer."""
        self._child = child
        self._memory_mb = limits.memory_mb
        self._sandboxed = sandboxed
        self._cpu_mark: tuple[int, int] | None = None
        self._spent = Spent()

    def members(self) -> Members:
        """Who they are now."""
        child = self._child
        if child.pid is None:
            return Members([], [])
        return Members(*watch.below(child.pid, int(child.isolated) + (2 if self._sandboxed else 0)))

    @property
    def has_own_table(self) -> bool:
        """Whether they have a process table of their own, from which the warden cannot be reached."""
        return self._sandboxed or self._child.isolated

    def any_alive(self) -> bool:
        """Whether one of them has not ended and is not just ending."""
        return watch.any_alive(self.members().own)

    def any_busy(self) -> bool:
        """Whether one of them runs, is ready to, or waits in the kernel for the machine."""
        doing = watch.doing(self.members().own)
        return doing.runnable > 0 or doing.blocked

    def own_bytes(self) -> int:
        """The memory that they hold now."""
        return watch.own_bytes(self.members().own)

    def sample(self, members: Members) -> Sample:
        """What the bot has used up to now. Holders count too: they start it, and reap what it leaves behind."""
        everyone = members.own + members.holders
        newest = watch.newest_number(members.own) if self.has_own_table else 0
        return Sample(self.cpu_ns(members), watch.task_times(everyone), newest, time.monotonic_ns())

    def cpu_ns(self, members: Members) -> int:
        """The processor time that the bot has used up to now, with those of its processes that have ended.

        To be asked now and then: what an ended one had used is known from the last time, and not at all without one.
        """
        return self._spent.total_ns(watch.cpu_times(members.own + members.holders))

    def check_limits(self, pids: list[int]) -> None:
        """Fail if these hold too much memory or are too many."""
        if len(pids) > MAX_PROCESSES:
            raise Fault(Ending.CRASHED, f"stopped: it had started more than {MAX_PROCESSES} processes")
        if watch.thread_count(pids) > MAX_THREADS:
            raise Fault(Ending.CRASHED, f"stopped: it had started more than {MAX_THREADS} threads")
        limit = self._memory_mb << 20
        bound = watch.resident_bytes(pids) + watch.memory_file_bytes(pids)
        if bound > limit and (used := watch.own_bytes(pids)) > limit:
            raise Fault(
                Ending.MEMORY, f"used {used / 2**20:.0f} MB of memory: its limit is {self._memory_mb} MB"
            )

    def holds_pipe(self, our_end: int) -> bool:
        """Whether one of them still has its end of this pipe open; that bubblewrap does tells nothing."""
        pids, pipe = self.members().own, os.fstat(our_end)
        return not pids or watch.holds_file(pids, pipe.st_dev, pipe.st_ino)

    # --- while it is not its turn ----------------------------------------------------------------

    def has_worked(self, members: Members, now: int) -> bool:
        """Whether they have used the processor since the last time this was asked, if that was not long ago."""
        cpu = self.cpu_ns(members)
        mark, self._cpu_mark = self._cpu_mark, (now, cpu)
        if mark is None or now - mark[0] > 2 * LOOK_MS * MS:
            return False
        used = cpu - mark[1]
        return used >= OFF_TURN_NS and used >= OFF_TURN_SHARE * (now - mark[0])

    def strays(self, cpus: Collection[int]) -> bool:
        """Whether one of them may use another core than it was given."""
        return watch.strays(self.members().own, cpus)

    def hold(self) -> None:
        """Stop all of them until the bot's next turn."""
        stopped: list[int] = []
        while fresh := [pid for pid in self.members().own if pid not in stopped]:
            watch.send_signal(fresh, signal.SIGSTOP)
            stopped += fresh
            if len(stopped) > MAX_PROCESSES:
                break
        self.held = stopped

    def release(self) -> None:
        """Let those run that were held."""
        if self.held:
            watch.send_signal(self.held, signal.SIGCONT)
            self.held = []
