"""Subtraction Squares: take a perfect square from the common total; who reaches exactly 0 wins.

Owns the rules of `squares`. Raises MalformedMove for a text that is no number, OptionError for a wrong start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import Annotated, ClassVar, NamedTuple

from pydantic import Field

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number
from games.numbers import listed, whole_number

_ROOTS_KEPT = 1_000
_SQUARES = tuple(root * root for root in range(1, _ROOTS_KEPT + 1))
_REACHED = "{winner} reached 0"
_NO_MOVE = "{loser} has no valid move"


class State(NamedTuple):
    """What is left of the total, and whose turn it is."""

    total: int
    seat: Seat


class SquaresOptions(GameOptions):
    """The start of a game of Subtraction Squares."""

    total: Annotated[int, whole_number(1, 10**9)] = Field(
        default=100, ge=1, le=10**9, description="the common total of points at the start"
    )


class Squares(Game[State, int]):
    """The rules of Subtraction Squares."""

    id = "squares"
    title = "Subtraction Squares"
    summary = "Subtract a perfect square from the common total; whoever reaches exactly 0 wins."
    options_type = SquaresOptions
    rules = """\
# Subtraction Squares

Two players share one total of points (100 unless agreed otherwise) and take turns; Player 1 begins.

- On your turn you subtract a perfect square (1, 4, 9, 16, 25, ...) that is not greater than the total.
- You win when the total is exactly 0 after your move.
- A player who has no valid move loses. As 1 is a square, that cannot happen while points are left.
- Nobody may pass. A number that is not a square, or exceeds the total, is refused and asked for again.
- There are no draws.

With a total of 50 the valid moves are 1, 4, 9, 16, 25, 36 and 49.
"""

    least_root: ClassVar[int] = 1
    """The root of the least square that may be taken. A variant with a greater one knows 'no valid move'."""

    def start(self, options: SquaresOptions, seed: int) -> State:  # nothing is random here
        return State(options.total, 1)

    def max_moves(self, options: SquaresOptions) -> int:
        return options.total

    def to_move(self, state: State) -> Seat:
        return state.seat

    def legal_moves(self, state: State) -> Iterable[int]:
        last = isqrt(state.total)
        if last <= _ROOTS_KEPT:
            return _SQUARES[self.least_root - 1 : last]
        return (root * root for root in range(self.least_root, last + 1))

    def refusal(self, state: State, move: int) -> Refusal | None:
        if 0 < move <= state.total:
            root = isqrt(move)
            if root * root == move and root >= self.least_root:
                return None
        if move > state.total:
            return Refusal(f"{move} is greater than the total, {state.total}")
        least = self.least_root**2
        return Refusal(f"{move} is not a perfect square from {least} to {state.total}")

    def apply(self, state: State, move: int) -> State:
        return State(state.total - move, 3 - state.seat)

    def outcome(self, state: State) -> Outcome | None:
        if state.total >= self.least_root**2:
            return None
        return Outcome(3 - state.seat, _NO_MOVE if state.total else _REACHED)

    def view(self, state: State, seat: Seat) -> str:  # both seats see the same
        return f"total={state.total}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def canonical(self, state: State) -> int:
        return state.total

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        total, other = state.total, 3 - state.seat
        for move in self.legal_moves(state):
            yield move, State(total - move, other)

    def picture(self, state: State) -> str:
        return f"Total: {state.total}"

    def announce_start(self, state: State) -> str:
        return f"Game Start! Total points: {state.total}\n\n"

    def announce_turn(self, state: State) -> str:
        choices = listed(self.legal_moves(state), lambda: isqrt(state.total) ** 2)
        word = "choices" if "," in choices else "choice"
        return f"Player {state.seat}'s turn.\nEnter a perfect square to subtract (Valid {word}: {choices}): "

    def announce_move(self, before: State, move: int, after: State) -> str:
        return f"You subtracted {move}.\nNew total is {after.total}.\n\n"

    def announce_end(self, state: State, outcome: Outcome) -> str:
        why = f"{outcome.sentence()}.\n" if outcome.reason == _NO_MOVE else ""
        return f"{why}Player {outcome.winner} wins the game!\n"
