"""A set of match ids that stays small: a run of a million matches must not cost a hundred megabytes.

Ids of the form `GAME.A.B.ROUNDa` (see arena.schedule) share their beginnings and come in runs of rounds, so they are
kept as bits: for each `GAME.A`, and in it for each `B` and 32 rounds, one number. Any other text is kept as it
is. Exact, unlike a set of hashes: a match that is taken for played would never be. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet, Sequence
from functools import lru_cache
from sys import intern

ROUNDS = 32
"""Rounds that share one number."""


class MatchIds(MutableSet[str]):
    """A set of texts, made for match ids."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._bits: dict[str, dict[str, int]] = {}
        self._others: set[str] = set()
        self._count = 0
        for match_id in ids:
            self.claim(match_id)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, match_id: object) -> bool:
        if not isinstance(match_id, str):
            return False
        place = _place(match_id)
        if place is None:
            return match_id in self._others
        head, second, bit = place
        row = self._bits.get(head)
        return row is not None and bool(row.get(second, 0) & bit)

    def add(self, match_id: str) -> None:
        """Put an id in."""
        self.claim(match_id)

    def claim(self, match_id: str) -> bool:
        """Put an id in, and say whether it is new: one look instead of two."""
        place = _place(match_id)
        if place is None:
            new = match_id not in self._others
            self._others.add(match_id)
            self._count += new
            return new
        head, second, bit = place
        row = self._bits.get(head)
        if row is None:
            row = self._bits[head] = {}
        mask = row.get(second)
        if mask is None:
            row[intern(second)] = bit
        elif mask & bit:
            return False
        else:
            row[second] = mask | bit
        self._count += 1
        return True

    def claim_all(self, ids: Sequence[str]) -> bool:
        """Put ids in if all of them are new, and say whether they were; otherwise none is put in.

        For the ids of a block, of which neighbours differ in their seating alone: those two are one look.
        """
        at = 0
        while at < len(ids):
            stem = ids[at][:-1]
            if (
                at + 1 < len(ids)
                and ids[at + 1] == stem + "b"
                and ids[at] == stem + "a"
                and self._claim_pair(stem)
            ):
                at += 2
            elif self.claim(ids[at]):
                at += 1
            else:
                break
        for match_id in ids[:at] if at < len(ids) else ():
            self.discard(match_id)
        return at == len(ids)

    def _claim_pair(self, stem: str) -> bool:
        """Put in both matches of a pairing, given what their ids begin with; False, and nothing, if that is not new."""
        spot = _spot(stem)
        if spot is None:
            return False
        head, second, bit = spot
        row = self._bits.setdefault(head, {})
        mask = row.get(second, 0)
        if mask & (3 * bit):
            return False
        row[second if mask else intern(second)] = mask | 3 * bit
        self._count += 2
        return True

    def discard(self, match_id: str) -> None:
        """Take an id out, if it is in."""
        if match_id not in self:
            return
        place = _place(match_id)
        if place is None:
            self._others.discard(match_id)
        else:
            head, second, bit = place
            self._bits[head][second] &= ~bit
        self._count -= 1

    def __iter__(self) -> Iterator[str]:
        yield from self._others
        for head, row in self._bits.items():
            for second, mask in row.items():
                name, _, chunk = second.partition("/")
                first_round = int(chunk or 0) * ROUNDS
                for at in range(mask.bit_length()):
                    if mask >> at & 1:
                        yield f"{head}.{name}.{first_round + at // 2}{'ab'[at % 2]}"

    def __repr__(self) -> str:
        return f"MatchIds({sorted(self)})"


def _place(match_id: str) -> tuple[str, str, int] | None:
    """Where an id's bit stands; None for what is no id as the schedule writes them."""
    spot = _spot(match_id[:-1]) if match_id.endswith(("a", "b")) else None
    if spot is None:
        return None
    head, second, bit = spot
    return head, second, bit << match_id.endswith("b")


def _spot(stem: str) -> tuple[str, str, int] | None:
    """Where the bits of a pairing stand, and the first of its two, given what both ids begin with."""
    pair, _, number = stem.rpartition(".")
    names = _names(pair)
    if names is None or not (number.isdigit() and number.isascii()) or number[0] == "0" or len(number) > 9:
        return None
    head, second = names
    at = int(number)
    if at >= ROUNDS:
        second = f"{second}/{at // ROUNDS}"
    return head, second, 1 << 2 * (at % ROUNDS)


@lru_cache(maxsize=64)
def _names(stem: str) -> tuple[str, str] | None:
    """`GAME.A` and `B` of `GAME.A.B`; None for anything else. Those of a block are few, and asked for again."""
    head, _, second = stem.rpartition(".")
    return (head, second) if head.count(".") == 1 and "/" not in second else None
