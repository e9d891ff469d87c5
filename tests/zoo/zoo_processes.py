"""Looking for processes by a mark on their command lines, over the whole machine."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

GRACE_SECONDS = 5.0


def marked(mark: str) -> list[str]:
    """Every process, with its command line, that bears this mark; zombies have none."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(pid) != os.getpid():
            found.append(f"{pid}: {words.replace(bytes(1), b' ').decode(errors='replace')}")
    return found


def wait_until_empty(look: Callable[[], list[T]], seconds: float = GRACE_SECONDS) -> list[T]:
    """What is still seen; soon nothing, at the latest after so long."""
    deadline = time.monotonic() + seconds
    while (left := look()) and time.monotonic() < deadline:
        select.select([], [], [], 0.002)
    return left


def wait_until_gone(mark: str) -> list[str]:
    """The processes that are left with this mark."""
    return wait_until_empty(lambda: marked(mark))
