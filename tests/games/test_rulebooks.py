"""The worked examples and the sample sessions of the five rule books, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from games.grid import Grid
from games.interface import Game
from games.linked import Linked
from games.primes import Primes
from games.squares import Squares
from games.sum_to_zero import SumToZero

Transcript = Callable[..., str]

BOOK_GRID = (5, 12, 1, 8, 3, 16, 7, 2, 9, 4, 11, 14, 6, 10, 13, 15)

SQUARES_SESSION = """\
Game Start! Total points: 100

Player 1's turn.
Enter a perfect square to subtract (Valid choices: 1, 4, 9, 16, 25, 36, 49, 64, 81, 100): 36
You subtracted 36.
New total is 64.

Player 2's turn.
Enter a perfect square to subtract (Valid choices: 1, 4, 9, 16, 25, 36, 49, 64): 49
You subtracted 49.
New total is 15.

Player 1's turn.
Enter a perfect square to subtract (Valid choices: 1, 4, 9): 9
You subtracted 9.
New total is 6.

Player 2's turn.
Enter a perfect square to subtract (Valid choices: 1, 4): 4
You subtracted 4.
New total is 2.

Player 1's turn.
Enter a perfect square to subtract (Valid choice: 1): 1
You subtracted 1.
New total is 1.

Player 2's turn.
Enter a perfect square to subtract (Valid choice: 1): 1
You subtracted 1.
New total is 0.

Player 2 wins the game!
"""

PRIMES_SESSION = """\
Game Start! The starting number is 20.
Player 1's turn.
Valid primes to subtract: 2, 3, 5, 7, 11, 13, 17, 19
Enter the prime number to subtract: 11
You chose to subtract 11.
New number is: 9

Player 2's turn.
Valid primes to subtract: 2, 3, 5, 7
Enter the prime number to subtract: 7
You chose to subtract 7.
New number is: 2

Player 1's turn.
Valid primes to subtract: 2
Enter the prime number to subtract: 2
You chose to subtract 2.
New number is: 0
Player 1 wins the game!
"""

SUM_TO_ZERO_SESSION = """\
Game Start!

Available Numbers: -9 -8 -7 -6 -5 -4 -3 -2 -1 1 2 3 4 5 6 7 8 9
Cumulative Sum: 0

Player 1's turn.
Select a number: 4
Player 1 selects 4.
Cumulative Sum is now 4.

Available Numbers: -9 -8 -7 -6 -5 -4 -3 -2 -1 1 2 3 5 6 7 8 9
Player 2's turn.
Select a number: -1
Player 2 selects -1.
Cumulative Sum is now 3.

Available Numbers: -9 -8 -7 -6 -5 -4 -3 -2 1 2 3 5 6 7 8 9
Player 1's turn.
Select a number: -3
Player 1 selects -3.
Cumulative Sum is now 0.
Player 1 wins the game!
"""

# The book's lists leave out 1 and 2; the contract's reading has every divisor.
LINKED_SESSION = """\
Game Start! The starting number is 20.

Player 1's turn.
Current N: 20
Enter a number to subtract: 4
Player 1 subtracts 4. New N is 16.

Player 2's turn.
Current N: 16
Previous number subtracted: 4
Valid numbers to subtract (divisors/multiples of 4, up to 16): 1, 2, 4, 8, 12, 16
Enter a number to subtract: 8
Player 2 subtracts 8. New N is 8.

Player 1's turn.
Current N: 8
Previous number subtracted: 8
Valid numbers to subtract (divisors/multiples of 8, up to 8): 1, 2, 4, 8
Enter a number to subtract: 8
Player 1 subtracts 8. New N is 0.

Player 1 wins!
"""

GRID_SESSION = """\
--- Player 1's Turn ---

Current Grid:
[ 5 ][12 ][ 1 ][ 8 ]
[ 3 ][16 ][ 7 ][ 2 ]
[ 9 ][ 4 ][11 ][14 ]
[ 6 ][10 ][13 ][15 ]

Your Score: 20
Opponent's Score: 20

Select a number from the grid to subtract from your opponent's score:
> 5

You selected 5.

Opponent's new score: 15

Number 5 has been removed from the grid.

---

--- Player 2's Turn ---

Current Grid:
[ X ][12 ][ 1 ][ 8 ]
[ 3 ][16 ][ 7 ][ 2 ]
[ 9 ][ 4 ][11 ][14 ]
[ 6 ][10 ][13 ][15 ]

Your Score: 15
Opponent's Score: 20

Select a number from the grid to subtract from your opponent's score:
> 16

You selected 16.

Opponent's new score: 4

Number 16 has been removed from the grid.

"""

SESSIONS: list[tuple[Game[Any, Any], dict[str, int], list[str], str]] = [
    (Squares(), {"total": 100}, ["36", "49", "9", "4", "1", "1"], SQUARES_SESSION),
    (Primes(), {"n": 20}, ["11", "7", "2"], PRIMES_SESSION),
    (SumToZero(), {"limit": 9}, ["4", "-1", "-3"], SUM_TO_ZERO_SESSION),
    (Linked(), {"n": 20}, ["4", "8", "8"], LINKED_SESSION),
]


@pytest.mark.parametrize(
    ("game", "options", "lines", "book"), SESSIONS, ids=lambda value: getattr(value, "id", "")
)
def test_the_sample_session_typed_in_gives_the_books_words(
    transcript: Transcript, game: Game[Any, Any], options: dict[str, int], lines: list[str], book: str
) -> None:
    assert transcript(game, game.start(game.options(options), seed=0), *lines) == book


def test_the_grid_books_session_gives_its_words_as_far_as_it_goes(transcript: Transcript) -> None:
    grid = Grid()
    said = transcript(grid, grid.arranged(BOOK_GRID, 20), "5", "16", "1", "4")
    assert said.startswith(GRID_SESSION)
    assert said.endswith("Player 2 wins by reducing Player 1's score to zero.\n")


def follow(game: Game[Any, Any], state: Any, moves: Iterable[int]) -> Any:
    """Play moves that must each be legal, while the game goes on."""
    for move in moves:
        assert game.outcome(state) is None
        assert game.refusal(state, move) is None
        state = game.apply(state, move)
    return state


WORKED: list[tuple[Game[Any, Any], dict[str, Any], list[int], int]] = [
    (Squares(), {"total": 100}, [36, 49, 9, 4, 1, 1], 2),
    (Primes(), {"n": 10}, [5, 5], 2),
    (Primes(), {"n": 15}, [2, 13], 2),
    (Primes(), {"n": 20}, [3, 17], 2),
    (SumToZero(), {}, [5, -2, -3], 1),
    (Linked(), {"n": 50}, [5, 15, 15, 15], 2),
    (Linked(), {"n": 18}, [9, 9], 2),
    (Linked(), {"n": 50, "allow_one": False}, [5, 15, 15, 15], 2),
]


@pytest.mark.parametrize(("game", "options", "moves", "winner"), WORKED)
def test_a_worked_example_is_won_by_whom_the_book_says(
    game: Game[Any, Any], options: dict[str, Any], moves: list[int], winner: int
) -> None:
    outcome = game.outcome(follow(game, game.start(game.options(options), seed=0), moves))
    assert outcome is not None
    assert outcome.winner == winner


def test_the_grids_worked_example_has_the_books_scores_and_winner() -> None:
    grid = Grid()
    state = grid.arranged(BOOK_GRID, 20)
    scores = []
    for move in (5, 16, 1, 4):
        state = follow(grid, state, [move])
        scores.append(grid.picture(state).splitlines()[-2:])
    assert scores == [
        ["Player 1 Score: 20", "Player 2 Score: 15"],
        ["Player 1 Score: 4", "Player 2 Score: 15"],
        ["Player 1 Score: 4", "Player 2 Score: 14"],
        ["Player 1 Score: 0", "Player 2 Score: 14"],
    ]
    outcome = grid.outcome(state)
    assert outcome is not None
    assert outcome.sentence(("ann", "bob")) == "bob brought ann's score to 0"


@pytest.mark.parametrize(
    ("game", "options", "moves", "valid"),
    [
        (Squares(), {"total": 50}, [], [1, 4, 9, 16, 25, 36, 49]),
        (Squares(), {"total": 10}, [], [1, 4, 9]),
        (Primes(), {"n": 10}, [], [2, 3, 5, 7]),
        (Primes(), {"n": 15}, [], [2, 3, 5, 7, 11, 13]),
        (Primes(), {"n": 20}, [3], [2, 3, 5, 7, 11, 13, 17]),
        (Linked(), {"n": 50}, [5], [1, 5, 10, 15, 20, 25, 30, 35, 40, 45]),
        (Linked(), {"n": 50, "allow_one": False}, [5], [5, 10, 15, 20, 25, 30, 35, 40, 45]),
        (Linked(), {"n": 50}, [5, 15], [1, 3, 5, 15, 30]),
        (Linked(), {"n": 18}, [9], [1, 3, 9]),
        (Linked(), {"n": 18, "allow_one": False}, [9], [3, 9]),
    ],
)
def test_the_valid_moves_are_those_of_the_book(
    game: Game[Any, Any], options: dict[str, Any], moves: list[int], valid: list[int]
) -> None:
    state = follow(game, game.start(game.options(options), seed=0), moves)
    assert list(game.legal_moves(state)) == valid


def test_an_exhausted_pool_is_won_by_the_last_mover() -> None:
    game = SumToZero()
    state = game.start(game.options({"limit": 2}), seed=0)
    state = follow(game, state, [1, 2, -1, -2])
    outcome = game.outcome(state)  # the whole pool always sums to 0, so the last mover wins either way
    assert outcome is not None
    assert outcome.winner == 2

    odd_pool = state._replace(sum=3, positive=0b10, negative=0, seat=1, winner=0)
    outcome = game.outcome(game.apply(odd_pool, 1))
    assert outcome is not None
    assert (outcome.winner, outcome.sentence()) == (1, "Player 1 took the last number of the pool")
