"""When a slow bot is looked at from outside, and what was seen at the first look.

A bot that answers before the first look costs nothing but the wait for it. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.spent import TaskTime, longest_wait_ns

MS = 1_000_000
FIRST_LOOK_MS = 3
SECOND_LOOK_MS = 5
LOOK_MS = 20


@dataclass(frozen=True)
class Sample:
    """What a bot had used at one moment: processor time, and the times of each of its threads."""

    cpu_ns: int = 0
    tasks: Mapping[str, TaskTime] = field(default_factory=dict)
    newest: int = 0
    """The highest number of its processes, in a process table of its own."""
    when: int = 0

    def waited_ns(self, later: Sample) -> int:
        """How long one of its threads, ready to run, had to wait for a processor between this look and a later one."""
        return longest_wait_ns(self.tasks, later.tasks, later.when - self.when if self.when else 0)


class Looks:
    """The looks at one slow answer: soon, a little later, then at a steady pace."""

    __slots__ = (
        "count",
        "cpu_ns",
        "due",
        "first",
        "given_back",
        "held_up_ns",
        "last",
        "stderr_bytes",
        "waited_ns",
    )

    def __init__(self, begin: int, stderr_bytes: int = 0) -> None:
        self.count = 0
        self.last = begin
        self.due = begin + FIRST_LOOK_MS * MS
        self.first: Sample | None = None
        """What the bot had used at the first look."""
        self.cpu_ns: int | None = None
        """What the bot had used at the last look."""
        self.given_back = 0
        """Nanoseconds that others have taken from it, and that its clock does not count."""
        self.stderr_bytes = stderr_bytes
        """What the bot had written to stderr before it was asked."""
        self.held_up_ns = 0
        """By how much the referee woke up too late from its last wait, whatever kept it."""
        self.waited_ns = 0
        """How long the referee has waited for this answer, in all its waits, as it meant to."""

    def wait_ms(self, now: int, deadline: int) -> int:
        """How long to wait for the next look or the deadline: whole milliseconds, rounded up."""
        return max(0, -((now - min(self.due, deadline)) // MS))

    def take(self, now: int) -> int:
        """Note that a look is taken now; when the last one was."""
        last, self.last = self.last, now
        self.count += 1
        self.due = now + (SECOND_LOOK_MS if self.count == 1 else LOOK_MS) * MS
        return last

    def woke(self, now: int, began: int, planned: int) -> None:
        """Note that the referee woke up now, from a wait that was to end at a planned time or before."""
        self.held_up_ns = max(0, now - planned)
        self.waited_ns += min(now, planned) - began
