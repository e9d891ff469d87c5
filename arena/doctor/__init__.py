"""The doctor: examines a bot as `arena check` and `arena submit` do, and says what would lose it matches.

`examine` runs the whole examination and returns a Report: findings, each with a remedy, and facts. Everything
is played by the referee that plays matches, in the sandbox that matches have. Raises UsageError if there is no
installed game to examine the bot in, and HarnessFailure if the machine does not let it run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from arena import sandbox
from arena.bot import BotSpec
from arena.catalogue import game_ids, get_game
from arena.doctor import bouts, manners, play, repeat
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
    question = _first_question(plainest)
    patient = Patient(spec, limits, mode)
    try:
        effort.progress("starts")
        if not manners.answers(report, patient, question):
            if any(finding.ended for finding in report.findings):  # at once, so that asking again is quick
                _name_its_games(report, spec, games, patient)
            return
        manners.tries_what_it_may_not(report, patient)
        _name_its_games(report, spec, games, patient)
        effort.progress("manners")
        manners.bears_the_unknown(report, lambda: Patient(spec, limits, mode), question)
        manners.leaves_nothing(report, spec, limits, mode, question)
        referees = [Referee(game, limits) for game in games]
        _play(report, patient, referees, effort)
        manners.tries_what_it_may_not(report, patient)
        _name_its_games(report, spec, games, patient)
        effort.progress("same seed")
        if report.ok:
            few = referees[:1] if report.facts["cut_short"] else referees
            repeat.same_again(report, patient, few)
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
    manners.writes_much(report, everything)


def _name_its_games(report: Report, spec: BotSpec, games: list[Game[Any, Any]], patient: Patient) -> None:
    """A bot that fails in some of the games may be meant for the others: then its bot.toml should say so."""
    failing = {finding.game for finding in report.findings if finding.severity is Severity.LOSES}
    if spec.games is not None or not failing:
        return
    if "answers" in report.facts:
        failing -= {None}  # that is wrong in all games
        plays = [game.id for game in games if game.id not in failing]
    else:
        plays = [game.id for game in games if manners.answers_legally(patient, _first_question(game))]
    if failing and plays:
        line = f"games = [{', '.join(map(json.dumps, plays))}]"
        place = "its bot.toml" if spec.folder else "a bot.toml beside it"
        report.add_remedy(f"If it is meant for {', '.join(plays)} alone, put {line} into {place}.", failing)


def _first_question(game: Game[Any, Any]) -> Question:
    """The usual start of a game."""
    return Question(game, bouts.usual_start(game), SEED)
