"""A bot as the opponent of a person at the terminal (`arena play --vs BOT`).

The person takes as long as they like; the bot has the usual limits, generously. Raises BotFailed when the bot fails:
there is nobody to give the point to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arena import sandbox
from arena.bot import resolve
from arena.bot_process import BotProcess
from arena.errors import AnswerIsNo, UsageError
from arena.limits import Limits
from arena.player import Fault, Player, Starved
from arena.referee import Fixture, Referee
from games.interface import Game, Seat

PATIENT = Limits(move_ms=10_000)
"""A person waits ten seconds for a bot; most answer at once."""


class BotFailed(AnswerIsNo):
    """The bot could not go on; the message says how it failed."""


class BotOpponent:
    """A bot at one seat of a game with a person: asked when it is its turn, told what was played."""

    def __init__(self, player: Player, referee: Referee, limits: Limits, seat: Seat) -> None:
        self.name = player.name
        self._player = player
        self._referee = referee
        self._limits = limits
        self._seat = seat
        self._unseen = b""

    def choose(self, state: Any) -> str:
        """The text of the bot's move."""
        ms = self._limits.move_ms
        block = self._unseen + self._referee.position(state, self._seat) + b"go %d\n" % ms
        self._unseen = b""
        try:
            return self._player.ask(block, ms * 1_000_000)
        except (Fault, Starved) as fault:
            raise BotFailed(f"{self.name} failed: {fault}") from None

    def played(self, seat: Seat, move: str) -> None:
        """A move was made, by whomever: told with the next turn."""
        self._unseen += b"played %d %s\n" % (seat, move.encode())


@contextmanager
def open_opponent(
    word: str, game: Game[Any, Any], options: Any, seed: int, seat: Seat, limits: Limits = PATIENT
) -> Iterator[BotOpponent]:
    """Start the bot that this word means and begin a game with it; it is ended when the game is."""
    spec = resolve(word)
    if spec.games is not None and game.id not in spec.games:
        raise UsageError(f"{spec.name} does not play {game.id}: it plays {', '.join(spec.games)}")
    mode, _ = sandbox.choose("auto")
    referee = Referee(game, limits)
    bot = BotProcess(spec, limits, sandbox_mode=mode)
    try:
        try:
            bot.greet(referee.greeting(Fixture("play", game.id, options.model_dump(), seed), seat))
            bot.await_ready()
        except (Fault, Starved) as fault:
            raise BotFailed(f"{spec.name} failed: {fault}") from None
        yield BotOpponent(bot, referee, limits, seat)
        bot.stop()
    finally:
        bot.discard()
