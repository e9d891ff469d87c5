"""`arena verify`: prove every record of a run. Owns how the proof, or what stands against it, is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.run_argument import Run
from arena.errors import UsageError
from arena.printable import visible
from arena.verify import Problem, Verification, verify

PROBLEMS_SHOWN = 50


def command(
    run: Run,
    complete: Annotated[
        bool, typer.Option("--complete", help="A match that is still to be played is a problem, too.")
    ] = False,
    digest: Annotated[
        str | None,
        typer.Option("--digest", metavar="SHA256", help="Compare with this digest, published earlier."),
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables", metavar="FILE", help="Compare with tables that 'arena standings --json' printed."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print only what is wrong.")] = False,
) -> int:
    """Prove every record of a run.

    By the rules, the schedule, the seals and the tables: each match is played again through the rules of its
    game. Exit status 0: all of it is true; 1: something is not, and for each bad record the first field that
    differs is named; 2: there is nothing to prove.

    The digest that is printed stands for every byte of the records: publish it, and nothing can be changed
    later without anybody noticing.

    \b
    Examples:
      arena verify runs/spring-cup
      arena verify runs/spring-cup --complete --digest 9b1c...
      arena verify runs/spring-cup --json
    """
    found = verify(run, complete=complete, digest=_digest(digest), tables=tables)
    if as_json:
        print(json.dumps(_facts(found)))
    else:
        print("\n".join(_words(found, quiet=quiet)), end="\n" if found.problems or not quiet else "")
    return 0 if found.ok else 1


def _digest(text: str | None) -> str | None:
    if text is None:
        return None
    digest = text.strip().lower().removeprefix("sha256:")
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise UsageError(f"{text!r} is no SHA-256 digest: it has 64 characters, each 0 to 9 or a to f")
    return digest


def _facts(found: Verification) -> dict[str, Any]:
    """What programs are told."""
    return {
        "run": found.run,
        "ok": found.ok,
        "records": found.records,
        "moves": found.moves,
        "played": found.played,
        "scheduled": found.scheduled,
        "void": found.void,
        "sealed": found.sealed,
        "sha256": found.digest,
        "problems": [
            {"line": item.line, "id": item.id, "field": item.field, "sentence": item.sentence}
            for item in found.problems
        ],
        "notes": found.notes,
    }


def _words(found: Verification, *, quiet: bool) -> list[str]:
    """What people are told, line by line."""
    lines = [_problem(item) for item in found.problems[:PROBLEMS_SHOWN]]
    if (more := len(found.problems) - PROBLEMS_SHOWN) > 0:
        lines.append(f"... and {_counted(more, 'problem')} more (--json lists all)")
    if quiet:
        return lines
    lines += [f"note: {visible(note)}" for note in found.notes]
    of = f" of {found.scheduled:,}" if found.scheduled is not None else ""
    void = f", {found.void:,} void" if found.void else ""
    what = f"{found.played:,}{of} matches played{void}, {_counted(found.moves, 'move')}"
    verdict = "proved" if found.ok else f"NOT proved, {_counted(len(found.problems), 'problem')}"
    return [*lines, f"{visible(found.run)}: {what}: {verdict}", f"sha256 {found.digest}"]


def _problem(item: Problem) -> str:
    place = f"line {item.line}, " if item.line is not None else ""
    match = f"{visible(item.id)}, " if item.id is not None else ""
    return f"{place}{match}{visible(item.field)}: {visible(item.sentence)}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
