"""The matches of a report, packed: every one can be stepped through, and 5,000 stay small.

Owns the shape that `app.js` reads: one column for each fact, every text that comes back only once. Positions
of the bundled games are drawn by the page from the start and the moves; for any other game the pictures are
kept. Texts of bots are cut, and left out once they are too many, and the page says so.
Raises nothing: a game that is not installed, or a record that breaks the rules, costs a match its pictures.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.catalogue import get_game
from arena.errors import ArenaError
from arena.record import Ending, MatchRecord
from arena.replay import untold_stderr
from arena.schedule import id_order
from games.interface import MalformedMove, OptionError

if TYPE_CHECKING:
    from arena.analysis import MatchAnalysis, MoveNote

DRAWN_BY_THE_PAGE = frozenset({"squares", "primes", "sum-to-zero", "grid", "linked"})
"""The games whose positions `app.js` works out and draws from the first one and the moves."""

INFO_CHARS = 600
"""How much of a move's info lines is kept."""
STDERR_CHARS = 4_000
"""How much of a bot's stderr is kept: its end."""
DETAIL_CHARS = 500
BUDGET_BYTES = 1_500_000
"""How much of such texts, and of pictures, one page holds in all."""
BEST_SHOWN = 6
"""How many of the moves that would have won are named."""

_SYSTEM = "usr|lib|lib64|bin|sbin|etc|opt|nix|proc|sys|dev"
_PART = r"[^\s/\"'`:;,<>()\[\]]+"
_HOME = re.compile(rf"(?<![\w.~-])/(?:(?:home|Users)/{_PART}|root\b)")
_FOLDERS = re.compile(rf"(?:~|(?<![\w.~/<-])|(?<=file://))/(?!(?:{_SYSTEM})/)(?:{_PART}/)+")

MARKS = {"kept": "k", "held": "h", "blunder": "b", "lost": "l", "unknown": "u"}


def plain(text: str) -> str:
    """Untrusted text with whatever is invisible, or changes the direction of a line, shown as an escape."""
    return "".join(_shown(char) for char in text.replace("\r\n", "\n"))


def _shown(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char)[0] != "C":
        return char
    return char.encode("unicode_escape", "replace").decode("ascii")


def without_folders(text: str) -> str:
    """Text of a bot without the folders of the organiser's files, which are nobody's business on a public page."""
    return _FOLDERS.sub("…/", _HOME.sub("~", text))


class Replay(NamedTuple):
    """A record played again: the first position, who made each move, and pictures where they are needed.

    `moves` counts the moves that the rules allow; `complaint` says why it stopped before the last.
    """

    start: str
    seats: str
    pictures: list[str] | None
    moves: int
    complaint: str


def replay(record: MatchRecord) -> Replay:
    """Play a record through the rules of its game, as far as they go."""
    texts = [*record.opening, *(move.move for move in record.moves)]
    try:
        game = get_game(record.game)
        state = game.start(game.options(record.options), record.seed)
    except (ArenaError, OptionError) as error:
        seats = "0" * len(record.opening) + "".join(str(move.seat) for move in record.moves)
        return Replay("", seats, None, len(texts), f"The position cannot be drawn: {error}.")
    start, seats = game.view(state, 1), ""
    pictures = None if record.game in DRAWN_BY_THE_PAGE else [game.picture(state)]
    for number, text in enumerate(texts):
        complaint = _complaint(game, state, text)
        if complaint:
            told = (
                f"Move {number + 1} of the record, {text}, breaks the rules ({complaint}): see arena verify."
            )
            return Replay(start, seats, pictures, number, told)
        seats += str(game.to_move(state))
        state = game.apply(state, game.read_move(text))
        if pictures is not None:
            pictures.append(game.picture(state))
    return Replay(start, seats, pictures, len(texts), "")


def _complaint(game: Any, state: Any, text: str) -> str:
    """Why this move cannot be played here, or nothing."""
    if game.outcome(state) is not None:
        return "the game is over"
    try:
        refusal = game.refusal(state, game.read_move(text))
    except MalformedMove as error:
        return str(error)
    return refusal.reason if refusal else ""


class Texts:
    """Every text once, known by its number; number 0 is the empty text."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._left = BUDGET_BYTES
        self.left_out = 0

    def add(self, text: str) -> int:
        """The number of a text that the page needs."""
        return self._numbers.setdefault(text, len(self._numbers))

    def add_within_budget(self, text: str) -> int:
        """The number of a text that the page can do without: 0 once such texts are too many."""
        if text in self._numbers:
            return self._numbers[text]
        size = len(text.encode("utf-8", "replace"))
        if size > self._left:
            self.left_out += 1
            return 0
        self._left -= size
        return self.add(text)

    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return list(self._numbers)


class MatchColumns:
    """The columns of the page's list of matches, filled record by record."""

    NAMES = (
        "id", "game", "first", "second", "options", "seed", "start", "opening", "moves", "seats", "ms", "marks",
        "best", "winner", "ending", "fault", "detail", "decisive", "info", "stderr", "started", "pictures", "note",
    )  # fmt: skip

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {name: [] for name in self.NAMES}
        self.texts = Texts()

    def __len__(self) -> int:
        return len(self.columns["id"])

    def add(
        self, record: MatchRecord, bots: Sequence[int], game: int, analysis: MatchAnalysis | None
    ) -> None:
        """Pack one record; `bots` and `game` are their numbers in the page's lists."""
        played = replay(record)
        made = record.moves[: max(played.moves - len(record.opening), 0)]
        result, text = record.result, self.texts
        stderr = without_folders(plain(untold_stderr(result.detail, record.stderr))).strip("\n")
        row = {
            "id": plain(record.id), "game": game, "first": bots[0], "second": bots[1],
            "options": text.add(_options(record.options)), "seed": str(record.seed),
            "start": text.add(played.start), "opening": " ".join(record.opening),
            "moves": " ".join(plain(move.move) for move in made), "seats": played.seats,
            "ms": " ".join(f"{float(f'{move.ms:.3g}'):g}" for move in made),
            "marks": _marks(analysis, len(made)), "best": _best(analysis),
            "winner": -1 if result.winner is None else result.winner,
            "ending": list(Ending).index(result.ending), "fault": result.at_fault or 0,
            "detail": text.add_within_budget(_cut(without_folders(plain(result.detail)), DETAIL_CHARS)),
            "decisive": text.add(plain(analysis.decisive or "") if analysis else ""),
            "info": self._infos(made), "stderr": text.add_within_budget(_end(stderr, STDERR_CHARS)),
            "started": record.started[:19], "pictures": self._pictures(played.pictures),
            "note": text.add(plain(played.complaint)),
        }  # fmt: skip
        for name in self.NAMES:
            self.columns[name].append(row[name])

    def _infos(self, moves: Sequence[Any]) -> list[int]:
        """Number of the move, number of its text, and so on; moves without info are left out."""
        found: list[int] = []
        for index, move in enumerate(moves):
            if move.info:
                found += [index, self.texts.add_within_budget(_cut(plain("\n".join(move.info)), INFO_CHARS))]
        return found

    def _pictures(self, pictures: list[str] | None) -> list[int]:
        return [self.texts.add_within_budget(plain(picture)) for picture in pictures or ()]

    def to_json(self) -> dict[str, Any]:
        """The columns, by the matches' ids, and the texts that their numbers mean."""
        ids = self.columns["id"]
        order = sorted(range(len(ids)), key=lambda at: id_order(ids[at]))
        columns = {name: [column[at] for at in order] for name, column in self.columns.items()}
        return {"columns": columns, "texts": self.texts.all(), "left_out": self.texts.left_out}


def packed(data: Any) -> str:
    """Data as a text that is safe in any markup: JSON, deflated, in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode("ascii")


def _options(options: dict[str, Any]) -> str:
    return plain(" ".join(f"{name}={json.dumps(value)}" for name, value in options.items()))


def _marks(analysis: MatchAnalysis | None, moves: int) -> str:
    """One letter for each move that a bot made."""
    marks = ["u"] * moves
    for note in analysis.notes if analysis else ():
        if 0 <= note.index < moves:
            marks[note.index] = MARKS[note.judgement.value]
    return "".join(marks) if set(marks) != {"u"} else ""


def _best(analysis: MatchAnalysis | None) -> list[int | str]:
    """Number of the blunder, what would have kept the win or the draw, and so on."""
    found: list[int | str] = []
    for note in analysis.notes if analysis else ():
        if note.judgement.value == "blunder":
            found += [note.index, _would_have(note)]
    return found


def _would_have(note: MoveNote) -> str:
    verb = "winning" if note.missed == "win" else "drawing"
    if not note.best:
        return f"there was a {note.missed}"
    more = len(note.best) - BEST_SHOWN
    shown = ", ".join(plain(move) for move in note.best[:BEST_SHOWN]) + (
        f" and {more} more" if more > 0 else ""
    )
    return f"{shown} {'was' if len(note.best) == 1 else 'were'} {verb}"


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[:chars]} […]"


def _end(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"[…] {text[-chars:]}"
