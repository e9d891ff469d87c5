"""Programs that the harness starts: the one place, with `arena.keeper`, where processes come from.

A `Child` is a program below this process's keeper, with three pipes and a leash. Whatever happens to this process, the
keeper ends the child and all that it started (see `arena.keeper`). Raises HarnessFailure when the keeper itself
cannot be started or has been killed twice in a row.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena import keeper
from arena.errors import HarnessFailure

GONE_SECONDS = 5.0
"""How long to wait for a warden to say that nothing is left; it needs a few milliseconds."""


@dataclass(frozen=True)
class Program:
    """What to start, and with what: everything that the keeper needs to know."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    rlimits: Mapping[str, int] = field(default_factory=dict)
    isolate: bool = False
    """Give it a process table of its own, where the kernel allows that (bubblewrap does it itself)."""
    confine: bool = False
    """If it runs as root, take root's powers from it, except over files (bubblewrap needs them itself)."""
    cpus: Sequence[int] | None = None
    scratch: str | None = None
    """A folder that is made for it, and removed with all in it when it has ended."""
    linked: Sequence[str] = ()
    """Files and folders to which there are links in the scratch folder."""

    def request(self) -> bytes:
        """The keeper's order for it."""
        spec: dict[str, Any] = {
            "argv": list(self.argv),
            "env": dict(self.env),
            "cwd": self.cwd,
            "rlimits": dict(self.rlimits),
            "isolate": self.isolate,
            "confine": self.confine,
            "cpus": None if self.cpus is None else sorted(self.cpus),
            "scratch": self.scratch,
            "linked": list(self.linked),
        }
        return json.dumps(spec).encode()


class Child:
    """A started program: its pipes, and the leash that tells how it fares and that ends it when let go."""

    def __init__(self, program: Program, *, merge_output: bool = False) -> None:
        stdin_theirs, self.stdin = os.pipe()
        self.stdout, stdout_theirs = os.pipe()
        self.stderr, stderr_theirs = os.pipe()
        self.leash, leash_theirs = socket.socketpair()
        self.pid: int | None = None
        """The direct child of the warden: the bot itself, bubblewrap, or the first process of a namespace."""
        self.isolated = False
        """Whether it has a process table of its own, from which its warden cannot be reached."""
        self.failure: str | None = None
        """Why it could not be started."""
        self.broken: str | None = None
        """Why the keeper could not do its work, for which the program is not to blame."""
        self.status: tuple[str, int] | None = None
        """("exited", code) or ("signal", number), once it has ended and nothing is left of it."""
        self.gone = False
        self._warden: int | None = None
        self._heard = b""
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.leash.setblocking(False)
        fds = [
            stdin_theirs,
            stdout_theirs,
            stdout_theirs if merge_output else stderr_theirs,
            leash_theirs.fileno(),
        ]
        _children.add(self)
        try:
            _send(program.request(), fds)
        except BaseException:
            self._close_files()
            raise
        finally:
            for fd in (stdin_theirs, stdout_theirs, stderr_theirs):
                os.close(fd)
            leash_theirs.close()

    def listen(self) -> None:
        """Take in what the warden has said since the last time."""
        with contextlib.suppress(BlockingIOError):
            while True:
                try:
                    piece = self.leash.recv(4096)
                except ConnectionError:
                    piece = b""
                if not piece:
                    self.gone = True
                    break
                self._heard += piece
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            word, _, rest = line.decode(errors="replace").partition(" ")
            if word == "started":
                pid, isolated, warden = map(int, rest.split())
                self.pid, self.isolated, self._warden = pid, bool(isolated), warden
            elif word == "failed":
                self.failure = rest
            elif word == "broken":
                self.broken = rest
            elif word in ("exited", "signal"):
                self.status = (word, int(rest))

    @property
    def ended(self) -> bool:
        """Whether it is known to have ended, or never started."""
        return self.gone or self.status is not None or self.failure is not None or self.broken is not None

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long; whether it has."""
        deadline = time.monotonic() + seconds
        while not self.ended and (left := deadline - time.monotonic()) > 0:
            _wait_for([self.leash.fileno()], left)
            self.listen()
        return self.ended

    def let_go(self) -> None:
        """Have it killed, with everything below it; `close` waits for that."""
        with contextlib.suppress(OSError):
            self.leash.shutdown(socket.SHUT_WR)
            if self._warden is not None and not self.isolated and not self.gone:
                os.kill(self._warden, signal.SIGCONT)  # its bot can reach it, and may have stopped it

    def close(self) -> None:
        """Have it killed, wait until nothing is left of it, and close the pipes."""
        self.let_go()
        deadline = time.monotonic() + GONE_SECONDS
        while self.stdout >= 0 and not self.gone and (left := deadline - time.monotonic()) > 0:
            _wait_for([self.leash.fileno()], left)
            self.listen()
        self._close_files()

    def _close_files(self) -> None:
        self.leash.close()
        for fd in (self.stdin, self.stdout, self.stderr):
            if fd >= 0:
                os.close(fd)
        self.stdin = self.stdout = self.stderr = -1


def run_quietly(
    argv: Sequence[str],
    *,
    cwd: str = "/",
    env: Mapping[str, str] | None = None,
    rlimits: Mapping[str, int] | None = None,
    seconds: float = 30.0,
    max_output: int = 1 << 20,
) -> tuple[int, str]:
    """Run a program to its end; its exit status (128 + a signal's number, 124 if it took too long) and output.

    Output and errors come together; of much output the last `max_output` bytes. Nothing it starts survives it.
    """
    chosen = dict(os.environ if env is None else env)
    child = Child(Program(argv, chosen, cwd, rlimits or {}, isolate=True), merge_output=True)
    os.close(child.stdin)
    child.stdin = -1
    output = bytearray()
    deadline = time.monotonic() + seconds
    try:
        while not child.ended and (left := deadline - time.monotonic()) > 0:
            ready = _wait_for([child.stdout, child.leash.fileno()], left)
            if child.stdout in ready and not _read_some(child.stdout, output, max_output):
                child.wait(max(0.0, deadline - time.monotonic()))
            child.listen()
        while _read_some(child.stdout, output, max_output):
            pass
        text = output.decode(errors="replace")
        if child.failure is not None or child.broken is not None:
            return 127, child.failure or child.broken or ""
        if child.status is None:
            return 124, f"{text}\nstopped after {seconds:g} s".lstrip("\n")
        kind, number = child.status
        return (number if kind == "exited" else 128 + number), text
    finally:
        child.close()


def _wait_for(fds: Sequence[int], seconds: float) -> list[int]:
    """Which of these can be read, or have come to their end, within so long; any number of files may be open."""
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll(seconds * 1000)]


def _read_some(fd: int, output: bytearray, keep: int) -> bool:
    """Read what is there; False at the end of the output or when there is nothing now."""
    try:
        piece = os.read(fd, 1 << 16)
    except BlockingIOError:
        return False
    output += piece
    del output[:-keep]
    return bool(piece)


# --- this process's keeper ----------------------------------------------------------------------


class _Keeper:
    """The keeper of this process: started with the first child, gone with this process."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.control, theirs = socket.socketpair()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
        except OSError as error:
            self.control.close()
            raise HarnessFailure(f"the keeper of the bots cannot be started: {error}") from error
        finally:
            theirs.close()

    def send(self, request: bytes, fds: list[int]) -> None:
        socket.send_fds(self.control, [b"%08d" % len(request)], fds)
        self.control.sendall(request)

    def close(self) -> None:
        self.control.close()
        if self.owner == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(GONE_SECONDS)


_keeper: _Keeper | None = None
_children: weakref.WeakSet[Child] = weakref.WeakSet()


def _send(request: bytes, fds: list[int]) -> None:
    """Hand a request to the keeper; if somebody has killed it, to a new one."""
    global _keeper
    for attempt in (1, 2):
        if _keeper is None or _keeper.owner != os.getpid():
            _keeper = _Keeper()
        try:
            _keeper.send(request, fds)
            return
        except (BrokenPipeError, ConnectionError) as error:
            _keeper.close()  # its wardens live on, each at its leash
            _keeper = None
            if attempt == 2:
                raise HarnessFailure("the keeper of the bots was killed, twice") from error


def close_keeper() -> None:
    """End the keeper, and with it every child; the next child starts a new one."""
    global _keeper
    if _keeper is not None:
        if (
            _keeper.owner == os.getpid()
        ):  # it leaves when every warden has left, and a warden when its leash is let go
            for child in list(_children):
                child.let_go()
        _keeper.close()
        _keeper = None


atexit.register(close_keeper)
