"""A game at one terminal: two people, or a person and a bot, move by move.

Owns the loop and what is said in it; reading and writing are callables given to it, so it prints nothing
itself. A person's mistake is answered with its reason and asked for again without end. Raises nothing of its
own; KeyboardInterrupt and whatever the opponent raises (an ArenaError) pass through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from arena.errors import ArenaError
from games.interface import Game, MalformedMove, Outcome, Seat

QUIT_WORD = "quit"


class SessionEnd(Enum):
    """How a session at the terminal ended."""

    FINISHED = "the game was played to its end"
    QUIT = "a player typed quit"
    END_OF_INPUT = "there was no more input"


class Opponent(Protocol):
    """A bot at the other seat (see `arena.opponent`)."""

    name: str

    def choose(self, state: Any) -> str:
        """The text of the bot's move."""

    def played(self, seat: Seat, move: str) -> None:
        """A move was made, by whomever."""


@dataclass(frozen=True)
class Console:
    """Where a person reads and types. `read` gives a line with its end, or '' when there is no more.

    `echo`: write what was read after the prompt, since no terminal does it for piped input.
    """

    read: Callable[[], str]
    write: Callable[[str], None]
    echo: bool


class _Stop(Exception):
    """The person leaves before the end."""

    def __init__(self, ending: SessionEnd) -> None:
        self.ending = ending


class _Forfeit(Exception):
    """The player to move has lost by the move itself; the text is the sentence to say."""


@dataclass(frozen=True)
class Session:
    """One game at a console. Without an opponent people have both seats."""

    game: Game[Any, Any]
    console: Console
    max_moves: int
    opponent: Opponent | None = None
    opponent_seat: Seat = 0

    def play(self, state: Any) -> SessionEnd:
        """Play from this position until the game is over or the person leaves."""
        if self.opponent is not None:
            bot = self.opponent_seat
            self.console.write(f"You are Player {3 - bot}; {self.opponent.name} is Player {bot}.\n")
        self.console.write(self.game.announce_start(state))
        for _ in range(self.max_moves):
            if self.game.outcome(state) is not None:
                break
            seat = self.game.to_move(state)
            try:
                if self.opponent is not None and seat == self.opponent_seat:
                    move = self._bot_move(self.opponent, seat, state)
                else:
                    move = self._person_move(state)
            except _Stop as stop:
                return stop.ending
            except _Forfeit as forfeit:
                self.console.write(f"{forfeit}.\n\n")
                self._say_end(state, Outcome(3 - seat, str(forfeit)))
                return SessionEnd.FINISHED
            state = self._made(state, seat, move)
        self._say_end(state, self.game.outcome(state))
        return SessionEnd.FINISHED

    def _made(self, before: Any, seat: Seat, move: Any) -> Any:
        """Make a legal move, and say so to the person and to the bot."""
        after = self.game.apply(before, move)
        if (
            self.opponent is not None and seat == self.opponent_seat
        ):  # the game's own words are "You subtracted"
            self.console.write(f"{self.game.picture(after)}\n\n")
        else:
            self.console.write(self.game.announce_move(before, move, after))
        if self.opponent is not None:
            self.opponent.played(seat, self.game.write_move(move))
        return after

    def _say_end(self, state: Any, outcome: Outcome | None) -> None:
        if outcome is None:
            outcome = Outcome(0, f"the limit of {self.max_moves} moves is reached")
        self.console.write(self.game.announce_end(state, outcome))

    def _person_move(self, state: Any) -> Any:
        """Ask until the person types a legal move."""
        prompt = self.game.announce_turn(state)
        self.console.write(prompt)
        while True:
            text = self._typed()
            refused = "Type a move, or quit to stop" if not text else self._refused(state, text)
            if refused is None:
                return self.game.read_move(text)
            # The list of choices still stands above: only the last line is said again.
            self.console.write(f"{refused}.\n{prompt.rpartition(chr(10))[2]}")

    def _typed(self) -> str:
        """What the person typed, without the white space around it."""
        line = self.console.read()
        if self.console.echo and line:
            self.console.write(line if line.endswith("\n") else f"{line}\n")
        if not line:
            self.console.write("\n")
            raise _Stop(SessionEnd.END_OF_INPUT)
        text = line.strip()
        if text.lower() == QUIT_WORD:
            raise _Stop(SessionEnd.QUIT)
        return text

    def _bot_move(self, bot: Opponent, seat: Seat, state: Any) -> Any:
        """Ask the bot once: a bot that answers with anything but a legal move has lost."""
        self.console.write(f"{bot.name} (Player {seat}) chooses ")
        try:
            text = bot.choose(state)
        except ArenaError:  # whoever tells of it begins a line
            self.console.write("\n")
            raise
        self.console.write(f"{text if text.isprintable() else repr(text)}.\n")
        refused = self._refused(state, text)
        if refused is not None:
            raise _Forfeit(f"{bot.name} loses by an invalid move: {refused}")
        return self.game.read_move(text)

    def _refused(self, state: Any, text: str) -> str | None:
        """Why this text is no legal move here, or None if it is one; a final refusal is a forfeit."""
        try:
            refusal = self.game.refusal(state, self.game.read_move(text))
        except MalformedMove as error:
            return str(error)
        if refusal is None:
            return None
        if refusal.final:
            raise _Forfeit(_sentence(refusal.reason))
        return _sentence(refusal.reason)


def _sentence(reason: str) -> str:
    """A reason with a capital letter and without a full stop."""
    return reason[:1].upper() + reason[1:].removesuffix(".")
