"""Shares: which worker plays which matches of a block, and which matches broke off where. Raises nothing.

A block goes to the worker on its seat, unless that lacks a bot. A match that broke off by itself goes to another
worker than those where it did, if there is one: when it is given up, it is the match and not the worker.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from arena.cluster.peers import Peer, Peers, Standing
from arena.schedule import Schedule

MOST_REFUTED = 3
"""A worker on which so many matches broke off that others have played is at fault itself: a full disk, say."""


class Shares:
    """Shares matches out among the workers that are there."""

    def __init__(self, schedule: Schedule, peers: Peers) -> None:
        self._schedule = schedule
        self._peers = peers
        self._broke_at: defaultdict[str, set[str]] = defaultdict(set)

    def of(self, lane: int, ids: Sequence[str]) -> list[tuple[Peer | None, Sequence[str]]]:
        """Who plays which of these matches, those of one hand together; None for those that nobody here can play."""
        seats = self._peers.seats
        seated = seats[lane] if lane < len(seats) else None
        hands = sorted(self._peers.hands(), key=lambda hand: (hand is not seated, len(hand.pieces)))
        if not hands or not (self._broke_at or any(hand.lacks for hand in hands)):
            return [(hands[0] if hands else None, ids)]
        shares: defaultdict[Peer | None, list[str]] = defaultdict(list)
        for match_id in ids:
            shares[self._able(match_id, hands)].append(match_id)
        return list(shares.items())

    def _able(self, match_id: str, hands: Sequence[Peer]) -> Peer | None:
        """The first of these that can play a match; best one where it has not broken off yet."""
        pair = self._schedule.pairing_of(match_id)[1:3]
        broke_at = self._broke_at.get(match_id, ())
        able = [hand for hand in hands if hand.can(pair)]
        return min(able, key=lambda hand: hand.address in broke_at, default=None)

    def break_off(self, ids: Sequence[str], hand: Peer) -> None:
        """Matches broke off here. If it was a single one, it is known which."""
        if len(ids) == 1:
            self._broke_at[ids[0]].add(hand.address)

    def refute(self, ids: Sequence[str], hand: Peer) -> Iterator[Peer]:
        """These were played here. Workers that are at fault for what broke off on them: those to do without."""
        if not self._broke_at:
            return
        for match_id in self._broke_at.keys() & set(ids):
            for address in self._broke_at.pop(match_id) - {hand.address}:
                peer = self._peers[address]
                if peer is not None and peer.standing is Standing.HAND:
                    peer.refuted += 1
                    if peer.refuted >= MOST_REFUTED:
                        yield peer
