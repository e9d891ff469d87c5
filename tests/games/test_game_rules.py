"""What must hold for every bundled game, and the readings that the contract fixes."""

from __future__ import annotations

import pickle
import re
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.catalogue import game_ids, get_game
from games.grid import Grid
from games.interface import Game, MalformedMove, read_number
from games.linked import Linked
from games.primes import Primes
from games.squares import Squares
from games.sum_to_zero import SumToZero

BUNDLED = [game for game in map(get_game, game_ids()) if type(game).__module__.startswith("games.")]
every_game = pytest.mark.parametrize("game", BUNDLED, ids=lambda game: game.id)

SMALL: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "squares": st.fixed_dictionaries({"total": st.integers(1, 300)}),
    "primes": st.fixed_dictionaries({"n": st.integers(2, 300)}),
    "sum-to-zero": st.fixed_dictionaries({"limit": st.integers(1, 12)}),
    "grid": st.fixed_dictionaries({"score": st.integers(1, 60), "size": st.integers(1, 5)}),
    "linked": st.fixed_dictionaries({"n": st.integers(3, 300), "allow_one": st.booleans()}),
}
LARGEST: dict[str, dict[str, int]] = {
    "squares": {"total": 10**9},
    "primes": {"n": 10**9},
    "sum-to-zero": {"limit": 500},
    "grid": {"score": 10**6, "size": 30},
    "linked": {"n": 10**9},
}
NO_MOVES = [
    "+4",
    "4.0",
    "1_0",
    " 4",
    "4 ",
    "4\n",
    "٤",
    "04",
    "-0",
    "--4",
    "4-",
    "",
    "x",
    "0x4",
    "1e1",
    "４",
    "-",
]


def start(game: Game[Any, Any], seed: int = 0, **options: Any) -> Any:
    return game.start(game.options(options), seed)


def walk(game: Game[Any, Any], state: Any, plies: int, chance: Random) -> Any:
    """The position after some random legal moves, or at the end if that comes first."""
    for _ in range(plies):
        if game.outcome(state) is not None:
            break
        state = game.apply(state, chance.choice(list(game.legal_moves(state))))
    return state


@st.composite
def positions(draw: st.DrawFn, game: Game[Any, Any]) -> Any:
    """A position of this game, at most a few random moves after a small start."""
    options = game.options(draw(SMALL[game.id]))
    seed = draw(st.integers(0, 2**32))
    return walk(game, game.start(options, seed), draw(st.integers(0, 8)), Random(seed))


def test_the_five_games_are_installed() -> None:
    assert {game.id for game in BUNDLED} >= {"grid", "linked", "primes", "squares", "sum-to-zero"}


@every_game
@given(data=st.data())
def test_a_move_is_legal_exactly_when_it_is_listed(game: Game[Any, Any], data: st.DataObject) -> None:
    state = data.draw(positions(game))
    listed = list(game.legal_moves(state))
    assert listed == sorted(set(listed))
    for candidate in range(-15, 320):
        assert (game.refusal(state, candidate) is None) == (candidate in listed), candidate


@every_game
@given(data=st.data())
def test_no_method_changes_a_position(game: Game[Any, Any], data: st.DataObject) -> None:
    state = data.draw(positions(game))
    before, hashed = pickle.dumps(state), hash(state)
    for move in game.legal_moves(state):
        after = game.apply(state, move)
        assert after != state
        game.announce_move(state, move, after)
    game.view(state, 1), game.view(state, 2), game.canonical(state), game.outcome(state), game.picture(state)
    assert (pickle.loads(before), hash(state)) == (state, hashed)


@every_game
@given(data=st.data())
def test_a_random_game_ends_within_its_cap_with_one_winner(game: Game[Any, Any], data: st.DataObject) -> None:
    options = game.options(data.draw(SMALL[game.id]))
    seed = data.draw(st.integers(0, 2**32))
    state = walk(game, game.start(options, seed), game.max_moves(options), Random(seed))
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winner in (1, 2)
    assert not list(game.legal_moves(state))
    assert "{" not in outcome.sentence()


@every_game
@given(data=st.data())
def test_a_game_that_goes_on_has_a_legal_move(game: Game[Any, Any], data: st.DataObject) -> None:
    state = data.draw(positions(game))
    assert (game.outcome(state) is None) == bool(list(game.legal_moves(state)))


@every_game
@given(data=st.data())
def test_reading_what_was_written_gives_the_move_back(game: Game[Any, Any], data: st.DataObject) -> None:
    for move in game.legal_moves(data.draw(positions(game))):
        assert game.read_move(game.write_move(move)) == move


@every_game
@given(data=st.data())
def test_successors_are_the_legal_moves_applied(game: Game[Any, Any], data: st.DataObject) -> None:
    state = data.draw(positions(game))
    assert list(game.successors(state)) == [(m, game.apply(state, m)) for m in game.legal_moves(state)]


@every_game
@pytest.mark.parametrize("text", [*NO_MOVES, "9" * 100_000, "-" + "9" * 100_000, "0" * 100_000])
def test_what_is_not_plain_digits_is_no_move(game: Game[Any, Any], text: str) -> None:
    with pytest.raises(MalformedMove) as caught:
        game.read_move(text)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("04", "'04' has a leading zero, and a number is written without"),
        ("-04", "'-04' has a leading zero, and a number is written without"),
        ("1" * 21, f"'{'1' * 20}...' is too long: a number has at most 20 characters"),
        ("-" + "1" * 20, f"'-{'1' * 19}...' is too long: a number has at most 20 characters"),
        ("-0", "'-0' is not a whole number in plain digits, with a leading - if negative"),
        ("x" * 21, f"'{'x' * 20}...' is not a whole number in plain digits, with a leading - if negative"),
    ],
)
def test_a_malformed_number_is_told_with_its_true_reason(text: str, reason: str) -> None:
    with pytest.raises(MalformedMove) as caught:
        read_number(text, signed=True)
    assert str(caught.value) == reason


def test_a_minus_sign_is_the_fault_where_numbers_have_none() -> None:
    with pytest.raises(MalformedMove, match=r"'-04' is not a whole number in plain digits$"):
        read_number("-04")


@every_game
@given(text=st.text(alphabet=st.one_of(st.sampled_from("0123456789-+._ "), st.characters())))
def test_only_plain_digits_are_a_move(game: Game[Any, Any], text: str) -> None:
    sign = "-?" if game.id == "sum-to-zero" else ""
    if re.fullmatch(rf"0|{sign}[1-9][0-9]{{0,17}}", text):
        assert game.read_move(text) == int(text)
    else:
        with pytest.raises(MalformedMove):
            game.read_move(text)


@every_game
def test_a_minus_sign_is_a_number_only_where_the_game_has_negative_ones(game: Game[Any, Any]) -> None:
    if game.id == "sum-to-zero":
        assert game.read_move("-4") == -4
    else:
        with pytest.raises(MalformedMove):
            game.read_move("-4")


@every_game
@pytest.mark.parametrize("move", [0, -10, 10**9 + 1, 10**19, -(10**19)])
def test_a_number_far_from_every_legal_move_is_refused_with_a_reason(game: Game[Any, Any], move: int) -> None:
    refusal = game.refusal(start(game), move)
    assert refusal is not None
    assert str(move) in refusal.reason


@every_game
def test_one_move_is_judged_and_made_without_the_list_of_moves(
    game: Game[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = start(game, **LARGEST[game.id])
    move = list(islice(game.legal_moves(state), 3))[-1]

    def forbidden(self: Any, state: Any) -> Any:
        raise AssertionError("the list of legal moves was asked for")

    monkeypatch.setattr(type(game), "legal_moves", forbidden)
    assert game.refusal(state, move) is None
    after = game.apply(state, move)
    assert game.outcome(after) is None
    assert game.refusal(after, 0) is not None
    assert game.view(after, game.to_move(after))


@every_game
def test_the_turn_of_the_largest_start_is_announced_shortly(game: Game[Any, Any]) -> None:
    assert len(game.announce_turn(start(game, **LARGEST[game.id]))) < 8_000


def test_a_move_of_linked_with_a_million_is_judged_without_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Linked()
    monkeypatch.delattr("games.linked.divisors")
    state = game.apply(start(game, n=10**6), 360_360)
    assert game.refusal(state, 720_720) is not None  # above what is left
    assert game.refusal(state, 360_360) is None
    assert game.refusal(state, 13 * 11) is None
    assert game.refusal(state, 17) is not None
    assert game.outcome(state) is None


@pytest.mark.parametrize(
    ("game", "options", "moves", "view"),
    [
        (Squares(), {}, [36], "total=64"),
        (Primes(), {}, [7], "n=13"),
        (SumToZero(), {"limit": 3}, [2, -3], "sum=-1 pool=-2,-1,1,3"),
        (Linked(), {}, [], "n=50 previous=-"),
        (Linked(), {}, [5], "n=45 previous=5"),
    ],
)
def test_a_state_line_is_that_of_the_contract(
    game: Game[Any, Any], options: dict[str, Any], moves: list[int], view: str
) -> None:
    state = start(game, **options)
    for move in moves:
        state = game.apply(state, move)
    assert game.view(state, 1) == game.view(state, 2) == view


def test_each_seat_sees_its_own_score_first_in_grid() -> None:
    grid = Grid()
    state = grid.apply(grid.arranged((5, 12, 1, 8), 20), 5)
    assert grid.view(state, 1) == "you=20 opponent=15 grid=x,12,1,8"
    assert grid.view(state, 2) == "you=15 opponent=20 grid=x,12,1,8"


def test_a_grids_arrangement_comes_from_the_seed_and_changes_no_worth() -> None:
    grid = Grid()
    first, again, other = start(grid, seed=1), start(grid, seed=1), start(grid, seed=2)
    assert first == again
    assert first != other
    assert grid.canonical(first) == grid.canonical(other)
    assert sorted(map(int, first.cells[1:-1].split(","))) == list(range(1, 17))


def test_a_number_above_the_opponents_score_or_taken_is_refused_in_grid() -> None:
    grid = Grid()
    state = grid.apply(grid.arranged(range(1, 17), 10), 3)
    for move, why in (
        (3, "not in the grid"),
        (11, "greater than the opponent's score, 10"),
        (17, "not in the"),
    ):
        refusal = grid.refusal(state, move)
        assert refusal is not None
        assert why in refusal.reason
        assert not refusal.final


@pytest.mark.parametrize(("numbers", "scores"), [((5, 6), (4, 9)), ((), (4, 9))])
def test_a_player_without_a_number_that_fits_loses_in_grid(
    numbers: tuple[int, ...], scores: tuple[int, int]
) -> None:
    grid = Grid()
    theirs, mine = scores
    state = grid.arranged(numbers, theirs)._replace(mine=mine)
    outcome = grid.outcome(state)
    assert outcome is not None
    assert outcome.sentence() == "Player 1 has no valid move"


@given(data=st.data())
def test_changing_every_sign_changes_no_worth_in_sum_to_zero(data: st.DataObject) -> None:
    game = SumToZero()
    state = data.draw(positions(game))
    mirror = state._replace(sum=-state.sum, positive=state.negative, negative=state.positive)
    assert game.canonical(state) == game.canonical(mirror)


@every_game
def test_the_worth_of_a_position_does_not_depend_on_the_seats_number(game: Game[Any, Any]) -> None:
    state = start(game)
    assert game.canonical(state) == game.canonical(state._replace(seat=2))


def test_a_sum_of_zero_at_the_very_start_is_no_win() -> None:
    game = SumToZero()
    assert game.outcome(start(game)) is None


def test_with_one_left_there_is_no_prime_and_the_mover_loses() -> None:
    game = Primes()
    outcome = game.outcome(game.apply(start(game, n=3), 2))
    assert outcome is not None
    assert (outcome.winner, outcome.sentence()) == (1, "Player 2 has no valid move")


def test_a_variant_of_squares_without_1_knows_no_valid_move() -> None:
    class WithoutOne(Squares):
        least_root = 2

    game = WithoutOne()
    state = start(game, total=6)
    assert list(game.legal_moves(state)) == [4]
    assert game.refusal(state, 1) is not None
    outcome = game.outcome(game.apply(state, 4))
    assert outcome is not None
    assert (outcome.winner, outcome.sentence()) == (1, "Player 2 has no valid move")


def test_the_first_number_of_linked_is_less_than_n_and_n_itself_is_asked_for_again() -> None:
    game = Linked()
    state = start(game, n=50)
    assert game.refusal(state, 49) is None
    refusal = game.refusal(state, 50)
    assert refusal is not None
    assert not refusal.final


def test_a_number_above_n_loses_at_once_in_linked() -> None:
    game = Linked()
    state = start(game, n=50)
    for position, move in ((state, 51), (game.apply(state, 20), 31), (game.apply(state, 20), 40)):
        refusal = game.refusal(position, move)
        assert refusal is not None
        assert refusal.final


def test_without_one_a_player_of_linked_can_be_out_of_moves() -> None:
    game = Linked()
    state = game.apply(start(game, n=12, allow_one=False), 7)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.sentence() == "Player 2 has no valid move"
    assert game.outcome(game.apply(start(game, n=12), 7)) is None
