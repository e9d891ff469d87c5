"""The crew on a cluster: hands blocks to Dask's workers and answers to the runner, as `arena.crew.Crew` promises.

A block is sent whole, or in pieces where the worker on its seat lacks some of its bots and another has them (see
`orders`, `peers`, `shares`). What becomes of a piece:

- a report; or the worker asks for a tournament or for parcels, which are sent with the piece once more, each once;
- the worker refuses a bot: the piece goes to one that can play it. Where none can, its matches are left out, and the
  reasons are kept in `left_out`; should a worker come later that can, they are played after all;
- the block is lost, as the runner knows it from one machine: the worker is gone, or playing broke off. A match that
  broke off by itself goes to another worker next time; a worker on which others' matches break off is not used;
- the scheduler is gone: nothing is lost, everything is sent again when it is back.

All of this happens in the runner's thread, in `wait`. Raises UsageError when the cluster cannot be used at all, and
HarnessFailure when it, or the last of its workers, does not come back in time: what was played is recorded.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.build import BUILD_SECONDS
from arena.cluster import there
from arena.cluster.dask_words import of_an_errand
from arena.cluster.events import Again, Answered, Carrier, Cut, Event, Gone, Lost, Present, Reply
from arena.cluster.left_out import LeftOut
from arena.cluster.notes import Notes
from arena.cluster.orders import SETUP, Order, Piece
from arena.cluster.peers import Peer, Peers, Standing
from arena.cluster.post import Post, setup_key
from arena.cluster.reception import Reception
from arena.cluster.shares import Shares
from arena.crew import Done
from arena.errors import HarnessFailure
from arena.worker import Block, Report, Setup

NO_WORKER_SECONDS = 60.0
CLOSING_SECONDS = 3.0


class DaskCrew:
    """Everybody who is at work on a cluster."""

    largest_block = 2000
    """Dask costs 1 to 3 ms a task: with blocks of 500 quick matches it took 16% of a machine, with these 9%."""

    def __init__(self, setup: Setup, folder: Path, link: Carrier, notify: Callable[[str], None]) -> None:
        self._setup = setup
        self._key = setup_key(setup)
        schedule = setup.schedule()
        self._post = Post(setup, folder)
        self._link = link
        self._notes = Notes(notify)
        self._tickets = iter(range(1, 1 << 62))
        self._peers = Peers()
        self._reception = Reception(setup, self._peers, self._notes, self._errand)
        self._shares = Shares(schedule, self._peers)
        self._left_out = LeftOut(schedule)
        self._patience = setup.longest_block_seconds() + BUILD_SECONDS
        self._unsent: list[Piece] = []
        self._done: list[Done] = []
        self._stopping = False
        try:
            self._reception.await_hands(link, self._heed)
        except BaseException:
            link.close()
            raise
        self._tell_refused()

    # --- what the runner sees --------------------------------------------------------------------

    @property
    def lanes(self) -> int:
        """One lane for each seat; at least one, so that blocks can wait here for a worker."""
        return max(1, len(self._peers.seats))

    @property
    def left_out(self) -> dict[str, str]:
        """The bots, or pairs of bots, that no worker could play so far, and why."""
        return self._left_out.reasons()

    def names(self) -> list[str]:
        """The names of the workers that play now."""
        return [hand.name for hand in self._peers.hands()]

    def submit(self, lane: int, block: Block) -> None:
        """Have this block played by the worker on that seat, or by whoever can."""
        self._dispatch(Order(lane, block), block.ids)

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
        for hand in self._peers.hands():
            for ticket in list(hand.pieces)[1:]:
                self._link.forget(ticket)
                self._give_back(hand.pieces.pop(ticket))
        for piece in self._take_unsent():
            self._give_back(piece)

    def close(self, *, at_once: bool = False) -> None:
        """Call off what is under way, have the bots go home, and let go of the cluster."""
        waiting = set()
        for peer in self._peers.those(*Standing):
            for ticket in peer.pieces:
                self._link.forget(ticket)
            if peer.told or peer.standing is Standing.HAND:  # it may have bots, and has a core
                waiting.add(self._errand(peer.address, there.dismiss, self._key))
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

    def _tell_refused(self) -> None:
        for peer in self._peers.refused():
            self._notes.tell(f"worker {peer.name} is not used: {peer.why}")

    # --- events ----------------------------------------------------------------------------------

    def _heed(self, event: Event) -> None:
        """Take in one thing that has happened."""
        if isinstance(event, Present):
            self._look(event.workers)
        elif isinstance(event, Cut):
            self._notes.tell_again(f"the scheduler at {self._link.address} is lost: trying to reach it again")
            self._unsent += self._peers.forget()
        elif isinstance(event, Gone):
            raise HarnessFailure(f"{event.reason}; what was played is recorded, the same command goes on")
        elif (guest := self._peers.with_greeting(event.ticket)) is not None:
            self._reception.hear(guest, event)
            if guest.standing is Standing.HAND:
                self._left_out.hope()
        elif (hand := self._peers.with_piece(event.ticket)) is not None:
            self._hear_hand(hand, event)

    def _look(self, workers: dict[str, str]) -> None:
        """Greet those who have come, part with those who have left, and send what is still to be sent."""
        for peer in self._peers.gone(workers):
            if peer.standing is Standing.HAND:
                self._part(peer, list(peer.pieces.values()), "it left the cluster")
        if self._peers.hands():
            self._tell_refused()
        for peer in self._peers.new(workers):
            self._reception.greet(peer)
        if self._peers.hands():
            for piece in self._take_unsent():
                self._resend(piece)

    def _hear_hand(self, hand: Peer, event: Reply) -> None:
        """What became of a piece."""
        begun = next(iter(hand.pieces)) == event.ticket
        piece = hand.pieces.pop(event.ticket)
        hand.since = time.monotonic()
        if isinstance(event, Answered):
            self._hear_answer(hand, piece, there.unpack(event.value))
        elif isinstance(event, Lost):
            self._close(piece.order.lose(begun, f"worker {hand.name} died of it"))
        elif isinstance(event, Again):
            self._unsent.append(piece)
        else:
            self._break_off(hand, piece, of_an_errand(event.reason))

    def _hear_answer(self, hand: Peer, piece: Piece, answer: there.Answer) -> None:
        if isinstance(answer, Report):
            self._close(piece.order.take(answer))
            for peer in list(self._shares.refute(answer.ids, hand)):
                why = f"{peer.refuted} matches broke off on it that others have played"
                self._do_without(peer, [], why, Standing.AWAY)
        elif isinstance(answer, there.Broken):
            self._break_off(hand, piece, answer.why)
        elif self._stopping:
            self._give_back(piece)
        elif isinstance(answer, there.Wants):
            self._hear_wants(hand, piece, answer)
        elif isinstance(answer, there.Refuses):
            self._refuse(hand, piece, answer.lacks)
        else:
            self._do_without(hand, [piece], answer.why, Standing.CROWDED)

    def _hear_wants(self, hand: Peer, piece: Piece, wants: there.Wants) -> None:
        """Send what a worker asks for, but nothing twice: what has not stayed there will not stay the next time."""
        if wants.setup and SETUP in piece.sent:
            self._break_off(hand, piece, "it was sent the tournament, and asks for it again")
            return
        again = self._post.names(version for version in wants.versions if version in piece.sent)
        parcels, lacks = self._post.parcels(
            version for version in wants.versions if version not in piece.sent
        )
        lacks |= dict.fromkeys(again, "its files were sent there, and cannot be found or read afterwards")
        if lacks:
            self._refuse(hand, piece, lacks)
            return
        piece.sent.update(wants.versions)
        self._send(hand, piece, parcels, with_setup=wants.setup)

    def _refuse(self, hand: Peer, piece: Piece, lacks: dict[str, str]) -> None:
        """A worker cannot play some bots: others play what it was to play of them."""
        for name, why in lacks.items():
            self._notes.tell(f"worker {hand.name} cannot play {name}: {why}")
        hand.lacks |= lacks
        self._resend(piece)

    # --- losing ----------------------------------------------------------------------------------

    def _break_off(self, hand: Peer, piece: Piece, why: str) -> None:
        """Playing a piece broke off: it is lost."""
        self._shares.break_off(piece.ids, hand)
        self._close(piece.order.lose(True, f"worker {hand.name}: {why}"))

    def _do_without(self, hand: Peer, pieces: list[Piece], why: str, standing: Standing) -> None:
        """A worker is there and cannot play; others take over what it had."""
        for piece in pieces + self._take_from(hand, why, standing):
            self._resend(piece)
        self._tell_refused()

    def _take_from(self, hand: Peer, why: str, standing: Standing) -> list[Piece]:
        for ticket in hand.pieces:
            self._link.forget(ticket)
        return self._peers.turn_away(hand, why, standing)

    def _part(self, hand: Peer, pieces: list[Piece], why: str) -> None:
        """A worker is gone: what it was playing is lost, and so is what it had in waiting."""
        self._notes.tell_again(f"worker {hand.name} is gone ({why}): what it had is played again")
        for ticket in hand.pieces:
            self._link.forget(ticket)
        for at, piece in enumerate(pieces):
            self._close(piece.order.lose(at == 0, f"worker {hand.name}: {why}"))
        if not self._peers.hands():
            self._notes.tell_again(
                f"waiting {NO_WORKER_SECONDS:g} s for another worker at {self._link.address}"
            )

    def _end_the_silent(self) -> None:
        """A worker that is there, and takes longer than any block can, is stuck."""
        now = time.monotonic()
        for hand in self._peers.hands():
            if hand.pieces and now - hand.since > self._patience:
                silence = f"it was silent for {now - hand.since:.0f} s"
                self._part(hand, self._take_from(hand, silence, Standing.AWAY), silence)

    def _check_alone(self) -> None:
        """Give up when there has been nobody to play for too long."""
        if self._peers.hands() or not self._unsent:
            return
        if time.monotonic() - self._peers.alone_since > NO_WORKER_SECONDS:
            because = f" ({self._peers.reasons()})" if self._peers.refused() else ""
            raise HarnessFailure(
                f"no worker at {self._link.address} for {NO_WORKER_SECONDS:g} s{because}; what was played is "
                "recorded, the same command goes on"
            )

    # --- sending ---------------------------------------------------------------------------------

    def _errand(self, address: str, function: Callable[..., Any], *arguments: Any) -> int:
        ticket = next(self._tickets)
        self._link.send(ticket, address, function, *arguments)
        return ticket

    def _dispatch(self, order: Order, ids: Sequence[str]) -> None:
        """Send matches to whoever can play them, those of one hand together."""
        shares = self._shares.of(order.lane, ids)
        order.open += len(shares)  # before any of them can be done with
        for hand, chosen in shares:
            piece = Piece(order, tuple(chosen))
            if hand is not None:
                self._send(hand, piece)
            elif self._reception.is_waiting() or not self._peers.hands():
                self._unsent.append(piece)
            else:
                self._leave_out(piece)

    def _send(
        self, hand: Peer, piece: Piece, parcels: tuple[Any, ...] = (), *, with_setup: bool = False
    ) -> None:
        if not hand.pieces:
            hand.since = time.monotonic()
        setup = self._setup if with_setup or not hand.told else None  # at first it would ask for it anyway
        if setup is not None:
            hand.told = True
            piece.sent.add(SETUP)
        ticket = self._errand(hand.address, there.play, self._key, piece.block, setup, parcels)
        hand.pieces[ticket] = piece

    def _resend(self, piece: Piece) -> None:
        """Find somebody else for a piece; its order stays open meanwhile."""
        if self._stopping:
            self._give_back(piece)
            return
        self._dispatch(piece.order, piece.ids)
        self._close(piece.order.close_one())

    def _take_unsent(self) -> list[Piece]:
        pieces, self._unsent = self._unsent, []
        return pieces

    # --- finishing -------------------------------------------------------------------------------

    def _give_back(self, piece: Piece) -> None:
        self._close(piece.order.take(Report(rest=piece.ids)))

    def _leave_out(self, piece: Piece) -> None:
        """Nobody here can play these: say of which bots they are, and go on with the rest."""
        for what in self._left_out.add(piece.ids, self._peers.hands()):
            self._notes.tell(f"{what} cannot be played on any worker that is there: its matches are left out")
        self._close(piece.order.close_one())

    def _close(self, done: Done | None) -> None:
        """An order may be done; what has new hope goes back to the runner with it."""
        if done is None:
            return
        if done.report is not None and not self._stopping:
            done.report.rest += self._left_out.take_hopeful()
        self._done.append(done)
