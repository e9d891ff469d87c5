"""A recorded match, step by step, in words: what `arena replay` shows.

Owns the choice of matches (filters, a part of an id) and what is said at each step; the way through them is
`arena.walk`'s.
Step 0 is the start position, each further step shows a move and the position after it, first those of the opening,
then the bots'. Moves are numbered from 1 as the record's `moves` are, and so by `arena.analysis`.

Names, info lines, details and stderr are anyone's text: everything that could move the cursor is shown as an escape.

Raises UsageError for a match that is not there or not the only one, RecordError for one that the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import unquote

from arena.analysis import Judgement, MatchAnalysis, MoveNote
from arena.catalogue import option_words
from arena.errors import UsageError
from arena.positions import Positions, positions
from arena.printable import visible, visible_lines
from arena.record import Ending, MatchRecord
from arena.schedule import id_order

BEST_SHOWN = 8
CANDIDATES_SHOWN = 10


# --- which match -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filters:
    """Which matches are wanted; None is any. `lost_by` is the name of the bot that lost."""

    bot: str | None = None
    game: str | None = None
    ending: str | None = None
    lost_by: str | None = None

    def __post_init__(self) -> None:
        known = [ending.value for ending in Ending]
        if self.ending is not None and self.ending not in known:
            raise UsageError(f"no ending {self.ending!r}: there are {', '.join(known)}")

    def check(self, bots: Iterable[str], games: Iterable[str]) -> None:
        """Refuse a bot or a game that is none of these, which are those of the run."""
        for name in (self.bot, self.lost_by):
            _check_one_of("bot", name, bots)
        _check_one_of("game", self.game, games)

    def take(self, record: MatchRecord) -> bool:
        """Whether this match is one of them."""
        return (
            (self.bot is None or self.bot in (record.bots[0].name, record.bots[1].name))
            and (self.game is None or self.game == record.game)
            and (self.ending is None or self.ending == record.result.ending)
            and (self.lost_by is None or self.lost_by == loser(record))
        )


def _check_one_of(what: str, name: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if name is None or name in names:
        return
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {_listed(names)}"
    raise UsageError(f"no {what} {name!r} in this run: {hint}")


def _listed(names: Sequence[str]) -> str:
    """The first of these names."""
    shown = [visible(name) for name in names[:CANDIDATES_SHOWN]]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")


def loser(record: MatchRecord) -> str | None:
    """The name of the bot that lost; None for a draw or a void match."""
    return record.bots[2 - record.result.winner].name if record.result.winner else None


def find(records: Iterable[MatchRecord], part: str) -> MatchRecord:
    """The match whose id is, or alone contains, this text; of several records of one id the one that counts.

    Names may be written as they are, or as ids have them.
    """
    found: dict[str, MatchRecord] = {}
    turned, other_order = _turned(part), ""
    for record in records:
        if _has(record.id, part) and (record.id not in found or record.result.winner is not None):
            found[record.id] = record
        if not found and turned and _has(record.id, turned):
            other_order = record.id
    exact = [match_id for match_id in found if part in (match_id, unquote(match_id))]
    if len(exact) == 1:
        return found[exact[0]]
    if not found:
        hint = f"did you mean {other_order!r}?" if other_order else "arena replay RUN lists them"
        raise UsageError(f"no match has {part!r} in its id: {hint}")
    if len(found) > 1:
        ids = _listed(sorted(found, key=id_order))
        raise UsageError(f"{part!r} is in the ids of {len(found)} matches: {ids}")
    return next(iter(found.values()))


def _has(match_id: str, part: str) -> bool:
    """Whether this is a part of an id, or of the id with the names as they are."""
    return part in match_id or ("%" in match_id and part in unquote(match_id))


def _turned(part: str) -> str:
    """The part of an id with its two bots in the other order, if it has both."""
    words = part.rsplit(".", 3)
    return ".".join([*words[:-3], words[-2], words[-3], words[-1]]) if len(words) > 2 else ""


def verdict(record: MatchRecord) -> str:
    """How a match ended, in one line."""
    result = record.result
    names = [visible(bot.name) for bot in record.bots]
    if result.winner is None:
        return f"void: {visible(result.detail)}"
    who = f"{names[result.winner - 1]} (seat {result.winner}) won" if result.winner else "draw"
    if result.at_fault is None:
        return f"{who}, {result.ending.value}: {visible(result.detail)}"
    at_fault = f"{names[result.at_fault - 1]} (seat {result.at_fault})"
    return f"{who}; {at_fault} lost by {result.ending.value}: {visible(result.detail)}"


# --- step by step ----------------------------------------------------------------------------------


class Replay:
    """One match as a list of steps, each a text of a few lines."""

    def __init__(self, record: MatchRecord, analysis: MatchAnalysis | None = None) -> None:
        self.record = record
        self.analysis = analysis
        self.line: Positions = positions(record)
        self.names = [visible(bot.name) for bot in record.bots]

    def __len__(self) -> int:
        return len(self.line.states)

    def step_of(self, number: int) -> int:
        """The step that shows the bots' move of this number; 0 is the position before the first of them."""
        return len(self.line.opening) + number

    def heading(self) -> str:
        """Which match it is: id, start, bots."""
        record = self.record
        options = " ".join(option_words(record.options))
        bots = ", ".join(
            f"seat {seat} {name} ({visible(bot.version)})"
            for seat, (name, bot) in enumerate(zip(self.names, record.bots, strict=True), 1)
        )
        return f"{visible(record.id)}: {record.game} {visible(options)}, seed {record.seed}\n{bots}"

    def step(self, number: int) -> str:
        """What is shown at a step; at the last one the verdict as well."""
        parts = [self._title(number), self.line.game.picture(self.line.states[number]), self._clocks(number)]
        index = number - len(self.line.opening) - 1
        if index >= 0:
            parts += [f"info: {visible(text)}" for text in self.record.moves[index].info]
            parts += self._marked(index)
        if number == len(self) - 1:
            parts += self.ending()
        return "\n".join(parts)

    def pages(self) -> Iterator[str]:
        """Everything, one step after another."""
        yield self.heading()
        for number in range(len(self)):
            yield self.step(number)

    def _title(self, number: int) -> str:
        opening, moves = self.line.opening, self.record.moves
        if number == 0:
            return "Start"
        if number <= len(opening):
            text = self.record.opening[number - 1]
            return f"Opening {number} of {len(opening)}: {text}, made by the referee"
        played = moves[number - len(opening) - 1]
        who = f"{self.names[played.seat - 1]} (seat {played.seat})"
        return (
            f"Move {number - len(opening)} of {len(moves)}: {who} played {played.move} in {played.ms:.3f} ms"
        )

    def _clocks(self, number: int) -> str:
        """What both bots have used so far."""
        made = self.record.moves[: max(0, number - len(self.line.opening))]
        used = [sum(move.ms for move in made if move.seat == seat) for seat in (1, 2)]
        shown = [f"{name} {ms:.3f} ms" for name, ms in zip(self.names, used, strict=True)]
        return f"Time used: {', '.join(shown)}"

    def _marked(self, index: int) -> list[str]:
        """What the analysis says of a move; a kept win is worth no line of its own if there was no choice."""
        return [] if self.analysis is None else [marked(self.analysis.notes[index])]

    def ending(self) -> list[str]:
        """The verdict, the decisive move, and what the bot at fault wrote to stderr."""
        lines = ["", f"Result: {verdict(self.record)}"]
        if self.analysis is not None and self.analysis.decisive:
            lines.append(f"Decisive: {self.analysis.decisive}")
        if stderr := untold_stderr(self.record.result.detail, self.record.stderr):
            lines.append("stderr:")
            lines += [f"  {text}".rstrip() for text in visible_lines(stderr)]
        return lines


def untold_stderr(detail: str, stderr: str | None) -> str:
    """What a bot wrote to stderr; nothing if that is the one line with which the detail of its fault ends already."""
    said = stderr or ""
    return "" if detail.endswith(f"on stderr: {said.strip()}") else said


def marked(note: MoveNote) -> str:
    """What is known of a move, in one line."""
    best = ", ".join(note.best[:BEST_SHOWN])
    more = f" and {len(note.best) - BEST_SHOWN} more" if len(note.best) > BEST_SHOWN else ""
    match note.judgement:
        case Judgement.BLUNDER:
            threw = "threw away a win" if note.missed == "win" else "turned a draw into a loss"
            kept = "winning" if note.missed == "win" else "drawing"
            return f"?? BLUNDER: {threw}" + (f"; {kept} moves: {best}{more}" if best else "")
        case Judgement.KEPT:
            return f"   kept the win (winning moves: {best}{more})" if best else "   kept the win"
        case Judgement.HELD:
            return f"   held the draw (drawing moves: {best}{more})" if best else "   held the draw"
        case Judgement.LOST:
            return "   lost anyway"
        case _:
            return "   too large to solve exactly"
