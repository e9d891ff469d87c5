"""What `arena run` costs around its matches: scaling, the supervisor's share, memory, and the time to the first match.

Run it with `python benchmarks/run.py [--matches N] [--long N] [--repeat N]`. It plays the compiled bot c-greedy
against itself under two names. Ratios and shares within one run of this script are what counts; it prints a table with
what each must reach, and leaves with status 1 if one does not. The machine should have nothing else to do: runs with
one and with two workers take turns, and the fastest of each is taken, for whatever else runs only makes them slower.

The supervisor's time is that of the process `arena run` itself, workers and bots aside, from the first record on: what
it takes to start is in the last row.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

ROOT = Path(__file__).resolve().parent.parent
C_GREEDY = ROOT / "bots" / "c-greedy"
FIRST = (ROOT / "bots" / "first" / "bot.py").read_text(encoding="utf-8")
TICKS = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 0.02


class Look(NamedTuple):
    """The supervisor at one moment."""

    seconds: float
    cpu_seconds: float
    memory_kb: int
    recorded_bytes: int


class Measured(NamedTuple):
    """A run from its first record to its end."""

    matches_a_second: float
    supervisor_share: float
    looks: list[Look]


def tournament(folder: Path, name: str, bots: dict[str, Path], rounds: int) -> Path:
    listed = "".join(f'[[bots]]\nname = "{bot}"\npath = "{path}"\n' for bot, path in bots.items())
    games = '[[games]]\nid = "squares"\noptions = { total = [50, 200] }\nopening_plies = 2\n'
    file = folder / f"{name}.toml"
    file.write_text(f'name = "{name}"\nrounds = {rounds}\n{games}{listed}', encoding="utf-8")
    return file


def look(pid: int, matches: Path) -> Look | None:
    """The supervisor now; None once it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    memory = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), None)
    if memory is None:
        return None
    size = matches.stat().st_size if matches.exists() else 0
    return Look(time.perf_counter(), (int(fields[11]) + int(fields[12])) / TICKS, memory, size)


def watched(file: Path, *flags: str) -> list[Look]:
    """Run a tournament, and look at its supervisor all the while."""
    matches = file.parent / "runs" / file.stem / "matches.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", str(file), "-q", *flags], stdout=subprocess.DEVNULL
    )
    looks = []
    while process.poll() is None:
        if (seen := look(process.pid, matches)) is not None:
            looks.append(seen)
        time.sleep(LOOK_SECONDS)
    if process.returncode:
        raise SystemExit(f"the run of {file.name} failed with status {process.returncode}")
    return looks


def measured(file: Path, count: int, *flags: str) -> Measured:
    """How fast a tournament of so many matches is played, and what its supervisor costs."""
    looks = watched(file, *flags)
    begun = next(seen for seen in looks if seen.recorded_bytes)
    end = next(seen for seen in looks if seen.recorded_bytes == looks[-1].recorded_bytes)
    share_recorded = 1 - begun.recorded_bytes / end.recorded_bytes
    seconds = end.seconds - begun.seconds
    cpu = end.cpu_seconds - begun.cpu_seconds
    return Measured(count * share_recorded / seconds, cpu / seconds, looks)


def memory_at(looks: list[Look], share: float) -> int:
    """The memory when this share of the records was written."""
    goal = looks[-1].recorded_bytes * share
    return next(seen.memory_kb for seen in looks if seen.recorded_bytes >= goal)


def first_match_seconds(folder: Path, bots: int) -> float:
    """From the start of the command to the first record of a round robin of so many scripts."""
    scripts = {}
    for number in range(bots):
        script = folder / f"bot{number}.py"
        script.write_text(f"# {number}\n{FIRST}", encoding="utf-8")
        scripts[f"bot{number}"] = script
    file = tournament(folder, "wide", scripts, 1)
    matches = folder / "runs" / "wide" / "matches.jsonl"
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "run", str(file), "-q"], stdout=subprocess.DEVNULL
    )
    while not (matches.exists() and matches.stat().st_size):
        if process.poll() is not None:
            raise SystemExit("the wide run has ended without a record")
        time.sleep(LOOK_SECONDS / 4)
    seconds = time.perf_counter() - began
    process.kill()
    process.wait()
    return seconds


def waiting_starts(folder: Path, bots: int = 16, seconds: float = 0.25) -> float:
    """Bots that wait when they start, all on one core: the time of their round robin, in starts one after another."""
    took = []
    for name, wait in (("quick", 0.0), ("slow", seconds)):
        scripts = {}
        for number in range(bots):
            script = folder / f"{name}{number}.py"
            script.write_text(f"import time\ntime.sleep({wait})\n# {number}\n{FIRST}", encoding="utf-8")
            scripts[f"bot{number}"] = script
        file = tournament(folder, name, scripts, 1)
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "arena", "run", str(file), "-q", "-j1"],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        took.append(time.perf_counter() - began)
    return (took[1] - took[0]) / (bots * seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what arena run costs around its matches.")
    parser.add_argument("--matches", type=int, default=60_000, help="of the runs that are compared")
    parser.add_argument(
        "--long", type=int, default=100_000, help="matches of the run whose memory is watched"
    )
    parser.add_argument("--repeat", type=int, default=3, help="how often each of the compared runs is played")
    args = parser.parse_args()
    pair = {"c1": C_GREEDY, "c2": C_GREEDY}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs: dict[int, list[Measured]] = {1: [], 2: []}
        for turn in range(args.repeat):
            for jobs, found in runs.items():
                file = tournament(folder, f"cup-{jobs}-{turn}", pair, args.matches // 2)
                found.append(measured(file, args.matches, f"-j{jobs}"))
        one, two = (max(found, key=lambda run: run.matches_a_second) for found in runs.values())
        long = measured(tournament(folder, "long", pair, args.long // 2), args.long, "-j2")
        before, after = memory_at(long.looks, 1000 / args.long), memory_at(long.looks, 1.0)
        first = first_match_seconds(folder, 200)
        waited = waiting_starts(folder)
    scaling = two.matches_a_second / one.matches_a_second
    micros = 1e6 * two.supervisor_share / two.matches_a_second
    rows = [
        ("matches a second, -j1", f"{one.matches_a_second:,.0f}", "", True),
        ("matches a second, -j2", f"{two.matches_a_second:,.0f}", "", True),
        ("from -j1 to -j2", f"{scaling:.2f} times", "at least 1.8 times", scaling >= 1.8),
        ("supervisor, a match", f"{micros:.1f} µs", "", True),
        (
            "supervisor at -j1",
            f"{one.supervisor_share:.1%} of a core",
            "under 5%",
            one.supervisor_share < 0.05,
        ),
        (
            "supervisor at -j2",
            f"{two.supervisor_share:.1%} of a core",
            "under 5%",
            two.supervisor_share < 0.05,
        ),
        ("its memory after 1,000 matches", f"{before / 1024:.1f} MB", "", True),
        (
            f"its memory after {args.long:,}",
            f"{after / 1024:.1f} MB",
            "at most 10% more",
            after <= 1.1 * before,
        ),
        ("200 bots: the first record after", f"{first:.2f} s", "under 2 s", first < 2.0),
        ("16 bots that wait as they start", f"{waited:.2f} of one after another", "", True),
    ]
    print(tabulate([row[:3] for row in rows], ["what", "measured", "must reach"], disable_numparse=True))
    missed = [row[0] for row in rows if not row[3]]
    if missed:
        print(f"\nnot reached: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
