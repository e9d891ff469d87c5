"""The searching bot finds what can be seen, and plays on where it cannot be."""

from __future__ import annotations

import importlib.util
import random
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
    spec = importlib.util.spec_from_file_location("searcher_bot", bundled()["searcher"] / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BOT = load()


def position(game: Game[Any, Any], options: Any, state: Any) -> tuple[Any, Any]:
    """The rules function and the position that the bot makes of the protocol's lines."""
    told = {name: str(value).lower() for name, value in options.model_dump().items()}
    pairs = dict(pair.split("=") for pair in game.view(state, game.to_move(state)).split())
    return BOT.read_position(game.id, told, pairs)  # type: ignore[no-any-return]  # a bot has no annotations


def states(game_id: str, given: dict[str, Any], games: int) -> list[tuple[Game[Any, Any], Any, Any]]:
    """The unfinished positions of a few random games."""
    game, rng, found = get_game(game_id), random.Random(3), []
    options = game.options(given)
    for seed in range(games):
        state = game.start(options, seed)
        while game.outcome(state) is None:
            found.append((game, options, state))
            state = game.apply(state, rng.choice(list(game.legal_moves(state))))
    return found


SMALL: list[tuple[str, dict[str, Any]]] = [
    ("squares", {"total": 120}),
    ("primes", {"n": 80}),
    ("sum-to-zero", {"limit": 5}),
    ("grid", {}),
    ("linked", {"n": 40}),
    ("linked", {"n": 40, "allow_one": False}),
]


@pytest.mark.parametrize(("game_id", "given"), SMALL)
def test_its_own_rules_are_the_games_rules(game_id: str, given: dict[str, Any]) -> None:
    for game, options, state in states(game_id, given, games=8):
        after, here = position(game, options, state)
        assert {move for move, _ in after(here)} == set(game.legal_moves(state)), state
        for move, then in after(here):
            assert (not after(then)) == (game.outcome(game.apply(state, move)) is not None), (state, move)


@pytest.mark.parametrize(("game_id", "given"), SMALL)
def test_keeps_every_win_in_games_that_it_can_see_to_the_end(game_id: str, given: dict[str, Any]) -> None:
    solver = Solver(get_game(game_id))
    for game, options, state in states(game_id, given, games=3):
        solution = solver.solve(state)
        after, here = position(game, options, state)
        started = monotonic()
        move = BOT.Search(after, started + 120, random.Random(1)).prove(here)
        if solution.winner == game.to_move(state):
            assert move in solution.winning_moves, state
        else:
            assert move is None, state


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
    state = game.start(options, 1)
    for _ in range(3):
        after, here = position(game, options, state)
        move = BOT.Search(after, monotonic(), random.Random(1)).best(here, monotonic())
        assert game.refusal(state, move) is None
        state = game.apply(state, move)
        if game.outcome(state) is not None:
            break
