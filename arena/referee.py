"""The referee: plays one match between two players by the rules of a game, and writes its record.

Owns the conversation of a match: what each seat is sent and when, the time it has, what becomes of an answer, and how
the match ends. It starts no process and reads no pipe; players do (`arena.player`). Raises nothing for what a player
does: every match has a record.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Protocol

from arena.bank import Bank
from arena.limits import Limits
from arena.player import Fault, Player, Starved
from arena.record import Ending, MatchRecord, parse_record, record_line
from arena.seeds import seat_seed
from games.interface import Game, MalformedMove, Outcome, Seat

MS = 1_000_000
LISTED_MOVES = 1000
"""With more legal moves than this the line `legal` is left out."""
CACHED_BYTES = 8 << 20
POSITION_BYTES = 300
"""About what a position takes in memory besides its lines."""
CACHED_MOVES = 10_000
VOID_TRIES = 3
"""How often a match in which the machine was late is played again."""


class Match(Protocol):
    """A match as it was scheduled: everything but the two players themselves."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def seed(self) -> int: ...
    @property
    def opening(self) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that somebody asks for: the plainest `Match`."""

    id: str
    game: str
    options: Mapping[str, Any]
    seed: int
    opening: Sequence[str] = ()


class Verdict(NamedTuple):
    """How a match ended. `winner` is a seat, 0 for a draw, None if it was void."""

    winner: int | None
    ending: Ending
    at_fault: Seat | None
    detail: str


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its verdict, and its record as a line for the journal."""

    id: str
    verdict: Verdict
    moves: int
    line: str

    def record(self) -> MatchRecord:
        """The record as an object."""
        return parse_record(self.line)


class Referee:
    """Plays matches of one game with the same options type and limits, one after another.

    `restart`: start a bot afresh for every match, instead of only after a fault.
    """

    def __init__(
        self, game: Game[Any, Any], limits: Limits, *, restart: bool = False, worker: str | None = None
    ) -> None:
        self.game = game
        self.limits = limits
        self._restart = restart
        self._worker = worker
        self._positions: dict[tuple[Any, Seat], bytes] = {}
        self._positions_bytes = 0
        self._written: dict[str, _Written] = {}
        self._given: Mapping[str, Any] | None = None
        self._options: Any = None
        self._option_words = ""

    def play(self, match: Match, players: tuple[Player, Player]) -> Played:
        """Play a match to its end; one in which the machine was late, up to three times more."""
        played = self._play_once(match, players)
        for _ in range(VOID_TRIES):
            if played.verdict.ending is not Ending.VOID:
                break
            played = self._play_once(match, players)
        return played

    def _play_once(self, match: Match, players: tuple[Player, Player]) -> Played:
        began = time.time()
        begin = time.monotonic_ns()
        moves: list[tuple[int, str, float, Sequence[str]]] = []
        verdict = self._verdict(match, players, moves)
        stderr = self._part(players, verdict)
        line = record_line(
            id=match.id,
            game=match.game,
            options=match.options,
            seed=match.seed,
            opening=match.opening,
            bots=[(player.name, player.version) for player in players],
            moves=moves,
            winner=verdict.winner,
            ending=verdict.ending,
            at_fault=verdict.at_fault,
            detail=verdict.detail,
            started=_timestamp(began),
            wall_ms=(time.monotonic_ns() - begin) / MS,
            worker=self._worker,
            stderr=stderr or None,
        )
        return Played(match.id, verdict, len(moves), line)

    # --- the match -------------------------------------------------------------------------------

    def _verdict(
        self, match: Match, players: tuple[Player, Player], moves: list[tuple[int, str, float, Sequence[str]]]
    ) -> Verdict:
        """Greet both players and play; whatever goes wrong ends here, as a verdict."""
        try:
            options = self._checked(match.options)
            self._begin(match, players)
            return self._moves(match, options, players, moves)
        except _AtFault as failed:
            return Verdict(3 - failed.seat, failed.fault.ending, failed.seat, failed.fault.detail)
        except Starved as starved:
            return Verdict(None, Ending.VOID, None, str(starved))

    def _begin(self, match: Match, players: tuple[Player, Player]) -> None:
        """Have both players ready. If both fail, the one in seat 1 is told of.

        Both are waited for, also when one has failed: an answer that nobody has heard would be taken for one to the
        next game, and who is not ready in time must not get more of it.
        """
        failures: dict[Seat, Fault | Starved] = {}
        players[0].meet(players[1])
        players[1].meet(players[0])
        for seat, player in enumerate(players, 1):
            try:
                player.greet(self.greeting(match, seat))
            except (Fault, Starved) as failure:
                failures[seat] = failure
        for seat, player in enumerate(players, 1):
            if seat not in failures:
                try:
                    player.await_ready()
                except (Fault, Starved) as failure:
                    failures[seat] = failure
        if not failures:
            return
        blamed = min(failures)
        if len(failures) == 2:
            players[2 - blamed].discard()
        failed = failures[blamed]
        raise _AtFault(blamed, failed) if isinstance(failed, Fault) else failed

    def _moves(
        self,
        match: Match,
        options: Any,
        players: tuple[Player, Player],
        moves: list[tuple[int, str, float, Sequence[str]]],
    ) -> Verdict:
        """Play the moves, from the start position to the end."""
        game = self.game
        state = game.start(options, match.seed)
        unseen = [b"", b"", b""]  # what each seat has not been told yet, by seat
        for text in match.opening:
            written = self._read(text)
            line = written.played[game.to_move(state)]
            unseen[1] += line
            unseen[2] += line
            state = game.apply(state, written.move)
        known = self._written.get
        bank = Bank(self.limits) if self.limits.bank_ms else None
        limit_ns, go = self.limits.move_ms * MS, b"go %d\n" % self.limits.move_ms
        cap = game.max_moves(options) - len(match.opening)
        while (outcome := game.outcome(state)) is None:
            if len(moves) >= cap:
                return Verdict(
                    0, Ending.TURN_LIMIT, None, f"the limit of {game.max_moves(options)} moves is reached"
                )
            seat = game.to_move(state)
            player = players[seat - 1]
            if bank is not None:
                limit_ns, go = bank.turn(seat)
            block = unseen[seat] + self.position(state, seat) + go
            unseen[seat] = b""
            try:
                text = player.ask(block, limit_ns)
                seen = known(text)
                if seen is None or game.refusal(state, seen.move) is not None:
                    seen = self._looked_at(player, state, text, limit_ns)
            except Fault as fault:
                raise _AtFault(seat, fault if bank is None else bank.explained(fault, limit_ns)) from None
            elapsed_ns = player.elapsed_ns
            if bank is not None:
                bank.used(seat, elapsed_ns)
            moves.append((seat, seen.text, elapsed_ns / MS, player.info))
            line = seen.played[seat]
            unseen[1] += line
            unseen[2] += line
            state = game.apply(state, seen.move)
        names = players[0].name, players[1].name
        return Verdict(outcome.winner, Ending.COMPLETED, None, _sentence(outcome, names))

    def _checked(self, given: Mapping[str, Any]) -> Any:
        """The start options as the game's own object; matches often have those of the match before."""
        if given != self._given:
            self._options = self.game.options(given)
            self._given = given
            self._option_words = "".join(f" {name}={_option(value)}" for name, value in given.items())
        return self._options

    def _read(self, text: str) -> _Written:
        """The move that a text means, with all that is written for it; MalformedMove if it means none.

        Kept ready: reading and writing the same few moves anew took half a microsecond a move, of nine.
        """
        move = self.game.read_move(text)
        token = self.game.write_move(move)
        played = (b"", b"played 1 %s\n" % token.encode(), b"played 2 %s\n" % token.encode())
        if len(self._written) >= CACHED_MOVES:
            self._written.clear()
        written = self._written[text] = _Written(move, token, played)
        return written

    def _looked_at(self, player: Player, state: Any, text: str, limit_ns: int) -> _Written:
        """The move of an answer that is new or wrong.

        A wrong one is refused and asked for again, on the same running clock, as often as the limits allow.
        """
        info = list(player.info)
        left = self.limits.reprompts
        while True:
            ending, reason, final = self._judge(state, text)
            if ending is None:
                player.info = info
                return self._read(text)
            if final or not left:
                tries = "" if final else _after_reprompts(self.limits.reprompts)
                raise Fault(ending, f"{reason}{tries}")
            left -= 1
            since = time.monotonic_ns() - player.elapsed_ns
            rest = max(0, limit_ns - player.elapsed_ns)
            block = b"illegal %s\ngo %d\n" % (" ".join(reason.split()).encode("utf-8", "replace"), rest // MS)
            try:
                text = player.ask(block, limit_ns, since)
            except Fault as fault:  # its author needs to know what came first
                raise Fault(
                    fault.ending, f"{fault.detail}, after an answer that was refused: {reason}"
                ) from None
            info += player.info

    def _judge(self, state: Any, text: str) -> tuple[Ending | None, str, bool]:
        """What is wrong with an answer: its ending, the reason, and whether it is not asked for again."""
        try:
            refusal = self.game.refusal(state, self.game.read_move(text))
        except MalformedMove as error:
            return Ending.MALFORMED, str(error), False
        if refusal is None:
            return None, "", False
        return Ending.ILLEGAL, refusal.reason, refusal.final

    def _part(self, players: tuple[Player, Player], verdict: Verdict) -> str:
        """Tell both how it ended; who failed is ended. The stderr of the one at fault."""
        stderr = ""
        for seat, player in enumerate(players, 1):
            player.tell(_over(verdict.winner, seat, verdict.ending))
            if seat == verdict.at_fault:
                stderr = player.stderr_tail()
                player.discard()
            elif verdict.ending is Ending.VOID:
                player.discard()
            elif self._restart:
                player.stop()
        return stderr

    # --- what is sent ----------------------------------------------------------------------------

    def greeting(self, match: Match, seat: Seat) -> bytes:
        """The line `game` for a seat."""
        limits = self.limits
        bank = f" bank_ms={limits.bank_ms} increment_ms={limits.increment_ms}" if limits.bank_ms else ""
        self._checked(match.options)
        return (
            f"game {match.game} seat={seat} seed={seat_seed(match.seed, seat)} move_ms={limits.move_ms}{bank}"
            f"{self._option_words}\n"
        ).encode()

    def position(self, state: Any, seat: Seat) -> bytes:
        """The lines `state` and `legal` for a seat; positions come up again, so they are kept ready as bytes."""
        key = state, seat
        known = self._positions.get(key)
        if known is not None:
            return known
        game = self.game
        text = f"state {game.view(state, seat)}\n"
        legal = list(islice(game.legal_moves(state), LISTED_MOVES + 1))
        if len(legal) <= LISTED_MOVES:
            text += f"legal {' '.join(map(game.write_move, legal))}\n"
        block = text.encode()
        self._positions_bytes += len(block) + POSITION_BYTES
        if self._positions_bytes > CACHED_BYTES:
            self._positions.clear()
            self._positions_bytes = len(block) + POSITION_BYTES
        self._positions[key] = block
        return block


class _Written(NamedTuple):
    """A move, its one token, and the line `played` for each seat, by seat."""

    move: Any
    text: str
    played: tuple[bytes, bytes, bytes]


class _AtFault(Exception):
    """The player of this seat has failed in its turn."""

    def __init__(self, seat: Seat, fault: Fault) -> None:
        self.seat = seat
        self.fault = fault


@lru_cache(maxsize=1000)
def _sentence(outcome: Outcome, names: tuple[str, str]) -> str:
    """Why a game ended, with the players' names: the same few sentences match after match."""
    return outcome.sentence(names)


@lru_cache(maxsize=100)
def _over(winner: int | None, seat: Seat, ending: Ending) -> bytes:
    """The line `over` for a seat."""
    words = {None: "void", 0: "draw", seat: "win"}
    return f"over {words.get(winner, 'loss')} {ending}\n".encode()


def _after_reprompts(reprompts: int) -> str:
    if not reprompts:
        return ""
    return f" (asked again {reprompts} time{'' if reprompts == 1 else 's'})"


def _option(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _timestamp(seconds: float) -> str:
    """A point in time as the record writes it: UTC, to the millisecond."""
    whole = int(seconds)
    return f"{_second(whole)}.{int((seconds - whole) * 1000):03d}Z"
