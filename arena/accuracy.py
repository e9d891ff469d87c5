"""How well the bots of a run played, as columns for its tables: accuracy, blunders a match, what nobody knows.

Owns the columns' names and figures, for each game and over all. Raises what the analysis raises: RecordError for a
match whose moves the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.analysis import Accuracy, Analyst, MatchAnalysis
from arena.record import MatchRecord
from arena.standings import ALL

Tables = dict[str, dict[str, Accuracy]]
"""By game (or `all`) and bot."""
Columns = dict[str, dict[str, dict[str, float | None]]]
"""By game (or `all`) and bot: the figures by column, as `arena.tables.render` takes them for `extra`."""


def columns(
    records: Iterable[MatchRecord],
    analyst: Analyst | None = None,
    progress: Callable[[int], None] | None = None,
) -> Columns:
    """Judge every move of these matches; `progress` is called with the number of matches judged so far."""
    analyst = analyst or Analyst()
    tables: Tables = {ALL: {}}
    for done, record in enumerate(records, 1):
        if not record.void:
            count(tables, record, analyst.analyse(record))
        if progress is not None:
            progress(done)
    return {
        game: {bot: _figures(found) for bot, found in sorted(table.items())} for game, table in tables.items()
    }


def count(tables: Tables, record: MatchRecord, analysis: MatchAnalysis) -> None:
    """Add one match, which is not void, to the table of its game and to that of all."""
    for seat, bot in enumerate(record.bots, 1):
        mine = [note for note in analysis.notes if note.seat == seat]
        for game in (record.game, ALL):
            table = tables.setdefault(game, {})
            table[bot.name] = table.get(bot.name, Accuracy()).plus(mine)


def _figures(found: Accuracy) -> dict[str, float | None]:
    """One bot's figures: the share of chances that it kept, blunders a match, and the share that was too large."""
    moves = found.moves + found.unknown
    return {
        "accuracy": None if found.accuracy is None else round(found.accuracy, 4),
        "blunders_a_match": None if found.blunders_a_match is None else round(found.blunders_a_match, 3),
        "unknown": round(found.unknown / moves, 4) if moves else None,
    }
