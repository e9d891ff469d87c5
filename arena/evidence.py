"""What a run has to show: its records, and the plan that they were played by.

Owns the way from the word RUN of a command to files: a run (see `arena.run_folder.find_run`), or any other file of
records (`arena match --json` makes such), which has no plan beside it. It only reads, and needs none of the bots
that played.

Raises UsageError for what is no run, or has no records yet; reading the records raises RecordError for a bad one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UsageError
from arena.files import named
from arena.journal import MATCHES
from arena.limits import Limits
from arena.record import MatchRecord, read_records
from arena.run_folder import COPY, Plan, find_run
from arena.standings import Standings
from arena.tournament import Tournament

STANDINGS = "standings.json"
"""A table that is kept with a run, as `arena standings --json` prints it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The files of a run. `plan` is None for records without a run around them."""

    name: str
    journal: Path
    plan: Plan | None = None

    @property
    def limits(self) -> Limits:
        """The limits that were played with; the usual ones if they are not known."""
        return self.plan.tournament.limits if self.plan is not None else Limits()

    @property
    def stored_tables(self) -> Path | None:
        """The table that is kept with the run, if there is one."""
        path = self.journal.with_name(STANDINGS)
        return path if self.plan is not None and path.is_file() else None

    def records(self) -> Iterator[MatchRecord]:
        """The records one by one, as far as whole lines go; none if nothing is played yet."""
        return read_records(self.journal) if self.journal.exists() else iter(())

    def standings(self) -> Standings:
        """The standings, as far as matches are recorded."""
        planned = [] if self.plan is None else [entry.id for entry in self.plan.tournament.games]
        return Standings.read(self.journal, planned) if self.journal.exists() else Standings(planned)

    def copy_differs(self) -> str | None:
        """In what the tournament file that is kept with the run contradicts the run's plan, if in anything."""
        path = self.journal.with_name(COPY)
        if self.plan is None or not path.is_file():
            return None
        try:
            copy = Tournament.model_validate(tomllib.loads(path.read_text(encoding="utf-8")), strict=True)
        except (OSError, ValueError, RecursionError) as error:
            return f"cannot be read: {str(error).splitlines()[0]}"
        kept = self.plan.tournament
        wrong = [name for name in Tournament.model_fields if getattr(copy, name) != getattr(kept, name)]
        return f"{wrong[0]} is another than in the run's plan" if wrong else None


def gather(run: str, *, planned: bool = False) -> Evidence:
    """The files of a run, or of a file of records; with `planned` also those of a run without a record yet."""
    path = named(run)
    if path is not None and path.is_file() and path.suffix == ".jsonl" and path.name != MATCHES:
        return Evidence(path.name, path)
    folder = find_run(run)
    if not planned and not folder.matches.is_file():
        raise UsageError(f"the run {folder.name!r} has no records yet")
    return Evidence(folder.name, folder.matches, folder.plan())
