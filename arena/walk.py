"""Walking through a replay: where somebody is, what a key does, and what of a page the window shows. Pure.

Owns the meaning of keys and the fit of a page to a window: long lines are folded, and of a page that is taller than the
window a part is shown, which can be moved. The terminal itself is the command's. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.replay import Replay
from arena.tables import width

COLUMNS, ROWS = 80, 24
"""The window of whoever does not say."""
_FOOT = 2
"""Rows below the page: the place, and the keys."""
_KEYS = ("right/n: on", "q: leave", "left/p: back", "home, end", "7 enter: move 7")
"""What the keys do, the most needed first: a narrow window has no room for all."""


class Walk:
    """Where somebody is in a replay, and what a key does. Keys are names: `right`, `home`, `7`, `enter`."""

    FORWARD = frozenset({"right", "n", "space"})
    BACK = frozenset({"left", "p", "backspace"})
    DOWN = frozenset({"down", "j", "page-down"})
    UP = frozenset({"up", "k", "page-up"})

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.at = 0
        self.top = 0
        """The first row of the page that is shown."""
        self.typed = ""
        self.over = False
        self._columns, self._rows = COLUMNS, ROWS

    def fit(self, columns: int, rows: int) -> None:
        """From now on the window has this size; one that does not know its own has none."""
        self._columns, self._rows = columns or COLUMNS, rows or ROWS

    def press(self, key: str) -> None:
        """Go where the key leads; a key without a meaning does nothing."""
        if key.isascii() and key.isdigit():
            self.typed = (self.typed + key)[-6:]
            return
        if key == "backspace" and self.typed:
            self.typed = self.typed[:-1]
            return
        if key == "enter" and self.typed:
            self._go(self.replay.step_of(int(self.typed)))
        elif key in self.FORWARD or key == "enter":
            self._go(self.at + 1)
        elif key in self.BACK:
            self._go(self.at - 1)
        elif key in self.DOWN | self.UP:
            self._move(1 if key in self.DOWN else -1, whole_page=key.startswith("page"))
        elif key == "home":
            self._go(0)
        elif key == "end":
            self._go(len(self.replay) - 1)
        elif key == "q":
            self.over = True
        self.typed = ""

    def _go(self, step: int) -> None:
        self.at = min(max(step, 0), len(self.replay) - 1)
        self.top = 0

    def _move(self, way: int, *, whole_page: bool) -> None:
        """Scroll where there is more than the window shows; where there is not, go on or back."""
        hidden = len(self._body()) - self._room
        if hidden <= 0:
            self._go(self.at + way)
            return
        far = max(1, self._room - 1) if whole_page else 1
        self.top = min(max(self.top + way * far, 0), hidden)

    @property
    def _room(self) -> int:
        """How many rows of a page the window shows."""
        return max(1, self._rows - _FOOT)

    def _body(self) -> list[str]:
        """The page at this point, in rows of the window."""
        text = f"{self.replay.heading()}\n\n{self.replay.step(self.at)}"
        return [row for line in text.split("\n") for row in fold(line, self._columns)]

    def page(self) -> str:
        """The screen at this point: no more rows than the window has."""
        body, room = self._body(), self._room
        top = max(0, min(self.top, len(body) - room))  # the window may have grown
        shown = body[top : top + room]
        gap = [""] if len(body) < room else []
        hides = len(body) > room
        place = f"[{self.at} of {len(self.replay) - 1}]"
        place += f"  rows {top + 1} to {top + len(shown)} of {len(body)}" if hides else ""
        place += f"  go to move {self.typed}" if self.typed else ""
        return "\n".join([*shown, *gap, place[: self._columns], self._keys(hides)])

    def _keys(self, hides: bool) -> str:
        """The line of keys, as many as there is room for."""
        words = [*(["up/down: scroll"] if hides else []), *_KEYS]
        while len(words) > 1 and len("  ".join(words)) > self._columns:
            words.pop()
        return "  ".join(words)[: self._columns]


def fold(line: str, columns: int) -> Iterator[str]:
    """The rows that a line takes in a window of so many columns; wide characters take two of them."""
    row, used = "", 0
    for char in line:
        wide = width(char)
        if row and used + wide > columns:
            yield row
            row, used = "", 0
        row += char
        used += wide
    yield row
