"""Subtract a Prime: take a prime from the current number; who reaches exactly 0 wins.

Owns the rules of `primes`. Raises MalformedMove for a text that is no number, OptionError for a wrong start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import repeat
from typing import Annotated, NamedTuple

from pydantic import Field

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number
from games.numbers import is_prime, largest_prime_to, listed, primes_to, whole_number

_REACHED = "{winner} reached 0"
_NO_MOVE = "{loser} has no valid move"


class State(NamedTuple):
    """The current number, and whose turn it is."""

    n: int
    seat: Seat


_new_state = partial(tuple.__new__, State)


class PrimesOptions(GameOptions):
    """The start of a game of Subtract a Prime."""

    n: Annotated[int, whole_number(2, 10**9)] = Field(
        default=20, ge=2, le=10**9, description="the number that the game starts with"
    )


class Primes(Game[State, int]):
    """The rules of Subtract a Prime."""

    id = "primes"
    title = "Subtract a Prime"
    summary = "Subtract a prime from the current number; whoever reaches exactly 0 wins."
    options_type = PrimesOptions
    rules = """\
# Subtract a Prime

Two players share one number N (20 unless agreed otherwise) and take turns; Player 1 begins.

- On your turn you subtract a prime (2, 3, 5, 7, 11, ...) that is not greater than N.
- You win when N is exactly 0 after your move.
- A player who has no valid move loses: with 1 left there is no prime to subtract.
- Nobody may pass. A number that is not a prime, or is greater than N, is refused and asked for again.
- There are no draws.

With N = 10 the valid moves are 2, 3, 5 and 7.
"""

    def start(self, options: PrimesOptions, seed: int) -> State:  # nothing is random here
        return State(options.n, 1)

    def max_moves(self, options: PrimesOptions) -> int:
        return options.n // 2

    def to_move(self, state: State) -> Seat:
        return state.seat

    def legal_moves(self, state: State) -> Iterable[int]:
        return primes_to(state.n)

    def refusal(self, state: State, move: int) -> Refusal | None:
        if move > state.n:
            return Refusal(f"{move} is greater than the current number, {state.n}")
        return None if is_prime(move) else Refusal(f"{move} is not a prime number")

    def apply(self, state: State, move: int) -> State:
        return State(state.n - move, 3 - state.seat)

    def outcome(self, state: State) -> Outcome | None:
        if state.n > 1:
            return None
        return Outcome(3 - state.seat, _NO_MOVE if state.n else _REACHED)

    def view(self, state: State, seat: Seat) -> str:  # both seats see the same
        return f"n={state.n}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def canonical(self, state: State) -> int:
        return state.n

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        # No Python code for each move: the solver asks for millions of them.
        # And nothing is listed whole, for there may be millions here.
        n = state.n
        after = map(_new_state, zip(map(n.__sub__, primes_to(n)), repeat(3 - state.seat)))
        return zip(primes_to(n), after, strict=True)

    def picture(self, state: State) -> str:
        return f"Current number: {state.n}"

    def announce_start(self, state: State) -> str:
        return f"Game Start! The starting number is {state.n}.\n"

    def announce_turn(self, state: State) -> str:
        choices = listed(self.legal_moves(state), lambda: largest_prime_to(state.n))
        return (
            f"Player {state.seat}'s turn.\n"
            f"Valid primes to subtract: {choices}\n"
            "Enter the prime number to subtract: "
        )

    def announce_move(self, before: State, move: int, after: State) -> str:
        gap = "\n" if self.outcome(after) is None else ""
        return f"You chose to subtract {move}.\nNew number is: {after.n}\n{gap}"

    def announce_end(self, state: State, outcome: Outcome) -> str:
        why = f"{outcome.sentence()}.\n" if outcome.reason == _NO_MOVE else ""
        return f"{why}Player {outcome.winner} wins the game!\n"
