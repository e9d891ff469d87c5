"""The workers of a cluster as the crew knows them: one record each, from its coming to its going. Raises nothing.

A worker that comes is a guest until it has shown that it has the same arena and can play. Then it is a hand and takes
a seat: a lane of the runner's. A seat that is empty stays a lane (others play for it), so lanes keep their numbers
while workers come and go. A worker that cannot be used is away; one for which there was no core is crowded out, and
becomes a guest again after a while.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from arena.cluster.orders import Piece

CROWDED_SECONDS = 5.0
SHOWN_REASONS = 3


class Standing(Enum):
    """What a worker is to the crew."""

    GUEST = "guest"
    HAND = "hand"
    CROWDED = "crowded out"
    AWAY = "away"


@dataclass(eq=False)
class Peer:
    """A worker: where it is, what it is called, what it is to us and, if it is not used, why."""

    address: str
    name: str
    standing: Standing = Standing.GUEST
    since: float = field(default_factory=time.monotonic)
    """When it came to be what it is, or was last heard of."""
    why: str = ""
    ticket: int | None = None
    """Of the greeting that it has not answered yet."""
    called_off: int = 0
    """How many greetings were called off in a row."""
    told: bool = False
    """Whether it was sent the tournament."""
    lacks: dict[str, str] = field(default_factory=dict)
    """The bots that it cannot play, and why."""
    pieces: dict[int, Piece] = field(default_factory=dict)
    """What it is to play, by the tickets, in order."""
    refuted: int = 0
    """How many matches broke here, each by itself, and were played elsewhere."""

    def can(self, pair: Iterable[str]) -> bool:
        """Whether it can play a match of these bots."""
        return not self.lacks or not any(name in self.lacks for name in pair)

    @property
    def is_refused(self) -> bool:
        """Whether it is not used, for now or at all."""
        return self.standing in (Standing.AWAY, Standing.CROWDED)


class Peers:
    """All workers that are there."""

    def __init__(self) -> None:
        self._all: dict[str, Peer] = {}
        self.seats: list[Peer | None] = []
        self.alone_since = time.monotonic()
        """When a hand last left: if there is none, since then."""

    def those(self, *standings: Standing) -> list[Peer]:
        """The workers that are one of these to us, in the order of their coming."""
        return [peer for peer in self._all.values() if peer.standing in standings]

    def hands(self) -> list[Peer]:
        """Those that play."""
        return self.those(Standing.HAND)

    def refused(self) -> list[Peer]:
        """Those that are not used, for now or at all."""
        return [peer for peer in self._all.values() if peer.is_refused]

    def reasons(self) -> str:
        """Why those that are not used are not."""
        found = sorted({f"{peer.name}: {peer.why}" for peer in self.refused()})
        more = [f"and {len(found) - SHOWN_REASONS} more"] if len(found) > SHOWN_REASONS else []
        return "; ".join([*found[:SHOWN_REASONS], *more])

    def __getitem__(self, address: str) -> Peer | None:
        return self._all.get(address)

    def with_greeting(self, ticket: int) -> Peer | None:
        """The guest that was sent this greeting."""
        return next((peer for peer in self._all.values() if peer.ticket == ticket), None)

    def with_piece(self, ticket: int) -> Peer | None:
        """The hand that was sent this piece."""
        return next((peer for peer in self._all.values() if ticket in peer.pieces), None)

    # --- coming and going ------------------------------------------------------------------------

    def gone(self, workers: Mapping[str, str]) -> list[Peer]:
        """Those that are no longer there: they are no longer peers."""
        gone = [peer for address, peer in self._all.items() if address not in workers]
        for peer in gone:
            self._vacate(peer)
            del self._all[peer.address]
        return gone

    def new(self, workers: Mapping[str, str]) -> list[Peer]:
        """Those that are to be greeted: who has come, and guests whose greeting was called off.

        Those who were crowded out are guests again after a while: a core may have become free.
        """
        for address, name in workers.items():
            self._all.setdefault(address, Peer(address, name))
        now = time.monotonic()
        for peer in self.those(Standing.CROWDED):
            if now - peer.since >= CROWDED_SECONDS:
                peer.standing, peer.since = Standing.GUEST, now
        return [peer for peer in self.those(Standing.GUEST) if peer.ticket is None]

    def seat(self, peer: Peer) -> None:
        """A guest becomes a hand, on the first free seat."""
        peer.standing, peer.since, peer.why = Standing.HAND, time.monotonic(), ""
        if None in self.seats:
            self.seats[self.seats.index(None)] = peer
        else:
            self.seats.append(peer)

    def turn_away(self, peer: Peer, why: str, standing: Standing = Standing.AWAY) -> list[Piece]:
        """Use a worker no more, or not for now; what it had to play."""
        self._vacate(peer)
        peer.standing, peer.since, peer.why, peer.ticket = standing, time.monotonic(), why, None
        pieces = list(peer.pieces.values())
        peer.pieces.clear()
        return pieces

    def forget(self) -> list[Piece]:
        """The cluster is lost: nobody is there, and nothing is being played; what was to be."""
        pieces = [piece for peer in self._all.values() for piece in peer.pieces.values()]
        self._all.clear()
        self.seats = [None] * len(self.seats)
        self.alone_since = time.monotonic()
        return pieces

    def _vacate(self, peer: Peer) -> None:
        if peer.standing is not Standing.HAND:
            return
        self.seats[self.seats.index(peer)] = None
        while len(self.seats) > 1 and self.seats[-1] is None:
            self.seats.pop()
        self.alone_since = time.monotonic()
