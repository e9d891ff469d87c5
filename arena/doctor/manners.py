"""Manners: how a bot starts, bears what it does not know, leaves, and whether it needs what it may not have.

Every test has a process of its own, so that what one does cannot spoil the next. Raises nothing for what the
bot does: that goes into the report.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from arena.bot import BotSpec
from arena.doctor.findings import Report, code_of
from arena.doctor.patient import Patient, Question, left_behind, looked_around
from arena.explain import last_line
from arena.limits import Limits
from arena.player import Fault, Starved
from arena.record import Ending
from games.interface import MalformedMove

NETWORK_WORDS = (
    "Network is unreachable", "Name or service not known", "name resolution", "getaddrinfo", "ENETUNREACH",
    "EAI_AGAIN", "ENOTFOUND", "UnknownHostException", "ECONNREFUSED", "Connection refused", "dial tcp",
)  # fmt: skip
PATH_WORDS = (
    "Read-only file system", "No such file or directory", "Permission denied", "FileNotFoundError",
    "FileNotFoundException", "NoSuchFileException", "PermissionError", "ENOENT", "EROFS", "EACCES",
)  # fmt: skip
MEMORY_SHARE = 0.8
LISTED = 3


def answers(report: Report, patient: Patient, question: Question) -> bool:
    """Start it and ask one question: whether it goes on from there. Notes start time and memory."""
    begin = time.monotonic()
    try:
        patient.start()
        text = patient.question(question)
        report.facts["start_ms"] = round((time.monotonic() - begin) * 1000 - patient.elapsed_ns / 1e6, 1)
        report.facts["memory_mb"] = round(patient.memory_mb(), 1)
        if wrong := _wrong(question, text):
            report.find(*wrong, question.game.id, where=_asked(question))
        return True
    except Fault as fault:
        stderr = patient.stderr_tail()
        patient.discard()
        code = code_of(fault)
        explained = code in ("no-flush", "no-newline")  # no need to wait for the same once more outside
        if explained or not _fails_by_the_sandbox(report, patient, question, stderr):
            where = "" if fault.ending is Ending.NO_START else _asked(question)
            report.find(code, fault.detail, where=where, stderr=stderr)
        return False


def _outside(patient: Patient, question: Question) -> tuple[bool, str]:
    """Whether it answers the same question without a sandbox, and what it says on stderr there."""
    outside = Patient(patient.spec, patient.limits, "none")
    try:
        outside.question(question)
        return True, outside.stderr_tail()
    except (Fault, Starved):
        return False, outside.stderr_tail()
    finally:
        outside.discard()


def _fails_by_the_sandbox(report: Report, patient: Patient, question: Question, stderr: str) -> bool:
    """Whether it fails only because of what the sandbox denies it; then that is the finding."""
    if patient.sandbox_mode == "none" or not _outside(patient, question)[0]:
        return False
    code = "network" if _said(stderr, NETWORK_WORDS) else "forbidden-path"
    last = last_line(stderr)
    because = f"; its last line on stderr: {last}" if last else ""
    report.find(
        code, f"it plays outside the sandbox, and fails inside, as in matches{because}", stderr=stderr
    )
    return True


def tries_what_it_may_not(report: Report, patient: Patient, question: Question) -> None:
    """Look on the stderr of a bot that plays for complaints that it has only in the sandbox."""
    if patient.sandbox_mode == "none":
        return
    stderr = patient.stderr_tail()
    for code, words in (("network", NETWORK_WORDS), ("forbidden-path", PATH_WORDS)):
        line = _said(stderr, words)
        if line and not _said(_outside(patient, question)[1], words):
            report.find(code, f"it plays, but complains in the sandbox: {last_line(line)}", advice=True)


def _said(stderr: str, words: tuple[str, ...]) -> str | None:
    """The first line that says one of these."""
    return next((line for line in stderr.splitlines() if any(word in line for word in words)), None)


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
    patient = Patient(looked_around(spec), limits, mode)
    try:
        patient.question(question)
    except Fault:
        patient.discard()
        return
    patient.leaves(by_word=True)
    processes, files = left_behind(patient.last_words, spec)
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


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
