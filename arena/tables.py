"""The tables of a run as text, in any of tabulate's formats and in csv, json and markdown.

Owns the layout, and the escaping of untrusted names: whatever a bot is called, it stays in its cell. Control
and invisible characters, line ends and escape sequences are shown as `\\x1b`, and so are `|` and box-drawing
lines; Markdown, HTML and LaTeX are escaped by their own rules, other markup as above; in csv and tsv a name
that a spreadsheet would take for a formula gets a leading `'`. Wide characters are aligned.

Raises UsageError for a format that does not exist.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from arena.errors import UsageError
from arena.printable import hex_escape, visible
from arena.record import Ending
from arena.standings import ALL, Row, Score, Standings, Table

CROSSTABLE_LIMIT = 20
"""With more bots than this the crosstable is wider than any page, and is left to csv, json and the report."""


Extra = Mapping[str, Mapping[str, Mapping[str, float | None]]]
"""More columns of the standings: by game (or `all`), bot and the column's name, such as `blunders_a_match`."""

_SHARES = frozenset({"accuracy", "unknown"})
"""Of the extra columns those that are shares: people are shown per cent."""
_OWN = ("csv", "json", "markdown")
_MARKDOWN = frozenset({"markdown", "github", "pipe"})
_HTML = frozenset({"html", "unsafehtml"})
_LATEX = frozenset({"latex", "latex_raw", "latex_booktabs", "latex_longtable"})
_WIKI = frozenset({"asciidoc", "jira", "mediawiki", "moinmoin", "orgtbl", "rst", "textile", "youtrack"})
_LATEX_ESCAPES = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "^": r"\^{}", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
}  # fmt: skip
_NEUTRAL = frozenset("-_. ,:;()/?")
"""The punctuation that begins no markup in the wiki formats, inside a word."""


_TOKEN = re.compile("[\U000f0000-\U000fffff]\ue000*")


def formats() -> list[str]:
    """Every format that `render` knows."""
    from tabulate import tabulate_formats

    return sorted({*tabulate_formats, *_OWN})


def check_format(format: str) -> None:
    """Refuse a format that does not exist, with the nearest that does."""
    if format not in formats():
        near = get_close_matches(format, formats(), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UsageError(f"no table format {format!r}: {hint}there are {', '.join(formats())}")


def render(
    standings: Standings,
    format: str = "simple",
    run_name: str = "",
    scheduled: int = 0,
    *,
    game: str | None = None,
    extra: Extra | None = None,
) -> str:
    """The tables of a run in one text that ends with a newline: all of them, or that of one game alone.

    `extra` are more columns of the standings, such as what an analysis found.
    """
    check_format(format)
    extra = extra or {}
    if format == "json":
        data = standings.to_json(run_name, scheduled, details=True, game=game)
        return json.dumps(add_extra(data, extra), indent=2) + "\n"
    tables = standings.tables() if game is None else [standings.table(game)]
    if format == "csv":
        return _csv(tables, extra)
    return _Page(format, extra).text(standings, tables, run_name, scheduled)


def add_extra(data: dict[str, Any], extra: Extra) -> dict[str, Any]:
    """The JSON of a run's tables with the extra columns in their rows."""
    for table in data["tables"]:
        for row in table["rows"]:
            row.update(extra.get(table["game"], {}).get(row["bot"], {}))
    return data


def _headings(extra: Extra, games: Iterable[str]) -> list[str]:
    """The extra columns of these tables, in the order in which they first occur."""
    rows = (row for game in games for row in extra.get(game, {}).values())
    return list(dict.fromkeys(name for row in rows for name in row))


# --- untrusted text --------------------------------------------------------------------------------


def escape(text: str, format: str) -> str:
    """Untrusted text as it may stand in a table, or in a sentence, of this format."""
    shown = visible(text)
    if format in _MARKDOWN:
        shown = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return "".join("\\" + char if char in "\\`*_[]|~!" else char for char in shown)
    if format in _HTML:
        return html.escape(shown)
    if format in _LATEX:
        return "".join(_LATEX_ESCAPES.get(char, char) for char in shown)
    if format == "csv" or format == "tsv":
        return "'" + shown if shown[0] in "=+-@" else shown
    return "".join(hex_escape(char) if _structural(char, format in _WIKI) else char for char in shown)


def _structural(char: str, wiki: bool) -> bool:
    """Whether the character could be taken for a part of the table, or for markup where that matters."""
    if char == "|" or "\u2500" <= char <= "\u257f":
        return True
    return wiki and char.isascii() and not char.isalnum() and char not in _NEUTRAL and char != "\\"


def width(text: str) -> int:
    """The columns that a text takes in a terminal: two for a wide character, none for a combining mark."""
    return sum(
        0
        if unicodedata.category(char) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(char) in "WF"
        else 1
        for char in text
    )


# --- csv -------------------------------------------------------------------------------------------

_COLUMNS = ("game", "rank", "bot", "version", "matches", "wins", "draws", "losses", "score", "rating", "low",
            "high", "bound", "better_than_next", "median_ms", "p99_ms")  # fmt: skip
_ENDINGS = [ending.value for ending in Ending if ending is not Ending.VOID]


def _csv(tables: Sequence[Table], extra: Extra) -> str:
    """One line for each game and bot, under one header: for spreadsheets and scripts."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    more = _headings(extra, [table.game for table in tables])
    writer.writerow([*_COLUMNS, *_ENDINGS, *more])
    for table in tables:
        for row in table.rows:
            line = row.to_json() | {
                "game": escape(table.game, "csv"), "bot": escape(row.bot, "csv"),
                "version": escape(row.version, "csv"), "bound": row.rating.bound,
                "better_than_next": "" if row.better is None else round(row.better, 4),
                "median_ms": row.median_ms, "p99_ms": row.p99_ms,
            }  # fmt: skip
            found = extra.get(table.game, {}).get(row.bot, {})
            cells = [line[name] for name in _COLUMNS] + [row.endings.get(name, 0) for name in _ENDINGS]
            writer.writerow(cells + [found.get(name, "") for name in more])
    return out.getvalue()


# --- the sentences under the tables ----------------------------------------------------------------

_RANK_NOTE = (
    "Rank goes by score a match. Equal score a match is equal rank; such rows are listed by score among "
    "themselves (head to head), then by Sonneborn-Berger."
)
_RATING_NOTE = (
    "Ratings are on the Elo scale; the mean of the field is 0, and the interval is about that mean. "
    "The column better than next is the probability that a bot is better than the one in the next row."
)
_FAULT_NOTE = (
    "A fault counts for the bot at fault; for its opponent the match counts as completed. A move that never came, as "
    "in a timeout, is no part of the times."
)
_BOUND_NOTE = (
    "'at least' and 'at most': the bot gave no point to the rest of the field, or took none, so that only "
    "this end of its interval is known, and its rating is a cautious guess."
)
_ISLAND_NOTE = (
    "Some bots are linked by no chain of matches: each such group has its own mean of 0, and ratings of "
    "different groups cannot be compared."
)


# --- pages of tables -------------------------------------------------------------------------------


class _Page:
    """The tables of a run in one of tabulate's formats."""

    def __init__(self, format: str, extra: Extra) -> None:
        self.format = format
        self.extra = extra
        self._tokens: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def text(self, standings: Standings, tables: Sequence[Table], run_name: str, scheduled: int) -> str:
        if len(standings.games) == 1:  # the table over all would be the same again
            tables = tables[-1:]
        of = f" of {scheduled}" if scheduled else ""
        void = f", {standings.void} void" if standings.void else ""
        name = f"{self._name(run_name)}: " if run_name else ""
        parts = [self._prose(f"{name}{standings.played}{of} matches played{void}")]
        if standings.played:
            parts += [part for table in tables for part in self._table(table)]
            parts += [self._prose(note) for note in self._notes(tables)]
        return "\n\n".join(parts) + "\n"

    def _table(self, table: Table) -> list[str]:
        title = "All games" if table.game == ALL else self._name(table.game)
        parts = [self._heading(title), self._standings(table), self._conduct(table.rows)]
        if 2 < len(table.rows) <= CROSSTABLE_LIMIT:
            parts.append(self._crosstable(table))
        if (seat := table.first_seat) is not None:
            interval = f"95% interval {seat.low:.1%} to {seat.high:.1%}"
            parts.append(self._prose(f"Seat 1 scored {seat.share:.1%} of the points ({interval})."))
        return parts

    def _standings(self, table: Table) -> str:
        more = _headings(self.extra, [table.game])
        found = self.extra.get(table.game, {})
        header = [
            "rank",
            "bot",
            "matches",
            "wins",
            "draws",
            "losses",
            "score",
            "rating",
            "95% interval",
            "better than next",
            *(name.replace("_", " ") for name in more),
        ]
        lines = [
            [str(row.rank), self._cell(row.bot), str(row.score.matches), *map(str, row.score),
             f"{row.score.points:.1f}", elo(row.rating.rating), interval(row),
             "" if row.better is None else _percent(row.better),
             *(_number(name, found.get(row.bot, {}).get(name)) for name in more)]
            for row in table.rows
        ]  # fmt: skip
        return self._tabulate(header, lines, "rlrrrrrrrr" + "r" * len(more))

    def _conduct(self, rows: Sequence[Row]) -> str:
        """How each bot's matches ended, and how long it thought."""
        seen = [name for name in _ENDINGS if any(name in row.endings for row in rows)]
        lines = [
            [self._cell(row.bot), *(str(row.endings.get(name, 0)) for name in seen),
             _ms(row.median_ms), _ms(row.p99_ms)]
            for row in rows
        ]  # fmt: skip
        header = ["bot", *seen, "median ms", "99% ms"]
        return self._tabulate(header, lines, "l" + "r" * (len(seen) + 2))

    def _crosstable(self, table: Table) -> str:
        """Points and matches of each row's bot against each column's; columns are numbered as rows are."""
        bots = [row.bot for row in table.rows]
        lines = []
        for number, bot in enumerate(bots, 1):
            cells = ["·" if other == bot else _points(table.against[bot].get(other)) for other in bots]
            lines.append([str(number), self._cell(bot), *cells])
        header = ["", "score against", *(str(number) for number in range(1, len(bots) + 1))]
        return self._tabulate(header, lines, "rl" + "r" * len(bots))

    def _notes(self, tables: Sequence[Table]) -> list[str]:
        rows = [row for table in tables for row in table.rows]
        notes = [_RANK_NOTE, _RATING_NOTE]
        if any(name != Ending.COMPLETED for row in rows for name in row.endings):
            notes.append(_FAULT_NOTE)
        if any(row.rating.bound for row in rows):
            notes.append(_BOUND_NOTE)
        if any(len(table.islands) > 1 for table in tables):
            notes.append(_ISLAND_NOTE)
        if changed := sorted({row.bot for row in rows if row.versions > 1}):
            names = ", ".join(self._name(bot) for bot in changed)
            notes.append(f"Played in more than one version: {names}.")
        return notes

    # --- this format's own way of writing

    def _tabulate(self, header: Sequence[str], lines: Sequence[Sequence[str]], align: str) -> str:
        from tabulate import tabulate

        # Names are escaped here and put in last, so that tabulate does not do it again.
        raw = (
            "unsafehtml"
            if self.format in _HTML
            else {"markdown": "github", "latex": "latex_raw"}.get(self.format)
        )
        text = tabulate(
            [[self._own(cell) for cell in line] for line in lines],
            [self._own(cell) for cell in header],
            tablefmt=raw or self.format,
            disable_numparse=True,
            colalign=["left" if letter == "l" else "right" for letter in align],
        )
        return _TOKEN.sub(lambda match: self._names[match[0]], text)

    def _name(self, text: str) -> str:
        return escape(text, self.format)

    def _cell(self, text: str) -> str:
        """A stand-in for a name while the table is laid out: as many private-use characters as the name is
        wide. tabulate counts characters and not columns, and no escaped name has such characters."""
        if text not in self._tokens:
            token = chr(0xF0000 + len(self._tokens)) + "\ue000" * (width(self._name(text)) - 1)
            self._tokens[text] = token
            self._names[token] = self._name(text)
        return self._tokens[text]

    def _own(self, text: str) -> str:
        """A text of ours, such as `<1%`, in this format."""
        if self.format in _HTML:
            return html.escape(text, quote=False)
        if self.format in ("latex", "latex_raw"):  # in the others of LaTeX tabulate does it
            return "".join(_LATEX_ESCAPES.get(char, char) for char in text)
        return text

    def _heading(self, text: str) -> str:
        if self.format in _MARKDOWN:
            return f"## {text}"
        return f"<h2>{text}</h2>" if self.format in _HTML else text

    def _prose(self, text: str) -> str:
        if self.format in _LATEX:
            return text.replace("%", r"\%")
        return f"<p>{text}</p>" if self.format in _HTML else text


def elo(rating: float) -> str:
    """A rating as every table shows it."""
    return f"{round(rating):d}"


def interval(row: Row) -> str:
    """The 95% interval of a row's rating, or the end of it that is known."""
    low, high = elo(row.rating.low), elo(row.rating.high)
    if row.rating.bound == "at least":
        return f"at least {low}"
    return f"at most {high}" if row.rating.bound == "at most" else f"{low} to {high}"


def _percent(share: float) -> str:
    """Never 0% or 100%: nothing is that sure."""
    return "<1%" if share < 0.01 else ">99%" if share > 0.99 else f"{share:.0%}"


def _number(name: str, value: float | None) -> str:
    """A figure of an extra column."""
    if value is None:
        return ""
    return f"{value:.1%}" if name in _SHARES else f"{value:.4g}"


def _ms(ms: float | None) -> str:
    return "" if ms is None else f"{ms:.3g}" if ms < 100 else f"{ms:.0f}"


def _points(score: Score | None) -> str:
    return "" if score is None else f"{score.points:g}/{score.matches}"
