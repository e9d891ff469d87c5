"""Runs made up in process, without a bot: players of several strengths move through the games' own rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from arena.catalogue import get_game
from arena.errors import AnswerIsNo
from arena.record import Ending, record_line
from arena.solver import Solver

STARTS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "squares": lambda random: {"total": random.randint(50, 120)},
    "primes": lambda random: {"n": random.randint(20, 60)},
    "sum-to-zero": lambda random: {"limit": random.randint(5, 7)},
    "grid": lambda random: {"score": random.randint(15, 25)},
    "linked": lambda random: {"n": random.randint(40, 90)},
}
FAULTS = [ending for ending in Ending if ending.is_fault]
MARKUP = "<img src=x onerror=\"document.title='owned'\">"
SCRIPT = "</script><script>document.title='owned'</script>"
STDERR = f"Traceback (most recent call last):\n  File 'bot.py', line 7\n{SCRIPT}\nKeyError: 3"
HOSTILE_NAMES = ("<script>alert(1)</script>", "'\"><svg onload=alert(1)>", "a\u202eb\u2028c", "{{ 7*7 }}")


class Player:
    """A made-up bot: with probability `skill` it asks the solver, else it moves at random."""

    def __init__(
        self, name: str, skill: float, pace_ms: float, fault_share: float = 0.0, says: str = ""
    ) -> None:
        self.name, self.skill, self.pace_ms, self.fault_share, self.says = (
            name, skill, pace_ms, fault_share, says,
        )  # fmt: skip

    def choose(self, solver: Solver[Any, Any], state: Any, random: Random) -> Any:
        if random.random() < self.skill:
            try:
                solution = solver.solve(state)
                return random.choice(solution.winning_moves or solution.best_moves)
            except AnswerIsNo:
                pass
        return random.choice(list(solver.game.legal_moves(state)))


FIELD = (
    Player("perfect", 1.0, 1.5),
    Player("strong", 0.9, 8.0, says="best move found"),
    Player("steady", 0.7, 0.4),
    Player("hasty", 0.4, 0.05, 0.04),
    Player("random-walker", 0.0, 0.2, 0.02),
    Player("clumsy-bot-with-a-long-name", 0.2, 30.0, 0.1),
)
HOSTILE = (
    Player(HOSTILE_NAMES[0], 0.8, 1.0, 0.2, says=SCRIPT),
    Player(HOSTILE_NAMES[1], 0.3, 2.0, 0.3, says=MARKUP),
    Player(HOSTILE_NAMES[2], 0.3, 2.0, 0.3, says="a\x1b[31mred\u202e"),
    Player(HOSTILE_NAMES[3], 0.1, 3.0, says="<!--<script>"),
)


def run_lines(
    players: Sequence[Player], *, games: Sequence[str] = tuple(STARTS), rounds: int = 2, seed: int = 1
) -> list[str]:
    """The records of a round robin: each start played twice, with the seats swapped."""
    random, solvers = Random(seed), {game: Solver(get_game(game), 100_000) for game in games}
    lines = []
    for number in range(rounds):
        for game in games:
            for first, second in combinations(players, 2):
                options, match_seed = STARTS[game](random) if game in STARTS else {}, random.getrandbits(40)
                for letter, pair in (("a", (first, second)), ("b", (second, first))):
                    name = f"{game}.{players.index(first)}.{players.index(second)}.{number + 1}{letter}"
                    lines.append(_played(name, solvers[game], options, match_seed, pair, random, len(lines)))
    return lines


def _played(
    name: str, solver: Solver[Any, Any], options: dict[str, Any], seed: int,
    players: tuple[Player, Player], random: Random, number: int,
) -> str:  # fmt: skip
    game = solver.game
    start = game.start(game.options(options), seed)
    first_move = Random(seed).choice(list(game.legal_moves(start)))
    opening = [first_move] if game.outcome(game.apply(start, first_move)) is None else []
    state = game.apply(start, first_move) if opening else start
    moves: list[tuple[int, str, float, list[str]]] = []
    fault = ""
    while game.outcome(state) is None and not fault:
        seat = game.to_move(state)
        player = players[seat - 1]
        if random.random() < player.fault_share / 4:
            fault = random.choice(FAULTS)
            continue
        move = player.choose(solver, state, random)
        info = [f"{player.says} {len(moves)}"] if player.says and random.random() < 0.5 else []
        moves.append((seat, game.write_move(move), player.pace_ms * random.lognormvariate(0, 0.8), info))
        state = game.apply(state, move)
    names = (players[0].name, players[1].name)
    outcome = game.outcome(state)
    at_fault = game.to_move(state) if fault else None
    winner = 3 - at_fault if at_fault else outcome.winner if outcome else 0
    detail = (
        f"{names[(at_fault or 1) - 1]} failed: {MARKUP}"
        if fault
        else outcome.sentence(names)
        if outcome
        else ""
    )
    return record_line(
        id=name, game=game.id, options=options, seed=seed, opening=[game.write_move(m) for m in opening],
        bots=[(who, f"{sum(map(ord, who)):012x}") for who in names], moves=moves, winner=winner,
        ending=fault or "completed", at_fault=at_fault, detail=detail,
        started=f"2026-01-31T12:{number // 600 % 60:02}:{number // 10 % 60:02}.{number % 10}00Z",
        wall_ms=sum(move[2] for move in moves),
        stderr=STDERR if fault else None,
    )  # fmt: skip


def write_run(folder: Path, lines: Sequence[str]) -> Path:
    """A run's folder with these records."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "matches.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return folder
