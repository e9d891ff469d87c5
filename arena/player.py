"""Whoever has a seat in a match: what the referee asks of it, and how it fails.

`BotProcess` (a program) and `ScriptedBot` (a function, no process) are the two that there are. A player that fails
raises Fault; when the machine failed and not the player, it raises Starved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.record import Ending


class Fault(Exception):
    """The player loses the match by its own failing: which ending, and what its author needs to know."""

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail


class Starved(Exception):
    """The machine, not the player, was late: the match is void."""


class Player(Protocol):
    """What the referee needs of a seat. Blocks are whole protocol lines, as bytes."""

    name: str
    version: str
    elapsed_ns: int
    """How long the last answer took, from the write of its block to the arrival of its line."""
    info: Sequence[str]
    """The info lines that came before the last answer."""

    def greet(self, block: bytes) -> None:
        """Be told of a new game (started first, if it is not running); `await_ready` hears the answer."""

    def await_ready(self) -> None:
        """Wait for `ready`, at most the start limit."""

    def meet(self, rival: Player) -> None:
        """Know whose turn it is while it is not one's own."""

    def ask(self, block: bytes, limit_ns: int, since_ns: int = 0) -> str:
        """The answer line to this block. The clock runs from the write, or from `since_ns` if that is given."""

    def tell(self, block: bytes) -> None:
        """Be told something that needs no answer: with the next game, or when `flush` is called."""

    def flush(self) -> None:
        """Be told now what is still to be told: no game follows for a while."""

    def stderr_tail(self) -> str:
        """The last that it has written to stderr."""

    def discard(self) -> None:
        """End it at once, with all that it started: it has failed, and starts afresh for its next match."""

    def stop(self) -> None:
        """Ask it to leave, and see to it that it does."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as a ScriptedBot's function sees it: the protocol's lines, taken apart."""

    game: str
    seat: int
    played: tuple[tuple[int, str], ...]
    state: dict[str, str]
    legal: tuple[str, ...]
    ms: int
    refused: str | None = None
    """Why the last answer was refused, if this asks for it again."""


Script = Callable[[Turn], str]


class ScriptedBot:
    """A player without a process: a list of answers, or a function of the turn. For tests and for authors of games.

    The function may raise Fault, to fail as a program would. `ms` is what every move takes on its clock. With a list
    that is used up it fails as a program does that has ended.
    """

    def __init__(
        self, name: str, answers: Iterable[str] | Script, *, version: str = "scripted", ms: float = 0
    ) -> None:
        self.name = name
        self.version = version
        self.elapsed_ns = 0
        self.info: Sequence[str] = ()
        self.heard: list[str] = []
        """Every line that it was sent."""
        self._ns = int(ms * 1_000_000)
        self._script = answers if callable(answers) else _from_list(answers)
        self._turn = Turn("", 0, (), {}, (), 0)

    def greet(self, block: bytes) -> None:
        """Begin a game."""
        words = self._hear(block)[-1].split()
        options = dict(word.partition("=")[::2] for word in words[2:])
        self._turn = Turn(words[1], int(options["seat"]), (), {}, (), 0)

    def await_ready(self) -> None:
        """Always ready."""

    def meet(self, rival: Player) -> None:
        """A function has no clock that a rival could disturb."""

    def ask(self, block: bytes, limit_ns: int, since_ns: int = 0) -> str:
        """The script's answer; a time above the limit is a timeout, as for a program."""
        turn = self._turn = self._read(self._hear(block))
        lines = self._script(turn).split("\n")
        self.info = tuple(line[5:] for line in lines[:-1])
        self.elapsed_ns = self._ns + (self.elapsed_ns if since_ns else 0)  # asked again, its clock has run on
        if self.elapsed_ns > limit_ns:
            raise Fault(Ending.TIMEOUT, f"no answer within {limit_ns // 1_000_000} ms")
        return lines[-1]

    def tell(self, block: bytes) -> None:
        """Heard, no more."""
        self._hear(block)

    def flush(self) -> None:
        """Nothing waits to be told."""

    def stderr_tail(self) -> str:
        """It has no stderr."""
        return ""

    def discard(self) -> None:
        """Nothing to end."""

    def stop(self) -> None:
        """Nothing to stop."""

    def _hear(self, block: bytes) -> list[str]:
        lines = block.decode().splitlines()
        self.heard += lines
        return lines

    def _read(self, lines: list[str]) -> Turn:
        played, state, legal, ms, refused = (
            list(self._turn.played),
            self._turn.state,
            self._turn.legal,
            0,
            None,
        )
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "played":
                seat, _, move = rest.partition(" ")
                played.append((int(seat), move))
            elif word == "state":
                state, legal = dict(part.partition("=")[::2] for part in rest.split(" ")), ()
            elif word == "legal":
                legal = tuple(rest.split(" "))
            elif word == "illegal":
                refused = rest
            elif word == "go":
                ms = int(rest)
        return Turn(self._turn.game, self._turn.seat, tuple(played), state, legal, ms, refused)


def _from_list(answers: Iterable[str]) -> Script:
    rest = iter(answers)

    def script(_turn: Turn) -> str:
        for answer in rest:
            return answer
        raise Fault(Ending.CRASHED, "exited with status 0: its list of answers is used up")

    return script
