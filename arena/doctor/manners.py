"""Manners: how a bot starts, bears what it does not know, leaves, and whether it needs what it may not have.

Every test has a process of its own, so that what one does cannot spoil the next. Raises nothing for what the
bot does: that goes into the report.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

from arena.bot import BotSpec
from arena.doctor.bouts import Bout
from arena.doctor.denied import denied
from arena.doctor.findings import Report, code_of
from arena.doctor.patient import Patient, Question, left_behind, looked_around
from arena.explain import last_line
from arena.limits import Limits
from arena.player import Fault, Starved
from arena.record import Ending
from games.interface import MalformedMove

MEMORY_SHARE = 0.8
START_SHARE = 0.7
MUCH_STDERR_BYTES = 16 * 1024
"""A move: more than anybody reads."""
ASKED, ASKED_SECONDS = 100, 1.0
"""How many questions are asked, and how long at most, before it leaves and is seen to leave nothing."""
LISTED = 3


def answers(report: Report, patient: Patient, question: Question) -> bool:
    """Start it and ask one question: whether it goes on from there. Notes start time and memory."""
    begin = time.monotonic()
    try:
        patient.start()
        text = patient.question(question)
        report.facts["start_ms"] = round((time.monotonic() - begin) * 1000 - patient.elapsed_ns / 1e6, 1)
        report.facts["memory_mb"] = round(patient.memory_mb(), 1)
        _starts_slowly(report, patient.limits.start_ms)
        if wrong := _wrong(question, text):
            report.find(*wrong, question.game.id, where=_asked(question))
        return True
    except Fault as fault:
        stderr = patient.stderr_tail()
        patient.discard()
        code = code_of(fault)
        if code == "no-start" and "in a buffer" in fault.detail and patient.keeps_ready_back(question):
            code = "no-flush"
        where = "" if fault.ending is Ending.NO_START else _asked(question)
        if code in ("no-flush", "no-newline") or not fails_by_the_sandbox(report, patient, stderr, where):
            report.find(code, fault.detail, where=where, stderr=stderr)
        return False


def answers_legally(patient: Patient, question: Question) -> bool:
    """Whether a new process answers this question with a legal move."""
    fresh = patient.fresh()
    try:
        return _wrong(question, fresh.question(question)) is None
    except (Fault, Starved):
        return False
    finally:
        fresh.discard()


def _starts_slowly(report: Report, limit_ms: int) -> None:
    took_ms = report.facts["start_ms"]
    if took_ms > START_SHARE * limit_ms:
        report.find("slow-start", f"it took {took_ms:.0f} ms to start, of {limit_ms} ms allowed")


def fails_by_the_sandbox(
    report: Report, patient: Patient, stderr: str, where: str = "", game: str | None = None
) -> bool:
    """Whether a bot that has failed says that it missed what the sandbox denies it; then that is the finding."""
    if patient.sandbox_mode == "none" or not (missed := denied(stderr, patient.spec)):
        return False
    code, line = missed[-1]  # what it said last is nearest to its end
    what = f"it fails in the sandbox, as in matches; it said on stderr: {last_line(line)}"
    report.find(code, what, game, where=where, stderr=stderr)
    return True


def tries_what_it_may_not(report: Report, patient: Patient) -> None:
    """Look on the stderr of a bot that plays for what it has missed in the sandbox."""
    if patient.sandbox_mode == "none":
        return
    for code, line in denied(patient.stderr_tail(), patient.spec):
        if not report.has(code):
            report.find(code, f"it plays, but complains in the sandbox: {last_line(line)}", advice=True)


def bears_the_unknown(report: Report, fresh: Callable[[], Patient], question: Question) -> None:
    """A word and an option of a later version; then `quit` to the one process, no more input to the other."""
    _bears(report, fresh(), question, "unknown-word", "the line 'a-word-of-later 1 two=2'", by_word=True)
    _bears(
        report,
        fresh(),
        question,
        "unknown-option",
        "'an_option_of_later=1' in the line 'game'",
        by_word=False,
    )


def _bears(
    report: Report, patient: Patient, question: Question, code: str, strange: str, *, by_word: bool
) -> None:
    word, option = code == "unknown-word", code == "unknown-option"
    try:
        text = patient.question(question, strange_word=word, strange_option=option)
        wrong = _wrong(question, text)
        if wrong and report.ok:  # without anything strange its answer was right
            report.find(code, f"after {strange} it fails: {wrong[1]}", where=_asked(question))
    except Fault as fault:
        report.find(code, f"it fails after {strange}: {fault.detail}", stderr=patient.stderr_tail())
        patient.discard()
        with contextlib.suppress(Fault):
            patient.question(question)  # to see how it leaves
    if not patient.leaves(by_word=by_word):
        if by_word:
            report.find("no-quit", "it was still there a second after 'quit'")
        else:
            report.find("no-eof", "it was still there a second after the end of its input")


def _wrong(question: Question, text: str) -> tuple[str, str] | None:
    """The finding that an answer to a question is: its code, and what is wrong; None for a legal move."""
    game = question.game
    try:
        refusal = game.refusal(question.state(), game.read_move(text))
    except MalformedMove as error:
        return "malformed", str(error)
    return ("illegal", refusal.reason) if refusal else None


def _asked(question: Question) -> str:
    return f"asked in {question.told()}"


def leaves_nothing(report: Report, spec: BotSpec, limits: Limits, mode: str, question: Question) -> None:
    """Have it play and leave, and look what is still there: processes, files. Needs bubblewrap."""
    if mode != "bwrap" or report.has("no-quit"):
        return
    around = looked_around(spec)
    patient = Patient(around, limits, mode)
    deadline = time.monotonic() + ASKED_SECONDS
    try:
        for number in range(ASKED):  # some begin to write only after a while
            if number == 0 or time.monotonic() < deadline:
                patient.question(question)
    except Fault:
        patient.discard()
        return
    patient.leaves(by_word=True)
    processes, files = left_behind(patient.last_words, around)
    if processes:
        report.find("leaves-process", f"it left and these stayed: {_listed(processes)}")
    if files:
        report.find("leaves-file", f"it has written {_listed(files)}, which is gone for its next process")


def uses_much_memory(report: Report, patient: Patient) -> None:
    """Note the memory at its highest so far, and say if that is near the limit."""
    used = round(patient.memory_mb(), 1)
    report.facts["memory_mb"] = max(used, report.facts.get("memory_mb", 0.0))
    limit = patient.limits.memory_mb
    if report.facts["memory_mb"] > MEMORY_SHARE * limit:
        report.find(
            "much-memory", f"it used {report.facts['memory_mb']:.0f} MB of the {limit} MB that it may"
        )


def writes_much(report: Report, played: Sequence[Bout]) -> None:
    """Say if it writes more to stderr than anybody will read."""
    moves = sum(len(bout.times_ms) for bout in played)
    said = sum(bout.stderr_bytes for bout in played) // max(1, moves)
    if said > MUCH_STDERR_BYTES:
        report.find("much-stderr", f"it writes {said // 1024} kB to stderr for every move")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
