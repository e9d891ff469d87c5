"""The start options: their defaults, their ranges, and what is said of a wrong one."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field

from arena.catalogue import get_game, parse_options
from arena.errors import UsageError
from games.interface import GameOptions, OptionError
from games.squares import Squares

RANGES = [
    ("squares", "total", 100, 1, 10**9),
    ("primes", "n", 20, 2, 10**9),
    ("sum-to-zero", "limit", 9, 1, 500),
    ("grid", "score", 20, 1, 10**6),
    ("grid", "size", 4, 1, 30),
    ("linked", "n", 50, 2, 10**9),
]
every_range = pytest.mark.parametrize(("game", "option", "default", "low", "high"), RANGES)


@every_range
def test_an_option_has_its_default_and_takes_both_ends_of_its_range(
    game: str, option: str, default: int, low: int, high: int
) -> None:
    options = get_game(game).options
    assert getattr(options(), option) == default
    for value in (low, high):
        assert getattr(options({option: value}), option) == value
        assert getattr(options({option: str(value)}), option) == value


@every_range
def test_a_value_out_of_range_is_refused_with_the_range(
    game: str, option: str, default: int, low: int, high: int
) -> None:
    wrong: list[Any] = [
        low - 1,
        high + 1,
        str(high + 1),
        "abc",
        "",
        "4.0",
        4.5,
        4.0,
        True,
        None,
        "1_0",
        "+4",
        " 4",
    ]
    for value in wrong:
        with pytest.raises(OptionError) as caught:
            get_game(game).options({option: value})
        expected = f"option {option} of {game}: must be a whole number from {low} to {high}, not {value!r}"
        assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("given", "shown"), [("9" * 5000, f"'{'9' * 20}...'"), ([1] * 5000, f"{str([1] * 5000)[:40]}...")]
)
def test_a_long_wrong_value_is_not_repeated_whole(given: Any, shown: str) -> None:
    with pytest.raises(OptionError) as caught:
        get_game("linked").options({"n": given})
    expected = f"option n of linked: must be a whole number from 2 to 1000000000, not {shown}"
    assert str(caught.value) == expected


@pytest.mark.parametrize("word", ["x" * 5000, "x" * 5000 + "=1"])
def test_a_long_wrong_word_is_not_repeated_whole(word: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(get_game("linked"), [word])
    assert "'xxxxxxxxxxxxxxxxxxxx...'" in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("typed", "meant"), [("true", True), ("FALSE", False), (True, True), ("no", False)])
def test_true_and_false_are_read_as_typed(typed: Any, meant: bool) -> None:
    assert get_game("linked").options({"allow_one": typed}).allow_one is meant


@pytest.mark.parametrize("typed", ["maybe", "", 2, None, []])
def test_anything_else_is_neither_true_nor_false(typed: Any) -> None:
    with pytest.raises(OptionError, match="option allow_one of linked: must be true or false, not"):
        get_game("linked").options({"allow_one": typed})


def test_linked_without_one_needs_a_first_move() -> None:
    with pytest.raises(OptionError) as caught:
        get_game("linked").options({"n": "2", "allow_one": "false"})
    assert str(caught.value) == "option n of linked: must be 3 or more when allow_one is false, not 2"


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError) as caught:
        get_game("grid").options({"colour": 4})
    assert str(caught.value) == "grid has no option 'colour' (its options: score, size)"


def test_an_option_that_is_nearly_one_is_named() -> None:
    with pytest.raises(OptionError) as caught:
        get_game("grid").options({"sise": 4})
    assert str(caught.value) == "grid has no option 'sise': did you mean 'size'?"


@pytest.mark.parametrize("game", ["grid", "linked", "primes", "squares", "sum-to-zero"])
def test_every_option_is_described(game: str) -> None:
    assert all(field.description for field in get_game(game).options_type.model_fields.values())


class Board(GameOptions):
    size: int = Field(3, ge=3, le=9)


class SizedSquares(Squares):
    options_type = Board


@pytest.mark.parametrize("given", ["2", "x", 10])
def test_an_option_of_an_added_game_is_refused_with_its_range(given: object) -> None:
    with pytest.raises(OptionError, match="option size of squares: must be a whole number from 3 to 9, not"):
        SizedSquares().options({"size": given})
