"""What the doctor finds: each finding with plain words, a remedy and how grave it is. Pure.

Owns the list of findings that there are, and the report that they end up in. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from arena.bot import BotSpec
from arena.doctor.denied import speaks_of_files
from arena.player import Fault
from arena.record import Ending


class Severity(StrEnum):
    """How grave a finding is: whether matches are lost by it."""

    LOSES = "loses-matches"
    ADVICE = "advice"


REMEDIES = {
    "no-build": "Mend what the build printed, above; it runs without the network, in a copy of the bot's folder.",
    "no-start": "Answer every line 'game' with the line 'ready', and flush the output after it: print('ready', "
    "flush=True) in Python. To try it, start it by hand and type 'arena 1' and 'game squares seat=1 seed=1 "
    "move_ms=1000 total=100'.",
    "no-flush": "Flush the output after every line: print(..., flush=True) in Python, fflush(stdout) in C, "
    "std::endl in C++, System.out.flush() in Java.",
    "no-newline": "End every answer with a newline, and flush the output after it.",
    "timeout": "Stop thinking before the milliseconds in the line 'go' are over; leave a tenth of them to spare.",
    "illegal": "Play only moves of the line 'legal' of this turn; where it is left out, work them out by the rules "
    "('arena rules GAME').",
    "malformed": "Answer 'go' with one line that holds the move alone, in plain digits; print everything else to "
    "standard error, or as 'info TEXT' before the move.",
    "surplus": "Answer 'go', and nothing else, with exactly one line: no answer to 'state', 'legal', 'played' or "
    "'over'.",
    "crashed": "Play on with the input that is given here.",
    "flooded": "Print less: a few 'info' lines a move at most.",
    "memory": "Use less memory, or give its runtime a limit of its own (java -Xmx, node --max-old-space-size).",
    "leftovers": "Forget everything at the line 'game', random numbers included (seed them there): one process plays "
    "many games, one after another.",
    "unseeded": "Seed its random numbers with the 'seed' of the line 'game', and the same match can be played again.",
    "unknown-word": "Ignore lines whose first word you do not know: later versions may say more.",
    "unknown-option": "Ignore options in the line 'game' that you do not know: games may get new ones.",
    "network": "Do without the network: in matches there is none.",
    "forbidden-path": "Keep all that it needs in its own folder, and write only to its working "
    "folder: in matches it sees nothing else.",
    "no-list": "Where the line 'legal' is left out (more than 1,000 moves), work a move out from the line 'state'; "
    "and forget the old list at 'state'.",
    "slow-start": "Do less before the first 'ready', or once and for all in 'build': a busy machine is slower than "
    "this one was.",
    "slow": "Leave more time to spare: a busy machine is slower than this one was.",
    "much-memory": "Leave more memory to spare: a longer game may need more than this one did.",
    "no-quit": "Leave at the line 'quit': it is killed a second later, in the middle of whatever it does.",
    "no-eof": "Leave when the input ends: nobody will ask it anything any more.",
    "leaves-process": "End every process that it has started before it leaves.",
    "much-stderr": "Print less to standard error: writing it takes of its time, and only the end of it is kept.",
    "leaves-file": "Do not count on files: the working folder is private and is emptied for every process.",
    "unknown-game": "Correct 'games' in bot.toml ('arena games' lists the ids), or install the game.",
}
"""Every finding that there is, by its code, and what helps."""

LEFT = "It left by itself: read line after line, up to 'quit' or the end of the input."
SEE_STDERR = "Mend what the lines of its standard error say, above."

ADVICE = frozenset(
    {
        "unseeded", "no-list", "slow-start", "slow", "much-memory", "much-stderr", "no-quit", "no-eof",
        "leaves-process", "leaves-file", "unknown-game",
    }
)  # fmt: skip
"""Findings by which no match is lost, not here and now."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a bot."""

    code: str
    severity: Severity
    what: str
    remedy: str
    game: str | None = None
    where: str = ""
    """The position in which it happened."""
    stderr: str = ""
    """What the bot had written to stderr, if it failed."""

    @property
    def sentence(self) -> str:
        """What happened, and where."""
        return f"{self.what} ({self.where})" if self.where else self.what

    @property
    def ended(self) -> bool:
        """Whether the bot has ended by itself."""
        return _has_ended(self.code, self.what)

    def told(self) -> dict[str, Any]:
        """The finding for programs."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "game": self.game,
            "what": self.sentence,
            "remedy": self.remedy,
            "stderr": self.stderr or None,
        }


@dataclass
class Report:
    """All that an examination found and measured, filled in as it goes."""

    bot: str
    version: str
    games: list[str]
    findings: list[Finding] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: BotSpec) -> Report:
        """An empty report on this bot."""
        return cls(spec.name, spec.version, [])

    @property
    def ok(self) -> bool:
        """Whether nothing was found that loses matches."""
        return all(finding.severity is not Severity.LOSES for finding in self.findings)

    def find(
        self,
        code: str,
        what: str,
        game: str | None = None,
        *,
        where: str = "",
        stderr: str = "",
        advice: bool | None = None,
    ) -> None:
        """Add a finding; of the same code and game only the first is kept."""
        if any((known.code, known.game) == (code, game) for known in self.findings):
            return
        lenient = code in ADVICE if advice is None else advice
        severity = Severity.ADVICE if lenient else Severity.LOSES
        self.findings.append(Finding(code, severity, what, _remedy(code, what, stderr), game, where, stderr))

    def has(self, code: str) -> bool:
        """Whether there is a finding of this code."""
        return any(finding.code == code for finding in self.findings)

    def add_remedy(self, text: str, games: Collection[str | None]) -> None:
        """Add to the remedies of what loses matches in these games."""
        for at, finding in enumerate(self.findings):
            if finding.severity is Severity.LOSES and finding.game in games:
                self.findings[at] = replace(finding, remedy=f"{finding.remedy} {text}")

    def told(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "bot": self.bot,
            "version": self.version,
            "ok": self.ok,
            "games": self.games,
            "findings": [finding.told() for finding in self.findings],
            "facts": self.facts,
        }


def _has_ended(code: str, what: str) -> bool:
    return code in ("crashed", "no-start") and ("exited with status" in what or "killed by" in what)


def _remedy(code: str, what: str, stderr: str) -> str:
    """What helps; a bot that has ended has often said itself what is wrong."""
    ended = _has_ended(code, what)
    if ended and stderr.strip():
        more = [REMEDIES["forbidden-path"]] if speaks_of_files(stderr) else []
        return " ".join([SEE_STDERR, *more, *([REMEDIES["crashed"]] if code == "crashed" else [])])
    return LEFT if ended and "exited with status 0" in what else REMEDIES[code]


def code_of(fault: Fault) -> str:
    """The finding that a failing in a match is: its ending, looked at a little closer."""
    if fault.ending in (Ending.TIMEOUT, Ending.NO_START) and "no newline" in fault.detail:
        return "no-newline"
    if fault.ending is Ending.TIMEOUT and "in a buffer" in fault.detail:
        return "no-flush"  # a missing 'ready' may as well not have been printed
    if fault.ending is Ending.MALFORMED and "before it was asked for" in fault.detail:
        return "surplus"
    return fault.ending.value
