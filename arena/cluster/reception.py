"""The reception: what is asked of a worker before it plays, and what follows from the answers.

First arena's version, by a function that any Python has; then who it is, and whether it has the games, the sandbox and
a core. Those that can play take a seat, the others are told why not. Raises UsageError if nobody can play at the start.
"""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable
from importlib.metadata import version as installed_version
from typing import Any

from arena import __version__
from arena.cluster import there
from arena.cluster.dask_words import of_an_errand
from arena.cluster.events import Answered, Carrier, Event, Failed, Gone, Lost, Present, Reply
from arena.cluster.notes import Notes
from arena.cluster.peers import Peer, Peers, Standing
from arena.errors import UsageError
from arena.worker import Setup

DISTRIBUTION = "bot-arena"
FIRST_WORKER_SECONDS = 60.0
MOST_CALLED_OFF = 5
"""A worker whose greeting was called off so often is not asked again."""
GREETING_SECONDS = 30.0
"""A guest that has not answered for so long is not waited for; when it answers, it is welcome."""

Send = Callable[..., int]
"""Sends a worker (by its address) a function and arguments; the ticket of that."""


class Reception:
    """Greets workers and seats those that can play."""

    def __init__(self, setup: Setup, peers: Peers, notes: Notes, send: Send) -> None:
        self._wishes: tuple[Any, ...] = (
            setup.sandbox_mode,
            tuple({entry.id for entry in setup.tournament.games}),
        )
        self._peers = peers
        self._notes = notes
        self._send = send

    # --- at the start ----------------------------------------------------------------------------

    def await_hands(self, link: Carrier, heed: Callable[[Event], None]) -> None:
        """Wait until a worker can play, and everybody who is there has been greeted. `heed` takes in what happens."""
        begin = time.monotonic()
        while not self._peers.hands() or self.is_waiting():
            waited = time.monotonic() - begin
            if waited > FIRST_WORKER_SECONDS or self._are_all_refused():
                raise UsageError(self._why_nobody_plays(link.address))
            try:
                event = link.events.get(timeout=0.5)
            except queue.Empty:
                continue
            if isinstance(event, Gone):
                raise UsageError(f"--cluster: {event.reason}")
            heed(event)
            if isinstance(event, Present) and waited > 1:
                self._say_what_is_awaited(link.address)

    def _are_all_refused(self) -> bool:
        """Whether somebody is there, and nobody of whom anything is to be hoped."""
        hopeful = self._peers.those(Standing.HAND, Standing.GUEST, Standing.CROWDED)
        return bool(self._peers.refused()) and not hopeful

    def _say_what_is_awaited(self, address: str) -> None:
        if self._peers.those(Standing.HAND, Standing.GUEST):
            return
        if self._peers.those(Standing.CROWDED):
            self._notes.tell(f"waiting for a core: others play on all that the workers at {address} may use")
        else:
            self._notes.tell(f"waiting for workers at {address}")

    def _why_nobody_plays(self, address: str) -> str:
        if self._peers.refused():
            return f"no worker at {address} can play: {self._peers.reasons()}"
        limit = f"within {FIRST_WORKER_SECONDS:g} s"
        if self._peers.those(Standing.GUEST):
            return f"no worker at {address} has answered {limit}: are they busy with something else?"
        return f"no worker came to {address} {limit}: start some with 'dask worker {address} --nthreads 1'"

    # --- one worker ------------------------------------------------------------------------------

    def greet(self, peer: Peer) -> None:
        """Ask a worker for the version that it has."""
        peer.since = time.monotonic()
        peer.ticket = self._send(peer.address, installed_version, DISTRIBUTION)

    def is_waiting(self) -> bool:
        """Whether there are guests whose answers may come any moment."""
        now = time.monotonic()
        guests = self._peers.those(Standing.GUEST)
        return any(now - peer.since <= GREETING_SECONDS for peer in guests)

    def hear(self, peer: Peer, event: Reply) -> None:
        """What a worker says of itself."""
        peer.ticket = None
        if isinstance(event, Answered) and isinstance(event.value, there.Greeting):
            self._hear_greeting(peer, event.value)
        elif isinstance(event, Answered) and event.value == __version__:
            peer.ticket = self._send(peer.address, there.greet, *self._wishes)
        elif isinstance(event, Answered):
            why = f"it has arena {event.value}, here is {__version__}: install the same on both"
            self._peers.turn_away(peer, why)
        elif isinstance(event, Failed):
            self._peers.turn_away(peer, of_an_errand(event.reason))
        else:  # called off: the next look greets it again, a few times
            peer.called_off += 1
            if isinstance(event, Lost) or peer.called_off >= MOST_CALLED_OFF:
                self._peers.turn_away(peer, "it ends whenever it is asked something")

    def _hear_greeting(self, peer: Peer, greeting: there.Greeting) -> None:
        peer.name, peer.called_off = greeting.name, 0
        if greeting.trouble is not None:
            hint = " (--sandbox none plays without)" if "bubblewrap" in greeting.trouble else ""
            standing = Standing.CROWDED if greeting.crowded else Standing.AWAY
            self._peers.turn_away(peer, f"{greeting.trouble}{hint}", standing)
            return
        here = ".".join(map(str, sys.version_info[:2]))
        if greeting.python.split(".")[:2] != here.split("."):
            self._notes.tell(
                f"worker {peer.name} has Python {greeting.python}, here is {here}: bots in Python may differ"
            )
        if greeting.threads > 1:
            self._notes.tell(
                f"worker {peer.name} has {greeting.threads} threads and plays one match at a time all the same: "
                "start it with --nworkers CORES --nthreads 1"
            )
        self._peers.seat(peer)
