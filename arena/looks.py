"""When a slow bot is looked at from outside, and what was seen at the first look.

A bot that answers before the first look costs nothing but the wait for it. Raises nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena import watch

MS = 1_000_000
FIRST_LOOK_MS = 3
SECOND_LOOK_MS = 5
LOOK_MS = 20


@dataclass(frozen=True)
class Sample:
    """What a bot had used at one moment: processor time, and how long each thread had waited for a processor."""

    cpu_ns: int = 0
    delays_ns: Mapping[str, int] = field(default_factory=dict)
    newest: int = 0
    """The highest number of its processes, in a process table of its own."""


class Looks:
    """The looks at one slow answer: soon, a little later, then at a steady pace."""

    __slots__ = ("_own_delay_ns", "count", "due", "first", "last", "stderr_bytes")

    def __init__(self, begin: int, stderr_bytes: int = 0) -> None:
        self.count = 0
        self.last = begin
        self.due = begin + FIRST_LOOK_MS * MS
        self.first: Sample | None = None
        """What the bot had used at the first look."""
        self.stderr_bytes = stderr_bytes
        """What the bot had written to stderr before it was asked."""
        self._own_delay_ns: int | None = None

    def wait_ms(self, now: int, deadline: int) -> int:
        """How long to wait for the next look or the deadline: whole milliseconds, rounded up."""
        return max(0, -((now - min(self.due, deadline)) // MS))

    def take(self, now: int) -> int:
        """Note that a look is taken now; when the last one was."""
        last, self.last = self.last, now
        self._own_delay_ns = None
        self.count += 1
        self.due = now + (SECOND_LOOK_MS if self.count == 1 else LOOK_MS) * MS
        return last

    def mark_last_wait(self, deadline: int) -> None:
        """If no look is due before the deadline, note how long the referee itself has waited for a processor."""
        if deadline <= self.due and self._own_delay_ns is None:
            self._own_delay_ns = _own_delay_ns()

    def held_up_ns(self) -> int:
        """How long the referee had to wait for a processor during the last wait of all."""
        return 0 if self._own_delay_ns is None else _own_delay_ns() - self._own_delay_ns


def _own_delay_ns() -> int:
    """How long this process, the referee, has waited for a processor, all in all."""
    return sum(watch.run_delays_ns([os.getpid()]).values())
