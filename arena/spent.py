"""The time of a bot's processes: what they ran, the ended ones included, and what they waited for a processor. Pure.

The kernel tells what a process has used as long as it is there, and of an ended one only if somebody has waited for
it: a bot that lets nobody do so (SIGCHLD ignored) could burn the processor with short-lived children, and look idle.
So what each had used when it was last seen is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class CpuTime(NamedTuple):
    """What a process has used up to now, in nanoseconds."""

    own: int
    """All of its threads together."""
    reaped: int
    """Children that have ended, and that it has waited for."""


class Spent:
    """What a set of processes has used, all in all: it never becomes less."""

    def __init__(self) -> None:
        self._seen: Mapping[int, CpuTime] = {}
        self._lost = 0

    def total_ns(self, seen: Mapping[int, CpuTime]) -> int:
        """Take in who is there now; what these and those before them have used."""
        gone = sum(sum(time) for pid, time in self._seen.items() if pid not in seen)
        reaped = sum(
            time.reaped - self._seen[pid].reaped if pid in self._seen else 0 for pid, time in seen.items()
        )
        self._lost += max(0, gone - reaped)
        self._seen = seen
        return self._lost + sum(map(sum, seen.values()))


class TaskTime(NamedTuple):
    """A thread up to now: the nanoseconds that it ran, those that it waited for a processor, how often it slept."""

    ran: int
    waited: int
    sleeps: int = 0
    runnable: bool = False


def longest_wait_ns(
    before: Mapping[str, TaskTime], after: Mapping[str, TaskTime], elapsed_ns: int = 0
) -> int:
    """The longest that one thread had to wait for a processor between two looks.

    The kernel counts a wait when it is over. A thread that was ready to run at the first look, and has
    not slept since, has waited whenever it did not run.
    """
    longest = 0
    for task, now in after.items():
        then = before.get(task, TaskTime(0, 0))
        longest = max(longest, now.waited - then.waited)
        if then.runnable and now.runnable and now.sleeps == then.sleeps:
            longest = max(longest, elapsed_ns - (now.ran - then.ran))
    return longest
