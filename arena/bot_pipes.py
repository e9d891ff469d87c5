"""The pipes of one bot process: what is written to it, what is read from it, and the one wait for all of them.

The wait is a poll of the bot's output, its stderr and its leash. Raises Fault (through BotOutput) when the bot writes
more than it may.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
import time

from arena.bot_output import BotOutput, StderrTail
from arena.process import Child

CHUNK = 1 << 16
STDERR_CHUNKS = 16
"""Read at most a megabyte of stderr at a time, so that a flood cannot hold up the clock."""

_now = time.monotonic_ns
_read = os.read
_write = os.write


class BotPipes:
    """The referee's ends of a bot's pipes, none of which ever blocks."""

    def __init__(self, child: Child, output_kb: int) -> None:
        self.child = child
        self.output = BotOutput(output_kb)
        self.stderr = StderrTail()
        self.unsent = b""
        """What did not fit into the bot's input yet."""
        self.eof = False
        """The bot's output is at its end."""
        self.input_closed = False
        """The bot has closed its input."""
        self._poller = select.poll()
        for fd in (child.stdout, child.stderr, child.leash.fileno()):
            self._poller.register(fd, select.POLLIN)
        self.poll = self._poller.poll
        """Wait so many milliseconds for any of them."""
        self.only_output = [(child.stdout, select.POLLIN)]
        """What `poll` gives when there is output and nothing else."""

    @property
    def quiet(self) -> bool:
        """Whether nothing waits to be sent or to be taken, and there may be more output."""
        return not (self.output.lines or self.output.partial or self.unsent or self.eof)

    # --- to the bot ------------------------------------------------------------------------------

    def send(self, block: bytes) -> bool:
        """Write as much as fits; the rest waits in `unsent`. Whether it was everything."""
        self.unsent += block
        return self._send_more()

    def _send_more(self) -> bool:
        try:
            written = _write(self.child.stdin, self.unsent)
        except BlockingIOError:
            written = 0
        except OSError:  # it has closed its input: it may still answer, and if it has ended the leash tells
            written = len(self.unsent)
            self.input_closed = True
        self.unsent = self.unsent[written:]
        return not self.unsent

    def send_last(self, block: bytes) -> None:
        """Write this, if it fits, and close the bot's input."""
        if self.child.stdin >= 0:
            with contextlib.suppress(OSError):
                _write(self.child.stdin, block)
            self.close_input()

    def close_input(self) -> None:
        """Let the bot find the end of its input."""
        os.close(self.child.stdin)
        self.child.stdin = -1

    def unread_bytes(self) -> int:
        """How much of what there is for the bot it has not read."""
        with contextlib.suppress(OSError):
            held = fcntl.ioctl(self.child.stdin, termios.FIONREAD, b"\0\0\0\0")
            return len(self.unsent) + int(struct.unpack("i", held)[0])
        return len(self.unsent)

    # --- from the bot ----------------------------------------------------------------------------

    def pump(self, wait_ms: int) -> bool:
        """Wait for something from the bot, at most so long, and take it in; whether there was anything."""
        child = self.child
        if self.unsent:
            self._poller.register(child.stdin, select.POLLOUT)
        events = self.poll(wait_ms)
        if self.unsent:
            self._poller.unregister(child.stdin)
        for fd, _ in events:
            if fd == child.stdout:
                self._take_output()
            elif fd == child.stderr:
                self.drain_stderr()
            elif fd == child.stdin:
                self._send_more()
            else:
                child.listen()
                if child.ended:
                    self._take_output()
        return bool(events)

    def take_rest(self) -> None:
        """Take in all that there is, of a bot that has ended."""
        while not self.eof and self._take_output():
            pass

    def _take_output(self) -> bool:
        """Take in what the bot has written, at most a chunk at a time; whether there was any."""
        try:
            data = _read(self.child.stdout, CHUNK)
        except BlockingIOError:
            return False
        if data:
            self.output.take(data, _now())
        elif not self.eof:
            self.eof = True
            self._forget(self.child.stdout)
        return bool(data)

    def drain_stderr(self) -> None:
        """Keep the last of what there is on stderr."""
        fd = self.child.stderr
        for _ in range(STDERR_CHUNKS):
            try:
                data = _read(fd, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._forget(fd)
                return
            self.stderr.add(data)

    def see_out(self, seconds: float) -> bool:
        """Wait until the bot has left, at most so long: whether it has. Its output is thrown away, its stderr kept."""
        child = self.child
        deadline = time.monotonic() + seconds
        while not child.ended and (left := deadline - time.monotonic()) > 0:
            for fd, _ in self.poll(left * 1000):  # a bot that has much to say must not block on it
                if fd == child.stdout:
                    self._throw_output_away()
                elif fd == child.stderr:
                    self.drain_stderr()
                else:
                    child.listen()
        return child.ended

    def _throw_output_away(self) -> None:
        with contextlib.suppress(BlockingIOError):
            if not _read(self.child.stdout, CHUNK):
                self._forget(self.child.stdout)

    def _forget(self, fd: int) -> None:
        with contextlib.suppress(KeyError):
            self._poller.unregister(fd)
