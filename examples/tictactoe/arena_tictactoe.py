"""Tic-tac-toe for Arena: the rules, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from games.interface import Game, GameOptions, Outcome, Refusal, Seat, read_number

LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))


class Board(NamedTuple):
    """The nine squares, row by row: 0 for empty, or the seat whose mark stands there."""

    squares: tuple[int, ...]
    to_move: Seat


class Options(GameOptions):
    """Tic-tac-toe has no start options."""


class TicTacToe(Game[Board, int]):
    """Three in a row wins."""

    id: ClassVar[str] = "tic-tac-toe"
    title: ClassVar[str] = "Tic-tac-toe"
    summary: ClassVar[str] = "Mark squares in turn; three in a row wins, a full board is a draw."
    rules: ClassVar[str] = (
        "The squares are numbered 1 to 9, row by row. In turn each player marks an empty square.\n"
        "Whoever has three marks in a row, column or diagonal wins. A full board without one is a draw.\n"
    )
    options_type: ClassVar[type[GameOptions]] = Options
    draws: ClassVar[bool] = True

    def start(self, options: Options, seed: int) -> Board:
        return Board((0,) * 9, 1)

    def max_moves(self, options: Options) -> int:
        return 9

    def to_move(self, state: Board) -> Seat:
        return state.to_move

    def legal_moves(self, state: Board) -> Iterator[int]:
        return (square for square in range(1, 10) if state.squares[square - 1] == 0)

    def refusal(self, state: Board, move: int) -> Refusal | None:
        if not 1 <= move <= 9:
            return Refusal(f"{move} is no square: they are numbered 1 to 9")
        if state.squares[move - 1]:
            return Refusal(f"square {move} is taken")
        return None

    def apply(self, state: Board, move: int) -> Board:
        squares = (*state.squares[: move - 1], state.to_move, *state.squares[move:])
        return Board(squares, 3 - state.to_move)

    def outcome(self, state: Board) -> Outcome | None:
        for line in LINES:
            marks = {state.squares[square - 1] for square in line}
            if marks in ({1}, {2}):
                return Outcome(marks.pop(), "{winner} has three in a row")
        return None if 0 in state.squares else Outcome(0, "the board is full")

    def view(self, state: Board, seat: Seat) -> str:
        return "board=" + "".join(".XO"[mark] for mark in state.squares)

    def read_move(self, text: str) -> int:
        return read_number(text)

    def picture(self, state: Board) -> str:
        cells = [".XO"[mark] for mark in state.squares]
        return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))
