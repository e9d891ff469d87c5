"""What tests of the zoo share: the animals' files, and the skip where there is no bubblewrap."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import keeper, sandbox
from arena.bot import BotSpec

BOTS = Path(__file__).parent / "bots"
MakeSpec = Callable[..., BotSpec]


def skip_without(mode: str) -> None:
    """Skip, by name, what needs bubblewrap where there is none."""
    if mode == "bwrap" and (trouble := sandbox.bubblewrap_trouble()) is not None:
        pytest.skip(trouble)


@functools.cache
def has_own_mounts() -> bool:
    """Whether the kernel lets us give a bot without a sandbox its own /proc and /dev/shm."""
    pid = os.fork()
    if pid == 0:
        status = 1
        if keeper.new_pid_namespace(own_mounts=True):
            if (first := os.fork()) == 0:
                keeper.show_own_processes()
                os._exit(len([name for name in os.listdir("/proc") if name.isdigit()]) != 1)
            status = os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
