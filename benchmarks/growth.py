"""How costs grow by powers of ten: standings, ratings, verify, analysis and solve, in seconds of processor time.

Run it with `python benchmarks/growth.py [--most N]`. The last column is the cost as a multiple of that of a tenth as
much: 10 is straight growth.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from analysis import played as random_match
from standings import write_records
from tabulate import tabulate
from verify import make_run

from arena.analysis import Analyst
from arena.catalogue import get_game
from arena.ratings import fit
from arena.solver import Solver
from arena.standings import Standings
from arena.verify import verify


def standings(size: int, folder: Path) -> Callable[[], object]:
    path = folder / f"{size}.jsonl"
    write_records(path, size)
    return lambda: Standings.read(path).tables()


def ratings(size: int, _: Path) -> Callable[[], object]:
    rng = random.Random(1)
    bots = [f"bot{number}" for number in range(100)]
    pairs: dict[tuple[str, str], tuple[int, int, int]] = {}
    for _match in range(size):
        first, second = rng.sample(bots, 2)
        won, drawn, lost = pairs.get((first, second), (0, 0, 0))
        pairs[first, second] = (won + 1, drawn, lost) if rng.random() < 0.5 else (won, drawn, lost + 1)
    return lambda: fit(pairs)


def verification(size: int, folder: Path) -> Callable[[], object]:
    run = make_run(folder / f"verify{size}", "squares", size)
    return lambda: verify(str(run), complete=True)


def analysis(size: int, _: Path) -> Callable[[], object]:
    rng, game = random.Random(1), get_game("linked")
    records = [random_match(game, {}, number, rng) for number in range(size)]

    def judge() -> None:
        analyst = Analyst()
        for record in records:
            analyst.analyse(record)

    return judge


def solving(size: int, _: Path) -> Callable[[], object]:
    game = get_game("squares")
    state = game.start(game.options({"total": size}), 1)
    return lambda: Solver(game).solve(state)


CASES = {
    "standings, records": (standings, 100_000),
    "ratings of 100 bots, matches": (ratings, 1_000_000),
    "verify, matches": (verification, 100_000),
    "analysis of linked, matches": (analysis, 10_000),
    "solve squares, total": (solving, 10_000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how costs grow.")
    parser.add_argument("--most", type=int, default=1_000_000, help="nothing larger than this")
    most = parser.parse_args().most
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for title, (prepare, largest) in CASES.items():
            before = 0.0
            for size in (100, 1000, 10_000, 100_000, 1_000_000):
                if size > min(most, largest):
                    break
                work = prepare(size, Path(name))
                began = time.process_time()
                work()
                took = time.process_time() - began
                rows.append([title, f"{size:,}", f"{took:.3f}", f"{took / before:.1f}" if before else ""])
                before = took
    print(tabulate(rows, ["what", "size", "CPU s", "times"], disable_numparse=True))


if __name__ == "__main__":
    main()
