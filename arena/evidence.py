"""What a run has to show: its records, and the tournament file that they were played by.

Owns the way from the word RUN of a command to files: a run's folder, or a file of records (`arena match --json`
makes such), which has no tournament beside it. It only reads, and needs none of the bots that played.

Raises UsageError for what is no run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from arena.errors import UsageError
from arena.limits import Limits
from arena.tournament import Tournament

JOURNAL = "matches.jsonl"
TOURNAMENT = "tournament.toml"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The files of a run. `tournament` is None where there is no tournament file.

    `plays`: the games of bots that do not play every game; `versions`: the versions that the run was begun with.
    """

    name: str
    journal: Path
    tournament: Tournament | None = None
    plays: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """The limits that were played with; the usual ones if they are not known."""
        return self.tournament.limits if self.tournament is not None else Limits()


def gather(run: str) -> Evidence:
    """The files of a run, given its folder or its records."""
    path = Path(run)
    if not path.exists():
        raise UsageError(f"there is no run {run!r}: give the folder of a run, such as runs/spring-cup")
    if path.is_file() and path.name != JOURNAL:
        return Evidence(path.name, path)
    folder = path.parent if path.is_file() else path
    journal = folder / JOURNAL
    if not journal.is_file():
        raise UsageError(f"{run} is no run: it has no file {JOURNAL}")
    return Evidence(folder.resolve().name, journal, _tournament(folder / TOURNAMENT))


def _tournament(path: Path) -> Tournament | None:
    """The tournament of a run, without a look at the bots: they need not be on this machine."""
    if not path.is_file():
        return None
    try:
        return Tournament.model_validate(tomllib.loads(path.read_text(encoding="utf-8")), strict=True)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        first = str(error).splitlines()[0]
        raise UsageError(f"{path} cannot be read as a tournament file: {first}") from None
