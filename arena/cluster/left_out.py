"""The matches that no worker of a cluster could play so far, and why. Raises nothing.

When a worker comes, they have new hope, and are played after all if the run has not ended by then. Until they are
handed out again they count as left out: a run that ends before says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.cluster.peers import Peer
from arena.schedule import Schedule

SHOWN_WORKERS = 3


@dataclass(frozen=True, slots=True)
class _Group:
    """Matches that were left out together, and the reason for each bot or pair of bots."""

    ids: tuple[str, ...]
    reasons: dict[str, str]


class LeftOut:
    """Matches that wait for a worker that can play them."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._hopeless: list[_Group] = []
        self._hopeful: list[_Group] = []

    def add(self, ids: Sequence[str], hands: Sequence[Peer]) -> list[str]:
        """None of these hands can play these matches: what to call those who are the reason."""
        reasons: dict[str, str] = {}
        for pair in sorted({self._schedule.pairing_of(match_id)[1:3] for match_id in ids}):
            reasons |= _reasons(pair, hands)
        self._hopeless.append(_Group(tuple(ids), reasons))
        return list(reasons)

    def reasons(self) -> dict[str, str]:
        """The bots, or pairs of bots, that no worker could play so far, and why."""
        found: dict[str, str] = {}
        for group in (*self._hopeless, *self._hopeful):
            found = group.reasons | found
        return found

    def hope(self) -> None:
        """A worker has come: all of them are to be tried once more."""
        self._hopeful += self._hopeless
        self._hopeless.clear()

    def take_hopeful(self) -> tuple[str, ...]:
        """The matches that are to be tried once more: they are left out no longer."""
        ids = tuple(match_id for group in self._hopeful for match_id in group.ids)
        self._hopeful.clear()
        return ids


def _reasons(pair: Iterable[str], hands: Sequence[Peer]) -> dict[str, str]:
    """Which of two bots cannot be played at all, and why; or the two as a pair, if nobody has both."""
    names = list(pair)
    found = {name: _listed(hands, [name]) for name in names if all(name in hand.lacks for hand in hands)}
    return found or {" against ".join(names): f"no single worker has both: {_listed(hands, names)}"}


def _listed(hands: Sequence[Peer], names: Sequence[str]) -> str:
    """What each worker says of the first of these bots that it lacks."""
    lines = []
    for hand in sorted(hands, key=lambda hand: hand.name)[:SHOWN_WORKERS]:
        name = next(name for name in names if name in hand.lacks)
        of = f"{name}: " if len(names) > 1 else ""
        lines.append(f"{hand.name}: {of}{hand.lacks[name]}")
    return "; ".join(lines)
