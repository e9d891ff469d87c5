"""How fast `arena verify` proves records: moves a second on one core, the whole way from a file on disk.

Run it with `python benchmarks/verify.py [--matches N]`. It plays matches of the five games at book sizes at random,
writes them as a sealed run, proves it, and leaves with status 1 below 20,000 moves a second.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tabulate import tabulate

from arena.bot import BotSpec
from arena.catalogue import game_ids, get_game
from arena.journal import Journal
from arena.record import record_line
from arena.run_folder import Plan, RunFolder
from arena.schedule import Match
from arena.tournament import Tournament
from arena.verify import verify

MUST_REACH = 20_000
BOTS = ("alice", "bob")


def played(match: Match, rng: random.Random) -> str:
    """A record of a match between two bots that move at random."""
    game: Any = get_game(match.game)
    state = game.start(game.options(match.options), match.seed)
    for text in match.opening:
        state = game.apply(state, game.read_move(text))
    moves = []
    while (over := game.outcome(state)) is None:
        move = rng.choice(list(game.legal_moves(state)))
        moves.append((game.to_move(state), game.write_move(move), 0.25, ["thinking"]))
        state = game.apply(state, move)
    return record_line(
        id=match.id, game=match.game, options=match.options, seed=match.seed, opening=match.opening,
        bots=[(name, "0123456789ab") for name in match.bots], moves=moves, winner=over.winner,
        ending="completed", at_fault=None, detail=over.sentence(match.bots),
        started="2026-01-31T12:00:00.000Z", wall_ms=1000.0,
    )  # fmt: skip


def make_run(root: Path, game_id: str, matches: int) -> Path:
    """A sealed run of one game."""
    tournament = Tournament.model_validate(
        {"name": game_id, "seed": 1, "rounds": matches // 2, "games": [{"id": game_id, "opening_plies": 2}],
         "bots": [{"name": name} for name in BOTS]}
    )  # fmt: skip
    plan = Plan.of(tournament, [BotSpec(name, "0123456789ab", ("/bin/true",)) for name in BOTS])
    folder = RunFolder(root / game_id)
    folder.save(plan, "")
    (folder.path / "tournament.toml").unlink()
    schedule, rng = plan.schedule(), random.Random(1)
    with Journal.open(folder.path) as journal:
        journal.append([played(schedule.match_of(match_id), rng) for match_id in schedule.ids()])
    return folder.path


def main() -> int:
    parser = argparse.ArgumentParser(description="Time arena verify.")
    parser.add_argument("--matches", type=int, default=2000, help="matches of each game (default: 2000)")
    matches = max(2, parser.parse_args().matches)
    rows, moves, seconds = [], 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for game_id in game_ids():
            run = make_run(Path(folder), game_id, matches)
            began = time.process_time()
            found = verify(str(run), complete=True)
            took = time.process_time() - began
            if not found.ok:
                raise SystemExit(f"{game_id}: {found.problems[0]}")
            rows.append((game_id, found.played, found.moves, took, found.moves / took))
            moves, seconds = moves + found.moves, seconds + took
    rows.append(("together", 5 * matches, moves, seconds, moves / seconds))
    print(
        tabulate(
            rows, headers=("game", "matches", "moves", "CPU s", "moves/s"), floatfmt=(",.2f",) * 4 + (",.0f",)
        )
    )
    print(
        f"must reach {MUST_REACH:,} moves a second: {'reached' if moves / seconds >= MUST_REACH else 'MISSED'}"
    )
    return 0 if moves / seconds >= MUST_REACH else 1


if __name__ == "__main__":
    sys.exit(main())
