"""What a bot has written: lines, the beginning of the next one, and the last of its stderr. Reads no pipe itself.

Raises Fault when there is more output than a bot may write for one move, or an answer that nobody asked for.
"""

from __future__ import annotations

from arena.explain import shown
from arena.player import Fault
from arena.record import Ending

STDERR_KEPT = 64 * 1024


class BotOutput:
    """A bot's output, cut into lines and counted against its limit."""

    __slots__ = ("_limit_kb", "arrived", "counted", "lines", "partial", "passed_over")

    def __init__(self, limit_kb: int) -> None:
        self.lines: list[bytes] = []
        """Whole lines that nobody has taken yet, without their ends."""
        self.partial = bytearray()
        """The beginning of a line that has no end yet."""
        self.counted = 0
        """Bytes that count against the limit of this move."""
        self.arrived = 0
        """When the last piece was read, in monotonic time."""
        self.passed_over: bytes | None = None
        """The last line that came instead of the one that was waited for."""
        self._limit_kb = limit_kb

    def take(self, data: bytes, now: int) -> None:
        """Cut a piece that was read now into lines, and count it."""
        self.arrived = now
        self.counted += len(data)
        self.partial += data
        if b"\n" in data:
            *lines, rest = self.partial.split(b"\n")
            self.lines += map(bytes, lines)
            self.partial = rest
        limit = self._limit_kb * 1024
        if self.counted > limit:
            if len(self.partial) >= limit:
                raise Fault(Ending.FLOODED, f"a line of more than {self._limit_kb} kB, without an end")
            raise Fault(Ending.FLOODED, f"more than {self._limit_kb} kB of output for one move")

    def heard(self, word: bytes) -> bool:
        """Whether this line has come; those before it are passed over."""
        while self.lines:
            line = self.lines.pop(0)
            if line.rstrip(b"\r") == word:
                self.passed_over = None
                return True
            self.passed_over = line
        return False

    def answer(self, info: list[str]) -> str | None:
        """The next line that is an answer, if there is one; the texts of info lines before it are added to `info`."""
        while self.lines:
            line = self.lines.pop(0)
            if not _is_info(line):
                return _text(line)
            info.append(_text(line)[5:])
        return None

    def raise_if_unasked(self) -> None:
        """Fail if an answer is there; info may come at any time."""
        for line in self.lines:
            if not _is_info(line):
                raise Fault(
                    Ending.MALFORMED,
                    f"the line {shown(line)} was there before it was asked for (an answer too many?)",
                )

    def clear(self) -> None:
        """Throw away what nobody has taken."""
        self.lines.clear()
        self.partial.clear()


class StderrTail:
    """The last of a bot's stderr, and how much there was."""

    __slots__ = ("_kept", "total")

    def __init__(self) -> None:
        self._kept = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Keep this, and let go of what is too old."""
        self.total += len(data)
        self._kept += data
        del self._kept[:-STDERR_KEPT]

    def text(self) -> str:
        """The last 64 kB, as text."""
        return self._kept.decode("utf-8", "replace")


def _is_info(line: bytes) -> bool:
    return line.startswith(b"info") and line[4:5] in (b"", b" ", b"\r")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r")
