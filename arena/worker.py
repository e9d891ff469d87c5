"""A worker: plays blocks of a tournament's matches on one core, and keeps its bots alive between them.

The same code plays on this machine and on a cluster. A block is a list of match ids; everything else about a match
follows from the tournament. Starts bots (through `BotProcess`), writes no file, and raises only what is the harness's
own failing: what bots do is in the records.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena import cores
from arena.bot import BotSpec
from arena.bot_process import QUIT_SECONDS, BotProcess
from arena.catalogue import get_game
from arena.referee import VOID_TRIES, Played, Referee
from arena.schedule import Match, Schedule
from arena.seal import bag_of
from arena.tournament import GameEntry, Tournament

LIVE_BOTS = 16
"""So many bots a worker keeps running: two sides of a tile of the schedule."""
STARTED_TOGETHER = 4
"""At most one more: a start must not take so long on a shared core that a bot misses its limit by that."""
BLOCK_SECONDS = 1.0
"""After so long a worker hands in what it has played of a block, and the rest of the block unplayed."""
SPARE_SECONDS = 60.0
"""What a worker may take for everything that is not a match, before it counts as stuck."""


@dataclass(frozen=True)
class Setup:
    """All that a worker needs to know of a tournament."""

    tournament: Tournament
    bots: tuple[BotSpec, ...]
    sandbox_mode: str = "none"
    restart: bool = False
    ponder: bool = False

    def schedule(self) -> Schedule:
        """The schedule, with the games that each bot plays."""
        return Schedule(self.tournament, {bot.name: bot.games for bot in self.bots})

    def longest_block_seconds(self) -> float:
        """Longer than any block can take, whatever the bots do: a worker silent for so long is not playing."""
        limits = self.tournament.limits
        moves = max(_most_moves(entry) for entry in self.tournament.games)
        thinking = moves * limits.move_ms
        if limits.bank_ms:
            thinking = min(thinking, 2 * limits.bank_ms + moves * limits.increment_ms)
        # A clock that the rival's computing was taken off may run twice as long; and starting many bots takes time.
        match_ms = (2 * limits.start_ms + 2 * thinking) * (1 + VOID_TRIES)
        return BLOCK_SECONDS + match_ms / 1000 + SPARE_SECONDS


def _most_moves(entry: GameEntry) -> int:
    """How many moves a match of this entry can have, for the greatest options that can be drawn."""
    game = get_game(entry.id)
    ends = [
        {name: value[end] if isinstance(value, tuple) else value for name, value in entry.choices().items()}
        for end in (0, 1)
    ]
    return max(game.max_moves(game.options(options)) for options in ends)


@dataclass(frozen=True, slots=True)
class Block:
    """Matches to be played by one worker, in this order. `number` tells blocks apart."""

    number: int
    ids: tuple[str, ...]


Result = tuple[str, str, int | None, str]


@dataclass(slots=True)
class Report:
    """What a worker made of a block: records in the order of play, and what it had no time for."""

    blob: bytes = b""
    """The records, each a line with its newline: in one piece, which is the quickest to send and to write."""
    ids: list[str] = field(default_factory=list)
    """Those of the records."""
    results: list[Result] = field(default_factory=list)
    """For each record the bots of seat 1 and 2, the winner and the ending."""
    moves: int = 0
    rest: tuple[str, ...] = ()
    seconds: float = 0.0
    starts: int = 0
    """How many bot processes were started for it."""
    bag: int = 0
    """The bag of all its lines (see arena.seal), so that the one process that writes them need not work it out."""

    @property
    def lines(self) -> list[bytes]:
        """The records one by one, without their newlines."""
        return self.blob.split(b"\n")[:-1]

    def add(self, other: Report) -> None:
        """Take in what another report says: parts of one block may be played in different places."""
        self.blob += other.blob
        self.ids += other.ids
        self.results += other.results
        self.moves += other.moves
        self.rest += other.rest
        self.seconds += other.seconds
        self.starts += other.starts
        self.bag += other.bag


class Worker:
    """Plays blocks, one match at a time, on the cores it is given."""

    def __init__(self, setup: Setup, core: int | None = None, name: str | None = None) -> None:
        self.setup = setup
        self._core = None if core is None or setup.ponder else [core]
        self._name = name
        self._schedule = setup.schedule()
        self._specs = {spec.name: spec for spec in setup.bots}
        self._bots: OrderedDict[str, BotProcess] = OrderedDict()
        self._leaving: list[tuple[float, BotProcess]] = []
        self._referees: dict[str, Referee] = {}
        self._results: dict[Result, Result] = {}
        self._handing_in = False

    def hand_in(self) -> None:
        """Begin no more matches: blocks, those to come included, are handed in as they are. From any thread."""
        self._handing_in = True

    def play(self, block: Block, seconds: float = BLOCK_SECONDS) -> Report:
        """Play the block, or as much of it as there is time for; at least one match, unless it is to hand in."""
        report = Report()
        lines: list[bytes] = []
        begin = time.monotonic()
        with cores.pinned(self._core):
            for at, match_id in enumerate(block.ids):
                if self._handing_in or (at and time.monotonic() - begin >= seconds):
                    report.rest = block.ids[at:]
                    break
                match = self._schedule.match_of(match_id)
                if not all(self._runs(name) for name in match.bots):
                    report.starts += self._start_ahead(block.ids[at:])
                lines.append(self._play_one(match, report))
            for bot in self._bots.values():
                bot.flush()
            report.bag = bag_of(lines)
            report.blob = b"".join([line + b"\n" for line in lines])
        report.seconds = time.monotonic() - begin
        return report

    def _runs(self, name: str) -> bool:
        bot = self._bots.get(name)
        return bot is not None and bot.running

    def _start_ahead(self, ids: Sequence[str]) -> int:
        """Start the bots that the next matches need, a few at a time, before the first of these begins; how many.

        Those that have to wait while they start do so together. No clock runs meanwhile, and all are ready before
        one does: a bot that still starts would take the processor from those who play.
        """
        starting: list[BotProcess] = []
        for match_id in ids[:LIVE_BOTS]:
            match = self._schedule.match_of(match_id)
            for seat, name in enumerate(match.bots, 1):
                bot = self._bot(name, seat - 1)
                if not bot.running and not bot.greeted_ahead:
                    bot.greet_ahead(self._referee(match.game).greeting(match, seat))
                    starting.append(bot)
            if len(starting) >= STARTED_TOGETHER:
                break
        for bot in starting:
            bot.await_ahead()
        return sum(bot.running for bot in starting)

    def _play_one(self, match: Match, report: Report) -> bytes:
        """Play a match, note its result in the report, and give back its record."""
        first, second = match.bots
        players = self._bot(first, 0), self._bot(second, 1)
        started = players[0].starts + players[1].starts
        played: Played = self._referee(match.game).play(match, players)
        report.starts += players[0].starts + players[1].starts - started
        result = first, second, played.verdict.winner, played.verdict.ending
        report.ids.append(match.id)
        # Equal results are one object: the supervisor, who may get twenty thousand a second, unpacks each once.
        report.results.append(self._results.setdefault(result, result))
        report.moves += played.moves
        self._let_leave()
        return played.line.encode("ascii")

    def _referee(self, game: str) -> Referee:
        referee = self._referees.get(game)
        if referee is None:
            limits, restart = self.setup.tournament.limits, self.setup.restart
            referee = self._referees[game] = Referee(
                get_game(game), limits, restart=restart, worker=self._name
            )
        return referee

    def _bot(self, name: str, side: int) -> BotProcess:
        """The bot of this name, which now is the one used last."""
        bot = self._bots.get(name)
        if bot is None:
            setup = self.setup
            cpus = cores.apart()[side] if setup.ponder else self._core
            bot = BotProcess(
                self._specs[name],
                setup.tournament.limits,
                sandbox_mode=setup.sandbox_mode,
                cpus=cpus,
                ponder=setup.ponder,
                company=self._company,
            )
            self._bots[name] = bot
        self._bots.move_to_end(name)
        return bot

    def _company(self) -> list[BotProcess]:
        """All bots that may be running on this worker's core."""
        return [*self._bots.values(), *(bot for _, bot in self._leaving)]

    def _let_leave(self) -> None:
        """Ask bots that were not used for longest to leave; end those that were asked a second ago and have not."""
        while len(self._bots) > LIVE_BOTS:
            _, bot = self._bots.popitem(last=False)
            bot.ask_to_leave()
            self._leaving.append((time.monotonic() + QUIT_SECONDS, bot))
        if self._leaving:
            now = time.monotonic()
            staying = []
            for deadline, bot in self._leaving:
                if now >= deadline or bot.has_ended():
                    bot.discard()
                else:
                    staying.append((deadline, bot))
            self._leaving = staying

    def close(self) -> None:
        """Have all bots leave, within a second in all."""
        bots = self._company()
        for bot in bots:
            bot.ask_to_leave()
        deadline = time.monotonic() + QUIT_SECONDS
        for bot in bots:
            if time.monotonic() < deadline:
                bot.stop()
            else:
                bot.discard()
        self._bots.clear()
        self._leaving.clear()
