"""Explaining a fault in the words that its author needs. Pure: what was seen goes in, a sentence comes out."""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass

from arena.looks import LOOK_MS
from arena.record import Ending

OUT_OF_MEMORY_WORDS = (
    "MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of memory", "out of memory", "Cannot allocate memory",
    "memory allocation of",
)  # fmt: skip
"""What runtimes say (Python, C++, Java, JavaScript, Go, the C library, Rust) when the kernel gives them no more."""

NOISE = ("at ", "... ", "Node.js v", "note: run with ")
"""How lines on stderr begin that stand below the one that says what went wrong."""

SHOWN_CHARS = 40
NOTABLY = 0.1
MUCH_STDERR = 64 * 1024
FEW_THREADS = 2
"""Who keeps more of them running may be the one who held the referee up."""
MOSTLY = 0.5
"""The share of a limit from which on something counts as the reason for missing it."""


@dataclass(frozen=True)
class Overdue:
    """What was seen of a bot at the moment when its time was over."""

    limit_ms: int
    partial: bytes
    """The beginning of a line that has no end yet."""
    unread_bytes: int
    """Input that it has not read."""
    cpu_ms: float
    """Processor time used by it and all that it started, in this move."""
    reads_input: bool
    waits_for_something: bool
    runnable: int
    """How many of its threads ran, or were ready to."""
    stopped: bool = False
    """Stopped by a signal, and not by the referee."""
    held_back_ms: float = 0.0
    """How long it was ready to run and did not get a processor."""
    held_up_ms: float = 0.0
    """How long the referee itself neither ran nor meant to wait."""
    cpu_known: bool = True
    """Whether it was looked at early in this move; if not, `cpu_ms` tells nothing."""
    blocked: bool = False
    """It waits in the kernel, and not for its own doing."""
    started: int = 0
    """How many processes it has started in this move, as far as their numbers tell."""
    input_closed: bool = False
    info_lines: int = 0
    """Info lines that it has printed in this move."""
    stderr_bytes: int = 0
    """What it has written to stderr in this move."""
    wanted: str = "answer"
    """What did not come: an answer, or 'ready'."""

    @property
    def starved(self) -> bool:
        """Whether the machine kept it, or the referee, from running: for most of the time, and by no doing of its own.

        What a process has used between the last look at it and its end is not known: all of that time, it is assumed.
        """
        if not self.cpu_known and self.runnable > FEW_THREADS:
            return False
        most_cpu_ms = self.cpu_ms + self.started * LOOK_MS
        kept_ms = max(self.held_back_ms, self.held_up_ms)
        return kept_ms >= MOSTLY * self.limit_ms and most_cpu_ms < MOSTLY * self.limit_ms


def explain_timeout(seen: Overdue) -> str:
    """Why no whole line came in time, in one sentence."""
    limit = f"{seen.limit_ms} ms"
    if seen.partial:
        return (
            f"no newline after {counted(len(seen.partial), 'byte')}: did you forget to print a newline or flush? "
            f"(its unfinished line when its {limit} were over: {shown(seen.partial)})"
        )
    return _what_it_did(seen, limit) + _what_it_said(seen)


def _what_it_did(seen: Overdue, limit: str) -> str:
    used = f"{seen.cpu_ms:.0f} ms of processor time used"
    late = f"no {seen.wanted} within {limit}"
    if seen.stopped:
        return f"{late}: it was stopped by a signal (SIGSTOP, SIGTSTP, SIGTTIN or SIGTTOU) and did not run"
    if seen.runnable or seen.cpu_ms >= MOSTLY * seen.limit_ms:
        if seen.held_back_ms >= NOTABLY * seen.limit_ms:
            used += f", {seen.held_back_ms:.0f} ms waited for a processor"
        return f"still computing when its {limit} were over ({used})"
    if seen.input_closed:
        return f"{late}: it has closed its input, so that no turn can reach it"
    if seen.unread_bytes:
        return (
            f"{late}: it has left {seen.unread_bytes} bytes of its input unread and was not "
            f"computing ({used}); does it read line by line, up to the last line?"
        )
    printed = "'ready'" if seen.wanted == "'ready'" else "its move"
    if seen.reads_input:
        return (
            f"{late}: it has read everything and waits for more input; if it has printed {printed}, that is "
            "still in a buffer: flush the output after every move"
        )
    waits = "waits for input or a timer" if seen.waits_for_something else "sleeps"
    if seen.blocked:
        waits = "waits in the kernel, for a disk or for memory"
    return (
        f"{late}: it has read everything and {waits} ({used}); if it has printed {printed}, flush "
        "the output after every move"
    )


def _what_it_said(seen: Overdue) -> str:
    said = ""
    if seen.info_lines:
        said += f"; it printed info ({counted(seen.info_lines, 'line')}), but no move"
    if seen.stderr_bytes >= MUCH_STDERR:
        said += f"; it wrote {seen.stderr_bytes // 1024} kB to stderr meanwhile"
    return said


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 line, 2 lines."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def explain_end(
    status: tuple[str, int] | None, *, wrapped: bool, stderr: str, partial: bytes
) -> tuple[Ending, str]:
    """The ending and the sentence for a bot whose process has ended: crashed, or out of memory.

    `wrapped`: bubblewrap ran it, which tells a signal as the status 128 + its number, as shells do.
    """
    what = _how(status, wrapped)
    if partial:
        what += f" in the middle of a line ({shown(partial)})"
    last = last_line(stderr)
    if last:
        what += f"; its last line on stderr: {last}"
    if any(word in stderr[-4000:] for word in OUT_OF_MEMORY_WORDS):
        return Ending.MEMORY, f"ran out of memory: {what}"
    return Ending.CRASHED, what


def _how(status: tuple[str, int] | None, wrapped: bool) -> str:
    if status is None:
        return "its warden, the parent of its process, was killed: did it do that itself?"
    kind, number = status
    if kind == "exited" and wrapped and _signal_name(number - 128):
        kind, number = "signal", number - 128
    if kind == "exited":
        return f"exited with status {number}"
    why = " (it wrote more to a file than it may)" if number == signal.SIGXFSZ else ""
    return f"killed by {_signal_name(number) or f'signal {number}'}{why}"


def _signal_name(number: int) -> str | None:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return None


def last_line(text: str) -> str:
    """The last line that says something, of a length for one sentence, and of printable characters only.

    Runtimes end with the frames of a stack (Java, JavaScript), their version (Node) or a hint (Rust): what went wrong
    stands above those.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(NOISE)] or lines
    if not telling:
        return ""
    line = telling[-1][:200]
    return "".join(c if c.isprintable() else "\ufffd" for c in line)


def shown(data: bytes) -> str:
    """Bytes of a bot as a person can read them, in quotes; of many the first."""
    text = data[:SHOWN_CHARS].decode("utf-8", "replace")
    return repr(text) + ("..." if len(data) > SHOWN_CHARS else "")
