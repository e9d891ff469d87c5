"""Sum to Zero: take numbers from a common pool; who brings the sum of all taken to exactly 0 wins.

Owns the rules of `sum-to-zero`. Raises MalformedMove for a text that is no number, OptionError for a wrong
start.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import Field

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number
from games.numbers import members, whole_number

_ZERO = "{winner} brought the sum to 0"
_EMPTY = "{winner} took the last number of the pool"


class State(NamedTuple):
    """The position; `positive` and `negative` are the pool: bit k stands for k and for -k.

    `winner` is set by the move that ends the game, because a sum of 0 at the very start ends nothing.
    """

    sum: int
    positive: int
    negative: int
    seat: Seat
    winner: Seat


class SumToZeroOptions(GameOptions):
    """The start of a game of Sum to Zero."""

    limit: Annotated[int, whole_number(1, 500)] = Field(
        default=9, ge=1, le=500, description="the pool is every number from -limit to limit but 0"
    )


class SumToZero(Game[State, int]):
    """The rules of Sum to Zero."""

    id = "sum-to-zero"
    title = "Sum to Zero"
    summary = "Take numbers from a common pool; whoever brings the sum of all taken to exactly 0 wins."
    options_type = SumToZeroOptions
    rules = """\
# Sum to Zero

Two players share a pool of numbers, -9 to 9 without 0 unless agreed otherwise, and a sum that starts at 0.
They take turns; Player 1 begins.

- On your turn you take any one number from the pool. It is added to the sum and cannot be taken again.
- You win at once when the sum is exactly 0 after your move. The 0 at the very start is not a win.
- When the pool is empty and the sum is not 0, the player who took the last number wins.
- Nobody may pass. A number that is not in the pool is refused and asked for again.
- There are no draws.

With a sum of 5, taking -3 gives 2, and taking -5 wins.
"""

    def start(self, options: SumToZeroOptions, seed: int) -> State:  # nothing is random here
        pool = (2 << options.limit) - 2
        return State(0, pool, pool, 1, 0)

    def max_moves(self, options: SumToZeroOptions) -> int:
        return 2 * options.limit

    def to_move(self, state: State) -> Seat:
        return state.seat

    def legal_moves(self, state: State) -> tuple[int, ...]:
        return () if state.winner else _pool(state)

    def refusal(self, state: State, move: int) -> Refusal | None:
        # A shift is only as long as the number: one far outside the pool must not become a long mask.
        if -501 < move < 501 and not state.winner:
            left = state.positive >> move if move > 0 else state.negative >> -move
            if left & 1:
                return None
        if state.winner:
            return Refusal("the game is over")
        return Refusal(f"{move} is not in the pool of available numbers")

    def apply(self, state: State, move: int) -> State:
        total, positive, negative, seat, _ = state
        total += move
        if move > 0:
            positive ^= 1 << move
        else:
            negative ^= 1 << -move
        over = total == 0 or not (positive or negative)
        return State(total, positive, negative, 3 - seat, seat if over else 0)

    def outcome(self, state: State) -> Outcome | None:
        if not state.winner:
            return None
        return Outcome(state.winner, _EMPTY if state.sum else _ZERO)

    def view(self, state: State, seat: Seat) -> str:  # both seats see the same
        pool = _negative_text(state.negative) + _positive_text(state.positive)
        return f"sum={state.sum} pool={pool[:-1]}"

    def read_move(self, text: str) -> int:
        return read_number(text, signed=True)

    def canonical(self, state: State) -> tuple[int, int, int]:
        # Changing every sign changes nobody's chances.
        total, positive, negative, _, winner = state
        if winner:
            return (0, 0, 0)
        if total > 0 or (total == 0 and positive >= negative):
            return (total, positive, negative)
        return (-total, negative, positive)

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        total, positive, negative, seat, winner = state
        if winner:
            return
        for move in _pool(state):
            up, down = (positive ^ (1 << move), negative) if move > 0 else (positive, negative ^ (1 << -move))
            over = total + move == 0 or not (up or down)
            yield move, State(total + move, up, down, 3 - seat, seat if over else 0)

    def picture(self, state: State) -> str:
        return f"{_available(state)}Cumulative Sum: {state.sum}"

    def announce_start(self, state: State) -> str:
        return f"Game Start!\n\n{_available(state)}Cumulative Sum: {state.sum}\n\n"

    def announce_turn(self, state: State) -> str:
        # The first turn's pool stands in the opening words; only there is a game at 0 going on.
        pool = _available(state) if state.sum else ""
        return f"{pool}Player {state.seat}'s turn.\nSelect a number: "

    def announce_move(self, before: State, move: int, after: State) -> str:
        gap = "" if after.winner else "\n"
        return f"Player {before.seat} selects {move}.\nCumulative Sum is now {after.sum}.\n{gap}"

    def announce_end(self, state: State, outcome: Outcome) -> str:
        why = f"{outcome.sentence()}.\n" if state.sum else ""
        return f"{why}Player {outcome.winner} wins the game!\n"


# The two halves of the pool are kept apart, because a half comes back far more often than a whole pool.


def _pool(state: State) -> tuple[int, ...]:
    """The numbers of the pool, ascending."""
    return _falling(state.negative) + members(state.positive)


@lru_cache(maxsize=2048)
def _falling(negative: int) -> tuple[int, ...]:
    """The negative numbers of the pool, ascending."""
    return tuple(-number for number in reversed(members(negative)))


@lru_cache(maxsize=2048)
def _negative_text(negative: int) -> str:
    """The negative numbers of the pool, ascending, a comma after each."""
    return "".join(f"{number}," for number in _falling(negative))


@lru_cache(maxsize=2048)
def _positive_text(positive: int) -> str:
    """The positive numbers of the pool, ascending, a comma after each."""
    return "".join(f"{number}," for number in members(positive))


def _available(state: State) -> str:
    """The pool as a line for people."""
    return f"Available Numbers: {' '.join(map(str, _pool(state)))}\n"
