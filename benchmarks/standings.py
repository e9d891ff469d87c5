"""How long the tables of a large run take, and how soon a large schedule is ready: whole commands, cold.

Run it with `python benchmarks/standings.py [--records N]`. It writes a run of 100,000 records of 20 moves each to
a temporary folder, reads and tabulates it in a fresh process, opens its journal in another, and asks the
schedule of 200 bots, five games and ten rounds for its first matches. It prints a table, and leaves with status 1 if
any figure is beyond its limit.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from arena.record import record_line

GAMES = ("squares", "primes", "sum-to-zero", "grid", "linked")
BOTS = 50


class Figure(NamedTuple):
    """One thing measured, with what it must stay under."""

    what: str
    value: float
    limit: float
    unit: str
    cpu_s: float | None = None


def write_records(path: Path, count: int) -> None:
    """A run as a referee would write it: 50 bots of different strength, 20 moves a match, a few faults."""
    chance = random.Random(1)
    with open(path, "w", encoding="ascii") as file:
        for number in range(count):
            first, second = chance.sample(range(BOTS), 2)
            winner = 1 if chance.random() < 1 / (1 + 10 ** ((second - first) / 25)) else 2
            fault = number % 50 == 0
            moves = [(1 + ply % 2, str(ply), chance.lognormvariate(0, 1), ()) for ply in range(20)]
            line = record_line(
                id=f"{GAMES[number % 5]}.bot{first}.bot{second}.{number + 1}a", game=GAMES[number % 5], seed=number,
                options={"total": 100}, opening=("4", "9"), bots=[(f"bot{first}", "v1"), (f"bot{second}", "v1")],
                moves=moves, winner=winner, ending="timeout" if fault else "completed",
                at_fault=3 - winner if fault else None, detail="bob reached 0",
                started="2026-01-31T12:00:00.000Z", wall_ms=9.31,
            )  # fmt: skip
            file.write(line + "\n")


class Cost(NamedTuple):
    """What one command took. On an idle machine `wall_s` is about `cpu_s`; where others work, it is more."""

    wall_s: float
    cpu_s: float
    memory_mb: float


def cost(*args: str) -> Cost:
    """The cost of one command, in a process of its own."""
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, *args], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(args)} failed with status {child.returncode}")
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


OPEN_JOURNAL = "import sys, pathlib, arena.journal as j; j.Journal.open(pathlib.Path(sys.argv[1])).close()"
SCHEDULE = """
import pathlib, sys
from arena.schedule import Schedule
from arena.tournament import load
schedule = Schedule(load(pathlib.Path(sys.argv[1])).tournament)
assert len(schedule) == 1_990_000
for pairing in next(schedule.tiles()):
    schedule.match_of(pairing.ids[0])
"""


def write_tournament(path: Path) -> None:
    games = "".join(f'[[games]]\nid = "{game}"\nopening_plies = 2\n' for game in GAMES)
    bots = "".join(f'[[bots]]\nname = "bot {number}"\nrun = "true"\n' for number in range(200))
    path.write_text(f'name = "large"\nrounds = 10\n{games}{bots}', encoding="utf-8")


def figures(folder: Path, records: int) -> list[Figure]:
    """Everything measured, each in a process of its own."""
    write_records(folder / "matches.jsonl", records)
    write_tournament(folder / "large.toml")
    table = cost("-m", "arena", "standings", str(folder))
    journal = cost("-c", OPEN_JOURNAL, str(folder))
    schedule = cost("-c", SCHEDULE, str(folder / "large.toml"))
    return [
        Figure(f"arena standings, {records:,} records", table.wall_s, 5, "s", table.cpu_s),
        Figure("  its memory", table.memory_mb, 300, "MB"),
        Figure(f"open a journal of {records:,} records", journal.wall_s, 2, "s", journal.cpu_s),
        Figure(
            "read a file of 200 bots, first 140 starts of 1,990,000", schedule.wall_s, 1, "s", schedule.cpu_s
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the tables and the schedule of a large run.")
    parser.add_argument("--records", type=int, default=100_000, help="records of the run (default: 100,000)")
    with tempfile.TemporaryDirectory() as folder:
        found = figures(Path(folder), parser.parse_args().records)
    rows = [(f.what, f.value, f.limit, f.unit, f.cpu_s, "yes" if f.value < f.limit else "NO") for f in found]
    print(
        tabulate(
            rows, headers=("what", "measured", "must be under", "", "of it CPU s", "kept"), floatfmt=".2f"
        )
    )
    return 0 if all(f.value < f.limit for f in found) else 1


if __name__ == "__main__":
    sys.exit(main())
