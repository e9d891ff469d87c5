"""Bouts: whole matches of the patient against opponents that need no process, and what came of them.

Owns the opponents (any move, the first move, the exact best), and the choice of starts, openings and huge starts for
any game, plug-ins included. The same seed gives the same bouts. Raises nothing but what the harness itself may.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from arena.doctor.patient import Patient, Question
from arena.errors import AnswerIsNo
from arena.player import Fault, Script, ScriptedBot, Turn
from arena.record import Ending
from arena.referee import LISTED_MOVES, Fixture, Referee
from arena.solver import Solver
from games.interface import Game, OptionError

OPPONENT = "the doctor's opponent"
HUGE = 4_000_000
SOLVER_POSITIONS = 10_000

Chooser = Callable[[Any], Any]
"""Picks a move at a position."""
Deed = Callable[[Patient], object]
"""What a patient can be put through."""


@dataclass(frozen=True, slots=True)
class Bout:
    """A match that the patient has played: the question it began with, its own moves and times, and its fault."""

    question: Question
    seat: int
    moves: tuple[tuple[int, str], ...]
    """All moves after the opening: seat and move."""
    times_ms: tuple[float, ...]
    """How long each of the patient's own took."""
    fault: Fault | None
    void: bool = False
    stderr: str = ""
    """What the patient had written to stderr, if it failed."""
    stderr_bytes: int = 0
    """How much it has written to stderr in this match."""

    def position_at_end(self) -> str:
        """Where the match stopped, in words."""
        opening = (*self.question.opening, *(move for _, move in self.moves))
        asked = Question(self.question.game, self.question.options, self.question.seed, opening)
        if asked.game.outcome(asked.state()) is not None:
            return self.question.told()
        return f"seat {self.seat} of {asked.told()}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played by the patient, as often as wanted: the opponents are the same each time."""

    referee: Referee
    question: Question
    seat: int
    choose: Chooser

    def play(self, patient: Patient) -> Bout:
        """Play it; the patient remembers what its process has played without a fault."""
        bout = _play(self.referee, patient, self.question, self.seat, self.choose)
        if bout.fault is None and not bout.void:
            patient.past.append(self.play)
        return bout


def _play(referee: Referee, patient: Patient, question: Question, seat: int, choose: Chooser) -> Bout:
    """One match, the patient at this seat."""
    match = Fixture("check", question.game.id, question.options, question.seed, question.opening)
    opponent = ScriptedBot(OPPONENT, _script(question, choose))
    starts, said = patient.starts, patient.stderr_bytes()
    played = referee.play(match, (patient, opponent) if seat == 1 else (opponent, patient))
    record = json.loads(played.line)
    moves = record["moves"]
    verdict = played.verdict
    fault = Fault(verdict.ending, verdict.detail) if verdict.at_fault == seat else None
    return Bout(
        question,
        seat,
        tuple((move["seat"], move["move"]) for move in moves),
        tuple(move["ms"] for move in moves if move["seat"] == seat),
        fault,
        void=verdict.ending is Ending.VOID,
        stderr=record.get("stderr", "") if fault else "",
        stderr_bytes=max(0, patient.stderr_bytes() - (said if patient.starts == starts else 0)),
    )


def _script(question: Question, choose: Chooser) -> Script:
    """An opponent that knows the position itself, not only what it is told of it."""
    game = question.game

    def script(turn: Turn) -> str:
        state = game.start(game.options(question.options), question.seed)
        for _, text in turn.played:
            state = game.apply(state, game.read_move(text))
        return game.write_move(choose(state))

    return script


# --- opponents ----------------------------------------------------------------------------------


def any_move(game: Game[Any, Any], seed: int) -> Chooser:
    """Any legal move (of the first thousand): the same one at the same position, so that a bout can be repeated."""

    def choose(state: Any) -> Any:
        rng = random.Random(f"{seed} {game.view(state, game.to_move(state))}")
        return rng.choice(list(islice(game.legal_moves(state), LISTED_MOVES)))

    return choose


def first_move(game: Game[Any, Any]) -> Chooser:
    """The first legal move."""
    return lambda state: next(iter(game.legal_moves(state)))


def best_move(game: Game[Any, Any], solver: Solver[Any, Any]) -> Chooser:
    """The exact best move where the position is small enough to be solved, else the first."""

    def choose(state: Any) -> Any:
        try:
            return solver.solve(state).best_moves[0]
        except AnswerIsNo:
            return next(iter(game.legal_moves(state)))

    return choose


# --- starts -------------------------------------------------------------------------------------


def usual_start(game: Game[Any, Any]) -> dict[str, Any]:
    """The start options that the game has by itself."""
    return _dumped(game, {})


def some_start(game: Game[Any, Any], rng: random.Random) -> dict[str, Any]:
    """Start options around the usual ones: half to twice every number; the usual ones where that does not fit."""
    given: dict[str, Any] = {}
    for name, value in usual_start(game).items():
        if isinstance(value, bool):
            given[name] = rng.random() < 0.5
        elif isinstance(value, int):
            given[name] = rng.randint(value // 2, value * 2) if value > 0 else value
    try:
        return _dumped(game, given)
    except OptionError:
        return usual_start(game)


def small_start(game: Game[Any, Any], solver: Solver[Any, Any]) -> dict[str, Any]:
    """A start that this solver can solve: the usual one, with every number halved until it can."""
    given = usual_start(game)
    for _ in range(8):
        try:
            solver.value(game.start(game.options(given), 1))
            return given
        except AnswerIsNo:
            halved = {name: _halved(value) for name, value in given.items()}
        try:
            given = _dumped(game, halved)
        except OptionError:
            break
    return given


def huge_start(game: Game[Any, Any]) -> Question | None:
    """A start with so many moves that they are not listed, if the game has one."""
    for name, value in usual_start(game).items():
        size = value
        while isinstance(size, int) and not isinstance(size, bool) and 0 < size < HUGE:
            size *= 4
            try:
                question = Question(game, _dumped(game, {name: size}), 1)
            except OptionError:
                break
            if _count(game.legal_moves(question.state())) > LISTED_MOVES:
                return question
    return None


def some_question(game: Game[Any, Any], rng: random.Random) -> Question:
    """A random position that is not over: random options, and a random part of a random game."""
    options, seed = some_start(game, rng), rng.randrange(2**31)
    state = game.start(game.options(options), seed)
    moves: list[str] = []
    choose = any_move(game, seed)
    while game.outcome(state) is None and len(moves) < 200:
        move = choose(state)
        moves.append(game.write_move(move))
        state = game.apply(state, move)
    return Question(game, options, seed, tuple(moves[: rng.randrange(len(moves))] if moves else ()))


def _dumped(game: Game[Any, Any], given: dict[str, Any]) -> dict[str, Any]:
    dumped: dict[str, Any] = game.options(given).model_dump(mode="json")
    return dumped


def _halved(value: Any) -> Any:
    return max(1, value // 2) if isinstance(value, int) and not isinstance(value, bool) else value


def _count(moves: Iterable[Any]) -> int:
    return sum(1 for _ in islice(moves, LISTED_MOVES + 1))
