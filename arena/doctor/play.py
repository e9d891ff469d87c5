"""Play: whole games, a thousand random positions, huge ones, and wins kept by the solver's count.

The report gets a finding for a failing and facts for the rest. A game in which the bot fails is not played on.
Raises nothing for what the bot does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import replace
from statistics import median
from typing import Any

from arena.doctor import bouts
from arena.doctor.bouts import Bout, Chooser, Pairing
from arena.doctor.findings import Report
from arena.doctor.manners import uses_much_memory
from arena.doctor.patient import Patient, Question
from arena.doctor.repeat import meet
from arena.errors import AnswerIsNo
from arena.player import Fault, Starved
from arena.referee import Referee
from arena.solver import Effect, Solver
from games.interface import Game, MalformedMove

SLOW_SHARE = 0.7
JUDGE_POSITIONS = 500
"""What is larger is not judged, nor played exactly: many small positions say more than a few large ones."""
SOLVE_SECONDS = 1.0
"""Time for the solver to judge one game's moves: it stops there, and the report says how many it has judged."""


def whole_games(report: Report, patient: Patient, referee: Referee, seed: int, deadline: float) -> list[Bout]:
    """Both seats of the usual start against three opponents, the exact one at a size that can be solved.

    After the deadline there is no further opponent; the first is always met.
    """
    game = referee.game
    solver: Solver[Any, Any] = Solver(game, bouts.SOLVER_POSITIONS)
    usual, small = bouts.usual_start(game), bouts.small_start(game, solver)
    solver.allow(JUDGE_POSITIONS)  # from there on: what the bot makes of it may be much larger
    opponents: list[tuple[dict[str, Any], Chooser]] = [
        (usual, bouts.any_move(game, seed)),
        (usual, bouts.first_move(game)),
        (small, bouts.best_move(game, solver)),
    ]
    played: list[Bout] = []
    for number, (options, choose) in enumerate(opponents):
        for seat in (1, 2):
            pairing = Pairing(referee, Question(game, options, seed + number), seat, choose)
            played.append(meet(report, patient, pairing))
            if played[-1].fault is not None:
                return played
        if time.monotonic() > deadline:
            break
    return played


def random_positions(
    report: Report, patient: Patient, referee: Referee, seed: int, count: int, deadline: float
) -> list[Bout]:
    """Games from random positions until it has made so many moves, or the time is over."""
    game, rng = referee.game, random.Random(seed)
    choose = bouts.any_move(game, seed)
    played: list[Bout] = []
    moves = 0
    while moves < count and time.monotonic() < deadline:
        question = bouts.some_question(game, rng)
        if game.outcome(question.state()) is not None:
            continue
        bout = meet(report, patient, Pairing(referee, question, game.to_move(question.state()), choose))
        played.append(bout)
        moves += len(bout.times_ms)
        if bout.fault is not None:
            break
    uses_much_memory(report, patient)
    return played


def without_a_list(report: Report, patient: Patient, game: Game[Any, Any]) -> None:
    """One position with so many moves that they are not listed."""
    question = bouts.huge_start(game)
    if question is None:
        return
    try:
        text = patient.question(question)
        refusal = game.refusal(question.state(), game.read_move(text))
        wrong = refusal.reason if refusal else None
    except MalformedMove as error:
        wrong = str(error)
    except Fault as fault:
        wrong = fault.detail
        patient.discard()
    except Starved:
        return
    if wrong:
        report.find("no-list", f"with more than 1,000 moves the line 'legal' is left out: {wrong}", game.id)


def answer_times(report: Report, played: Iterable[Bout], limit_ms: int) -> None:
    """The median and the 99th percentile of its answer times, against the limit."""
    times = sorted(ms for bout in played for ms in bout.times_ms)
    if not times:
        return
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    report.facts["answers"] = {
        "count": len(times),
        "median_ms": round(median(times), 3),
        "p99_ms": round(p99, 3),
        "longest_ms": round(times[-1], 3),
        "limit_ms": limit_ms,
    }
    if p99 > SLOW_SHARE * limit_ms:
        report.find("slow", f"one answer in a hundred takes {p99:.0f} ms or more, of {limit_ms} ms allowed")


def wins_kept(report: Report, game: Game[Any, Any], played: list[Bout]) -> None:
    """In how many positions that could be won, and lost, it kept the win."""
    solver: Solver[Any, Any] = Solver(game, JUDGE_POSITIONS, winner_only=True)
    deadline = time.monotonic() + SOLVE_SECONDS
    kept = could = 0
    for bout in played:
        if time.monotonic() > deadline:
            break
        for state, move in reversed(_own_moves(bout)):
            try:
                verdict = solver.judge(state, move)
                forced = len(solver.solve(state).winning_moves) == sum(1 for _ in game.legal_moves(state))
            except AnswerIsNo:  # too large: so is every position before it
                break
            if verdict in (Effect.KEPT_WIN, Effect.BLUNDER) and not forced and solver.value(state).winner:
                could += 1
                kept += verdict is Effect.KEPT_WIN
    report.facts.setdefault("wins_kept", {})[game.id] = {"kept": kept, "winnable": could}


def _own_moves(bout: Bout) -> list[tuple[Any, Any]]:
    """The positions in which the patient moved, and its moves."""
    game = bout.question.game
    state, found = replace(bout.question).state(), []
    for seat, text in bout.moves:
        move = game.read_move(text)
        if seat == bout.seat:
            found.append((state, move))
        state = game.apply(state, move)
    return found
