"""Single keys from the terminal, without an enter after each, and word of a window that has changed its size.

Owns the terminal's mode and the signal SIGWINCH while it reads, and gives both back always.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

ESCAPE_SECONDS = 0.05
"""The rest of an arrow key's sequence follows its escape at once; a lone escape is a key of its own."""

_SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end",
    "OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end",
    "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end", "[5~": "page-up", "[6~": "page-down",
}  # fmt: skip
_SINGLE = {" ": "space", "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "q"}

RESIZED = "resized"
"""In place of a key: the window has another size now."""


def name_of(text: str) -> str:
    """The name of the key that sends this text; "" for one without a name here."""
    if text.startswith("\x1b"):
        return _SEQUENCES.get(text[1:], "" if len(text) > 1 else "q")
    return _SINGLE.get(text, text)


@contextmanager
def single() -> Iterator[Callable[[], str | None]]:
    """While this lasts, a function that waits for one key and names it; None when the input has ended."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    with _sizes() as changed:
        try:
            tty.setcbreak(fd)
            yield lambda: _next(fd, changed)
        finally:
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


@contextmanager
def _sizes() -> Iterator[int]:
    """A descriptor from which can be read after the window has changed its size."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def tell(*_: object) -> None:
        with suppress(BlockingIOError):  # nobody has read of the many before this one yet
            os.write(writer, b"!")

    before = signal.signal(signal.SIGWINCH, tell)
    try:
        yield reader
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(reader)
        os.close(writer)


def _next(fd: int, changed: int) -> str | None:
    """A key, or RESIZED."""
    ready, _, _ = select.select([fd, changed], [], [])
    if changed in ready:
        os.read(changed, 4096)
        return RESIZED
    return _key(fd)


def _key(fd: int) -> str | None:
    """One key: a byte, or an escape and the few that follow it at once."""
    data = os.read(fd, 1)
    if not data:
        return None
    if data == b"\x1b":
        while len(data) < 6 and select.select([fd], [], [], ESCAPE_SECONDS)[0]:
            data += os.read(fd, 1)
            if len(data) > 2 and (data[-1:].isalpha() or data[-1:] == b"~"):
                break
    return name_of(data.decode("ascii", "replace"))
