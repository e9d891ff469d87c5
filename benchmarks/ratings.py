"""How long ratings take, and how honest their intervals are.

Run it with `python benchmarks/ratings.py [--samples N]`. It rates 1,000 bots by 100,000 matches, with and
without draws, each in a fresh process (the best of five counts: the worst tells what else the machine did),
and then, by simulation, counts how often the true strength lies inside the 95% interval. Ratings of one field
hang together (of two bots one's is the other's, negated), so a field of few bots is simulated more often:
with 6,000 samples a share is known to about half a percent. Where there is very little evidence the interval
may be too wide, and must not be too narrow. It prints two tables, and leaves with status 1 if a figure is
beyond its limit.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from itertools import combinations
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from tabulate import tabulate

from arena.ratings import ELO, Counts, fit

if TYPE_CHECKING:
    import numpy as np

Pairs = list[tuple[int, int]]


class Field(NamedTuple):
    """A tournament to simulate: `draw` is Davidson's draw level, `hub` a gauntlet of one hero."""

    bots: int
    matches: int
    spread: float
    draw: float
    hub: bool = False
    most: float = 0.97

    @property
    def pairs(self) -> Pairs:
        """Who meets whom."""
        if self.hub:
            return [(0, other) for other in range(1, self.bots)]
        return list(combinations(range(self.bots), 2))


FIELDS = [
    Field(2, 30, 150, 0),
    Field(5, 8, 200, 0),
    Field(5, 20, 400, 0),
    Field(10, 2, 200, 0),
    Field(10, 20, 200, 0),
    Field(30, 4, 200, 0),
    Field(8, 30, 200, 0, hub=True),
    Field(6, 12, 200, 0.8),
    Field(2, 4, 150, 0, most=1.0),
    Field(2, 10, 150, 0, most=1.0),
    Field(3, 2, 150, 0, most=1.0),
]


def play(
    chance: np.random.Generator, truth: np.ndarray, pairs: Pairs, matches: int, draw: float
) -> dict[tuple[str, str], Counts]:
    """Results of bots of these log-strengths, by the model itself."""
    import numpy as np

    results: dict[tuple[str, str], Counts] = {}
    for i, j in pairs:
        half = (truth[i] - truth[j]) / 2
        weights = np.array([np.exp(half), draw, np.exp(-half)])
        wins, draws, losses = chance.multinomial(matches, weights / weights.sum()).tolist()
        results[str(i), str(j)] = (wins, draws, losses)
    return results


def timed(draw: float) -> list[float]:
    """The seconds of five runs, each in a process of its own, which loads numpy as `arena standings` does."""
    command = [sys.executable, __file__, "--one", str(draw)]
    return [float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)]


def seconds(draw: float) -> float:
    """The time to rate 1,000 bots by 100,000 matches: each bot met 200 others once."""
    chance = random.Random(1)
    truth = [chance.gauss(0, 200 / ELO) for _ in range(1000)]
    results: dict[tuple[str, str], Counts] = {}
    for i in range(1000):
        for j in range(i + 1, i + 101):
            half = (truth[i] - truth[j % 1000]) / 2
            outcomes: list[Counts] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
            results[str(i), str(j % 1000)] = chance.choices(outcomes, [exp(half), draw, exp(-half)])[0]
    began = time.perf_counter()
    fit(results)
    return time.perf_counter() - began


def coverage(field: Field, samples: int) -> float:
    """The share of bots whose true strength lies inside the interval."""
    import numpy as np

    trials = max(1, samples // (field.bots - 1))
    chance = np.random.default_rng(20260131)
    inside = 0
    for _ in range(trials):
        truth = chance.normal(0, field.spread / ELO, field.bots)
        truth -= truth.mean()
        ratings = fit(play(chance, truth, field.pairs, field.matches, field.draw))
        inside += sum(
            ratings[str(k)].low <= truth[k] * ELO <= ratings[str(k)].high for k in range(field.bots)
        )
    return inside / (field.bots * trials)


def main() -> int:
    parser = argparse.ArgumentParser(description="Time ratings, and measure how honest they are.")
    parser.add_argument("--samples", type=int, default=6000, help="ratings a field (default: 6,000)")
    parser.add_argument("--one", type=float, metavar="DRAW", help="only print the seconds of one fit")
    given = parser.parse_args()
    if given.one is not None:
        print(seconds(given.one))
        return 0
    samples = given.samples
    runs = [(name, timed(draw)) for name, draw in (("without draws", 0.0), ("with draws", 0.8))]
    times = [(name, min(took), max(took)) for name, took in runs]
    headings = ("1,000 bots, 100,000 matches", "best s (must be under 2)", "worst s")
    print(tabulate(times, headers=headings, floatfmt=".2f"))
    print()
    shares = [(*field, coverage(field, samples)) for field in FIELDS]
    headers = (
        "bots",
        "matches a pair",
        "spread",
        "draw level",
        "gauntlet",
        "at most",
        "inside (at least 0.93)",
    )
    print(tabulate(shares, headers=headers, floatfmt=".3f"))
    kept = all(best < 2 for _, best, _ in times) and all(0.93 <= row[-1] <= row[-2] for row in shares)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
