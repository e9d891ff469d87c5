"""The proof of a run: every record against the rules, the schedule, the other records and the seals.

Owns how a run is proved, in one pass over its files: the records by `arena.audit`, the bytes by `arena.seal`, the
tables by `arena.recount`.

What the rules and the schedule cannot show, only seals can: one legal move in place of another that leads on as
well, and times, info lines, the words of a fault, stderr.

The order of lines is no part of the truth: matches end in any order, and the tables do not depend on it.

Raises UsageError for a run that is none, and for one without a record: nothing is proved by that.
"""

from __future__ import annotations

from pathlib import Path

from arena import seal
from arena.audit import Auditor, Problem, Verification
from arena.errors import UsageError
from arena.evidence import gather
from arena.record import RecordError
from arena.recount import compare, read_tables

__all__ = ["Problem", "Verification", "verify"]


def verify(
    run: str, *, complete: bool = False, digest: str | None = None, tables: Path | None = None
) -> Verification:
    """Prove a run, given its folder or its file of records.

    With `complete` a match that is not played is a problem; `digest` is one that was published earlier, and
    `tables` a file with tables that were (as `arena standings --json` prints them).
    """
    evidence = gather(run)
    plan, table = evidence.plan, tables or evidence.stored_tables
    stored = None if table is None else read_tables(table)
    versions = {} if plan is None else {name: bot.version for name, bot in plan.bots.items()}
    auditor = Auditor(None if plan is None else plan.schedule(), versions, count=table is not None)
    # One pass, so that the digest is that of the very lines that were proved, though the run may go on meanwhile.
    checker, torn = _checker(evidence.journal, auditor.found, digest), 0
    for number, line in enumerate(seal.lines_of(evidence.journal), 1):
        if line.endswith(b"\n"):
            checker.take(line)
            auditor.take(number, line)
        else:
            torn = len(line)
    found = auditor.finish(complete=complete)
    found.run = evidence.name
    if what := evidence.copy_differs():
        found.problems.append(Problem(None, None, "tournament.toml", what))
    if table is not None and auditor.standings is not None:
        right = auditor.standings.to_json(evidence.name, found.scheduled or 0, details=True)
        if finding := compare(stored, right):
            found.problems.append(Problem(None, None, f"{table.name} {finding.field}", finding.sentence))
    _tell_seals(evidence.journal.name, checker.result(torn), found, digest)
    if not found.records and found.ok:
        raise UsageError(f"{evidence.name} has no records: there is nothing to prove")
    return found


def _checker(journal: Path, found: Verification, digest: str | None) -> seal.Checker:
    """Who compares the lines with the seals that there are; seals that cannot be read are a problem."""
    try:
        stamps = seal.read_seals(journal.with_name(seal.SEALS))
        lost = seal.read_seals(journal.with_name(seal.LOST_SEALS))
    except RecordError as error:
        found.problems.append(Problem(None, None, seal.SEALS, str(error)))
        return seal.Checker([], digest)
    for stamp in stamps:
        if stamp.adopted:
            first = stamp.lines - stamp.adopted + 1
            found.notes.append(f"lines {first} to {stamp.lines} were not sealed when they were written, but when the "
                               "run was gone on with: a change before that is not seen")  # fmt: skip
    if lost:
        found.notes.append(f"sealed lines up to line {max(stamp.lines for stamp in lost)} were lost once, and their "
                           f"matches played again: the seals of those are in {seal.LOST_SEALS}")  # fmt: skip
    return seal.Checker(stamps, digest)


def _tell_seals(name: str, checked: seal.SealCheck, found: Verification, digest: str | None) -> None:
    """What the seals and a published digest say of the file's bytes."""
    found.digest, found.sealed = checked.digest, checked.sealed
    if checked.problem and checked.reordered:
        what = f"the sealed lines of {name} are all there, but in another order: no result is changed by that"
        found.problems.append(Problem(None, None, "seal", what))
    elif checked.problem:
        found.problems.append(Problem(None, None, "seal", f"{name}: {checked.problem}"))
    elif checked.sealed < checked.lines:
        unsealed = checked.lines - checked.sealed
        found.notes.append(f"{unsealed} of {checked.lines} lines are not sealed, so a change of a time, a text or a "
                           "move that leads on as well could not be seen in them")  # fmt: skip
    if checked.torn:
        found.notes.append(f"the last line of {name} is cut after {checked.torn} bytes: it is being written, or its "
                           "writing was stopped; it counts for nothing, and its match is played again")  # fmt: skip
    if digest is not None and checked.digest != digest:
        found.problems.append(Problem(None, None, "digest", _digest_problem(checked, digest)))


def _digest_problem(checked: seal.SealCheck, digest: str) -> str:
    if checked.known_at is None:
        return f"is {checked.digest}, not {digest}"
    after = checked.lines - checked.known_at
    return f"is that of the first {checked.known_at} lines; {after} more were added since"
