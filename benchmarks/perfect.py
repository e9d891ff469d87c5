"""How long the perfect bot takes to answer, as a process, at the rule books' sizes and far beyond.

Run it with `python benchmarks/perfect.py [--games N]`. For each start it plays N random games in which nobody
takes an immediate win, asks the bot at every position of both seats, and prints the median and the worst answer
time; a fresh process is started for each start, and the time from its start to `ready` and to its first move is
shown as well. Leaves with status 1 if any answer took 100 ms or more.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from typing import IO, Any

from tabulate import tabulate

from arena.catalogue import get_game
from bots import bundled
from games.interface import Game

LIMIT_MS = 100.0
STARTS: list[tuple[str, dict[str, Any]]] = [
    ("squares", {}),
    ("squares", {"total": 10_000}),
    ("squares", {"total": 1_000_000}),
    ("primes", {}),
    ("primes", {"n": 10_000}),
    ("primes", {"n": 1_000_000}),
    ("sum-to-zero", {}),
    ("sum-to-zero", {"limit": 10}),
    ("grid", {}),
    ("grid", {"score": 40}),
    ("grid", {"score": 50, "size": 5}),
    ("linked", {}),
    ("linked", {"n": 100}),
    ("linked", {"n": 500}),
    ("linked", {"n": 100_000}),
]


def ask(to_bot: IO[str], from_bot: IO[str], lines: list[str]) -> tuple[str, list[str], float]:
    """Write the lines; the answer, the `info` lines before it, and the milliseconds between."""
    began = time.perf_counter()
    to_bot.write("\n".join(lines) + "\n")
    to_bot.flush()
    info: list[str] = []
    while (answer := from_bot.readline().strip()).startswith("info "):
        info.append(answer.removeprefix("info "))
    return answer, info, (time.perf_counter() - began) * 1000


def step(game: Game[Any, Any], state: Any, moves: list[Any], rng: random.Random) -> Any:
    """A random next position, if possible one where the game goes on: long games have the hard positions."""
    for _ in range(20):
        after = game.apply(state, rng.choice(moves))
        if game.outcome(after) is None:
            break
    return after


def measure(game_id: str, given: dict[str, Any], games: int) -> list[Any]:
    """One row of the table."""
    game, rng = get_game(game_id), random.Random(1)
    options = game.options(given)
    words = " ".join(f"{key}={str(value).lower()}" for key, value in options.model_dump().items())
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "bot.py"], cwd=bundled()["perfect"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    times: list[float] = []
    unsure, ready_ms, first_ms = 0, 0.0, 0.0
    for seed in range(games):
        ask(process.stdin, process.stdout, [f"game {game_id} seat=1 seed=1 move_ms=100 {words}"])
        ready_ms = ready_ms or (time.perf_counter() - began) * 1000
        state = game.start(options, seed)
        while game.outcome(state) is None:
            moves = list(game.legal_moves(state))
            lines = [f"state {game.view(state, game.to_move(state))}"]
            if len(moves) <= 1000:
                lines.append("legal " + " ".join(map(str, moves)))
            _, info, took_ms = ask(process.stdin, process.stdout, [*lines, "go 100"])
            first_ms = first_ms or took_ms
            times.append(took_ms)
            unsure += info == ["unsure"]
            state = step(game, state, moves, rng)
    process.communicate("quit\n")
    shown = " ".join([game_id, *(f"{key}={value}" for key, value in given.items())])
    return [shown, len(times), unsure, ready_ms, first_ms, statistics.median(times), max(times)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20, help="random games of each start (20)")
    games = parser.parse_args().games
    rows = [measure(game_id, given, games) for game_id, given in STARTS]
    heads = ["start", "positions", "unsure", "ready ms", "first ms", "median ms", "worst ms"]
    print(tabulate(rows, headers=heads, floatfmt=".2f"))
    return int(any(row[-1] >= LIMIT_MS for row in rows))


if __name__ == "__main__":
    sys.exit(main())
