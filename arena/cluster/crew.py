"""The crew on a cluster: hands blocks to Dask's workers and answers to the runner, as `arena.crew.Crew` promises.

A Dask worker that arrives is a guest until it has shown that it has the same arena and can play; then it is a hand and
takes a seat: a lane of the runner's. A seat that is empty stays a lane (others play for it), so lanes keep their
numbers while workers come and go. A block is sent whole, or in pieces where the worker lacks some of its bots
and another has them; it is done when all of its pieces are. What becomes of a piece:

- a report; or the worker asks for a tournament or for parcels, which are sent with the piece once more;
- the worker refuses a bot: the piece goes to one that can play it. Where none can, its matches are left out, and the
  bot's name and the reasons are kept in `left_out`; should a worker come later that can, they are played after all;
- the worker is gone: the block is lost, as the runner knows it from one machine;
- the scheduler is gone: nothing is lost, everything is sent again when it is back.

All of this happens in the runner's thread, in `wait`. Raises UsageError when the cluster cannot be used at all, and
HarnessFailure when it, or the last of its workers, does not come back in time: what was played is recorded.
"""

from __future__ import annotations

import hashlib
import queue
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, Protocol

from arena import __version__
from arena.build import BUILD_SECONDS
from arena.cluster import there
from arena.cluster.link import Again, Answered, Cut, Event, Failed, Gone, Lost, Present
from arena.crew import Done
from arena.errors import ArenaError, HarnessFailure, UsageError
from arena.parcel import Parcel, pack
from arena.worker import Block, Report, Setup

DISTRIBUTION = "bot-arena"
FIRST_WORKER_SECONDS = 60.0
GREETING_SECONDS = 30.0
NO_WORKER_SECONDS = 60.0
CLOSING_SECONDS = 3.0
CROWDED_SECONDS = 5.0
GREETED_TIMES = 5
"""A worker whose greeting was called off so often is not asked again."""


class Carrier(Protocol):
    """What the crew needs of a link; a test gives it one without any Dask."""

    address: str
    events: queue.SimpleQueue[Event]

    def send(self, ticket: int, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Have a worker call this."""

    def forget(self, ticket: int) -> None:
        """Call an errand off."""

    def close(self) -> None:
        """Let go of the cluster."""


@dataclass
class _Order:
    """A block of the runner's, and what has come of its pieces so far."""

    lane: int
    block: Block
    open: int = 0
    report: Report = field(default_factory=Report)
    lost: bool = False
    begun: bool = False
    why: str = ""


@dataclass
class _Piece:
    """Matches of one order, on their way to one hand."""

    order: _Order
    ids: tuple[str, ...]


@dataclass
class _Hand:
    """A worker that plays: where it is, what it is called, what it cannot play, and its pieces in order."""

    address: str
    name: str
    lacks: dict[str, str] = field(default_factory=dict)
    pieces: dict[int, _Piece] = field(default_factory=dict)
    since: float = 0.0
    told: bool = False

    def can(self, pair: Iterable[str]) -> bool:
        """Whether it can play a match of these bots."""
        return not self.lacks or not any(name in self.lacks for name in pair)


class DaskCrew:
    """Everybody who is at work on a cluster."""

    largest_block = 2000
    """Dask costs 1 to 3 ms a task: with blocks of 500 quick matches it took 16% of a machine, with these 9%."""

    def __init__(self, setup: Setup, folder: Path, link: Carrier, notify: Callable[[str], None]) -> None:
        self._setup = setup
        self._key = setup_key(setup)
        self._schedule = setup.schedule()
        self._post = _Post(setup, folder)
        self._link = link
        self._notify = notify
        self._patience = setup.longest_block_seconds() + BUILD_SECONDS
        self._tickets = iter(range(1, 1 << 62))
        self._guests: dict[int, str] = {}
        self._greeted: defaultdict[str, int] = defaultdict(int)
        self._turned_away: dict[str, str] = {}
        self._crowded_out: dict[str, float] = {}
        """Workers for whom there was no core, and when they are asked again."""
        self._hands: dict[str, _Hand] = {}
        self._seats: list[_Hand | None] = []
        self._unsent: list[_Piece] = []
        self._left: list[str] = []
        self._revived: list[str] = []
        self.left_out: dict[str, str] = {}
        """The bots that no worker could play so far, and why."""
        self._done: list[Done] = []
        self._alone_since = time.monotonic()
        self._stopping = False
        self._noted: set[str] = set()
        try:
            self._await_hands()
        except BaseException:
            link.close()
            raise

    # --- what the runner sees --------------------------------------------------------------------

    @property
    def lanes(self) -> int:
        """One lane for each seat; at least one, so that blocks can wait here for a worker."""
        return max(1, len(self._seats))

    def names(self) -> list[str]:
        """The names of the workers that play now."""
        return [hand.name for hand in self._hands.values()]

    def submit(self, lane: int, block: Block) -> None:
        """Have this block played by the worker on that seat, or by whoever can."""
        self._dispatch(_Order(lane, block), block.ids)

    def wait(self, seconds: float) -> list[Done]:
        """Reports that have come in, and blocks that were lost."""
        deadline = time.monotonic() + seconds
        while not self._done and (left := deadline - time.monotonic()) > 0:
            try:
                event = self._link.events.get(timeout=left)
            except queue.Empty:
                break
            self._heed(event)
        while not self._link.events.empty():
            self._heed(self._link.events.get())
        self._end_the_silent()
        self._check_alone()
        done, self._done = self._done, []
        return done

    def hand_in(self) -> None:
        """Whatever is not being played is given back; what is being played comes in within a second or so."""
        self._stopping = True
        for hand in self._hands.values():
            for ticket in list(hand.pieces)[1:]:
                self._link.forget(ticket)
                self._give_back(hand.pieces.pop(ticket))
        for piece in self._take_unsent():
            self._give_back(piece)

    def close(self, *, at_once: bool = False) -> None:
        """Call off what is under way, have the bots go home, and let go of the cluster."""
        waiting = set()
        for hand in self._hands.values():
            for ticket in hand.pieces:
                self._link.forget(ticket)
            hand.pieces.clear()
            waiting.add(ticket := next(self._tickets))
            self._link.send(ticket, hand.address, there.dismiss, self._key)
        deadline = time.monotonic() + (CLOSING_SECONDS if not at_once else 1.0)
        while waiting and (left := deadline - time.monotonic()) > 0:
            try:
                event = self._link.events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, Cut | Gone):
                break
            if not isinstance(event, Present):
                waiting.discard(event.ticket)
        self._link.close()

    # --- at the start ----------------------------------------------------------------------------

    def _await_hands(self) -> None:
        """Wait until a worker can play, and everybody who is there has been greeted."""
        begin = time.monotonic()
        while True:
            waited = time.monotonic() - begin
            if self._hands and (not self._guests or waited > GREETING_SECONDS):
                return
            if self._turned_away and not self._guests and not self._hands:
                raise UsageError(f"no worker at {self._link.address} can play: {self._reasons()}")
            if waited > FIRST_WORKER_SECONDS:
                raise UsageError(
                    f"no worker came to {self._link.address} within {FIRST_WORKER_SECONDS:g} s: start some with "
                    f"'dask worker {self._link.address} --nthreads 1'"
                )
            try:
                event = self._link.events.get(timeout=0.5)
            except queue.Empty:
                continue
            if isinstance(event, Gone):
                raise UsageError(f"--cluster: {event.reason}")
            self._heed(event)
            if isinstance(event, Present) and not event.workers and waited > 1:
                self._note(f"waiting for workers at {self._link.address}")

    def _reasons(self) -> str:
        return "; ".join(sorted(set(self._turned_away.values()))[:3])

    # --- events ----------------------------------------------------------------------------------

    def _heed(self, event: Event) -> None:
        """Take in one thing that has happened."""
        if isinstance(event, Present):
            self._look(event.workers)
        elif isinstance(event, Cut):
            self._note_again(f"the scheduler at {self._link.address} is lost: trying to reach it again")
            self._start_over()
        elif isinstance(event, Gone):
            raise HarnessFailure(f"{event.reason}; what was played is recorded, the same command goes on")
        elif event.ticket in self._guests:
            self._hear_guest(self._guests.pop(event.ticket), event)
        else:
            self._hear_hand(event)

    def _look(self, workers: dict[str, int]) -> None:
        """Greet those who have come, part with those who have left, and send what is still to be sent."""
        for address in [address for address in self._hands if address not in workers]:
            self._part(self._hands[address], "it left the cluster")
        for ticket in [ticket for ticket, address in self._guests.items() if address not in workers]:
            del self._guests[ticket]
        for gone in set(self._turned_away) - set(workers):
            del self._turned_away[gone]
        self._ask_the_crowded_again()
        known = {*self._hands, *self._guests.values(), *self._turned_away}
        for address in workers:
            if address not in known:
                self._greet(address, installed_version, DISTRIBUTION)
        if self._hands:
            for piece in self._take_unsent():
                self._resend(piece)

    def _ask_the_crowded_again(self) -> None:
        """Those for whom there was no core are greeted once more, after a while: one may have become free."""
        now = time.monotonic()
        for address in [address for address, due in self._crowded_out.items() if now >= due]:
            del self._crowded_out[address]
            self._turned_away.pop(address, None)

    def _start_over(self) -> None:
        """All workers have to be greeted anew, and all pieces be sent anew."""
        for hand in self._hands.values():
            self._unsent += hand.pieces.values()
            hand.pieces.clear()
        self._hands.clear()
        self._guests.clear()
        self._greeted.clear()
        self._turned_away.clear()
        self._crowded_out.clear()
        self._seats = [None] * len(self._seats)
        self._alone_since = time.monotonic()

    # --- guests ----------------------------------------------------------------------------------

    def _greet(self, address: str, function: Callable[..., Any], *arguments: Any) -> None:
        ticket = next(self._tickets)
        self._guests[ticket] = address
        self._link.send(ticket, address, function, *arguments)

    def _hear_guest(self, address: str, event: Answered | Lost | Again | Failed) -> None:
        """What a worker says of itself: first arena's version, by a function that any Python has; then the rest."""
        if isinstance(event, Answered) and isinstance(event.value, there.Greeting):
            self._hear_greeting(address, event.value)
        elif isinstance(event, Answered) and event.value == __version__:
            self._greet(address, there.greet, self._setup.sandbox_mode)
        elif isinstance(event, Answered):
            self._turn_away(
                address, f"it has arena {event.value}, here is {__version__}: install the same on both"
            )
        elif isinstance(event, Failed):
            self._turn_away(address, _explained(event.reason))
        else:  # called off: the next look greets it again, a few times
            self._greeted[address] += 1
            if isinstance(event, Lost) or self._greeted[address] >= GREETED_TIMES:
                self._turn_away(address, "it ends whenever it is asked something")

    def _hear_greeting(self, address: str, greeting: there.Greeting) -> None:
        if greeting.trouble is not None:
            hint = " (--sandbox none plays without)" if "bubblewrap" in greeting.trouble else ""
            self._turn_away(address, f"{greeting.trouble}{hint}", greeting.name)
            if greeting.crowded:
                self._crowded_out[address] = time.monotonic() + CROWDED_SECONDS
            return
        here = ".".join(map(str, sys.version_info[:2]))
        if greeting.python.split(".")[:2] != here.split("."):
            self._note(
                f"worker {greeting.name} has Python {greeting.python}, here is {here}: bots in Python may differ"
            )
        if greeting.threads > 1:
            self._note(
                f"worker {greeting.name} has {greeting.threads} threads and plays one match at a time all the same: "
                "start it with --nworkers CORES --nthreads 1"
            )
        self._seat(_Hand(address, greeting.name))

    def _turn_away(self, address: str, why: str, name: str | None = None) -> None:
        self._turned_away[address] = f"{name or address}: {why}"
        self._note(f"worker {name or address} is not used: {why}")

    def _seat(self, hand: _Hand) -> None:
        """Give a hand the first free seat; matches that nobody could play are tried once more."""
        self._hands[hand.address] = hand
        if None in self._seats:
            self._seats[self._seats.index(None)] = hand
        else:
            self._seats.append(hand)
        self._revived += self._left
        self._left.clear()
        self.left_out.clear()

    # --- hands -----------------------------------------------------------------------------------

    def _hear_hand(self, event: Answered | Lost | Again | Failed) -> None:
        """What became of a piece; nothing, if it was called off meanwhile."""
        hand = next((hand for hand in self._hands.values() if event.ticket in hand.pieces), None)
        if hand is None:
            return
        begun = next(iter(hand.pieces)) == event.ticket
        piece = hand.pieces.pop(event.ticket)
        hand.since = time.monotonic()
        if isinstance(event, Answered):
            self._hear_answer(hand, piece, there.unpack(event.value))
        elif isinstance(event, Lost):
            self._lose(piece, begun, f"worker {hand.name} died of it")
        elif isinstance(event, Again):
            self._unsent.append(piece)
        else:
            self._dismiss(hand, [piece], _explained(event.reason))

    def _hear_answer(self, hand: _Hand, piece: _Piece, answer: there.Answer) -> None:
        if isinstance(answer, Report):
            self._finish(piece, answer)
        elif self._stopping:
            self._give_back(piece)
        elif isinstance(answer, there.Wants):
            parcels, troubles = self._post.parcels(answer.versions)
            hand.lacks |= troubles
            if troubles:
                self._resend(piece)
            else:
                self._send(hand, piece, self._setup if answer.setup else None, parcels)
        elif isinstance(answer, there.Refuses):
            for name, why in answer.lacks.items():
                self._note(f"worker {hand.name} cannot play {name}: {why}")
            hand.lacks |= answer.lacks
            self._resend(piece)
        else:
            self._dismiss(hand, [piece], answer.reason)

    def _dismiss(self, hand: _Hand, pieces: list[_Piece], why: str) -> None:
        """Use a worker no more that is there and cannot play; others take over what it had."""
        pieces += self._take_from(hand)
        self._turn_away(hand.address, why, hand.name)
        for piece in pieces:
            self._resend(piece)

    def _part(self, hand: _Hand, why: str) -> None:
        """A worker is gone: what it was playing is lost, and so is what it had in waiting."""
        self._note_again(f"worker {hand.name} is gone ({why}): what it had is played again")
        for at, piece in enumerate(self._take_from(hand)):
            self._lose(piece, at == 0, f"worker {hand.name}: {why}")
        if not self._hands:
            self._note_again(f"waiting {NO_WORKER_SECONDS:g} s for another worker at {self._link.address}")

    def _take_from(self, hand: _Hand) -> list[_Piece]:
        for ticket in hand.pieces:
            self._link.forget(ticket)
        del self._hands[hand.address]
        self._seats[self._seats.index(hand)] = None
        while len(self._seats) > 1 and self._seats[-1] is None:
            self._seats.pop()
        self._alone_since = time.monotonic()
        return list(hand.pieces.values())

    def _end_the_silent(self) -> None:
        """A worker that is there, and takes longer than any block can, is stuck."""
        now = time.monotonic()
        for hand in list(self._hands.values()):
            if hand.pieces and now - hand.since > self._patience:
                self._part(hand, f"it was silent for {now - hand.since:.0f} s")
                self._turn_away(hand.address, "it was silent for too long", hand.name)

    def _check_alone(self) -> None:
        """Give up when there has been nobody to play for too long."""
        if self._hands or not self._unsent:
            return
        if time.monotonic() - self._alone_since > NO_WORKER_SECONDS:
            because = f" ({self._reasons()})" if self._turned_away else ""
            raise HarnessFailure(
                f"no worker at {self._link.address} for {NO_WORKER_SECONDS:g} s{because}; what was played is "
                "recorded, the same command goes on"
            )

    # --- sending ---------------------------------------------------------------------------------

    def _dispatch(self, order: _Order, ids: Sequence[str]) -> None:
        """Send matches to whoever can play them, those of one hand together."""
        shares = self._shared_out(order.lane, ids)
        order.open += len(shares)  # before any of them can be done with
        for hand, chosen in shares:
            piece = _Piece(order, tuple(chosen))
            if hand is not None:
                self._send(hand, piece)
            elif self._guests or not self._hands:
                self._unsent.append(piece)
            else:
                self._leave_out(piece)

    def _shared_out(self, lane: int, ids: Sequence[str]) -> list[tuple[_Hand | None, Sequence[str]]]:
        """Who plays which of these matches; None for those that nobody here can play."""
        seated = self._seats[lane] if lane < len(self._seats) else None
        hands = sorted(self._hands.values(), key=lambda hand: (hand is not seated, len(hand.pieces)))
        if not hands or not any(hand.lacks for hand in hands):
            return [(hands[0] if hands else None, ids)]
        shares: dict[str | None, list[str]] = defaultdict(list)
        for match_id in ids:
            pair = self._schedule.pairing_of(match_id)[1:3]
            able = next((hand.address for hand in hands if hand.can(pair)), None)
            shares[able].append(match_id)
        return [(self._hands[address] if address else None, chosen) for address, chosen in shares.items()]

    def _send(
        self, hand: _Hand, piece: _Piece, setup: Setup | None = None, parcels: tuple[Parcel, ...] = ()
    ) -> None:
        if not hand.pieces:
            hand.since = time.monotonic()
        if not hand.told:  # it will ask for the tournament anyway
            hand.told, setup = True, self._setup
        ticket = next(self._tickets)
        hand.pieces[ticket] = piece
        block = Block(piece.order.block.number, piece.ids)
        self._link.send(ticket, hand.address, there.play, self._key, block, setup, parcels)

    def _resend(self, piece: _Piece) -> None:
        """Find somebody else for a piece; its order stays open meanwhile."""
        if self._stopping:
            self._give_back(piece)
            return
        self._dispatch(piece.order, piece.ids)
        self._close_one(piece.order)

    def _take_unsent(self) -> list[_Piece]:
        pieces, self._unsent = self._unsent, []
        return pieces

    # --- finishing -------------------------------------------------------------------------------

    def _finish(self, piece: _Piece, report: Report) -> None:
        piece.order.report.add(report)
        self._close_one(piece.order)

    def _give_back(self, piece: _Piece) -> None:
        self._finish(piece, Report(rest=piece.ids))

    def _leave_out(self, piece: _Piece) -> None:
        """Nobody here can play these: say which bots and why, and go on with the rest."""
        for name in sorted({name for id_ in piece.ids for name in self._schedule.pairing_of(id_)[1:3]}):
            reasons = {hand.name: hand.lacks.get(name) for hand in self._hands.values()}
            if all(reasons.values()) and name not in self.left_out:
                self.left_out[name] = "; ".join(f"{who}: {why}" for who, why in sorted(reasons.items())[:3])
                self._note(f"{name} cannot be played on any worker that is there: its matches are left out")
        self._left += piece.ids
        self._close_one(piece.order)

    def _lose(self, piece: _Piece, begun: bool, why: str) -> None:
        order = piece.order
        order.lost, order.begun, order.why = True, order.begun or begun, why
        self._close_one(order)

    def _close_one(self, order: _Order) -> None:
        """One piece less; the last one closes the order."""
        order.open -= 1
        if order.open:
            return
        if (
            order.lost
        ):  # what other pieces have reported is played again: it is recorded once, whatever happens
            self._done.append(Done(order.lane, order.block, None, order.begun, order.why))
            return
        if self._revived and not self._stopping:
            order.report.rest += tuple(self._revived)
            self._revived.clear()
        self._done.append(Done(order.lane, order.block, order.report))

    # --- telling ---------------------------------------------------------------------------------

    def _note(self, text: str) -> None:
        """Tell the user, once."""
        if text not in self._noted:
            self._noted.add(text)
            self._notify(text)

    def _note_again(self, text: str) -> None:
        self._noted.discard(text)
        self._note(text)


class _Post:
    """Packs bots as they are asked for, each once."""

    def __init__(self, setup: Setup, folder: Path) -> None:
        self._folder = folder
        words = {bot.name: bot.path or bot.run or bot.name for bot in setup.tournament.bots}
        self._bots = [(spec, words[spec.name]) for spec in setup.bots]
        self._packed: dict[str, Parcel] = {}

    def parcels(self, versions: Iterable[str]) -> tuple[tuple[Parcel, ...], dict[str, str]]:
        """The parcels of these versions, and for bots that cannot travel the reason."""
        troubles: dict[str, str] = {}
        for version in versions:
            for spec, word in self._bots:
                if spec.version == version and version not in self._packed:
                    try:
                        self._packed[version] = pack(spec, word, self._folder)
                    except (ArenaError, OSError, ValueError) as error:
                        troubles[spec.name] = there.one_line(error)
        return tuple(self._packed[version] for version in versions if version in self._packed), troubles


def setup_key(setup: Setup) -> str:
    """The same for the same tournament with the same bots and ways, wherever it is run from."""
    digest = hashlib.sha256(setup.tournament.model_dump_json().encode())
    for spec in setup.bots:
        digest.update(f"{spec.name}\0{spec.version}\0{spec.games}\n".encode())
    digest.update(f"{setup.sandbox_mode} {setup.restart}".encode())
    return digest.hexdigest()[:24]


def _explained(reason: str) -> str:
    """What Dask says when a task cannot be read or run at the other end, in words that help."""
    if "No package metadata" in reason or "No module named 'arena" in reason:
        return f"arena is not installed there: pip install 'bot-arena[dask]=={__version__}'"
    if "deserializ" in reason:
        return f"the scheduler or the worker cannot read what is sent: install arena {__version__} on both ({reason})"
    return reason
