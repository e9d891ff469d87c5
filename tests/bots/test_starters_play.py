"""Every starter, made, built and played as its new owner would."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import HUGE_STARTS, STARTS, Talk, build, play, table

from arena.catalogue import get_game
from arena.starter import TOOLS, make_starter
from bots import bundled


@pytest.fixture(scope="module", params=TOOLS)
def starter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A starter of each language, built."""
    made = make_starter("newcomer", request.param, tmp_path_factory.mktemp(request.param))
    return build(made.folder, made.folder.with_name("built"))


def test_plays_whole_legal_games_in_both_seats(starter: Path) -> None:
    with table(starter, bundled()["random"]) as (bot, other):
        for game_id, given in STARTS.items():
            for seats in ((bot, other), (other, bot)):
                play(game_id, seats, given)


@pytest.mark.parametrize("game_id", ["squares", "primes", "linked"])
def test_plays_legally_where_the_moves_are_too_many_to_list(starter: Path, game_id: str) -> None:
    game = get_game(game_id)
    state = game.start(game.options(HUGE_STARTS[game_id]), 1)
    with Talk(starter) as talk:
        for opening in ("", "2" if game_id != "squares" else "4"):
            here = game.apply(state, game.read_move(opening)) if opening else state
            talk.start(game_id, 1, HUGE_STARTS[game_id])
            text = talk.ask(game_id, here)
            assert game.refusal(here, game.read_move(text)) is None


def test_the_same_seed_gives_the_same_game(starter: Path) -> None:
    games = []
    for seed in (5, 5, 6):
        with table(starter, starter) as seats:
            games.append([play("sum-to-zero", seats, {}, seed)[1] for _ in range(2)])
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_ends_quietly_on_quit_and_at_the_end_of_its_input(starter: Path) -> None:
    assert Talk(starter).leave() == 0
    assert Talk(starter).leave(by_word=False) == 0
