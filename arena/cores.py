"""Processor cores: which there are, and keeping a referee and its bots on one of them.

A referee and its two bots take turns, so one core serves all three, and waking another core for every move would cost
several times as much. Where the system cannot pin (not Linux), nothing is done. Raises nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence


def available() -> list[int]:
    """The cores that this process may use; empty where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def current() -> list[int] | None:
    """The core that this process is on right now, as something to pin to; None where the system does not say."""
    with contextlib.suppress(OSError, IndexError, ValueError), open("/proc/self/stat", "rb") as file:
        core = int(file.read().rpartition(b")")[2].split()[36])
        if core in available():
            return [core]
    return None


def apart() -> tuple[list[int] | None, list[int] | None]:
    """A core for each of two bots that may think at the same time."""
    cores = available()
    if len(cores) < 2:
        return None, None
    return [cores[0]], [cores[1]]


@contextlib.contextmanager
def pinned(cores: Sequence[int] | None) -> Iterator[None]:
    """Keep this process on these cores for a while."""
    if cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
