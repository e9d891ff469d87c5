"""What each move of a match was worth, by the exact solver: kept, held, thrown away, or lost anyway.

Owns the judgement of moves, the decisive move of a match, and the accuracy of bots. Moves are numbered from 1
as the record's `moves` are; the opening, which no bot chose, is not judged.

A match is judged from its last move back to its first, so that the small positions at the end are judged even
where the start is too large: at the first position that is, the rest of the match is given up. Effort spent
in vain is bounded for each game: every failure leaves less for the next question, down to a glance.

Raises RecordError for a match whose moves the rules do not allow, and UnknownGame for a game not installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.errors import AnswerIsNo
from arena.positions import Positions, positions
from arena.record import MatchRecord
from arena.solver import Solver
from games.interface import Game

MAX_POSITIONS = 200_000
"""How many positions one question may visit."""
_MOVES_A_POSITION = 5
"""How many moves it may follow for each of them: a bound for games with very many moves."""
MAX_KNOWN = 500_000
"""How many solved positions are kept for each game between matches, some 100 MB at most."""
BEST_LISTED = 50
"""How many moves that would have kept the worth are listed."""
_WASTE = 2
"""All failures of one game together may cost about this many times what one question may."""
_GLANCE = 200
"""What one question may visit when everything else was spent in vain."""
MOST_UNSOLVED = 5_000
"""After so many moves of a game that could not be judged, no more of its matches are looked at."""


class Judgement(StrEnum):
    """What a move did to the worth of the position for the player who made it."""

    KEPT = "kept"
    HELD = "held"
    BLUNDER = "blunder"
    LOST = "lost"
    UNKNOWN = "unknown"

    @property
    def sentence(self) -> str:
        """What this judgement means, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Judgement.KEPT: "The move kept a won position won.",
    Judgement.HELD: "The move kept a draw, which was the best there was.",
    Judgement.BLUNDER: "The move threw away a win, or turned a draw into a loss.",
    Judgement.LOST: "The position was lost, whatever the move.",
    Judgement.UNKNOWN: "The position is too large to be solved exactly.",
}


@dataclass(frozen=True, slots=True)
class MoveNote:
    """What is known of one move. `index` counts into the record's `moves`.

    `best` are the moves that would have kept the worth, BEST_LISTED at most, in the game's order; empty if
    nothing could be kept or nothing is known. `missed` is the worth before the move to the player who made
    it: "win", "draw", "loss", or None if unknown.
    """

    index: int
    seat: int
    move: str
    judgement: Judgement
    best: tuple[str, ...]
    missed: str | None


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """A note for each move, the decisive move in words if there was one, and whether all was solved."""

    notes: tuple[MoveNote, ...]
    decisive: str | None
    solved: bool


class Analyst:
    """Judges matches, one after another, and keeps what it solved for the next one, within bounds."""

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        self.max_positions = max_positions
        self._solvers: dict[str, Solver[Any, Any]] = {}
        self._left: dict[str, int] = {}
        self._unsolved: Counter[str] = Counter()

    def has_given_up(self, game_id: str) -> bool:
        """Whether too many moves of this game could not be judged: of its other matches nothing is said."""
        return self._unsolved[game_id] >= MOST_UNSOLVED

    def analyse(self, record: MatchRecord) -> MatchAnalysis:
        """Judge every move of a match; none of a game that was given up."""
        if self.has_given_up(record.game):
            notes = tuple(
                MoveNote(index, move.seat, move.move, Judgement.UNKNOWN, (), None)
                for index, move in enumerate(record.moves)
            )
            return MatchAnalysis(notes, None, not notes)
        analysis = self._analysed(record)
        if not analysis.solved:
            self._unsolved[record.game] += sum(note.judgement is Judgement.UNKNOWN for note in analysis.notes)
        return analysis

    def _analysed(self, record: MatchRecord) -> MatchAnalysis:
        line = positions(record)
        solver = self._solver(line.game)
        worths = self._worths(solver, line)
        for index, played in enumerate(record.moves):
            if worths[index] is None and worths[index + 1] == played.seat:
                worths[index] = played.seat  # nobody gains by his own move: it was won before
        backwards = [
            self._note(solver, record, line, index, worths) for index in reversed(range(len(record.moves)))
        ]
        notes = tuple(reversed(backwards))
        solved = all(note.judgement is not Judgement.UNKNOWN for note in notes)
        return MatchAnalysis(notes, _decisive(record, notes, worths), solved)

    def _solver(self, game: Game[Any, Any]) -> Solver[Any, Any]:
        if game.id not in self._solvers:
            self._solvers[game.id] = Solver(
                game, self.max_positions, winner_only=True, max_known=max(MAX_KNOWN, self.max_positions)
            )
            self._left[game.id] = _WASTE * _MOVES_A_POSITION * self.max_positions
        return self._solvers[game.id]

    def _worths(self, solver: Solver[Any, Any], line: Positions) -> list[int | None]:
        """The winner of each position from the one before the bots' first move on; None where unknown."""
        states = line.states[len(line.opening) :]
        worths: list[int | None] = [None] * len(states)
        for index in reversed(range(len(states))):
            self._allow(solver)
            try:
                worths[index] = solver.winner(states[index])
            except AnswerIsNo:
                self._spent_in_vain(solver)
                break
        return worths

    def _note(
        self,
        solver: Solver[Any, Any],
        record: MatchRecord,
        line: Positions,
        index: int,
        worths: list[int | None],
    ) -> MoveNote:
        played = record.moves[index]
        before, after = worths[index], worths[index + 1]
        judgement = _judged(played.seat, before, after)
        best: tuple[str, ...] = ()
        if judgement not in (Judgement.UNKNOWN, Judgement.LOST):
            best = self._best(solver, line.before(index))
        return MoveNote(index, played.seat, played.move, judgement, best, _worth_word(played.seat, before))

    def _best(self, solver: Solver[Any, Any], state: Any) -> tuple[str, ...]:
        """The moves that keep the worth; none if they cannot all be found: a part would look like all of them."""
        self._allow(solver)
        try:
            return tuple(map(solver.game.write_move, solver.keeping(state, BEST_LISTED)))
        except AnswerIsNo:
            self._spent_in_vain(solver)
            return ()

    def _allow(self, solver: Solver[Any, Any]) -> None:
        """How much the next question may cost: half of what may still be spent in vain."""
        left = self._left[solver.game.id] // (_WASTE * _MOVES_A_POSITION)
        positions = min(max(_GLANCE, left), self.max_positions)
        solver.allow(positions, positions * _MOVES_A_POSITION)

    def _spent_in_vain(self, solver: Solver[Any, Any]) -> None:
        self._left[solver.game.id] = max(0, self._left[solver.game.id] - solver.followed)


def _judged(seat: int, before: int | None, after: int | None) -> Judgement:
    """What a move of this seat did, by who won before and after it with best play."""
    if before == 3 - seat:
        return Judgement.LOST
    if before is None or after is None:
        return Judgement.UNKNOWN
    if after != before:
        return Judgement.BLUNDER
    return Judgement.KEPT if before == seat else Judgement.HELD


def _worth_word(seat: int, winner: int | None) -> str | None:
    if winner is None:
        return None
    return "draw" if winner == 0 else "win" if winner == seat else "loss"


# --- the decisive move -----------------------------------------------------------------------------


def _decisive(record: MatchRecord, notes: tuple[MoveNote, ...], worths: list[int | None]) -> str | None:
    """The last blunder, if the match ended as it left it; a fault in a won position decides by itself."""
    if record.void:
        return None
    for note in reversed(notes):
        if note.judgement is Judgement.UNKNOWN:
            return None
        if note.judgement is Judgement.BLUNDER:
            return _told(note) if worths[note.index + 1] == record.result.winner else None
    return None


def _told(note: MoveNote) -> str:
    """A blunder in words: `move 7: 9 was winning, took 16`."""
    verb = "winning" if note.missed == "win" else "drawing"
    if not note.best:
        return f"move {note.index + 1}: took {note.move} where there was a {note.missed}"
    if len(note.best) == 1:
        return f"move {note.index + 1}: {note.best[0]} was {verb}, took {note.move}"
    shown = note.best[:3]
    more = len(note.best) - len(shown)
    rest = f" and {more} more" if more else ""
    several = ", ".join(shown) if more else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"move {note.index + 1}: {several}{rest} were {verb}, took {note.move}"


# --- bots ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a bot played: `chances` are the positions in which it had a win or a draw to lose.

    `moves` counts the moves that could be judged, `unknown` those that could not.
    """

    matches: int = 0
    moves: int = 0
    blunders: int = 0
    chances: int = 0
    unknown: int = 0

    @property
    def accuracy(self) -> float | None:
        """The share of the chances that were kept; None without any."""
        return 1 - self.blunders / self.chances if self.chances else None

    @property
    def blunders_a_match(self) -> float | None:
        """Blunders a match; None without a match."""
        return self.blunders / self.matches if self.matches else None

    def plus(self, notes: Iterable[MoveNote]) -> Accuracy:
        """With one more match, in which the bot made these moves."""
        judged = [note.judgement for note in notes]
        unknown = judged.count(Judgement.UNKNOWN)
        return Accuracy(
            matches=self.matches + 1,
            moves=self.moves + len(judged) - unknown,
            blunders=self.blunders + judged.count(Judgement.BLUNDER),
            chances=self.chances + len(judged) - unknown - judged.count(Judgement.LOST),
            unknown=self.unknown + unknown,
        )
