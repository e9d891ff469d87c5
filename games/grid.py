"""Subtraction Square: take numbers from a grid off the opponent's score; who brings it to exactly 0 wins.

Owns the rules of `grid`. Raises MalformedMove for a text that is no number, OptionError for a wrong start.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from math import isqrt
from random import Random
from typing import Annotated, NamedTuple

from pydantic import Field

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number
from games.numbers import members, whole_number

_ZERO = "{winner} brought {loser}'s score to 0"
_NO_MOVE = "{loser} has no valid move"
_LARGEST = 30 * 30


class State(NamedTuple):
    """The position as the player to move has it.

    `mask` has bit k set while the number k can be taken. `cells` is the grid row by row, as the `state` line
    writes it but with a comma at both ends (",x,12,1,"): so a move is one replacement, and a view is a slice.
    """

    mine: int
    theirs: int
    mask: int
    cells: str
    seat: Seat


class GridOptions(GameOptions):
    """The start of a game of Subtraction Square."""

    score: Annotated[int, whole_number(1, 10**6)] = Field(
        default=20, ge=1, le=10**6, description="the score that each player starts with"
    )
    size: Annotated[int, whole_number(1, 30)] = Field(
        default=4,
        ge=1,
        le=30,
        description="rows and columns of the grid, which holds the numbers 1 to size * size",
    )


class Grid(Game[State, int]):
    """The rules of Subtraction Square."""

    id = "grid"
    title = "Subtraction Square"
    summary = "Take a number from the grid off the opponent's score; whoever brings it to exactly 0 wins."
    options_type = GridOptions
    rules = """\
# Subtraction Square

A square grid, 4 by 4 unless agreed otherwise, holds the numbers 1 to 16, shuffled. Each player starts with a
score of 20. They take turns; Player 1 begins.

- On your turn you take one number from the grid. It is subtracted from your opponent's score, and is gone.
- The number must not be greater than your opponent's score: no score goes below 0.
- You win when your opponent's score is exactly 0 after your move.
- A player who has no valid move loses: every number left is too great, or the grid is empty.
- Nobody may pass. A number that is taken, too great or not in the grid is refused and asked for again.
- Where a number stands in the grid has no effect. There are no draws.

When your opponent has 4, you may take 1, 2, 3 or 4 if they are still there, and 4 wins.
"""

    def start(self, options: GridOptions, seed: int) -> State:
        numbers = list(range(1, options.size**2 + 1))
        Random(seed).shuffle(numbers)
        return self.arranged(numbers, options.score)

    def arranged(self, numbers: Iterable[int], score: int) -> State:
        """The start with the numbers standing in this order, row by row."""
        numbers = list(numbers)
        mask = sum(1 << number for number in numbers)
        return State(score, score, mask, f",{','.join(map(str, numbers))},", 1)

    def max_moves(self, options: GridOptions) -> int:
        return options.size**2

    def to_move(self, state: State) -> Seat:
        return state.seat

    def legal_moves(self, state: State) -> tuple[int, ...]:
        if not state.mine:
            return ()
        left = members(state.mask)
        return left[: bisect_right(left, state.theirs)]

    def refusal(self, state: State, move: int) -> Refusal | None:
        mine, theirs, mask, _, _ = state
        if 0 < move <= theirs and move <= _LARGEST and mask >> move & 1 and mine:
            return None
        if not mine:
            return Refusal("the game is over")
        if not 0 < move <= _LARGEST or not mask >> move & 1:
            return Refusal(f"{move} is not in the grid any more, or never was")
        return Refusal(f"{move} is greater than the opponent's score, {theirs}")

    def apply(self, state: State, move: int) -> State:
        mine, theirs, mask, cells, seat = state
        # The mover's score is the opponent's to attack next: the two change places.
        return State(theirs - move, mine, mask ^ (1 << move), cells.replace(f",{move},", ",x,"), 3 - seat)

    def outcome(self, state: State) -> Outcome | None:
        mine, theirs, mask, _, seat = state
        if not mine:
            return Outcome(3 - seat, _ZERO)
        least = (mask & -mask).bit_length() - 1
        return None if 0 < least <= theirs else Outcome(3 - seat, _NO_MOVE)

    def view(self, state: State, seat: Seat) -> str:
        you, opponent = (state.mine, state.theirs) if seat == state.seat else (state.theirs, state.mine)
        return f"you={you} opponent={opponent} grid={state.cells[1:-1]}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def canonical(self, state: State) -> tuple[int, int, int]:
        mine, theirs, mask, _, _ = state
        if not mine:
            return (0, 0, 0)
        # A number above both scores can never be taken: scores only fall.
        highest = mine if mine > theirs else theirs
        if mask.bit_length() > highest + 1:
            mask &= (2 << highest) - 1
        return (mine, theirs, mask)

    def picture(self, state: State) -> str:
        scores = (state.mine, state.theirs) if state.seat == 1 else (state.theirs, state.mine)
        return f"{_drawn(state.cells)}\nPlayer 1 Score: {scores[0]}\nPlayer 2 Score: {scores[1]}"

    def announce_start(self, state: State) -> str:  # the book begins with the first turn
        return ""

    def announce_turn(self, state: State) -> str:
        return (
            f"--- Player {state.seat}'s Turn ---\n\n"
            f"Current Grid:\n{_drawn(state.cells)}\n\n"
            f"Your Score: {state.mine}\nOpponent's Score: {state.theirs}\n\n"
            "Select a number from the grid to subtract from your opponent's score:\n> "
        )

    def announce_move(self, before: State, move: int, after: State) -> str:
        rule = "---\n\n" if self.outcome(after) is None else ""
        return (
            f"\nYou selected {move}.\n\n"
            f"Opponent's new score: {after.mine}\n\n"
            f"Number {move} has been removed from the grid.\n\n{rule}"
        )

    def announce_end(self, state: State, outcome: Outcome) -> str:
        if outcome.reason == _ZERO:
            return f"Player {outcome.winner} wins by reducing Player {3 - outcome.winner}'s score to zero.\n"
        why = f"{outcome.sentence()}.\n" if outcome.reason == _NO_MOVE else ""
        return f"{why}Player {outcome.winner} wins the game!\n"


def _drawn(cells: str) -> str:
    """The grid in rows, each number in its box."""
    texts = cells[1:-1].upper().split(",")
    size = isqrt(len(texts))
    width = max(2, len(str(len(texts))))
    boxes = [f"[{text:>{width}} ]" for text in texts]
    return "\n".join("".join(boxes[row : row + size]) for row in range(0, len(boxes), size))
