"""A recorded match once more, for one bot: it is sent the lines that were sent then, with no time limit.

Owns which lines those are, where to stop (at the first answer that is not the recorded one), and whether a bot that
failed in the match fails again in the same way. So a crash or a strange move can be met again, under a debugger if
need be, without the opponent, and a bot that was mended is told from one that was not.

The lines are those of the record and the limits. Two things no record holds: what was refused before a move was
accepted, and how much of a whole-game bank the refused answers took.

Raises RecordError for a match that the rules do not allow; what the player raises (Fault, Starved) passes through.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.limits import Limits
from arena.player import Fault, Player
from arena.positions import Positions, positions
from arena.record import Ending, MatchRecord
from arena.referee import Fixture, Referee
from games.interface import MalformedMove, Refusal, Seat

MS = 1_000_000
NO_LIMIT_MS = 86_400_000
"""A day: as good as no limit, and as much as the limits allow."""


class Ask(NamedTuple):
    """One turn of the bot: the number of the move, what it is sent, the recorded answer, and the time it had.

    `recorded` is None for the turn in which the bot failed then.
    """

    number: int
    block: bytes
    recorded: str | None
    limit_ms: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot says now, and in which time. `refused`: why its answer cannot be a move, if it cannot.

    `same`: it is the recorded answer, or the bot fails as it did then.
    """

    ask: Ask
    given: str
    info: tuple[str, ...]
    refused: str | None
    ms: float
    same: bool


class Rerun:
    """The lines of one match for the bot at one seat."""

    def __init__(self, record: MatchRecord, seat: Seat, limits: Limits | None = None) -> None:
        self.record = record
        self.seat = seat
        self.limits = limits or Limits()
        self.line: Positions = positions(record)
        self.start_ms = 0.0
        """How long the bot took to start, once it has."""
        self._referee = Referee(self.line.game, self.limits)

    def greeting(self) -> bytes:
        """The line `game`."""
        record = self.record
        fixture = Fixture(record.id, record.game, record.options, record.seed, record.opening)
        return self._referee.greeting(fixture, self.seat)

    @property
    def failed_to_start(self) -> bool:
        """Whether the bot at this seat lost the match before its first turn."""
        result = self.record.result
        return result.at_fault == self.seat and result.ending is Ending.NO_START

    def asks(self) -> Iterator[Ask]:
        """The bot's turns, in order."""
        line, unseen, bank_ms = self.line, b"", float(self.limits.bank_ms)
        for at, text in enumerate(self.record.opening):
            unseen += _played(line.game.to_move(line.states[at]), text)
        for number, played in enumerate(self.record.moves, 1):
            if played.seat == self.seat:
                yield self._ask(number, unseen, bank_ms, played.move)
                unseen = b""
                bank_ms += self.limits.increment_ms - played.ms
            unseen += _played(played.seat, played.move)
        last = line.states[-1]
        failed = self.record.result.at_fault == self.seat and not self.failed_to_start
        if failed and line.game.outcome(last) is None and line.game.to_move(last) == self.seat:
            yield self._ask(len(self.record.moves) + 1, unseen, bank_ms, None)

    def _ask(self, number: int, unseen: bytes, bank_ms: float, recorded: str | None) -> Ask:
        """A turn with the lines `played`, `state`, `legal` and `go`, as they were then."""
        ms = min(self.limits.move_ms, int(bank_ms)) if self.limits.bank_ms else self.limits.move_ms
        position = self._referee.position(self.line.before(number - 1), self.seat)
        return Ask(number, unseen + position + b"go %d\n" % max(ms, 0), recorded, max(ms, 0))

    def play(self, player: Player) -> Iterator[Answer]:
        """Send the lines, and give each answer; after the first that differs there is nothing more to send."""
        began = time.monotonic_ns()
        player.greet(self.greeting())
        player.await_ready()
        self.start_ms = (time.monotonic_ns() - began) / MS
        for ask in self.asks():
            answer = self._answer(player, ask)
            yield answer
            if not answer.same:
                return

    def _answer(self, player: Player, ask: Ask) -> Answer:
        """What the bot says; where it failed then, it is asked again after a refusal, as it was in the match."""
        began = time.monotonic_ns()
        given = player.ask(ask.block, NO_LIMIT_MS * MS)
        info, refusal = list(player.info), self._refusal(ask, given)
        for _ in range(self.limits.reprompts if ask.recorded is None else 0):
            if refusal is None or refusal.final:
                break
            reason = " ".join(refusal.reason.split()).encode("utf-8", "replace")
            given = player.ask(b"illegal %s\ngo %d\n" % (reason, ask.limit_ms), NO_LIMIT_MS * MS)
            info += player.info
            refusal = self._refusal(ask, given)
        ms = (time.monotonic_ns() - began) / MS
        refused = refusal.reason if refusal else None
        same = given == ask.recorded if ask.recorded is not None else self._fails_again(ask, refused, ms)
        return Answer(ask, given, tuple(info), refused, ms, same)

    def _fails_again(self, ask: Ask, refused: str | None, ms: float) -> bool:
        """Whether an answer is wrong, or late, as it was in the match."""
        result = self.record.result
        if result.ending in (Ending.ILLEGAL, Ending.MALFORMED):
            return refused is not None and result.detail.startswith(refused)
        return result.ending is Ending.TIMEOUT and ms > ask.limit_ms

    def failed_then(self, answered: int) -> bool:
        """Whether the bot failed in the match as well, after as many answers."""
        then = sum(move.seat == self.seat for move in self.record.moves)
        return self.record.result.at_fault == self.seat and answered == then

    def fails_as_then(self, fault: Fault, answered: int) -> bool:
        """Whether this is the fault of the match, after as many answers as were given then."""
        result = self.record.result
        if not self.failed_then(answered) or result.ending is not fault.ending:
            return False
        return fault.ending is not Ending.CRASHED or _cause(fault.detail) == _cause(result.detail)

    def _refusal(self, ask: Ask, given: str) -> Refusal | None:
        """Why an answer cannot be a move there."""
        game = self.line.game
        try:
            return game.refusal(self.line.before(ask.number - 1), game.read_move(given))
        except MalformedMove as error:
            return Refusal(str(error))


def _cause(detail: str) -> str:
    """Of a crash its status or signal, without what the bot had to say."""
    return detail.partition(";")[0]


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
