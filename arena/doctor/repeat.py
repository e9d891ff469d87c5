"""Repetition: whether a fault comes back, alone or only after other games, and whether equal seeds give equal play.

What a bot does once may be chance. So a fault is laid to the games before it only if these bring it back, again and
again, and one game alone does not. Raises nothing for what the bot does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from arena.doctor import bouts
from arena.doctor.bouts import Bout, Pairing
from arena.doctor.findings import Report, code_of
from arena.doctor.manners import fails_by_the_sandbox
from arena.doctor.patient import Patient, Question
from arena.player import Fault, Starved
from arena.record import Ending
from arena.referee import Referee

ALONE, AFTER = 3, 2
"""So many times it must do well alone, and fail after its past, before that is more than chance."""
REPEAT_SECONDS = 60.0
LAST_LINES = 20
"""What a bot that ends has said of its end; above that stand earlier troubles, which it has borne."""
TRANSCRIBED = 8
QUICK_MS = 20.0
"""A bot that answers faster than that does not think by the clock."""


def meet(report: Report, patient: Patient, pairing: Pairing) -> Bout:
    """Have it play; a fault is looked into and is a finding."""
    past = list(patient.past)
    bout = pairing.play(patient)
    if bout.fault is None:
        return bout
    game, where = pairing.referee.game.id, bout.position_at_end()
    if bout.fault.ending in (Ending.CRASHED, Ending.NO_START):
        last = "\n".join(bout.stderr.splitlines()[-LAST_LINES:])
        if fails_by_the_sandbox(report, patient, last, where, game):
            return bout
    code, what = _diagnosis(patient, pairing, bout.fault, past)
    report.find(code, what, game, where=where, stderr=bout.stderr)
    return bout


def _diagnosis(
    patient: Patient, pairing: Pairing, fault: Fault, past: Sequence[bouts.Deed]
) -> tuple[str, str]:
    """The finding that a fault is: itself, itself now and then, or what earlier games have left."""
    alone = _ends_as(patient, (), pairing)
    if alone is not None:  # it failed again, or the machine was in the way
        return code_of(fault), fault.detail
    if past and _needs_its_past(patient, past, pairing, fault.ending):
        return "leftovers", f"it fails after other games in one process, and not in a first: {fault.detail}"
    return code_of(fault), f"now and then, not each time: {fault.detail}"


def _needs_its_past(patient: Patient, past: Sequence[bouts.Deed], pairing: Pairing, ending: Ending) -> bool:
    return all(_ends_as(patient, past, pairing) is ending for _ in range(AFTER)) and all(
        _ends_as(patient, (), pairing) is None for _ in range(ALONE - 1)
    )


def _ends_as(patient: Patient, past: Sequence[bouts.Deed], pairing: Pairing) -> Ending | None:
    """How a new process with this past fails in this match; None if it does not. VOID if it does not get there."""
    fresh = patient.fresh()
    deadline = time.monotonic() + REPEAT_SECONDS
    try:
        for deed in past:
            done = deed(fresh)
            if time.monotonic() > deadline or (isinstance(done, Bout) and (done.fault or done.void)):
                return Ending.VOID
        bout = pairing.play(fresh)
        if bout.void:
            return Ending.VOID
        return None if bout.fault is None else bout.fault.ending
    except (Fault, Starved):
        return Ending.VOID
    finally:
        fresh.discard()


# --- equal seeds --------------------------------------------------------------------------------


class _Transcript(NamedTuple):
    """The moves of a few matches of a new process, by match, and how long its own took."""

    moves: dict[tuple[str, int], tuple[tuple[int, str], ...]]
    times_ms: list[float]


def same_again(report: Report, patient: Patient, referees: Sequence[Referee]) -> None:
    """Whether the same seed gives the same play: in a new process, and whatever that has played before."""
    matches = [_by_seed(referee, seed) for referee in referees for seed in range(TRANSCRIBED)]
    report.facts["same_seed_same_play"] = None
    there, back = _transcript(patient, matches), _transcript(patient, matches[::-1])
    if there is None or back is None:
        return
    if there.moves == back.moves:
        report.facts["same_seed_same_play"] = True
        return
    again = _transcript(patient, matches)
    if again is None:
        return
    same = report.facts["same_seed_same_play"] = there.moves == again.moves
    if not same:
        _is_unseeded(report, there)
    elif (back_again := _transcript(patient, matches[::-1])) and back_again.moves == back.moves:
        game, seed = next(match for match in there.moves if there.moves[match] != back.moves[match])
        what = "it plays otherwise after other games than in a new process, with the same seed"
        report.find("leftovers", what, game, where=f"seed={seed}", advice=True)


def _is_unseeded(report: Report, seen: _Transcript) -> None:
    """Say so, unless it takes its time: what it finds then depends on the machine."""
    times = sorted(seen.times_ms)
    if times[len(times) * 95 // 100] < QUICK_MS:
        report.find("unseeded", "with the same seed it plays otherwise in a new process")


def _by_seed(referee: Referee, seed: int) -> Pairing:
    """A match of the second seat from the usual start: a few, for two short random games are often the same."""
    question = Question(referee.game, bouts.usual_start(referee.game), seed)
    return Pairing(referee, question, 2, bouts.first_move(referee.game))


def _transcript(patient: Patient, matches: Sequence[Pairing]) -> _Transcript | None:
    """What a new process plays in these matches, one after another; None if it failed in one."""
    fresh = patient.fresh()
    found = _Transcript({}, [])
    try:
        for match in matches:
            bout = match.play(fresh)
            if bout.fault is not None or bout.void:
                return None
            found.moves[match.question.game.id, match.question.seed] = bout.moves
            found.times_ms.extend(bout.times_ms)
        return found
    finally:
        fresh.stop()
