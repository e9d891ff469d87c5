"""`arena match`: two bots play each other, and the result is told. Owns how."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from arena import sandbox as sandboxes
from arena.bot import resolve
from arena.catalogue import get_game, option_words, parse_options
from arena.cli import completion
from arena.cli import limit_flags as flags
from arena.cli.terminal import can_redraw
from arena.errors import UsageError
from arena.limits import Limits
from arena.record import MatchRecord, parse_record
from arena.referee import Played
from arena.seeds import SEED_BITS
from arena.series import Series, make_series, play_series

SHOWN_MATCHES = 20
"""A longer series is told by its sums alone."""
SHOWN_FAULTS = 5
SHOWN_STDERR = 8
"""Lines of a bot's stderr, the last ones."""
RESTARTS = ("fault", "always")


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="The game's id (see 'arena games').", autocompletion=completion.games
        ),
    ],
    bot_1: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A bot: name, script, folder or command line.", autocompletion=completion.bots
        ),
    ],
    bot_2: Annotated[
        str, typer.Argument(metavar="BOT", help="The other bot.", autocompletion=completion.bots)
    ],
    options: Annotated[
        list[str] | None, typer.Argument(metavar="OPTION=VALUE", help="Start options of the game.")
    ] = None,
    count: Annotated[
        int, typer.Option("-n", metavar="N", min=1, help="How many matches, seats swapped in turn.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="K", min=0, help="Seed of all that is random (default: a new one)."),
    ] = None,
    move_ms: flags.MoveMs = None,
    bank_ms: flags.BankMs = None,
    increment_ms: flags.IncrementMs = None,
    start_ms: flags.StartMs = None,
    memory_mb: flags.MemoryMb = None,
    output_kb: flags.OutputKb = None,
    reprompts: flags.Reprompts = None,
    sandbox: flags.Sandbox = "auto",
    restart: Annotated[
        str, typer.Option("--restart", metavar="fault|always", help="When a bot is started afresh.")
    ] = "fault",
    ponder: Annotated[
        bool, typer.Option("--ponder", help="Let bots think in the other's turn, each on a core of its own.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one record a line instead of tables.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no warnings.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print the moves of each match, too.")
    ] = False,
) -> None:
    """Play two bots against each other, and say who won and why.

    A BOT is the name of a bundled or submitted bot, a script (.py, .js, .sh, or anything executable), a folder with
    a bot.toml, or a whole command line in quotes.

    \b
    Examples:
      arena match squares random greedy
      arena match linked my_bot.py perfect n=80 -n 20 --move-ms 100
      arena match primes "java -cp build Bot" first --json
    """
    chosen = get_game(game)
    start = parse_options(chosen, options or [])
    if restart not in RESTARTS:
        raise UsageError(f"--restart {restart}: it is one of {', '.join(RESTARTS)}")
    limits = flags.limits_from(
        Limits(), move_ms=move_ms, bank_ms=bank_ms, increment_ms=increment_ms, start_ms=start_ms,
        memory_mb=memory_mb, output_kb=output_kb, reprompts=reprompts,
    )  # fmt: skip
    used_seed = secrets.randbelow(2**SEED_BITS) if seed is None else seed
    mode, warning = sandboxes.choose(sandbox)  # before anything of a bot's is built
    series = make_series(chosen, [resolve(bot_1), resolve(bot_2)], start.model_dump(), count, used_seed)
    if warning and not quiet:
        print(f"arena match: {warning}", file=sys.stderr)
    matches = play_series(series, limits, sandbox_mode=mode, restart=restart == "always", ponder=ponder)
    shown = _with_progress(matches, count, quiet or as_json)
    if as_json:
        for played in shown:
            print(played.line, flush=True)
        return
    changed = _changed_limits(limits, sandbox, restart, ponder)
    records = (parse_record(played.line) for played in shown)
    repeats = _tell(series, _with_moves(records) if verbose else records, [bot_1, bot_2], changed)
    if repeats and not quiet:
        print(
            "arena match: in each seating all matches were the same, move by move: -n 2 says as much "
            "(other options may say more)",
            file=sys.stderr,
        )


def _with_moves(records: Iterable[MatchRecord]) -> Iterator[MatchRecord]:
    """Pass records on, and print the moves of each as it comes."""
    for record in records:
        moves = " ".join(move.move for move in record.moves) or "no move"
        print(f"{record.id.rpartition('.')[2]}: {moves}")
        yield record


def _with_progress(matches: Iterable[Played], count: int, quiet: bool) -> Iterator[Played]:
    """Pass matches on; at a terminal, count them in one line that is wiped at the end."""
    live = not quiet and count > 1 and can_redraw(sys.stderr)
    for number, played in enumerate(matches, 1):
        if live:
            print(f"\r{number}/{count} matches", end="", file=sys.stderr, flush=True)
        yield played
    if live:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _tell(series: Series, records: Iterable[MatchRecord], words: list[str], changed: list[str]) -> bool:
    """The matches, if they are few; the sums; and every kind of fault with what its author needs.

    Gives whether more than one pair was played and all pairs were alike.
    """
    from tabulate import tabulate

    from arena.printable import visible

    scores: dict[str, Counter[str]] = {bot.name: Counter() for bot in series.bots}
    rows: list[list[Any]] = []
    faults: list[MatchRecord] = []
    unlike: set[tuple[str, ...]] = set()
    for record in records:
        if len(unlike) <= 2:
            unlike.add((record.bots[0].name, *(move.move for move in record.moves)))
        if len(rows) <= SHOWN_MATCHES:
            rows.append(_row(record, visible))
        if record.result.at_fault is not None and len(faults) <= SHOWN_FAULTS:
            faults.append(record)
        for bot, score in zip(record.bots, record.result.scores, strict=True):
            scores[bot.name][_word(record, score)] += 1
    if len(rows) <= SHOWN_MATCHES:
        headers = ["match", "seat 1", "seat 2", "winner", "ending", "moves", "ms"]
        print(tabulate(rows, headers, disable_numparse=True, colalign=["left"] * 5 + ["right"] * 2))
        print()
    if len(rows) > 1:
        print(tabulate(*_sums(scores, visible), disable_numparse=True, colalign=["left"] + ["right"] * 4))
        print()
    for record in faults[:SHOWN_FAULTS]:
        _tell_fault(record, series, words, changed)
    if len(faults) > SHOWN_FAULTS:
        print("There were more faults; --json prints every record.")
    return len(unlike) <= 2 < len(rows) and not faults


def _row(record: MatchRecord, visible: Any) -> list[Any]:
    winner = record.result.winner
    won = visible(record.bots[winner - 1].name) if winner else "void" if winner is None else "draw"
    names = [visible(bot.name) for bot in record.bots]
    number = record.id.rpartition(".")[2]
    return [number, *names, won, record.result.ending, len(record.moves), f"{record.wall_ms:.1f}"]


def _word(record: MatchRecord, score: float) -> str:
    if record.void:
        return "void"
    return {1.0: "wins", 0.5: "draws"}.get(score, "losses")


def _sums(scores: dict[str, Counter[str]], visible: Any) -> tuple[list[list[Any]], list[str]]:
    rows = []
    for name, counts in sorted(scores.items(), key=lambda item: -item[1]["wins"] - item[1]["draws"] / 2):
        points = counts["wins"] + counts["draws"] / 2
        rows.append([visible(name), counts["wins"], counts["draws"], counts["losses"], f"{points:g}"])
    return rows, ["bot", "wins", "draws", "losses", "score"]


def _tell_fault(record: MatchRecord, series: Series, words: list[str], changed: list[str]) -> None:
    """One fault: who, what happened, the last of its stderr, and how to play that match again."""
    from arena.printable import visible, visible_lines

    at_fault = record.result.at_fault or 1
    name = visible(record.bots[at_fault - 1].name)
    number = record.id.rpartition(".")[2]
    print(
        f"{number}: {name} (seat {at_fault}) lost by {record.result.ending}: {visible(record.result.detail)}"
    )
    for line in visible_lines(record.stderr or "")[-SHOWN_STDERR:]:
        print(f"    {line}".rstrip())
    order = words if record.bots[0].name == series.bots[0].name else words[::-1]
    start = [*option_words(record.options), "--seed", str(record.seed)]
    again = ["arena", "match", record.game, *order, *start, *changed]
    print(f"    again: {' '.join(map(_quoted, again))}")


def _quoted(word: str) -> str:
    """A word as the shell takes it; one with characters that cannot be seen, as bash, zsh and ksh take it."""
    if word.isprintable():
        return shlex.quote(word)
    escaped = word.encode("unicode_escape").decode("ascii").replace("'", "\\'")
    return f"$'{escaped}'"


def _changed_limits(limits: Limits, sandbox: str, restart: str, ponder: bool) -> list[str]:
    """The flags that differ from their defaults, for the command that plays a match again."""
    defaults = Limits()
    changed: list[str] = []
    for name in Limits.model_fields:
        value = getattr(limits, name)
        if value != getattr(defaults, name):
            changed += [f"--{name.replace('_', '-')}", str(value)]
    if sandbox != "auto":
        changed += ["--sandbox", sandbox]
    if restart != "fault":
        changed += ["--restart", restart]
    return changed + ["--ponder"] * ponder
