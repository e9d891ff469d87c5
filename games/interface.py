"""What a game is: the interface that every game, bundled or not, follows.

A game is one stateless object whose methods take a position (`state`) and never change it.
States are immutable and hashable. A game does no input or output, reads no clock and uses no
global random numbers, so that a record can be replayed and proved anywhere, at any time.

Seats are 1 and 2. Never assume that they alternate: ask `to_move`.

This module imports nothing of the harness, and raises `MalformedMove` for a text that is no move
of the game; `options` raises `OptionError` for start options that do not fit.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

Seat = int
S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)

MAX_MOVE_CHARS = 20
"""No move of a number game is longer than this, and no message repeats more of a text that is wrong."""

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What the id of a game looks like: it is a part of match ids and of file names."""

_UNSIGNED = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_SIGNED = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_LEADING_ZERO = re.compile(r"-?0[0-9]+", re.ASCII)


class MalformedMove(ValueError):
    """A text that is no move of this game at all (a move the rules refuse is a `Refusal`)."""


class OptionError(ValueError):
    """Start options that a game does not take; the message says which and what would be right."""


class Refusal(NamedTuple):
    """Why a well-formed move is not legal. `final`: it loses at once and is not asked for again."""

    reason: str
    final: bool = False


class Outcome(NamedTuple):
    """How a game ended by its rules.

    `winner` is a seat, or 0 for a draw. In `reason` the words `{winner}` and `{loser}` stand for
    the two players (in a draw `{1}` and `{2}`), and `sentence` puts names in their place.
    """

    winner: int
    reason: str

    def sentence(self, names: tuple[str, str] = ("Player 1", "Player 2")) -> str:
        """The reason with the names of seat 1 and seat 2 filled in."""
        words = {"1": names[0], "2": names[1]}
        if self.winner:
            words |= {"winner": names[self.winner - 1], "loser": names[2 - self.winner]}
        return re.sub(r"\{(winner|loser|1|2)\}", lambda m: words.get(m[1], m[0]), self.reason)


class GameOptions(BaseModel):
    """Base of a game's start options: frozen, nothing unknown, every field with a default and a range."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Game(ABC, Generic[S, M]):
    """The rules of one game for two. Subclass it, fill in what is abstract, and register the class in the
    entry-point group `arena.games`."""

    id: ClassVar[str]
    """The name used on the command line and in records: lower-case letters, digits and `-`."""
    title: ClassVar[str]
    """The name for people."""
    summary: ClassVar[str]
    """One sentence: what is done and who wins."""
    rules: ClassVar[str]
    """The rules in plain text (Markdown), as `arena rules` prints them."""
    options_type: ClassVar[type[GameOptions]]
    """The start options, each with a default, a range and a `description`."""
    draws: ClassVar[bool] = False
    """Whether the rules know a draw."""

    # --- the start -----------------------------------------------------------------------------

    def options(self, given: Mapping[str, Any] | None = None) -> Any:
        """The start options from names and values (texts as typed, or numbers); OptionError if they don't fit."""
        try:
            return self.options_type.model_validate(dict(given or {}))
        except ValidationError as error:
            raise OptionError(_option_message(self, error)) from None

    @abstractmethod
    def start(self, options: Any, seed: int) -> S:
        """The start position. The same options and seed give the same position, always."""

    def max_moves(self, options: Any) -> int:
        """A cap on the number of moves: a match that reaches it undecided is a draw by turn limit."""
        return 10_000

    # --- the rules -----------------------------------------------------------------------------

    @abstractmethod
    def to_move(self, state: S) -> Seat:
        """Whose turn it is. Never asked of a finished game."""

    @abstractmethod
    def legal_moves(self, state: S) -> Iterable[M]:
        """Every legal move, in the game's order. May be lazy; nothing that judges one move goes through it."""

    @abstractmethod
    def refusal(self, state: S, move: M) -> Refusal | None:
        """Why this move is refused here, or None if it is legal. Quick, however many legal moves there are."""

    @abstractmethod
    def apply(self, state: S, move: M) -> S:
        """The position after a legal move; the old one stays as it was."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    # --- the conversation ----------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: Seat) -> str:
        """What this seat may see: the `KEY=VALUE ...` part of the protocol's `state` line."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """The move that this text means; MalformedMove if it means none."""

    def write_move(self, move: M) -> str:
        """The one token that means this move: `read_move` gives the move back."""
        return str(move)

    # --- for the solver ------------------------------------------------------------------------

    def canonical(self, state: S) -> Hashable:
        """A key shared by positions of the same worth to the player to move (see `arena solve`)."""
        return state

    def successors(self, state: S) -> Iterator[tuple[M, S]]:
        """Every legal move with the position after it. Override it only where that is much faster."""
        for move in self.legal_moves(state):
            yield move, self.apply(state, move)

    # --- for people ----------------------------------------------------------------------------

    @abstractmethod
    def picture(self, state: S) -> str:
        """The position as a person wants to see it, one or more lines, the same for both seats."""

    def announce_start(self, state: S) -> str:
        """What is said before the first turn, blank lines included."""
        return f"Game Start! {self.title}.\n\n"

    def announce_turn(self, state: S) -> str:
        """What is said at the start of a turn, up to where the move is typed."""
        listed = ", ".join(self.write_move(move) for move in self.legal_moves(state))
        return (
            f"Player {self.to_move(state)}'s turn.\n{self.picture(state)}\n"
            f"Valid moves: {listed}\nEnter a move: "
        )

    def announce_move(self, before: S, move: M, after: S) -> str:
        """What is said when a move has been made."""
        return f"Player {self.to_move(before)} plays {self.write_move(move)}.\n\n"

    def announce_end(self, state: S, outcome: Outcome) -> str:
        """What is said when the game is over."""
        verdict = f"Player {outcome.winner} wins the game!" if outcome.winner else "The game is a draw."
        return f"{self.picture(state)}\n{verdict}\n"


def read_number(text: str, *, signed: bool = False) -> int:
    """The number that plain ASCII decimal digits mean, with a leading `-` where `signed`; MalformedMove else.

    `+4`, `4.0`, `1_0`, ` 4`, other scripts' digits, leading zeros and overlong texts are no numbers here.
    """
    plain = (_SIGNED if signed else _UNSIGNED).fullmatch(text)
    if plain and len(text) <= MAX_MOVE_CHARS:
        return int(text)
    if plain:
        why = f"is too long: a number has at most {MAX_MOVE_CHARS} characters"
    elif _LEADING_ZERO.fullmatch(text) and (signed or text[0] == "0"):
        why = "has a leading zero, and a number is written without"
    else:
        why = "is not a whole number in plain digits" + (", with a leading - if negative" if signed else "")
    raise MalformedMove(f"{shortened(text)} {why}")


def shortened(value: object) -> str:
    """A value that is wrong, as a message shows it: its beginning, where it is long."""
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_MOVE_CHARS else value[:MAX_MOVE_CHARS] + "...")
    text = repr(value)
    return text if len(text) <= 2 * MAX_MOVE_CHARS else text[: 2 * MAX_MOVE_CHARS] + "..."


def _option_message(game: Game[Any, Any], error: ValidationError) -> str:
    """One line for all that pydantic found wrong with the options of a game."""
    known = ", ".join(game.options_type.model_fields) or "none"
    parts = []
    for item in error.errors():
        name = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden":
            near = get_close_matches(name, game.options_type.model_fields, n=1)
            hint = f": did you mean {near[0]!r}?" if near else f" (its options: {known})"
            parts.append(f"{game.id} has no option {shortened(name)}{hint}")
        else:
            what = number_range(game.options_type, name) or item["msg"].removeprefix("Value error, ")
            what = what[:1].lower() + what[1:]
            parts.append(
                f"option {name} of {game.id}: {what}, not {shortened(item['input'])}" if name else what
            )
    return "; ".join(parts)


def number_range(options: type[BaseModel], name: str) -> str | None:
    """What a whole number with a range (`Field(default=3, ge=3, le=9)`) must be; None for any other option."""
    field = options.model_fields.get(name)
    if field is None or field.annotation is not int:
        return None
    low = next((mark.ge for mark in field.metadata if hasattr(mark, "ge")), None)
    high = next((mark.le for mark in field.metadata if hasattr(mark, "le")), None)
    return f"must be a whole number from {low} to {high}" if None not in (low, high) else None
