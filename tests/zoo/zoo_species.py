"""The list of the zoo: every animal, how its match must end, and what its author must be told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arena.record import Ending

E = Ending
SANDBOXES = ("none", "bwrap")
EATERS = {"memory_mb": 80}
LATE_START = {"start_ms": 500}


@dataclass(frozen=True)
class Species:
    """One animal. `at_fault` is the animal's own seat unless the match is completed."""

    program: str
    """The file in `bots/`; a program in C is compiled first."""
    name: str
    ending: Ending
    detail: str = ""
    """A part of the sentence for its author."""
    limits: dict[str, int] = field(default_factory=dict)
    game: str = "squares"
    options: dict[str, Any] = field(default_factory=lambda: {"total": 12})
    sandboxes: tuple[str, ...] = SANDBOXES
    needs_mounts: bool = False
    """Its cage has walls only where a bot can be given mounts of its own."""

    @property
    def id(self) -> str:
        """Its name in the test report."""
        return f"{self.program.partition('.')[0]}:{self.name}" if self.name else self.program


def answers(name: str, ending: Ending, detail: str = "", **more: Any) -> Species:
    return Species("answers.py", name, ending, detail, **more)


def clocks(name: str, detail: str, ending: Ending = E.TIMEOUT, **more: Any) -> Species:
    return Species("clocks.py", name, ending, detail, **more)


def lives(name: str, ending: Ending, detail: str = "", **more: Any) -> Species:
    return Species("lives.py", name, ending, detail, **more)


def eats(name: str, detail: str = "its limit is 80 MB") -> Species:
    return Species("greed.py", name, E.MEMORY, detail, EATERS)


def greed(name: str, ending: Ending, detail: str = "", **more: Any) -> Species:
    return Species("greed.py", name, ending, detail, **more)


def cage(name: str, *sandboxes: str, **more: Any) -> Species:
    return Species("cage.py", name, E.COMPLETED, sandboxes=sandboxes or SANDBOXES, **more)


NOT_A_NUMBER = "is not a whole number in plain digits (asked again 2 times)"
SURPLUS = "was there before it was asked for"
HUGE: dict[str, Any] = {"game": "wide-squares"}
"""The game of squares with positions that are lines of 300 kB, more than a pipe holds (see test_zoo)."""

ZOO = [
    # --- what it says ----------------------------------------------------------------------------
    answers("plus", E.MALFORMED, f"'+4' {NOT_A_NUMBER}"),
    answers("decimal", E.MALFORMED, f"'4.0' {NOT_A_NUMBER}"),
    answers("underscore", E.MALFORMED, f"'1_0' {NOT_A_NUMBER}"),
    answers("other-script", E.MALFORMED, f"'٤' {NOT_A_NUMBER}"),
    answers("leading-zero", E.MALFORMED, "'04' has a leading zero"),
    answers("hexadecimal", E.MALFORMED, NOT_A_NUMBER),
    answers("exponent", E.MALFORMED, NOT_A_NUMBER),
    answers("minus", E.MALFORMED, f"'-4' {NOT_A_NUMBER}"),
    answers("minus-zero", E.MALFORMED, NOT_A_NUMBER),
    answers("long-number", E.MALFORMED, "'11111111111111111111...' is too long", limits={"output_kb": 1024}),
    answers("long-number", E.FLOODED, "64 kB"),
    answers("nothing", E.MALFORMED, f"'' {NOT_A_NUMBER}"),
    answers("trailing-space", E.MALFORMED, f"'1 ' {NOT_A_NUMBER}"),
    answers("leading-space", E.MALFORMED, f"' 1' {NOT_A_NUMBER}"),
    answers("two-moves", E.MALFORMED, f"'1 1' {NOT_A_NUMBER}"),
    answers("nul", E.MALFORMED, r"'1\x00'"),
    answers("byte-order-mark", E.MALFORMED, NOT_A_NUMBER),
    answers("words", E.MALFORMED, "'I resign'"),
    answers("unknown-word", E.MALFORMED, SURPLUS),
    answers("illegal", E.ILLEGAL, "(asked again 2 times)"),
    answers("illegal", E.ILLEGAL, "5", limits={"reprompts": 0}),
    answers("no-move-of-this-size", E.ILLEGAL, "1000000"),
    answers("no-move-of-this-size", E.ILLEGAL, "", game="linked", options={"n": 50}),
    answers("garbage", E.MALFORMED),
    answers("bytes-above", E.MALFORMED, "\ufffd"),
    answers("twice", E.MALFORMED, f"the line '1' {SURPLUS}"),
    answers("too-early", E.MALFORMED, f"the line '1' {SURPLUS}"),
    answers(
        "not-ready",
        E.NO_START,
        "no 'ready' within 500 ms of the line 'game', but other output: '",
        limits=LATE_START,
    ),
    answers("talkative-start", E.COMPLETED),
    answers("crlf", E.COMPLETED),
    answers("info", E.COMPLETED),
    answers("bare-info", E.COMPLETED),
    answers("twice-with-info", E.COMPLETED),
    answers("then-right", E.COMPLETED),
    answers("begun-before", E.COMPLETED),
    answers("in-pieces", E.COMPLETED),
    # --- when it says it -------------------------------------------------------------------------
    clocks("sleeps", "it has read everything and sleeps"),
    clocks("spins", "still computing when its 250 ms were over"),
    clocks("spins-in-processes", "still computing"),
    clocks("spins-in-short-lives", "still computing"),
    clocks("spins-in-forgotten-lives", "still computing"),
    clocks("spins-in-few-forgotten-lives", "still computing", limits={"move_ms": 600}),
    clocks("sleeps-then-spins", "still computing"),
    clocks("chats", "printed info"),
    clocks("half-a-line", "no newline after 1 byte: did you forget to print a newline or flush?"),
    clocks("drips", "did you forget to print a newline"),
    clocks("does-not-flush", "flush the output after every move"),
    clocks("waits-for-more", "waits for more input"),
    clocks("never-reads", "bytes of its input unread"),
    clocks("never-reads", "bytes of its input unread", **HUGE),
    clocks(
        "never-ready",
        "no 'ready' within 500 ms: it has read everything and sleeps",
        E.NO_START,
        limits=LATE_START,
    ),
    clocks("reads-slowly", "reached", E.COMPLETED, **HUGE),
    clocks("stops-itself", "stopped by a signal"),
    clocks("closes-input", "closed its input"),
    clocks("answers-late", "no answer within 250 ms"),
    clocks("spins-off-turn", "", E.COMPLETED),
    Species("threads.c", "", E.TIMEOUT, "still computing"),
    Species("unflushed.c", "", E.TIMEOUT, "flush the output after every move"),
    # --- how it ends -----------------------------------------------------------------------------
    lives(
        "dies-at-start", E.NO_START, "exited with status 1; its last line on stderr: no configuration found"
    ),
    lives("dies-before-ready", E.NO_START, "exited with status 7"),
    lives("leaves-quietly", E.CRASHED, "exited with status 0"),
    lives("raises", E.CRASHED, "ValueError: invalid literal for int()"),
    lives("segmentation-fault", E.CRASHED, "killed by SIGSEGV"),
    lives("killed", E.CRASHED, "killed by SIGKILL"),
    lives("terminated", E.CRASHED, "killed by SIGTERM"),
    lives("leaves-after-answer", E.CRASHED, "exited with status 0", options={"total": 99}),
    lives("leaves-after-game", E.COMPLETED),
    lives("half-a-line-and-leaves", E.CRASHED, "exited with status 5 in the middle of a line ('1')"),
    lives("closes-output", E.CRASHED, "closed its output, and went on running"),
    lives("closes-everything", E.CRASHED, "closed its output, and went on running"),
    lives("ends-slowly", E.CRASHED, "exited with status 3; its last line on stderr: no more ideas"),
    lives("says-hello", E.NO_START, "it had printed 'hello', and not 'ready'"),
    lives("child-holds-output", E.CRASHED, "exited with status 0"),
    lives("daemon-answers", E.CRASHED, "exited with status 0", options={"total": 100_000}),
    lives("leaves-a-daemon", E.COMPLETED),
    lives("stays", E.COMPLETED),
    lives("kills-its-parent", E.COMPLETED),
    lives("stops-its-parent", E.COMPLETED),
    lives("kills-everything", E.COMPLETED),
    lives("kills-its-group", E.CRASHED, "killed by SIGKILL"),
    Species("null.c", "", E.CRASHED, "killed by SIGSEGV"),
    Species("throws.js", "", E.CRASHED, "TypeError"),
    Species("unset.sh", "", E.CRASHED, "exec: think-about-it"),
    Species("leaves_helpers.sh", "", E.COMPLETED),
    # --- what it takes ---------------------------------------------------------------------------
    eats("eats"),
    eats("eats-in-a-child"),
    eats("eats-in-many-children"),
    eats("eats-shared"),
    eats("eats-private"),
    eats("eats-in-memory-files"),
    eats("eats-before-ready"),
    eats("asks-for-too-much", "MemoryError"),
    greed("forks", E.CRASHED, "more than 64 processes"),
    greed("forks-in-forks", E.CRASHED, "more than 64 processes"),
    greed("starts-threads", E.CRASHED, "more than 512 threads"),
    greed("one-long-line", E.FLOODED, "a line of more than 64 kB"),
    greed("many-lines", E.FLOODED, "more than 64 kB of output for one move"),
    greed("floods-before-ready", E.FLOODED, "more than 64 kB of output"),
    greed("floods-stderr", E.TIMEOUT, "stderr"),
    greed("much-on-stderr", E.COMPLETED),
    greed("takes-all-descriptors", E.COMPLETED),
    greed("too-large-a-file", E.CRASHED, "File too large"),
    greed("dumps-core", E.CRASHED, "killed by SIGABRT"),
    greed("deep-folders", E.COMPLETED),
    Species("flood.js", "", E.FLOODED, "more than 64 kB of output for one move"),
    # --- the bars of its cage --------------------------------------------------------------------
    cage("network", "bwrap"),
    cage("any-address", "bwrap"),
    cage("processes", needs_mounts=True),
    cage("shared-memory", needs_mounts=True),
    cage("runs-folder", "bwrap"),
    cage("own-files", "bwrap"),
    cage("system-files", "bwrap"),
    cage("limits"),
    cage("priority"),
    cage("realtime"),
    cage("terminal"),
    cage("descriptors"),
    cage("environment"),
    cage("folder"),
    cage("privileges"),
]
