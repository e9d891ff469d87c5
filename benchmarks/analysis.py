"""How long the analysis of 10,000 moves takes: the five games at book sizes, every move judged by the exact solver.

Run it with `python benchmarks/analysis.py [--moves N]`. Matches are played at random from random openings, the
hardest case: nearly every position is a new one. Leaves with status 1 if it took 10 s or more. A second table
shows games far too large to solve: how much time is spent on them in vain.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from tabulate import tabulate

from arena.accuracy import Tables, count
from arena.analysis import Analyst, Judgement
from arena.catalogue import game_ids, get_game
from arena.record import MatchRecord, parse_record, record_line

MUST_STAY_UNDER_S = 10.0
TOO_LARGE = {"squares": {"total": 10**9}, "sum-to-zero": {"limit": 100}, "grid": {"size": 20, "score": 2000}}


def played(game: Any, options: dict[str, Any], seed: int, rng: random.Random) -> MatchRecord:
    """A match between two bots that move at random, cut after 60 moves."""
    chosen = game.options(options)
    state = game.start(chosen, seed)
    moves: list[Any] = []
    while (over := game.outcome(state)) is None and len(moves) < 60:
        listed = list(game.legal_moves(state))
        move = rng.choice(listed)
        moves.append((game.to_move(state), game.write_move(move), 0.25, ()))
        state = game.apply(state, move)
    return parse_record(
        record_line(
            id=f"{game.id}.{seed}", game=game.id, options=chosen.model_dump(), seed=seed, opening=(),
            bots=[("alice", "1"), ("bob", "2")], moves=moves, winner=over.winner if over else None,
            ending="completed" if over else "void", at_fault=None, detail="", wall_ms=1000.0,
            started="2026-01-31T12:00:00.000Z",
        )
    )  # fmt: skip


def timed(analyst: Analyst, records: list[MatchRecord]) -> tuple[Any, ...]:
    began = time.process_time()
    analysed = [(record, analyst.analyse(record)) for record in records]
    took = time.process_time() - began
    notes = [note for _, analysis in analysed for note in analysis.notes]
    unknown = sum(note.judgement is Judgement.UNKNOWN for note in notes)
    tables = Tables()
    for record, analysis in analysed:
        if not record.void:
            count(tables, record, analysis)
    share = tables["all"]["alice"].accuracy if tables else None
    return records[0].game, len(records), len(notes), unknown, share, took


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the analysis of matches.")
    parser.add_argument("--moves", type=int, default=10_000, help="moves in all (default: 10000)")
    wanted = max(5, parser.parse_args().moves) // 5
    rng, analyst, rows = random.Random(1), Analyst(), []
    for game_id in game_ids():
        game, count = get_game(game_id), 0
        records: list[MatchRecord] = []
        while count < wanted:
            records.append(played(game, {}, len(records), rng))
            count += len(records[-1].moves)
        rows.append(timed(analyst, records))
    headers = ("game", "matches", "moves", "unknown", "accuracy", "CPU s")
    print(tabulate(rows, headers=headers, floatfmt=".2f"))
    total = sum(row[-1] for row in rows)
    print(f"{sum(row[2] for row in rows):,} moves in {total:.2f} s; must stay under {MUST_STAY_UNDER_S:g} s")
    large = [
        timed(analyst, [played(get_game(name), options, seed, rng) for seed in range(20)])
        for name, options in TOO_LARGE.items()
    ]
    print("\nToo large to solve:\n" + tabulate(large, headers=headers, floatfmt=".2f"))
    return 0 if total < MUST_STAY_UNDER_S else 1


if __name__ == "__main__":
    sys.exit(main())
