"""`arena replay --against BOT`: a recorded match once more, for one bot. Part of `arena replay`; starts the bot."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Timer
from time import monotonic_ns
from typing import Any, NamedTuple

from arena.bot import resolve
from arena.bot_process import BotProcess
from arena.errors import UsageError
from arena.evidence import gather
from arena.looks import Looks
from arena.player import Fault, Starved
from arena.printable import printable, visible, visible_lines
from arena.record import Ending, MatchRecord
from arena.replay import untold_stderr
from arena.rerun import Answer, Rerun, default_seat, patient

SILENT_SECONDS = 5.0
"""After so long without an answer somebody who waits is told why."""


class Failure(NamedTuple):
    """How the bot failed now, what it wrote to stderr, and whether the match has it so."""

    what: str
    stderr: str
    as_then: bool


def rerun(run: str, record: MatchRecord, word: str, seat: int | None, *, as_json: bool) -> int:
    """Send the lines to the bot, tell each answer; 0 if all is as it was in the match, 1 if anything differs."""
    if seat not in (None, 1, 2):
        raise UsageError(f"--seat must be 1 or 2, not {seat}")
    spec = resolve(word)
    again = Rerun(record, seat or default_seat(record, spec.name), gather(run).limits)
    if not as_json:
        recorded = record.bots[again.seat - 1].name
        print(
            f"{visible(record.id)}: {visible(spec.name)} at seat {again.seat}, where {visible(recorded)} played"
        )
    bot = BotProcess(spec, patient(again.limits))
    same, failure = 0, None
    try:
        for answer in _watched(bot, again.play(bot)):
            same += answer.same
            _tell(again, answer, as_json=as_json)
        bot.stop()
    except (Fault, Starved) as fault:
        as_then = isinstance(fault, Fault) and again.fails_as_then(fault, same)
        failure = Failure(str(fault), bot.stderr_tail(), as_then)
    finally:
        bot.discard()
    return _end(again, same, failure, as_json=as_json)


def _watched(bot: BotProcess, answers: Iterator[Answer]) -> Iterator[Answer]:
    """The same answers; whoever waits long for one is told what the bot does meanwhile."""
    while True:
        timer = Timer(SILENT_SECONDS, _say_silent, (bot,))
        timer.daemon = True
        timer.start()
        try:
            answer = next(answers, None)
        finally:
            timer.cancel()
        if answer is None:
            return
        yield answer


def _say_silent(bot: BotProcess) -> None:
    """One line on stderr, with the explanation that the match would give of a bot that does not compute."""
    why = ""
    with suppress(Exception):  # the bot may end at this very moment; then its end is told, and not this
        if bot.life is not None:
            why = str(bot.life.no_answer(Looks(monotonic_ns()), int(SILENT_SECONDS * 1000), 0))
    why = "" if why.startswith("still computing") else why
    waiting = "waiting for its answer (no time limit here; Ctrl-C leaves)"
    print(f"arena replay: {waiting}{why and ': ' + printable(why)}", file=sys.stderr, flush=True)


def _tell(again: Rerun, answer: Answer, *, as_json: bool) -> None:
    if as_json:
        facts = {"move": answer.ask.number, "recorded": answer.ask.recorded, "given": answer.given}
        print(json.dumps({**facts, "same": answer.same, "refused": answer.refused, "ms": round(answer.ms, 3),
                          "info": answer.info}))  # fmt: skip
        return
    for text in answer.info:
        print(f"  info: {visible(text)}")
    print(f"move {answer.ask.number}: {_compared(again, answer)}")


def _compared(again: Rerun, answer: Answer) -> str:
    """An answer, and how it compares with the match."""
    recorded, result = answer.ask.recorded, again.record.result
    given = visible(answer.given) + (f" (refused: {printable(answer.refused)})" if answer.refused else "")
    if recorded is not None:
        return f"{given}, the same" if answer.same else f"{given}, DIFFERS: recorded {visible(recorded)}"
    if result.ending is Ending.TIMEOUT:
        given += f", took {answer.ms:.0f} ms; the limit was {answer.ask.limit_ms} ms"
    if answer.same:
        return f"{given}; it fails as it did in the match ({result.ending})"
    if answer.refused is not None:
        return f"{given}; in the match it failed here in another way ({result.ending})"
    return f"answered {given}; in the match it failed here ({result.ending})"


def _end(again: Rerun, same: int, failure: Failure | None, *, as_json: bool) -> int:
    """The last lines, and the exit status."""
    turns = sum(1 for _ in again.asks())
    starts_late = again.start_ms > again.limits.start_ms
    mended_start = again.failed_to_start and failure is None and not starts_late
    as_then = failure is not None and failure.as_then
    status = 0 if as_then or (same == turns and failure is None and not mended_start) else 1
    if as_json:
        failed, stderr = (failure.what, failure.stderr or None) if failure else (None, None)
        facts: dict[str, Any] = {"turns": turns, "same": same, "failed": failed, "as_then": as_then,
                                 "stderr": stderr}  # fmt: skip
        print(json.dumps(facts))
        return status
    if failure is not None:
        _tell_failure(again, same, failure)
    if again.failed_to_start and failure is None:
        took = f"it took {again.start_ms:.0f} ms to start; the limit was {again.limits.start_ms} ms"
        print(took if starts_late else f"{took}: DIFFERS, in the match it did not start")
        return status
    noun = "turn" if turns == 1 else "turns"
    if not as_then:
        print(f"{same} of {turns} {noun} as in the match")
    return status


def _tell_failure(again: Rerun, answered: int, failure: Failure) -> None:
    """How the bot failed, and how in the match, if it did there and in another way."""
    how, then = "", ""
    if failure.as_then:
        how = ", as it did in the match"
    elif again.failed_then(answered):
        how, then = " in another way than in the match", again.record.result.detail
    print(f"the bot failed{how}: {printable(failure.what)}{then and '; in the match: ' + printable(then)}")
    for text in visible_lines(untold_stderr(failure.what, failure.stderr)):
        print(f"  {text}".rstrip())
