"""Linked Subtract: take a divisor or multiple of the number before; who reaches exactly 0 wins.

Owns the rules of `linked`. Raises MalformedMove for a text that is no number, OptionError for a wrong start.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, NamedTuple

from pydantic import Field, model_validator

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number
from games.numbers import TRUE_OR_FALSE, divisors, listed, whole_number

_REACHED = "{winner} reached 0"
_NO_MOVE = "{loser} has no valid move"


class State(NamedTuple):
    """What is left of N, the number subtracted before (0 before the first move), the rule and the turn."""

    n: int
    previous: int
    allow_one: bool
    seat: Seat


class LinkedOptions(GameOptions):
    """The start of a game of Linked Subtract."""

    n: Annotated[int, whole_number(2, 10**9)] = Field(
        default=50, ge=2, le=10**9, description="the number N that the game starts with; 3 or more without 1"
    )
    allow_one: Annotated[bool, TRUE_OR_FALSE] = Field(default=True, description="whether 1 may be subtracted")

    @model_validator(mode="after")
    def _first_move_exists(self) -> LinkedOptions:
        if self.n == 2 and not self.allow_one:
            raise ValueError("option n of linked: must be 3 or more when allow_one is false, not 2")
        return self


class Linked(Game[State, int]):
    """The rules of Linked Subtract."""

    id = "linked"
    title = "Linked Subtract"
    summary = "Subtract a divisor or multiple of the number before; whoever reaches exactly 0 wins."
    options_type = LinkedOptions
    rules = """\
# Linked Subtract

Two players share one number N (50 unless agreed otherwise) and take turns; Player 1 begins.

- The first move subtracts any number from 1 to N - 1.
- Every later move subtracts a divisor or a multiple of the number that was subtracted just before, up to N.
  1 and that number itself are among them.
- You win when N is exactly 0 after your move.
- A number above N loses at once, because N would go negative: it is not asked for again.
- Any other number that does not fit is refused and asked for again. Nobody may pass.
- A player who has no valid move loses. There are no draws.
- With `allow_one=false` the number 1 may never be subtracted, not even first. Only then can a player be
  without a valid move.

After 15 was subtracted and 30 are left, the valid moves are 1, 3, 5, 15 and 30.
"""

    def start(self, options: LinkedOptions, seed: int) -> State:  # nothing is random here
        return State(options.n, 0, options.allow_one, 1)

    def max_moves(self, options: LinkedOptions) -> int:
        return options.n

    def to_move(self, state: State) -> Seat:
        return state.seat

    def legal_moves(self, state: State) -> Iterable[int]:
        n, previous, allow_one, _ = state
        least = 1 if allow_one else 2
        if not previous:
            return range(least, n)
        below = divisors(previous)
        fitting = below[least - 1 : bisect_right(below, n)]
        multiples = range(2 * previous, n + 1, previous)
        return chain(fitting, multiples) if multiples else fitting

    def refusal(self, state: State, move: int) -> Refusal | None:
        n, previous, allow_one, _ = state
        if move > n:
            return Refusal(f"{move} is greater than N, {n}: N would go negative, which loses at once", True)
        if move < 1:
            return Refusal(f"{move} is not a positive number")
        if move == 1 and not allow_one:
            return Refusal("1 may never be subtracted in this game (allow_one=false)")
        if not previous:
            return None if move < n else Refusal(f"the first number must be less than N, {n}")
        if previous % move and move % previous:
            return Refusal(f"{move} is neither a divisor nor a multiple of {previous}")
        return None

    def apply(self, state: State, move: int) -> State:
        return State(state.n - move, move, state.allow_one, 3 - state.seat)

    def outcome(self, state: State) -> Outcome | None:
        n, previous, allow_one, seat = state
        if not n:
            return Outcome(3 - seat, _REACHED)
        # With 1 allowed there is always a move; without, the least divisor above 1 must fit.
        if allow_one or previous <= n or divisors(previous)[1] <= n:
            return None
        return Outcome(3 - seat, _NO_MOVE)

    def view(self, state: State, seat: Seat) -> str:  # both seats see the same
        return f"n={state.n} previous={state.previous or '-'}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def canonical(self, state: State) -> int:
        n, previous, allow_one, _ = state
        return n << 31 | previous << 1 | allow_one  # a number takes less memory than a tuple of three

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        n, _, allow_one, seat = state
        other, new = 3 - seat, tuple.__new__  # State(...) itself takes twice as long
        for move in self.legal_moves(state):
            yield move, new(State, (n - move, move, allow_one, other))

    def picture(self, state: State) -> str:
        return f"Current N: {state.n}{_before(state)}"

    def announce_start(self, state: State) -> str:
        return f"Game Start! The starting number is {state.n}.\n\n"

    def announce_turn(self, state: State) -> str:
        n, previous, _, seat = state
        said = f"Player {seat}'s turn.\nCurrent N: {n}{_before(state)}\n"
        if previous:
            valid = listed(self.legal_moves(state), lambda: n // previous * previous)
            said += f"Valid numbers to subtract (divisors/multiples of {previous}, up to {n}): {valid}\n"
        return f"{said}Enter a number to subtract: "

    def announce_move(self, before: State, move: int, after: State) -> str:
        return f"Player {before.seat} subtracts {move}. New N is {after.n}.\n\n"

    def announce_end(self, state: State, outcome: Outcome) -> str:
        why = f"{outcome.sentence()}.\n" if outcome.reason == _NO_MOVE else ""
        return f"{why}Player {outcome.winner} wins!\n"


def _before(state: State) -> str:
    """The line about the number before, where there is one."""
    return f"\nPrevious number subtracted: {state.previous}" if state.previous else ""
