"""The schedule: which matches a tournament consists of, with their ids and their starts.

A pure function of the tournament file and of which games each bot plays. Nothing is stored but the file's
own lists: ids are generated as they are asked for, and options, seed and opening of a match are worked out only
when it is handed out, so that two million matches cost nothing to begin with.

- An id is `GAME.A.B.ROUNDa` or `...b`: the two names quoted (see arena.names) and in alphabetical order; in
  `a` the first of them has seat 1, in `b` seat 2. A game that is listed again has the key `GAME~2`, and so on.
- A start (options, seed, opening) comes from the tournament's seed, the game's key, the two names and the
  round alone. So neither the order of bots in the file nor a bot, a game or a round that is added changes any
  id or any start; and the two matches of a pair have the same.

Raises UsageError for an id that is not in the schedule.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

from arena.catalogue import get_game
from arena.errors import UsageError
from arena.names import quote
from arena.tournament import Tournament
from games.interface import Game

SEED_BITS = 31
TILE_BOTS = 8
"""Bots on each side of a tile: a worker that plays one tile keeps twice as many alive."""
OPENING_CHOICE = 1000
"""A random ply is one of the first so many legal moves, for some positions have millions."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it is handed out: all that the referee needs to begin. `bots` are the names by seat."""

    id: str
    game: str
    options: dict[str, Any]
    seed: int
    opening: tuple[str, ...]
    bots: tuple[str, str]


class Pairing(NamedTuple):
    """Two matches of one start with the seats swapped: the game's key, and the names in order."""

    key: str
    first: str
    second: str
    round: int

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of both matches."""
        stem = f"{self.key}.{_quoted(self.first)}.{_quoted(self.second)}.{self.round}"
        return stem + "a", stem + "b"


class Start(NamedTuple):
    """What both matches of a pairing begin with."""

    options: dict[str, Any]
    seed: int
    opening: tuple[str, ...]


_quoted = lru_cache(maxsize=10_000)(quote)


class Schedule:
    """The matches of a tournament. `plays`: for bots that do not play every game, those they do."""

    def __init__(
        self, tournament: Tournament, plays: Mapping[str, Collection[str] | None] | None = None
    ) -> None:
        self.tournament = tournament
        self.games = dict(zip(game_keys(tournament), tournament.games, strict=True))
        self._choices = {key: entry.choices() for key, entry in self.games.items()}
        names = [bot.name for bot in tournament.bots]
        self._by_quoted = {quote(name): name for name in names}
        self._heroes = frozenset(tournament.heroes) if tournament.format == "gauntlet" else None
        limited = {name: games for name, games in (plays or {}).items() if games is not None}
        self._field = {
            key: [name for name in names if name not in limited or entry.id in limited[name]]
            for key, entry in self.games.items()
        }
        self._members = {key: frozenset(field) for key, field in self._field.items()}

    # --- how many, and which

    def __len__(self) -> int:
        return 2 * self.tournament.rounds * sum(self._pairs(field) for field in self._field.values())

    def _pairs(self, field: Sequence[str]) -> int:
        if self._heroes is None:
            return len(field) * (len(field) - 1) // 2
        heroes = sum(name in self._heroes for name in field)
        return heroes * (len(field) - heroes)

    def __contains__(self, match_id: object) -> bool:
        return isinstance(match_id, str) and self._find(match_id) is not None

    def pairings(self) -> Iterator[Pairing]:
        """Every pairing in the order of play: round by round, all bots about equally often so far."""
        for number in range(1, self.tournament.rounds + 1):
            yield from self._ordered([bot.name for bot in self.tournament.bots], number)

    def ids(self) -> Iterator[str]:
        """The ids of all matches, in the order of play."""
        for pairing in self.pairings():
            yield from pairing.ids

    def tiles(self, size: int = TILE_BOTS) -> Iterator[list[Pairing]]:
        """All pairings again, in lists that few bots take part in: at most `size` against `size` others.

        Rounds come one after another, and a list shares half of its bots with the one before, as far as there
        are that many: a worker that plays lists in turn starts few bots anew.
        """
        names = [bot.name for bot in self.tournament.bots]
        if self._heroes is not None:  # the heroes together, so that the others pass by them once
            names.sort(key=lambda name: name not in (self._heroes or ()))
        groups = [names[at : at + size] for at in range(0, len(names), size)]
        for number in range(1, self.tournament.rounds + 1):
            for row, group in enumerate(groups):
                columns = range(row, len(groups))
                for column in columns if row % 2 == 0 else reversed(columns):
                    others = groups[column]
                    tile = list(
                        self._ordered(group, number) if row == column else self._across(group, others, number)
                    )
                    if tile:
                        yield tile

    def _ordered(self, names: Sequence[str], number: int) -> Iterator[Pairing]:
        """One round of all bots against each other, by the circle method."""
        for meeting in circle(names):
            yield from self._paired(meeting, number)

    def _across(self, left: Sequence[str], right: Sequence[str], number: int) -> Iterator[Pairing]:
        """One round of each bot on the left against each on the right, all about equally often so far."""
        longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
        for shift in range(len(longer)):
            meeting = [(name, longer[(at + shift) % len(longer)]) for at, name in enumerate(shorter)]
            yield from self._paired(meeting, number)

    def _paired(self, meeting: Sequence[tuple[str, str]], number: int) -> Iterator[Pairing]:
        """The pairings of these two and two, in every game that both of them play."""
        for key, members in self._members.items():
            for one, other in meeting:
                if one in members and other in members and self._meet(one, other):
                    first, second = (one, other) if one < other else (other, one)
                    yield Pairing(key, first, second, number)

    def _meet(self, one: str, other: str) -> bool:
        return self._heroes is None or (one in self._heroes) != (other in self._heroes)

    # --- one match

    def match_of(self, match_id: str) -> Match:
        """The match of this id, with its start; UsageError if the schedule has none such."""
        pairing = self._find(match_id)
        if pairing is None:
            raise UsageError(f"no match {match_id!r} is in the schedule of {self.tournament.name!r}")
        start = self.start(pairing)
        bots = (pairing.first, pairing.second)
        seats = bots if match_id.endswith("a") else bots[::-1]
        return Match(
            match_id, self.games[pairing.key].id, dict(start.options), start.seed, start.opening, seats
        )

    def pairing_of(self, match_id: str) -> Pairing:
        """The pairing that the match of this id belongs to; UsageError if the schedule has none such."""
        pairing = self._find(match_id)
        if pairing is None:
            raise UsageError(f"no match {match_id!r} is in the schedule of {self.tournament.name!r}")
        return pairing

    def _find(self, match_id: str) -> Pairing | None:
        parts = read_id(match_id)
        if parts is None or parts.key not in self.games or not 1 <= parts.round <= self.tournament.rounds:
            return None
        first, second = self._by_quoted.get(parts.first), self._by_quoted.get(parts.second)
        if first is None or second is None or first >= second or not self._meet(first, second):
            return None
        members = self._members[parts.key]
        return (
            Pairing(parts.key, first, second, parts.round) if first in members and second in members else None
        )

    def seed(self, pairing: Pairing) -> int:
        """The seed of both matches of a pairing."""
        return drawn(1 << SEED_BITS, self.tournament.seed, *pairing, "seed")

    def start(self, pairing: Pairing) -> Start:
        """The options, the seed and the opening of both matches of a pairing."""
        root = [self.tournament.seed, *pairing]
        seed = self.seed(pairing)
        given = {
            name: value[0] + drawn(value[1] - value[0] + 1, *root, "option", name)
            if type(value) is tuple
            else value
            for name, value in self._choices[pairing.key].items()
        }
        entry = self.games[pairing.key]
        opening = random_opening(get_game(entry.id), given, seed, entry.opening_plies)
        return Start(given, seed, opening)

    def repeated_starts(self) -> list[str]:
        """The games that begin alike in every round: nothing is drawn, and the rules shuffle nothing."""
        if self.tournament.rounds == 1:
            return []
        return [key for key, entry in self.games.items() if not entry.opening_plies and self._is_fixed(key)]

    def _is_fixed(self, key: str) -> bool:
        choices = self._choices[key]
        if any(type(value) is tuple and value[0] != value[1] for value in choices.values()):
            return False
        game = get_game(self.games[key].id)
        options = game.options(
            {name: value[0] if type(value) is tuple else value for name, value in choices.items()}
        )
        return len({game.start(options, seed) for seed in range(3)}) == 1


class IdParts(NamedTuple):
    """A match's id taken apart; the names are still quoted."""

    key: str
    first: str
    second: str
    round: int
    seating: str


def read_id(match_id: str) -> IdParts | None:
    """The parts of an id; None for a text that is none."""
    parts = match_id.split(".")
    if len(parts) != 4 or parts[3][-1:] not in ("a", "b"):
        return None
    number = parts[3][:-1]
    if not (number.isascii() and number.isdigit() and len(number) < 10 and number[0] != "0"):
        return None
    return IdParts(parts[0], parts[1], parts[2], int(number), parts[3][-1])


def id_order(match_id: str) -> IdParts:
    """What to sort ids by for people: round 2 comes before round 10."""
    return read_id(match_id) or IdParts(match_id, "", "", 0, "")


def game_keys(tournament: Tournament) -> list[str]:
    """For each entry of `games` its key in ids: the game's id, with `~2`, `~3` where it is listed again."""
    seen: dict[str, int] = {}
    keys = []
    for entry in tournament.games:
        seen[entry.id] = count = seen.get(entry.id, 0) + 1
        keys.append(entry.id if count == 1 else f"{entry.id}~{count}")
    return keys


def circle(names: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Round robin by the circle method: lists of pairs in which everyone is once, or sits out once."""
    seats: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    half = len(seats) // 2
    for _ in range(len(seats) - 1):
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        yield [(one, other) for one, other in pairs if one is not None and other is not None]
        seats.insert(1, seats.pop())


def drawn(count: int, *parts: object) -> int:
    """A number from 0 to count - 1 that depends on these parts alone, on every machine and Python."""
    digest = blake2b(json.dumps(parts, ensure_ascii=True).encode("ascii"), digest_size=16).digest()
    return int.from_bytes(digest, "big") % count


def random_opening(
    game: Game[Any, Any], options: Mapping[str, Any], seed: int, plies: int
) -> tuple[str, ...]:
    """Up to so many random legal moves from the start, fewer where each next move would end the game."""
    if not plies:
        return ()
    state = game.start(game.options(options), seed)
    opening: list[str] = []
    for ply in range(plies if game.outcome(state) is None else 0):
        moves = list(islice(game.legal_moves(state), OPENING_CHOICE))
        while moves:
            move = moves.pop(drawn(len(moves), seed, "ply", ply, len(moves)))
            after = game.apply(state, move)
            if game.outcome(after) is None:
                opening.append(game.write_move(move))
                state = after
                break
        else:
            break
    return tuple(opening)
