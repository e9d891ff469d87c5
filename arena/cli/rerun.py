"""`arena replay --against BOT`: a recorded match once more, for one bot. Part of `arena replay`; starts the bot."""

from __future__ import annotations

import json
from typing import Any

from arena.bot import resolve
from arena.bot_process import BotProcess
from arena.errors import UsageError
from arena.evidence import gather
from arena.player import Fault, Starved
from arena.record import MatchRecord
from arena.rerun import Answer, Rerun, default_seat, patient
from arena.tables import visible


def rerun(run: str, record: MatchRecord, word: str, seat: int | None, *, as_json: bool) -> int:
    """Send the lines to the bot, tell each answer; 1 if one differs or the bot fails, 0 if all are the same."""
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
    same, failed = 0, None
    try:
        for answer in again.play(bot):
            same += answer.same
            _tell(answer, as_json=as_json)
        bot.stop()
    except (Fault, Starved) as fault:
        failed = str(fault)
    finally:
        stderr = bot.stderr_tail() if failed else ""
        bot.discard()
    return _end(again, same, failed, stderr, as_json=as_json)


def _tell(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        facts = {"move": answer.ask.number, "recorded": answer.ask.recorded, "given": answer.given}
        print(json.dumps({**facts, "same": answer.same, "refused": answer.refused, "info": answer.info}))
        return
    for text in answer.info:
        print(f"  info: {visible(text)}")
    recorded = (
        "there it failed" if answer.ask.recorded is None else f"recorded {visible(answer.ask.recorded)}"
    )
    what = "the same" if answer.same else f"DIFFERS: {recorded}"
    refused = f" (refused: {visible(answer.refused)})" if answer.refused else ""
    print(f"move {answer.ask.number}: {visible(answer.given)}{refused}, {what}")


def _end(again: Rerun, same: int, failed: str | None, stderr: str, *, as_json: bool) -> int:
    """The last lines, and the exit status."""
    turns = sum(1 for _ in again.asks())
    if as_json:
        facts: dict[str, Any] = {"turns": turns, "same": same, "failed": failed, "stderr": stderr or None}
        print(json.dumps(facts))
        return 0 if same == turns else 1
    if failed is not None:
        print(f"the bot failed: {visible(failed)}")
        for text in stderr.splitlines():
            print(f"  {visible(text)}" if text else "")
    noun = "turn" if turns == 1 else "turns"
    print(f"{same} of {turns} {noun} answered as recorded")
    return 0 if same == turns else 1
