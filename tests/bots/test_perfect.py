"""The perfect bot's verdicts and moves, against plain brute force and against the solver."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Hashable, Iterator
from time import monotonic
from types import ModuleType
from typing import Any

import pytest

from arena.catalogue import get_game
from arena.solver import Solver
from bots import bundled
from games.interface import Game


def load() -> ModuleType:
    """The bot's source as a module; its conversation does not start on import."""
    spec = importlib.util.spec_from_file_location("perfect_bot", bundled()["perfect"] / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BOT = load()


class Perfect:
    """The bot without its process, and without haste: its knowledge must not depend on the machine."""

    def __init__(self, game: Game[Any, Any], options: Any) -> None:
        self.game = game
        self.options = {name: str(value).lower() for name, value in options.model_dump().items()}
        self.player = BOT.players()[game.id]

    def __call__(self, state: Any) -> tuple[Any, str]:
        pairs = dict(pair.split("=") for pair in self.game.view(state, self.game.to_move(state)).split())
        legal = [self.game.write_move(move) for move in self.game.legal_moves(state)]
        move, verdict = self.player.best(BOT.Turn(self.options, pairs, legal, monotonic() + 60))
        return self.game.read_move(str(move)), verdict


def mover_wins(game: Game[Any, Any], state: Any, known: dict[Hashable, bool]) -> bool:
    """Plain brute force over the rules: is some move followed by a position that the other loses?"""
    if state not in known:
        outcome = game.outcome(state)
        if outcome is not None:
            raise AssertionError("asked of a finished game")
        mover = game.to_move(state)
        known[state] = any(
            over.winner == mover if (over := game.outcome(after)) else not mover_wins(game, after, known)
            for after in (game.apply(state, move) for move in game.legal_moves(state))
        )
    return known[state]


def reachable(game: Game[Any, Any], state: Any) -> Iterator[Any]:
    """Every unfinished position from here on, once each."""
    seen, todo = {state}, [state]
    while todo:
        here = todo.pop()
        if game.outcome(here) is not None:
            continue
        yield here
        for move in game.legal_moves(here):
            after = game.apply(here, move)
            if after not in seen:
                seen.add(after)
                todo.append(after)


SMALL = [
    ("squares", {"total": 150}),
    ("primes", {"n": 150}),
    ("sum-to-zero", {"limit": 4}),
    ("grid", {"score": 8, "size": 3}),
    ("grid", {"score": 12, "size": 3}),
    ("linked", {"n": 24}),
    ("linked", {"n": 24, "allow_one": False}),
]


@pytest.mark.parametrize(("game_id", "given"), SMALL)
def test_agrees_with_brute_force_in_every_position_of_small_games(
    game_id: str, given: dict[str, Any]
) -> None:
    game = get_game(game_id)
    options = game.options(given)
    perfect, known = Perfect(game, options), dict[Hashable, bool]()
    for state in reachable(game, game.start(options, 1)):
        move, verdict = perfect(state)
        won = mover_wins(game, state, known)
        assert game.refusal(state, move) is None
        assert verdict == ("won" if won else "lost"), state
        if won:
            after = game.apply(state, move)
            assert game.outcome(after) is not None or not mover_wins(game, after, known), (state, move)


BOOKS: list[tuple[str, dict[str, Any]]] = [
    ("squares", {"total": 400}),
    ("primes", {"n": 400}),
    ("sum-to-zero", {}),
    ("grid", {}),
    ("grid", {"score": 26}),
    ("linked", {}),
    ("linked", {"n": 100}),
    ("linked", {"n": 90, "allow_one": False}),
]


@pytest.mark.parametrize(("game_id", "given"), BOOKS)
def test_agrees_with_the_solver_along_random_games_of_the_books_sizes(
    game_id: str, given: dict[str, Any]
) -> None:
    game = get_game(game_id)
    options = game.options(given)
    perfect, solver, rng = Perfect(game, options), Solver(game), random.Random(5)
    for seed in range(6):
        state = game.start(options, seed)
        while game.outcome(state) is None:
            solution = solver.solve(state)
            move, verdict = perfect(state)
            assert verdict == ("won" if solution.winner == game.to_move(state) else "lost"), state
            assert verdict == "lost" or move in solution.winning_moves, (state, move)
            state = game.apply(state, rng.choice(list(game.legal_moves(state))))


@pytest.mark.parametrize(
    ("game_id", "given"),
    [
        ("squares", {"total": 10**9}),
        ("primes", {"n": 10**9}),
        ("sum-to-zero", {"limit": 500}),
        ("grid", {"score": 10**6, "size": 30}),
        ("linked", {"n": 10**9}),
        ("linked", {"n": 10**9, "allow_one": False}),
    ],
)
def test_out_of_time_it_still_plays_legally(game_id: str, given: dict[str, Any]) -> None:
    game = get_game(game_id)
    options = game.options(given)
    told = {name: str(value).lower() for name, value in options.model_dump().items()}
    player = BOT.players()[game_id]
    state = game.start(options, 1)
    for _ in range(4):
        pairs = dict(pair.split("=") for pair in game.view(state, game.to_move(state)).split())
        move, _verdict = player.best(BOT.Turn(told, pairs, [], monotonic()))
        read = game.read_move(str(move))
        assert game.refusal(state, read) is None
        state = game.apply(state, read)
        if game.outcome(state) is not None:
            break
