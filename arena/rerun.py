"""A recorded match once more, for one bot: it is sent the lines that were sent then, with no time limit.

Owns which lines those are, and where to stop: at the first answer that is not the recorded one. So a crash or a
strange move can be met again, under a debugger if need be, without the opponent.

The lines are those of the record and the limits. Two things no record holds: what was refused before a move was
accepted, and how much of a whole-game bank the refused answers took.

Raises RecordError for a match that the rules do not allow; what the player raises (Fault, Starved) passes through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.limits import Limits
from arena.player import Player
from arena.positions import Positions, positions
from arena.record import MatchRecord
from arena.referee import Fixture, Referee
from games.interface import MalformedMove, Seat

NO_LIMIT_MS = 86_400_000
"""A day: as good as no limit, and as much as the limits allow."""


class Ask(NamedTuple):
    """One turn of the bot: the number of the move, what it is sent, and the recorded answer.

    `recorded` is None for the turn in which the bot failed then.
    """

    number: int
    block: bytes
    recorded: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot says now. `refused`: why its answer cannot be a move, if it cannot."""

    ask: Ask
    given: str
    info: tuple[str, ...]
    refused: str | None

    @property
    def same(self) -> bool:
        """Whether it is the recorded answer."""
        return self.given == self.ask.recorded


class Rerun:
    """The lines of one match for the bot at one seat."""

    def __init__(self, record: MatchRecord, seat: Seat, limits: Limits | None = None) -> None:
        self.record = record
        self.seat = seat
        self.limits = limits or Limits()
        self.line: Positions = positions(record)
        self._referee = Referee(self.line.game, self.limits)

    def greeting(self) -> bytes:
        """The line `game`."""
        record = self.record
        fixture = Fixture(record.id, record.game, record.options, record.seed, record.opening)
        return self._referee.greeting(fixture, self.seat)

    def asks(self) -> Iterator[Ask]:
        """The bot's turns, in order."""
        line, unseen, bank_ms = self.line, b"", float(self.limits.bank_ms)
        for at, text in enumerate(self.record.opening):
            unseen += _played(line.game.to_move(line.states[at]), text)
        for number, played in enumerate(self.record.moves, 1):
            if played.seat == self.seat:
                yield Ask(number, unseen + self._turn(line.before(number - 1), bank_ms), played.move)
                unseen = b""
                bank_ms += self.limits.increment_ms - played.ms
            unseen += _played(played.seat, played.move)
        last, failed = line.states[-1], self.record.result.at_fault == self.seat
        if failed and line.game.outcome(last) is None and line.game.to_move(last) == self.seat:
            yield Ask(len(self.record.moves) + 1, unseen + self._turn(last, bank_ms), None)

    def _turn(self, state: object, bank_ms: float) -> bytes:
        """The lines `state`, `legal` and `go`, as they were then."""
        ms = min(self.limits.move_ms, int(bank_ms)) if self.limits.bank_ms else self.limits.move_ms
        return self._referee.position(state, self.seat) + b"go %d\n" % max(ms, 0)

    def play(self, player: Player) -> Iterator[Answer]:
        """Send the lines, and give each answer; after the first that differs there is nothing more to send."""
        player.greet(self.greeting())
        player.await_ready()
        for ask in self.asks():
            given = player.ask(ask.block, NO_LIMIT_MS * 1_000_000)
            answer = Answer(ask, given, tuple(player.info), self._refused(ask, given))
            yield answer
            if not answer.same:
                return

    def _refused(self, ask: Ask, given: str) -> str | None:
        """Why an answer cannot be a move there."""
        game = self.line.game
        try:
            refusal = game.refusal(self.line.before(ask.number - 1), game.read_move(given))
        except MalformedMove as error:
            return str(error)
        return refusal.reason if refusal else None


def _played(seat: Seat, text: str) -> bytes:
    return b"played %d %s\n" % (seat, text.encode())


def patient(limits: Limits) -> Limits:
    """The same limits without those on time."""
    return limits.model_copy(update={"move_ms": NO_LIMIT_MS, "start_ms": NO_LIMIT_MS})


def default_seat(record: MatchRecord, bot: str) -> Seat:
    """The seat to take: the bot's own if it played, else that of whoever failed, else of who lost, else the first."""
    for seat, played in enumerate(record.bots, 1):
        if played.name == bot:
            return seat
    return record.result.at_fault or (3 - record.result.winner if record.result.winner else 1)
