"""Random games, looked at move by move: whether the rules keep what `games.interface` promises of them.

Owns `Examination`, the part of `games.conformance.check_game` that plays. Every method is asked more than once, and
once more when the playout is over, also of an object that has never started a game: its answers must depend on what
it is given alone. Raises ConformanceError; whatever a game raises passes through.
"""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from copy import copy
from itertools import islice
from typing import Any

from games.interface import Game, Outcome, Refusal
from games.texts import (
    BAD_TEXTS,
    LONG_TEXTS,
    MAX_TOKEN_CHARS,
    PROBES,
    check_malformed,
    check_text,
    check_view,
    fail,
    near_misses,
    neighbours,
    show,
)

LISTED_CAP = 2_000
"""Of a longer list of legal moves only this many are looked at, and unlisted moves are not judged by it."""
EXAMINED_CAP = 400
"""So many positions are examined in full; the playouts go on beyond them."""
PLAYOUT_CAP = 5_000
"""A playout is cut off after so many moves, whatever `max_moves` says, so that every examination ends."""


@contextmanager
def _no_dice(what: str) -> Iterator[None]:
    """Whatever is done here must leave the global random numbers alone."""
    before = random.getstate()
    yield
    if random.getstate() != before:
        fail(f"{what} uses the global random numbers: only start may be random, by random.Random(seed)")


# --- what is asked of a position ---------------------------------------------------------------


def _moves(game: Game[Any, Any], state: Any) -> list[Any]:
    """The legal moves, but of very many only the first, and one more that tells so."""
    return list(islice(game.legal_moves(state), LISTED_CAP + 1))


_SEEN: dict[str, Callable[[Game[Any, Any], Any], Any]] = {
    "outcome": lambda game, state: game.outcome(state),
    "view": lambda game, state: (game.view(state, 1), game.view(state, 2)),
    "picture": lambda game, state: game.picture(state),
}
_GOING_ON: dict[str, Callable[[Game[Any, Any], Any], Any]] = {
    "to_move": lambda game, state: game.to_move(state),
    "legal_moves": _moves,
    "canonical": lambda game, state: game.canonical(state),
}


def _answers(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """All that a game says of a position, by method."""
    answers: dict[str, Any] = {}
    for name, ask in (_SEEN if game.outcome(state) is not None else _SEEN | _GOING_ON).items():
        with _no_dice(name):
            answers[name] = ask(game, state)
    return answers


_KEEPS_NOTHING = "a game object keeps nothing, and whatever the rules need to know belongs in the position"


def _check_same(state: Any, answers: dict[str, Any], others: dict[str, Any], when: str) -> None:
    for name, answer in answers.items():
        if (other := others.get(name)) != answer:
            both = f"{show(answer)}, and {when} {show(other)}"
            fail(f"{name} of {show(state)} gives {both}: {_KEEPS_NOTHING}")


# --- play --------------------------------------------------------------------------------------


class Examination:
    """Random playouts of one game, with what was met so far: moves and canonical keys of other positions."""

    def __init__(self, game: Game[Any, Any], options: Any, seed: int) -> None:
        self.game = game
        self.unused = copy(game)
        self.options = options
        self.rng = random.Random(seed)
        self.seen_moves: dict[Any, None] = {}  # a dict keeps the order: the same seed meets the same moves
        self.seen_keys: dict[Hashable, tuple[Any, bool]] = {}
        self.examined = 0
        self.decided = 0

    def run(self, playouts: int) -> None:
        """Play so many games, and look at everything that the first of their positions promise."""
        with _no_dice("read_move"):
            probed = check_malformed(self.game, (*PROBES, *BAD_TEXTS, *LONG_TEXTS))
        self.seen_moves.update(dict.fromkeys(probed))
        for _ in range(playouts):
            self._playout(self.rng.getrandbits(32))
        if playouts and not self.decided:
            longest = min(self.game.max_moves(self.options), PLAYOUT_CAP)
            fail(
                f"none of {playouts} random games came to an outcome within {longest:,} moves, "
                "after which a playout is cut off: outcome must be reached by play"
            )

    def _playout(self, seed: int) -> None:
        state, cap = self._start(seed), self._cap()
        met = []
        for _ in range(min(cap, PLAYOUT_CAP)):
            if self._outcome(state) is not None:
                break
            if self.examined < EXAMINED_CAP:
                self.examined += 1
                met.append((state, _answers(self.game, state)))
                self._examine(state)
            state = self._move(state)
        met.append((state, _answers(self.game, state)))
        self._check_last(state, seed, cap)
        for position, answers in reversed(met):
            self._ask_again(position, answers)

    def _cap(self) -> int:
        cap = self.game.max_moves(self.options)
        if not isinstance(cap, int) or cap < 1:
            fail(f"max_moves must give a whole number of at least 1, not {show(cap)}")
        return cap

    def _outcome(self, state: Any) -> Outcome | None:
        """What the game says twice, if it is an outcome at all."""
        outcome, again = self.game.outcome(state), self.game.outcome(state)
        if outcome != again:
            fail(f"outcome gives two answers for {show(state)}: {show(outcome)} and {show(again)}")
        if outcome is None:
            return None
        seat = outcome.winner if isinstance(outcome, Outcome) else None
        if seat not in (0, 1, 2) or isinstance(seat, bool):
            right = "an Outcome whose winner is 1, 2, or 0 for a draw"
            fail(f"the outcome of {show(state)} must be {right}, not {show(outcome)}")
        return outcome

    def _check_last(self, state: Any, seed: int, cap: int) -> None:
        """The position in which a playout stopped: it is decided, or it could go on."""
        outcome = self._outcome(state)
        if outcome is not None:
            self.decided += 1
            self._check_end(state, outcome)
            return
        self._listed(state)
        if cap <= PLAYOUT_CAP and not self.game.draws:
            fail(
                f"a random game (seed {seed}) is undecided after max_moves = {cap} moves, which is a draw, "
                "but draws is False: raise max_moves or set draws"
            )

    def _ask_again(self, state: Any, answers: dict[str, Any]) -> None:
        """After the playout all is asked once more, also of an object that did not play it."""
        _check_same(state, answers, _answers(self.game, state), "later")
        try:
            others = _answers(self.unused, state)
        except AttributeError as error:
            fail(f"{show(state)} needs the object that started it ({error}): {_KEEPS_NOTHING}")
        _check_same(state, answers, others, "in another object")

    def _listed(self, state: Any) -> list[Any]:
        """The legal moves of a position in which the game goes on."""
        listed = _moves(self.game, state)
        if not listed:
            fail(f"in {show(state)} there is no legal move, so outcome must say who won; it gives None")
        return listed

    def _start(self, seed: int) -> Any:
        with _no_dice("start"):
            state, again = (self.game.start(self.options, seed) for _ in range(2))
        if state != again:
            fail(f"start gives two different positions for seed {seed}: {show(state)} and {show(again)}")
        self._check_value(state)
        check_text("announce_start", self.game.announce_start(state))
        if self._outcome(state) is not None:
            fail(f"the start position {show(state)} of the options {self.options!r} is already decided")
        return state

    def _check_value(self, state: Any) -> None:
        try:
            key = hash(state)
        except TypeError as error:
            fail(f"the state {show(state)} must be hashable ({error}): use tuples or frozen classes")
        twin = pickle.loads(pickle.dumps(state))
        if twin != state or hash(twin) != key:
            fail(f"the state {show(state)} must equal its pickled copy and have the same hash")
        for seat in (1, 2):
            check_view(f"view of {show(state)} for seat {seat}", self.game.view(state, seat))
        check_text("picture", picture := self.game.picture(state))
        if not picture.strip():
            fail(f"picture of {show(state)} must not be empty")

    def _examine(self, state: Any) -> None:
        """Everything that is promised of a position in which the game goes on."""
        game, where = self.game, show(state)
        if (seat := game.to_move(state)) not in (1, 2) or isinstance(seat, bool):
            fail(f"to_move in {where} must be 1 or 2, not {show(seat)}")
        self._check_value(state)
        listed = self._listed(state)
        if len(set(listed)) != len(listed):
            fail(f"legal_moves lists a move twice in {where}")
        if _moves(game, state) != listed:
            fail(f"legal_moves must give the same list each time in {where}")
        with _no_dice("refusal"):
            self._check_refusals(state, listed)
        for move in listed[:50]:
            self._check_token(move)
        check_text("announce_turn", game.announce_turn(state))
        self._check_successors(state, listed)
        self.seen_moves.update(dict.fromkeys(listed[:50]))

    def _check_refusals(self, state: Any, listed: list[Any]) -> None:
        for move in listed:
            if (refusal := self.game.refusal(state, move)) is not None:
                fail(f"{show(move)} is listed as legal in {show(state)} but refused: {show(refusal)}")
        if len(listed) > LISTED_CAP:
            return
        near = [other for move in listed[:50] for other in neighbours(self.game, move)]
        for move in dict.fromkeys([*self.seen_moves, *near]):
            if move not in listed:
                self._check_refused(state, move)

    def _check_refused(self, state: Any, move: Any) -> None:
        refusal = self.game.refusal(state, move)
        if refusal is None:
            fail(f"{show(move)} is not in legal_moves of {show(state)}, but refusal gives None")
        if not isinstance(refusal, Refusal) or not refusal.reason.strip() or "\n" in refusal.reason:
            fail(f"refusal of {show(move)} must be a Refusal with a reason of one line, not {show(refusal)}")

    def _check_token(self, move: Any) -> None:
        text = self.game.write_move(move)
        check_text(f"write_move({show(move)})", text)
        if not re.fullmatch(rf"\S{{1,{MAX_TOKEN_CHARS}}}", text) or not text.isprintable():
            right = f"one word of at most {MAX_TOKEN_CHARS} characters"
            fail(f"write_move({show(move)}) must give {right}, not {show(text)}")
        if (back := self.game.read_move(text)) != move:
            fail(f"{show(move)} is written {text!r}, but that is read as {show(back)}")
        if move not in self.seen_moves:
            check_malformed(self.game, near_misses(text))

    def _check_successors(self, state: Any, listed: list[Any]) -> None:
        game, snapshot = self.game, pickle.dumps(state)
        with _no_dice("apply"):
            applied = [(move, game.apply(state, move)) for move in listed]
        with _no_dice("successors"):
            pairs = list(islice(game.successors(state), LISTED_CAP + 1))
        if (old := pickle.loads(snapshot)) != state:
            fail(f"apply changed the old state {show(old)} into {show(state)}: give a new one instead")
        if pairs != applied:
            fail(
                f"successors of {show(state)} must be legal_moves, in that order, each with what apply gives"
            )
        seat = game.to_move(state)
        with _no_dice("outcome"):
            ends = [end for _, after in pairs if (end := self._outcome(after)) is not None]
        self._check_key(state, any(end.winner == seat for end in ends))

    def _check_key(self, state: Any, wins_now: bool) -> None:
        key = self.game.canonical(state)
        try:
            other, other_wins = self.seen_keys.setdefault(key, (state, wins_now))
        except TypeError as error:
            fail(f"canonical of {show(state)} must be hashable ({error})")
        if self.game.canonical(pickle.loads(pickle.dumps(state))) != key:
            fail(f"canonical gives two keys for equal states {show(state)}")
        if other_wins != wins_now:
            fail(
                f"canonical gives {show(state)} and {show(other)} the same key, but only in one of them "
                "the player to move can win at once"
            )

    def _move(self, state: Any) -> Any:
        """A random legal move made."""
        move = self.rng.choice(self._listed(state)[:LISTED_CAP])
        after = self.game.apply(state, move)
        check_text("announce_move", self.game.announce_move(state, move, after))
        return after

    def _check_end(self, state: Any, outcome: Outcome) -> None:
        where = f"the outcome of {show(state)}"
        if outcome.winner == 0 and not self.game.draws:
            fail(f"{where} is a draw, but the class says draws = False")
        sentence = outcome.sentence()
        if not sentence.strip() or "\n" in sentence:
            fail(f"{where} must have a reason of one line, not {show(outcome.reason)}")
        if left := re.search(r"\{\w*\}", sentence):
            right = "{winner} and {loser}" if outcome.winner else "{1} and {2}"
            fail(f"{where} has {left[0]} in its reason; the words that stand for players here are {right}")
        self._check_value(state)
        check_text("announce_end", self.game.announce_end(state, outcome))
