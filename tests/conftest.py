"""What all tests share: the `arena` command as a user runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes is the machine's affair: no test depends on time.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")


# Where the tests run in the background of a shell, or under nohup, what they start must hear these all the same.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# With it every `arena` that a test starts would compile all of Arena anew: half of what such a process has to do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: what most tests do is wait for bots."""
    return (os.cpu_count() or 1) + 1


os.environ["TERM"] = "xterm"  # whatever starts the tests, the terminals in them can move their cursors

Arena = Callable[..., "subprocess.CompletedProcess[str]"]


def run_arena(
    *args: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`arena ARGS` in a process of its own, with these lines typed in."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *args],
        input=stdin,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def arena() -> Arena:
    """The `arena` command: call it with its arguments, and `stdin=` and `env=` if wanted.

    It runs in the process of the test, which is ten times as quick. What depends on a process of its own (how it is
    started, its descriptors, signals, the end of the interpreter) takes `arena_process`, called in the same way.
    """
    from in_process import arena_here  # not before the tests' processes know how to find it

    return arena_here


@pytest.fixture
def arena_process() -> Arena:
    """The `arena` command in a process of its own."""
    return run_arena
