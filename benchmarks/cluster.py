"""How many matches a second two Dask workers play, against `-j 2`: at least 85%, within one run.

`python benchmarks/cluster.py [--rounds N] [--times N]` plays the same tournament (one compiled bot under two names)
on both in turn, now the one first and now the other: the median of the ratios is what counts. Where other programs
work meanwhile, the best of each against the other tells more. Counted is from each crew's first report on: neither
pays for its start.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from arena.cluster.crew import DaskCrew
from arena.cluster.link import Link
from arena.cluster.local_hosts import LocalHosts
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


def matches_a_second(folder: Path, name: str, rounds: int, address: str | None) -> float:
    """Play it once: on the cluster at this address, or on this machine alone."""
    path = folder / f"{name}.toml"
    path.write_text(FILE.format(name=name, rounds=rounds), encoding="utf-8")
    order = take_order(path, sandbox_mode="none")
    marks: list[tuple[float, int]] = []

    def observe(tally: Tally, report: Report | None) -> None:
        if report is not None:
            marks.append((time.monotonic(), tally.played))

    with opened(order) as event:
        crew: Crew
        if address is None:
            crew = LocalCrew(order.setup, WORKERS)
        else:
            link = Link(address, direct=True)  # as `--cluster local` has it
            crew = DaskCrew(order.setup, order.file.folder, link, lambda text: print(text, file=sys.stderr))
        outcome = event.runner(crew, observe).run()
        crew.close()
    if not outcome.complete:
        sys.exit(f"{name}: only {outcome.tally.recorded} of {outcome.tally.scheduled} matches were recorded")
    (begin, before), (end, after) = marks[0], marks[-1]
    return (after - before) / (end - begin)


def compare(folder: Path, rounds: int, times: int) -> list[tuple[float, float]]:
    """Matches a second of both, so many times, each time one right after the other."""
    hosts = LocalHosts(WORKERS)
    pairs = []
    try:
        for number in range(times):
            rates: dict[bool, float] = {}
            for cluster in (number % 2 == 0, number % 2 == 1):
                name = f"{'there' if cluster else 'here'}-{number}"
                rates[cluster] = matches_a_second(folder, name, rounds, hosts.address if cluster else None)
            pairs.append((rates[False], rates[True]))
    finally:
        hosts.close()
    return pairs


def main() -> None:
    """Print the figures, as JSON with --json; exit status 1 if the ratio is below the floor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=6)
    parser.add_argument("--floor", type=float, default=0.85)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = compare(Path(folder), args.rounds, args.times)
    ratio = max(there for _, there in pairs) / max(here for here, _ in pairs)
    median = statistics.median(there / here for here, there in pairs)
    if args.json:
        rates = [[round(here), round(there)] for here, there in pairs]
        print(
            json.dumps(
                {"ratio": round(ratio, 3), "median": round(median, 3), "floor": args.floor, "rates": rates}
            )
        )
    else:
        for here, there in pairs:
            print(f"-j {WORKERS}: {here:6.0f}   Dask: {there:6.0f} matches/s   ratio {there / here:.2f}")
        print(f"the median of the ratios: {median:.2f} (floor {args.floor}); best against best: {ratio:.2f}")
    sys.exit(0 if median >= args.floor else 1)


if __name__ == "__main__":
    main()
