"""How long `arena solve` takes, cold: a fresh process for each line, the whole command, start-up included.

Run it with `python benchmarks/solve.py [--repeat N]`. It prints a table with the best and the worst time of
each question and the time it must stay under, and leaves with status 1 if the worst of any is not under it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import NamedTuple

from tabulate import tabulate


class Question(NamedTuple):
    """One command line, and the seconds that it must stay under."""

    args: tuple[str, ...]
    limit_s: float


BOOK_STARTS = [Question((game,), 1.0) for game in ("squares", "primes", "sum-to-zero", "grid", "linked")]
# The hardest of sum-to-zero: all positions after one move (the other sign is the same), and those after two
# and three that visited most of some 300 openings tried. The start is easy: the second player answers -x.
SUM_TO_ZERO = [
    Question(("sum-to-zero", "limit=9", "--moves", moves), 5.0)
    for moves in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "-9", "9 8", "7 9", "-5 -8 -9")
]
LARGE = [
    Question(("squares", "total=10000"), 5.0),
    Question(("squares", "total=9999"), 5.0),
    Question(("primes", "n=10000"), 5.0),
    Question(("primes", "n=9999"), 5.0),
    Question(("linked", "n=500"), 10.0),
    Question(("linked", "n=499"), 10.0),
    Question(("linked", "n=2000"), 30.0),
    Question(("linked", "n=500", "allow_one=false"), 10.0),
]


def seconds(question: Question) -> float:
    """The wall time of one whole command."""
    command = [sys.executable, "-m", "arena", "solve", *question.args, "--json"]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description="Time arena solve, cold.")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each question (default: 3)")
    repeat = max(1, parser.parse_args().repeat)
    rows, missed = [], 0
    for question in [*BOOK_STARTS, *SUM_TO_ZERO, *LARGE]:
        times = [seconds(question) for _ in range(repeat)]
        kept = max(times) < question.limit_s
        missed += not kept
        rows.append(
            (" ".join(question.args), min(times), max(times), question.limit_s, "yes" if kept else "NO")
        )
    headers = ("arena solve", "best s", "worst s", "must be under s", "kept")
    print(tabulate(rows, headers=headers, floatfmt=".2f"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
