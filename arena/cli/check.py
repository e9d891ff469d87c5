"""`arena check`: examines a bot as a doctor would. Also owns how a report is told, for `arena submit`.

Raises what `arena.bot` and `arena.doctor` raise, and AnswerIsNo for a bot whose build fails.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from textwrap import fill
from typing import Annotated, Any, NoReturn

import typer

from arena.bot import BotSpec, resolve
from arena.build import BuildFailed
from arena.cli import completion
from arena.cli import limit_flags as flags
from arena.cli.terminal import can_redraw
from arena.doctor import POSITIONS, Finding, Report, Severity, examine
from arena.errors import AnswerIsNo, UsageError
from arena.limits import Limits
from arena.printable import printable, visible_lines
from arena.sandbox import choose

WIDTH = 100
SHOWN_STDERR = 8
"""Lines of the bot's stderr, the last ones."""
SHOWN_CHARS = 300
"""Characters of each."""
Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        help="Only this game (may be given more than once).",
        autocompletion=completion.games,
    ),
]
Positions = Annotated[
    int,
    typer.Option("--positions", metavar="N", min=1, help="How many random positions, in all games together."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no warnings.")]


def command(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A bot: name, script, folder or command line.", autocompletion=completion.bots
        ),
    ],
    game: Games = None,
    positions: Positions = POSITIONS,
    move_ms: flags.MoveMs = None,
    bank_ms: flags.BankMs = None,
    increment_ms: flags.IncrementMs = None,
    start_ms: flags.StartMs = None,
    memory_mb: flags.MemoryMb = None,
    output_kb: flags.OutputKb = None,
    sandbox: flags.Sandbox = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
    quiet: Quiet = False,
) -> None:
    """Examine a bot: what would lose it matches, and why.

    Each finding comes with what to do about it, and how well it plays is told as well.

    The exit status is 1 if something was found by which it would lose matches; advice alone leaves it at 0.

    \b
    Examples:
      arena check ./alice
      arena check bot.py --game squares --move-ms 100
      arena check "java -cp build Bot" --json
    """
    limits = flags.limits_from(
        Limits(), move_ms=move_ms, bank_ms=bank_ms, increment_ms=increment_ms, start_ms=start_ms,
        memory_mb=memory_mb, output_kb=output_kb,
    )  # fmt: skip
    choose(sandbox)  # before anything of the bot's runs: its build, too, is code of somebody's
    try:
        spec = resolve(bot)
    except BuildFailed as error:
        tell_failed_build(error, failed_build(bot, error).told() if as_json else None)
    report = examined(spec, game or [], limits, sandbox, positions, quiet=quiet or as_json)
    _keep_note(bot, report)
    print(json.dumps(report.told(), indent=2) if as_json else "\n".join(words(report)))
    if not report.ok:
        raise typer.Exit(1)


def examined(
    spec: BotSpec, games: list[str], limits: Limits, sandbox: str, positions: int, *, quiet: bool
) -> Report:
    """The report on a bot, with progress on stderr if that is a terminal."""
    live = not quiet and can_redraw(sys.stderr)
    step = partial(_show_step, spec.name) if live else _show_nothing
    report = examine(
        spec, games=games, limits=limits, sandbox_mode=sandbox, positions=positions, progress=step
    )
    if live:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if report.facts["warning"] and not quiet:
        print(f"arena check: {report.facts['warning']}", file=sys.stderr)
    return report


def _show_step(name: str, step: str) -> None:
    print(f"\r\x1b[K{name}: {step} ...", end="", file=sys.stderr, flush=True)


def _show_nothing(_: str) -> None:
    """Progress is for terminals."""


def failed_build(bot: str, error: BuildFailed) -> Report:
    """The report on a bot that could not be built."""
    report = Report(bot, error.version, [])
    first, _, printed = str(error).partition("\n")
    report.find("no-build", first.removesuffix("; it printed:"), stderr=printed)
    return report


def tell_failed_build(error: BuildFailed, told: dict[str, Any] | None) -> NoReturn:
    """A build that fails is an answer to what was asked here, and no mistake of the call."""
    if told is not None:
        print(json.dumps(told, indent=2))
    raise AnswerIsNo(str(error)) from None


def _keep_note(word: str, report: Report) -> None:
    """A submitted bot's last check is kept with it."""
    from arena.store import Store
    from arena.submission import check_note

    store = Store()
    if word.partition("@")[0] in store.names():
        with suppress(OSError, UsageError):  # somebody else's store, perhaps: the report is told all the same
            store.note_check(word.partition("@")[0], report.version, check_note(report))


# --- words --------------------------------------------------------------------------------------


def words(report: Report) -> list[str]:
    """The report for people, line by line."""
    where = "in the sandbox" if report.facts["sandbox"] == "bwrap" else "without a sandbox"
    lines = [f"{report.bot} {report.version}, examined in {', '.join(report.games)}, {where}"]
    lines += [f"  {fact}" for fact in _facts(report.facts)]
    for severity, title in ((Severity.LOSES, "Loses matches:"), (Severity.ADVICE, "Advice:")):
        found = [finding for finding in report.findings if finding.severity is severity]
        if found:
            lines += ["", title]
            for alike in _by_code(found):
                lines += _findings(alike)
    lines += ["", _verdict(report)]
    return lines


def _findings(alike: list[Finding]) -> list[str]:
    """Findings of one code: the games, each sentence once with where it happened first, and the remedy."""
    first = alike[0]
    games = [finding.game for finding in alike if finding.game]
    place = f" in {', '.join(games)}" if games else ""
    lines = [_filled(f"- {first.code}{place}: {first.sentence}")]
    told = {first.what}
    for finding in alike:
        if finding.what not in told:
            told.add(finding.what)
            lines.append(_filled(f"  {finding.game}: {finding.sentence}"))
    lines += [f"      {_cut(line)}".rstrip() for line in visible_lines(first.stderr)[-SHOWN_STDERR:]]
    return [*lines, _filled(f"  Remedy: {first.remedy}")]


def _cut(line: str) -> str:
    """A line of a bot's, of a length for a screen."""
    left_out = len(line) - SHOWN_CHARS
    return line if left_out <= 0 else f"{line[:SHOWN_CHARS]}... ({left_out:,} more characters)"


def _filled(text: str) -> str:
    """Lines of our width. A bot's own words may be in it: nothing in them may move the cursor."""
    return fill(printable(text), WIDTH, subsequent_indent="  ")


def _verdict(report: Report) -> str:
    losing = len(_by_code(finding for finding in report.findings if finding.severity is Severity.LOSES))
    if losing:
        return f"It would lose matches: {losing} finding{'' if losing == 1 else 's'} to mend."
    return "Nothing was found by which it would lose matches."


def _by_code(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The same findings, those of one code together."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.code, []).append(finding)
    return list(found.values())


def _facts(facts: dict[str, Any]) -> Iterator[str]:
    """What was measured, a line each."""
    if "start_ms" in facts:
        yield f"starts in {facts['start_ms']:.0f} ms and uses {facts['memory_mb']:.1f} MB of memory"
    if "answers" in facts:
        times = facts["answers"]
        yield (
            f"{times['count']:,} answers, half of them within {times['median_ms']:.2f} ms, 99 of 100 within "
            f"{times['p99_ms']:.2f} ms, the longest {times['longest_ms']:.2f} ms; the limit is {times['limit_ms']} ms"
        )
    if facts.get("cut_short"):
        yield "it takes its time, so it was asked less than a quick bot (--move-ms sets a shorter limit)"
    if (same := facts.get("same_seed_same_play")) is not None:
        yield "the same seed gives the same play" if same else "the same seed gives different play"
    kept = [
        f"{game} {count['kept']} of {count['winnable']}"
        for game, count in facts.get("wins_kept", {}).items()
        if count["winnable"]
    ]
    if kept:
        yield f"keeps a win that it could lose: {', '.join(kept)}"
