"""Matches a second with everything on: 8 and 40 moves, compiled and Python bots, one and two workers, with and without
bubblewrap; what starting a bot costs; and how long the shortest commands take.

Run it with `python benchmarks/matches.py [--seconds S]`. Runner, crew, workers, referee, journal and seals are those of
`arena run`. A figure is the best of interleaved repetitions: whatever else runs on a machine only makes it slower.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from move import built
from tabulate import tabulate

from arena import sandbox
from arena.bot import BotSpec, resolve
from arena.bot_process import BotProcess
from arena.crew import LocalCrew
from arena.journal import Journal
from arena.limits import Limits
from arena.process import close_keeper
from arena.runner import Runner, Tally
from arena.tournament import BotEntry, GameEntry, Tournament
from arena.worker import Report, Setup

REPEAT = 3


class Stopwatch:
    """Counts matches from the second report on, for so many seconds, then stops the run."""

    def __init__(self, seconds: float) -> None:
        self.wanted = seconds
        self.runner: Runner | None = None
        self.begin: tuple[float, int] | None = None
        self.rate = 0.0
        self.reports = 0

    def look(self, tally: Tally, report: Report | None) -> None:
        if report is None or self.runner is None or self.rate:
            return
        self.reports += 1
        now = time.perf_counter()
        if self.begin is None:
            if self.reports > 8:
                self.begin = now, tally.played
        elif now - self.begin[0] >= self.wanted:
            self.rate = (tally.played - self.begin[1]) / (now - self.begin[0])
            self.runner.stop()


def rate(spec: BotSpec, total: int, workers: int, mode: str, seconds: float) -> float:
    """Matches a second of two bots of a kind."""
    names = ["one", "two", "three", "four"][: 2 * workers]
    tournament = Tournament(
        name="bench",
        rounds=1_000_000,
        games=[GameEntry(id="squares", options={"total": total})],
        bots=[BotEntry(name=name) for name in names],
    )
    setup = Setup(tournament, tuple(spec.renamed(name) for name in names), mode)
    watch = Stopwatch(seconds)
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder)) as journal:
        crew = LocalCrew(setup, workers)
        try:
            watch.runner = Runner(setup.schedule(), journal, crew, watch.look)
            watch.runner.run()
        finally:
            crew.close(at_once=True)
    return watch.rate


def start_ms(spec: BotSpec, mode: str) -> float:
    """From the order to start a bot to its `ready`, the best of ten."""
    times = []
    for _ in range(10):
        bot = BotProcess(spec, Limits(), sandbox_mode=mode)
        begin = time.perf_counter()
        bot.greet(b"game squares seat=1 seed=1 move_ms=1000 total=8\n")
        bot.await_ready()
        times.append((time.perf_counter() - begin) * 1000)
        bot.discard()
    return min(times)


def command_ms(*words: str) -> float:
    """How long a command takes in all, the best of seven; with the interpreter's cache of compiled modules."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True, env=env)
        times.append((time.perf_counter() - begin) * 1000)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure matches a second.")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of each measurement")
    seconds = parser.parse_args().seconds
    modes = ["none", "bwrap"] if sandbox.bubblewrap_trouble() is None else ["none"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        specs = {"compiled": resolve(str(built("first.c", folder, "bot"))),
                 "Python": resolve(str(built("first.py", folder, "bot")))}  # fmt: skip
        rows = []
        for kind, spec in specs.items():
            for total in (8, 40):
                for mode in modes:
                    found: dict[int, list[float]] = {1: [], 2: []}
                    for _ in range(REPEAT):
                        for workers, rates in found.items():
                            rates.append(rate(spec, total, workers, mode, seconds))
                    one, two = max(found[1]), max(found[2])
                    rows.append([kind, total, mode, f"{one:,.0f}", f"{two:,.0f}", f"{two / one:.2f}",
                                 f"{1e6 / one / total:.1f}"])  # fmt: skip
        headers = ["bots", "moves", "sandbox", "matches/s -j1", "matches/s -j2", "ratio", "µs a move -j1"]
        print(tabulate(rows, headers, disable_numparse=True))
        starts = [[kind, *(f"{start_ms(spec, mode):.1f}" for mode in modes)] for kind, spec in specs.items()]
        print("\nFrom starting a bot to its ready, ms")
        print(tabulate(starts, ["bots", *modes], disable_numparse=True))
        close_keeper()
    bare = command_ms("-c", "pass")
    commands = [
        ["a bare interpreter", bare, 0.0],
        ["arena --version", ms := command_ms("-m", "arena", "--version"), ms - bare],
        [
            "arena match, one match",
            ms := command_ms("-m", "arena", "match", "squares", "random", "first"),
            ms - bare,
        ],
    ]
    print("\nWhole commands, ms")
    print(tabulate(commands, ["command", "ms", "above the interpreter"], floatfmt=".0f"))


if __name__ == "__main__":
    main()
