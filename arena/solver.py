"""The exact solver: who wins with best play, by a memoised search over a game's own positions.

Owns the search and its memo. Knows nothing of any one game: it asks `successors`, `outcome`, `to_move` and
`canonical` of `games.interface.Game`, and never assumes that the seats alternate.

Best play means: a win before a draw before a loss; the winner hurries, the loser delays; and a draw is
as long as the shortest game in which neither player gives the draw away.

Raises TooLarge when a position has more below it than the solver may look at, and AnswerIsNo when this kind
of search cannot solve the game (its positions repeat, or one has no move and no outcome). After either, as
after an interrupt, the memo holds finished and true results only, and the solver can be asked on.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from math import inf
from typing import Generic, NamedTuple

from arena.errors import AnswerIsNo, TooLarge
from games.interface import Game, M, S, Seat

MAX_POSITIONS = 2_000_000
"""How many new positions one question may visit, unless the caller says otherwise."""
MOVES_PER_POSITION = 20
"""A question may follow this many moves for each position allowed: a bound for games with few positions, but
thousands of moves in each."""
MAX_MEMORY_MB = 900
"""How far the process may grow during one question: a bound for games whose single positions are huge."""

# The worth of a position to the player to move is one int, so that the better one is simply the greater:
# _WIN - plies, or -plies for a draw, or plies - _WIN. Plies stay far below _DRAW, which parts the three.
_DRAW = 1 << 28
_WIN = 1 << 29
_WIN_IN_ONE = _WIN - 1
_WIN_IN_TWO = _WIN - 2
_UNKNOWN = -_WIN - 1
_CHECK_EVERY = 4096


class Worth(NamedTuple):
    """What a position comes to with best play: the winner's seat (0: a draw), after that many more plies."""

    winner: Seat
    plies: int


class Effect(Enum):
    """What a move did to the worth of the position for the player who made it."""

    KEPT_WIN = "kept-win"
    KEPT_DRAW = "kept-draw"
    BLUNDER = "blunder"
    LOST_ANYWAY = "lost-anyway"


@dataclass(frozen=True, slots=True)
class Solution(Generic[M]):
    """All about one position. Move lists are in the game's order.

    `to_move` is None if the game is over there (then there are no moves and `plies` is 0). `winning_moves`
    are all that keep the win, however long it takes; empty unless the player to move wins. `best_moves` keep
    the worth and the length. `positions` is how many were visited for this answer; those that the solver
    knew before are not counted again.
    """

    to_move: Seat | None
    winner: Seat
    plies: int
    winning_moves: tuple[M, ...]
    best_moves: tuple[M, ...]
    positions: int


@dataclass(slots=True)
class _Frame(Generic[S]):
    """A position being worked out: the best found for the player to move, and the children to be settled."""

    key: Hashable
    mover: Seat
    best: int
    waiting: list[tuple[Hashable, S]]


class Solver(Generic[S, M]):
    """Solves positions of one game, with one memo for all questions.

    To judge a whole match, ask from its last position back to its first: each answer then rests on the one
    before.

    With `winner_only` the search ends at the first winning move it finds, and visits far fewer positions:
    winners are then exact, and no length is. `max_known` is how many positions the memo may hold between
    questions, `max_positions` unless given. `allow` sets how much the next questions may visit and follow.

    `max_seconds` is how much of the processor's time one question may take, for somebody who waits: whether it is
    enough depends on the machine, so whatever must be the same everywhere goes without. `watch` is told now and
    then how many positions this question has visited.
    """

    def __init__(
        self,
        game: Game[S, M],
        max_positions: int = MAX_POSITIONS,
        max_memory_mb: int = MAX_MEMORY_MB,
        *,
        winner_only: bool = False,
        max_known: int | None = None,
        max_seconds: float = inf,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        self.game = game
        self.max_memory_mb = max_memory_mb
        self.max_seconds = max_seconds
        self._watch = watch
        self.allow(max_positions)
        self.max_known = max_positions if max_known is None else max_known
        # What is good enough: a child that waits is worth a win in two at most, an unseen move a win in one.
        self._enough, self._enough_unseen = (_DRAW, _DRAW) if winner_only else (_WIN_IN_TWO, _WIN_IN_ONE)
        self._memo: dict[Hashable, int] = {}
        self._visited = 0
        self._followed = 0
        self._check_at = 0
        self._memory_limit_kb = 0
        self._deadline = inf

    @property
    def known(self) -> int:
        """How many positions the memo holds."""
        return len(self._memo)

    def allow(self, max_positions: int, max_followed: int | None = None) -> None:
        """How many positions each question from now on may visit, and how many moves it may follow."""
        self.max_positions = max_positions
        self.max_followed = max_positions * MOVES_PER_POSITION if max_followed is None else max_followed

    @property
    def followed(self) -> int:
        """How many moves the last question followed, whether it was answered or not: what it has cost."""
        return self._followed

    def value(self, state: S) -> Worth:
        """The winner and the length with best play from this position."""
        self._new_question()
        return self._worth(state)

    def winner(self, state: S) -> Seat:
        """Who wins with best play from this position; 0 for a draw."""
        self._new_question()
        return self._worth(state).winner

    def keeping(self, state: S, limit: int) -> Iterator[M]:
        """The moves of an unfinished position that keep its worth, in the game's order, `limit` at most.

        One question, asked on as the moves are taken: it may raise TooLarge after some of them.
        """
        self._new_question()
        best = self._worth(state).winner
        kept = (move for move, child in self.game.successors(state) if self._worth(child).winner == best)
        return islice(kept, limit)

    def solve(self, state: S) -> Solution[M]:
        """The winner, every winning move, every best move and the length with best play."""
        self._new_question()
        worth = self._worth(state)
        if self.game.outcome(state) is not None:
            return Solution(None, worth.winner, 0, (), (), self._visited)
        mover = self.game.to_move(state)
        after = [(move, self._worth(child)) for move, child in self.game.successors(state)]
        winning = (move for move, then in after if worth.winner == mover == then.winner)
        best = (move for move, then in after if then == (worth.winner, worth.plies - 1))
        return Solution(mover, worth.winner, worth.plies, tuple(winning), tuple(best), self._visited)

    def judge(self, state: S, move: M) -> Effect:
        """What this legal move does to the worth of the position for the player who makes it."""
        self._new_question()
        mover = self.game.to_move(state)
        before = self._worth(state).winner
        after = self._worth(self.game.apply(state, move)).winner
        if before not in (mover, 0):
            return Effect.LOST_ANYWAY
        if after != before:
            return Effect.BLUNDER
        return Effect.KEPT_WIN if before == mover else Effect.KEPT_DRAW

    # --- one question --------------------------------------------------------------------------

    def _new_question(self) -> None:
        """Set the counts back; and forget all that is known once it is more than may be kept."""
        self._visited = self._followed = 0
        self._check_at = min(_CHECK_EVERY, self.max_followed + 1)
        self._memory_limit_kb = _peak_kb() + self.max_memory_mb * 1024
        self._deadline = time.process_time() + self.max_seconds
        if len(self._memo) > self.max_known:
            self._memo.clear()

    def _worth(self, state: S) -> Worth:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Worth(outcome.winner, 0)
        key = self.game.canonical(state)
        found = self._memo.get(key)
        if found is None:
            found = self._search(state, key)
        mover = self.game.to_move(state)
        if found > _DRAW:
            return Worth(mover, _WIN - found)
        if found < -_DRAW:
            return Worth(3 - mover, _WIN + found)
        return Worth(0, -found)

    def _search(self, root: S, root_key: Hashable) -> int:
        """Work out this unfinished position and all that it rests on, depth first with a stack of its own."""
        known = self._memo.get
        stack = [self._enter(root, root_key)]
        path = {root_key}
        while stack:
            frame = stack[-1]
            while frame.waiting and frame.best < self._enough:
                child_key, child = frame.waiting[-1]
                worth = known(child_key)
                if worth is None:
                    if child_key in path:
                        raise self._repeats()
                    path.add(child_key)
                    stack.append(self._enter(child, child_key))
                    break
                frame.waiting.pop()
                frame.best = max(frame.best, _passed_up(worth, self.game.to_move(child) == frame.mover))
            else:
                if frame.best == _UNKNOWN:
                    raise self._no_move()
                self._memo[frame.key] = frame.best
                path.remove(frame.key)
                stack.pop()
        return self._memo[root_key]

    def _enter(self, state: S, key: Hashable) -> _Frame[S]:
        """Look once at all moves of a position that is new: what is known of them, and which have to wait.

        Nothing is worked out below a move before all its sisters were looked at: most positions with a win in
        one cost no more than this look. The loop is where the time goes; it calls nothing it can do without.
        """
        self._visited += 1
        if self._visited > self.max_positions:
            raise self._too_large()
        canonical, to_move, outcome, known = (
            self.game.canonical,
            self.game.to_move,
            self.game.outcome,
            self._memo.get,
        )
        mover, best, enough = to_move(state), _UNKNOWN, self._enough_unseen
        followed, check_at = self._followed, self._check_at
        waiting: list[tuple[Hashable, S]] = []
        for _, child in self.game.successors(state):
            followed += 1
            if followed >= check_at:
                check_at = self._check(followed, len(waiting))
            child_key = canonical(child)
            worth = known(child_key)
            if worth is None:
                over = outcome(child)
                if over is None:
                    waiting.append((child_key, child))
                    continue
                worth = _WIN_IN_ONE if over.winner == mover else 1 - _WIN if over.winner else -1
            elif worth > _DRAW:
                worth = worth - 1 if to_move(child) == mover else 1 - worth
            elif worth < -_DRAW:
                worth = worth + 1 if to_move(child) == mover else -1 - worth
            else:
                worth -= 1
            if worth > best:
                best = worth
                if worth >= enough:  # nothing better is wanted, so the rest need not be looked at
                    break
        self._followed = followed
        return _Frame(key, mover, best, waiting)

    def _check(self, followed: int, waiting: int) -> int:
        """Once in a while: TooLarge if one position has too many moves, or all have, or memory or time runs out.

        Says at how many moves the next look is due.
        """
        self._followed = followed
        if self._watch is not None:
            self._watch(self._visited)
        if waiting > self.max_positions:
            raise self._too_large(f", one with more than {waiting:,} moves")
        if followed > self.max_followed:
            raise self._too_large(f" and {followed:,} moves followed")
        if _peak_kb() > self._memory_limit_kb:
            raise self._too_large(f", and they took more than {self.max_memory_mb:,} MB of memory")
        if time.process_time() >= self._deadline:
            raise self._too_large(f" in {self.max_seconds:g} s of the processor's time")
        self._check_at = min(followed + _CHECK_EVERY, self.max_followed + 1)
        return self._check_at

    # --- what can be wrong ---------------------------------------------------------------------

    def _too_large(self, more: str = "") -> TooLarge:
        visited = min(self._visited, self.max_positions)
        noun = "position was" if visited == 1 else "positions were"
        return TooLarge(
            f"this position of {self.game.id} is too large to solve exactly: "
            f"gave up after {visited:,} {noun} visited{more}"
        )

    def _repeats(self) -> AnswerIsNo:
        return AnswerIsNo(
            f"{self.game.id} cannot be solved by this search: its positions repeat, "
            "so that play need not come to an end"
        )

    def _no_move(self) -> AnswerIsNo:
        return AnswerIsNo(
            f"{self.game.id} cannot be solved: its rules know a position with no legal move and no outcome"
        )


def _passed_up(worth: int, same_mover: bool) -> int:
    """A child's worth as the player to move before it sees it, one ply further from the end."""
    if -_DRAW < worth < _DRAW:
        return worth - 1
    sign = 1 if worth > 0 else -1
    return worth - sign if same_mover else sign - worth


def _peak_kb() -> int:
    """The most memory that this process has used so far: a search frees next to nothing."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak
