"""How many matches a second two Dask workers play, against `-j 2`: at least 85%, within one run.

`python benchmarks/cluster.py [--rounds N] [--times N]` plays the same tournament (one compiled bot under two names) in
turn on both, and prints the median ratio. Counted is from each crew's first report on: neither pays for its start.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from arena.cluster import hire
from arena.crew import Crew, LocalCrew
from arena.organiser import opened, take_order
from arena.runner import Tally
from arena.worker import Report

WORKERS = 2
FILE = """
name = "{name}"
rounds = {rounds}
[[games]]
id = "squares"
options = {{ total = [100, 200] }}
[[games]]
id = "linked"
[[bots]]
name = "one"
run = "c-greedy"
[[bots]]
name = "two"
run = "c-greedy"
"""


def matches_a_second(folder: Path, name: str, rounds: int, cluster: bool) -> float:
    """Play it once on one of the two."""
    path = folder / f"{name}.toml"
    path.write_text(FILE.format(name=name, rounds=rounds), encoding="utf-8")
    order = take_order(path, sandbox_mode="none")
    with opened(order) as event:
        crew: Crew
        if cluster:
            crew = hire(
                "local", order.setup, order.file.folder, lambda text: print(text, file=sys.stderr), WORKERS
            )
        else:
            crew = LocalCrew(order.setup, WORKERS)
        marks: list[tuple[float, int]] = []

        def observe(tally: Tally, report: Report | None) -> None:
            if report is not None:
                marks.append((time.monotonic(), tally.played))

        tally = event.runner(crew, observe).run().tally
        crew.close()
    if tally.recorded != tally.scheduled:
        sys.exit(f"{name}: only {tally.recorded} of {tally.scheduled} matches were recorded")
    (begin, before), (end, after) = marks[0], marks[-1]
    return (after - before) / (end - begin)


def main() -> None:
    """Print the figures, as JSON with --json; exit status 1 if the ratio is below the floor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=8000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--floor", type=float, default=0.85)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ratios, rates = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.times):
            here = matches_a_second(Path(folder), f"here-{number}", args.rounds, cluster=False)
            there = matches_a_second(Path(folder), f"there-{number}", args.rounds, cluster=True)
            ratios.append(there / here)
            rates.append((here, there))
            if not args.json:
                print(f"-j {WORKERS}: {here:.0f} matches/s   {WORKERS} Dask workers: {there:.0f} matches/s   "
                      f"ratio {there / here:.2f}")  # fmt: skip
    ratio = statistics.median(ratios)
    figures = {
        "ratio": round(ratio, 3),
        "floor": args.floor,
        "rates": [[round(a), round(b)] for a, b in rates],
    }
    print(json.dumps(figures) if args.json else f"median ratio {ratio:.2f} (floor {args.floor})")
    sys.exit(0 if ratio >= args.floor else 1)


if __name__ == "__main__":
    main()
