"""How a run's progress is shown: a live table at a terminal, plain lines elsewhere, nothing if nobody wants it.

Whoever watches may go away (a pipe that is closed, a terminal that is gone): the run goes on. Raises nothing.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from types import TracebackType
from typing import IO, Any

from arena.cli.terminal import can_redraw
from arena.printable import visible
from arena.runner import Tally
from arena.worker import Report

PLAIN_SECONDS = 10.0
LEADERS = 8
STOPPING = "finishing the matches under way (Ctrl-C again stops at once)"
SETTLED_SECONDS = 1.5
"""Before that the rate is that of starting bots, and the time left would be far off."""


def progress(quiet: bool) -> AbstractContextManager[Callable[[Tally, Report | None], None]]:
    """Whoever shows the progress of a run, on stderr."""
    if quiet:
        return nullcontext(lambda tally, report: None)
    return _Live() if is_live(quiet) else _Plain()


def is_live(quiet: bool) -> bool:
    """Whether the progress is drawn over itself: then nothing else may be written there meanwhile."""
    return not quiet and can_redraw(sys.stderr)


def status(tally: Tally) -> str:
    """One line: how far it is, how fast, how long it will take."""
    share = tally.recorded / tally.scheduled if tally.scheduled else 1.0
    line = f"{tally.recorded}/{tally.scheduled} matches ({share:.0%}), {rate(tally)} matches/s"
    left = tally.seconds_left
    if left is not None and tally.recorded < tally.scheduled and tally.seconds >= SETTLED_SECONDS:
        line += f", {duration(left)} left"
    if tally.voided:
        line += f", {tally.voided} void"
    return line


def rate(tally: Tally) -> str:
    """Matches a second, with a digit more where bots think long."""
    return f"{tally.rate:.0f}" if tally.rate >= 10 or not tally.played else f"{tally.rate:.2g}"


def duration(seconds: float) -> str:
    """A span of time for people."""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days"


class _Plain:
    """A line now and then, for logs."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PLAIN_SECONDS

    def __enter__(self) -> Callable[[Tally, Report | None], None]:
        return self._show

    def __exit__(self, *_: object) -> None:
        pass

    def _show(self, tally: Tally, report: Report | None) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_SECONDS
            top = ", ".join(f"{visible(name)} {points:g}/{count}" for name, points, count in tally.leaders(3))
            with suppress(OSError):
                print(f"{status(tally)}{top and '; top: '}{top}", file=sys.stderr, flush=True)


class _Live:
    """A bar and the top of the table, drawn anew a few times a second."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._live = Live(console=Console(stderr=True), refresh_per_second=4, transient=True)
        self._next = 0.0

    def __enter__(self) -> Callable[[Tally, Report | None], None]:
        self._live.__enter__()
        return self._show

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def _show(self, tally: Tally, report: Report | None) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.25
        with suppress(OSError):
            self._live.update(_drawn(tally))


def _drawn(tally: Tally) -> Any:
    from rich.console import Group
    from rich.padding import Padding
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    table.add_column("bot" if tally.recorded == tally.played else "bot (matches of now)")
    for column in ("score", "matches", "share"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, points, count in tally.leaders(LEADERS):
        table.add_row(Text(visible(name)), f"{points:g}", str(count), f"{points / count:.0%}")
    bar = ProgressBar(total=max(1, tally.scheduled), completed=tally.recorded, width=60)
    below = (0, 0, 1, 0)  # a bar by itself does not end its line
    lines = [status(tally)] + [STOPPING] * tally.stopping
    texts = [Text(line, no_wrap=True, overflow="ellipsis") for line in lines]
    return Group(*texts, Padding(bar, below, expand=False), table)


class EventWriter:
    """Events of a run as JSON lines, for other programs: start, match, progress, end."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._failed = False

    def write(self, event: str, **facts: Any) -> None:
        """One event, at once."""
        self._write([{"event": event, **facts}])

    def report(self, tally: Tally, report: Report) -> None:
        """The matches of a report, and how far the run is."""
        matches: list[dict[str, Any]] = [
            {"event": "match", "id": match_id, "bots": [first, second], "winner": winner, "ending": ending}
            for match_id, (first, second, winner, ending) in zip(report.ids, report.results, strict=True)
        ]
        self._write([*matches, {"event": "progress", **facts(tally)}])

    def _write(self, events: list[dict[str, Any]]) -> None:
        """Whole lines, all at once; nothing any more once the reader has left or the disk is full."""
        if self._failed:
            return
        try:
            self._file.write("".join(json.dumps(event) + "\n" for event in events))
            self._file.flush()
        except OSError as error:
            self._failed = True
            if self._file is sys.stdout:
                os.dup2(
                    os.open(os.devnull, os.O_WRONLY), 1
                )  # so that nothing unwritten fails at the end once more
            with suppress(OSError):
                print(
                    f"arena run: no more events, they cannot be written: {error.strerror or error}",
                    file=sys.stderr,
                )


def facts(tally: Tally) -> dict[str, Any]:
    """How far a run is, for programs."""
    return {
        "recorded": tally.recorded,
        "scheduled": tally.scheduled,
        "played": tally.played,
        "void": tally.voided,
        "rate": round(tally.rate, 1),
        "seconds_left": None if tally.seconds_left is None else round(tally.seconds_left, 1),
    }
