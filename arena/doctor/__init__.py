"""The doctor: examines a bot as `arena check` and `arena submit` do, and says what would lose it matches.

`examine` runs the whole examination and returns a Report: findings, each with a remedy, and facts. Everything
is played by the referee that plays matches, in the sandbox that matches have. Raises UsageError if there is no
installed game to examine the bot in, and HarnessFailure if the machine does not let it run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arena import sandbox
from arena.bot import BotSpec
from arena.catalogue import game_ids, get_game
from arena.doctor import bouts, manners, play
from arena.doctor.findings import Finding, Report, Severity
from arena.doctor.patient import Patient, Question
from arena.errors import HarnessFailure, UnknownGame, UsageError
from arena.limits import Limits
from arena.player import Starved
from arena.referee import Referee
from games.interface import Game

__all__ = ["POSITIONS", "Finding", "Report", "Severity", "examine"]

POSITIONS = 1000
SEED = 20
BUDGET_SECONDS = 60.0
"""A slow bot is asked less: after this time it plays both seats of every game once, and no more."""

Progress = Callable[[str], None]


class _Effort(NamedTuple):
    """How much is asked of a bot, how long that may take, and whom to tell of it."""

    positions: int
    seconds: float
    progress: Progress


def examine(
    spec: BotSpec,
    *,
    games: Sequence[str] = (),
    limits: Limits | None = None,
    sandbox_mode: str = "auto",
    positions: int = POSITIONS,
    budget_seconds: float = BUDGET_SECONDS,
    progress: Progress = lambda _: None,
) -> Report:
    """Examine this bot in these games, or in all that it claims to play."""
    mode, warning = sandbox.choose(sandbox_mode)
    strict = (limits or Limits()).model_copy(update={"reprompts": 0})  # a first answer should do
    report = Report.of(spec)
    report.facts |= {"sandbox": mode, "warning": warning}
    chosen = _games(report, spec, games)
    report.games = [game.id for game in chosen]
    try:
        _examine(report, spec, chosen, strict, mode, _Effort(positions, budget_seconds, progress))
    except Starved as starved:
        raise HarnessFailure(
            f"this machine is too busy to examine a bot now ({starved}): try again later"
        ) from None
    return report


def _games(report: Report, spec: BotSpec, wanted: Sequence[str]) -> list[Game[Any, Any]]:
    """The games to examine it in; those that it claims and that are not installed are a finding."""
    if wanted:
        for game in wanted:
            if spec.games is not None and game not in spec.games:
                raise UsageError(
                    f"{spec.name} does not claim to play {game} (its bot.toml: {', '.join(spec.games)})"
                )
        return [get_game(game) for game in dict.fromkeys(wanted)]
    found = []
    for game in spec.games if spec.games is not None else game_ids():
        try:
            found.append(get_game(game))
        except UnknownGame as error:
            if spec.games is not None:
                report.find("unknown-game", f"it claims to play {game!r}: {error}", game)
    if not found:
        raise UsageError(f"{spec.name} plays none of the installed games, which are {', '.join(game_ids())}")
    return found


def _examine(
    report: Report,
    spec: BotSpec,
    games: list[Game[Any, Any]],
    limits: Limits,
    mode: str,
    effort: _Effort,
) -> None:
    """The examination, from the first line to the last game. What cannot start or answer is not asked on."""
    plainest = next((game for game in games if game.id == "squares"), games[0])
    question = Question(plainest, bouts.usual_start(plainest), SEED)
    patient = Patient(spec, limits, mode)
    try:
        effort.progress("starts")
        if not manners.answers(report, patient, question):
            return
        effort.progress("manners")
        manners.bears_the_unknown(report, lambda: Patient(spec, limits, mode), question)
        manners.leaves_nothing(report, spec, limits, mode, question)
        referees = [Referee(game, limits) for game in games]
        _play(report, patient, referees, effort)
        manners.tries_what_it_may_not(report, patient, question)
        effort.progress("same seed")
        if report.ok:
            few = referees[:1] if report.facts["cut_short"] else referees
            play.same_again(report, lambda where: Patient(spec, limits, where), few, mode)
    finally:
        patient.discard()


def _play(report: Report, patient: Patient, referees: list[Referee], effort: _Effort) -> None:
    """All games: whole, from random positions, with a huge start, and by the solver's count."""
    share = -(-effort.positions // len(referees))
    begin = time.monotonic()
    everything = []
    report.facts["cut_short"] = False
    for number, referee in enumerate(referees, 1):
        effort.progress(f"plays {referee.game.id}")
        deadline = begin + effort.seconds * number / len(referees)
        played = play.whole_games(report, patient, referee, SEED, deadline)
        if played[-1].fault is None:
            played += play.random_positions(report, patient, referee, SEED, share, deadline)
        report.facts["cut_short"] |= time.monotonic() > deadline
        if played[-1].fault is None:
            play.without_a_list(report, patient, referee.game)
            play.wins_kept(report, referee.game, played)
        everything += played
    play.answer_times(report, everything, patient.limits.move_ms)
