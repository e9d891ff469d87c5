"""A series: its ids, seeds and seats, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.bot import BotSpec
from arena.catalogue import get_game
from arena.errors import UsageError
from arena.series import make_series

ALICE = BotSpec("alice", "a" * 12, ("/bin/true",))
BOB = BotSpec("bob", "b" * 12, ("/bin/true",))
SQUARES = get_game("squares")


def test_each_start_is_played_in_both_seatings_under_ids_that_say_so() -> None:
    series = make_series(SQUARES, [ALICE, BOB], {"total": 60}, 5, 7)
    fixtures = list(series.fixtures())
    assert [(fixture.id, seats) for fixture, seats in fixtures] == [
        ("squares.alice.bob.1a", (0, 1)),
        ("squares.alice.bob.1b", (1, 0)),
        ("squares.alice.bob.2a", (0, 1)),
        ("squares.alice.bob.2b", (1, 0)),
        ("squares.alice.bob.3a", (0, 1)),
    ]
    assert [fixture.options for fixture, _ in fixtures] == [{"total": 60}] * 5


def test_the_first_start_has_the_seed_of_the_series_and_the_others_their_own() -> None:
    seeds = [fixture.seed for fixture, _ in make_series(SQUARES, [ALICE, BOB], {}, 6, 7).fixtures()]
    assert seeds[:2] == [7, 7]
    assert seeds[2] == seeds[3]
    assert len(set(seeds)) == 3


def test_a_longer_series_begins_like_a_shorter_one() -> None:
    short = list(make_series(SQUARES, [ALICE, BOB], {}, 3, 7).fixtures())
    long = list(make_series(SQUARES, [ALICE, BOB], {}, 9, 7).fixtures())
    assert long[:3] == short


def test_options_are_completed_with_their_defaults() -> None:
    assert make_series(get_game("linked"), [ALICE, BOB], {"n": 30}, 1, 1).options == {
        "n": 30,
        "allow_one": True,
    }


def test_two_bots_of_one_name_get_names_of_their_own() -> None:
    assert [bot.name for bot in make_series(SQUARES, [ALICE, ALICE], {}, 1, 1).bots] == ["alice", "alice-2"]


def test_a_bot_that_does_not_play_the_game_is_refused() -> None:
    with pytest.raises(UsageError, match=r"bob does not play squares: its bot\.toml says grid"):
        make_series(SQUARES, [ALICE, replace(BOB, games=("grid",))], {}, 1, 1)


@pytest.mark.parametrize(
    ("options", "count", "seed", "words"),
    [
        ({"total": 0}, 1, 1, "option total of squares"),
        ({"size": 4}, 1, 1, "squares has no option 'size'"),
        ({}, 0, 1, "1 match or more"),
        ({}, 1, -1, "a seed is 0 or more"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, int], count: int, seed: int, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_series(SQUARES, [ALICE, BOB], options, count, seed)
