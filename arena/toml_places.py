"""Where a key stands in a TOML text: the line number for a path of keys and indices.

Owns that search, because the standard reader tells lines for syntax errors only. It reads headers and the
beginnings of lines, which is all that tournament files need; what stands inside a value of several lines is
told by the line where the value begins. Raises nothing.
"""

from __future__ import annotations

import re
from collections import Counter

Place = tuple[str | int, ...]
"""Keys, and indices of arrays, from the top of a file: `("bots", 1, "path")`."""

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\\]*"|'[^']*')"""
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_SETTING = re.compile(rf"\s*({_DOTTED})\s*=")
_INLINE = re.compile(rf"[{{,]\s*({_KEY})\s*=")
_QUOTES = re.compile(r'"""|' + r"'''")


class Places:
    """The lines of all keys of one TOML text that is known to be well-formed."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._table: Place = ()
        self._counts: Counter[Place] = Counter()
        within = ""  # the quotes that end the long text in which the next line begins
        for number, line in enumerate(text.splitlines(), start=1):
            if not within:
                self._read(line, number)
            for quotes in _QUOTES.findall(line):
                within = "" if within == quotes else within or quotes

    def _read(self, line: str, number: int) -> None:
        if header := _HEADER.match(line):
            self._table = self._entered(_keys(header[2]), array=header[1] == "[[")
            self._lines.setdefault(self._table, number)
        elif setting := _SETTING.match(line):
            place = (*self._table, *_keys(setting[1]))
            self._lines.setdefault(place, number)
            for key in _INLINE.findall(line[setting.end() :]):
                self._lines.setdefault((*place, *_keys(key)), number)

    def _entered(self, keys: Place, *, array: bool) -> Place:
        """The place of a table by its header: `[games.options]` belongs to the last of `[[games]]`."""
        place: Place = ()
        for depth, key in enumerate(keys, start=1):
            place = (*place, key)
            if array and depth == len(keys):
                self._counts[place] += 1
            if count := self._counts[place]:
                place = (*place, count - 1)
        return place

    def line(self, place: Place) -> int | None:
        """The line of this place, or else of the nearest one that it is a part of; None for none."""
        while place:
            if place in self._lines:
                return self._lines[place]
            place = place[:-1]
        return None


def _keys(dotted: str) -> Place:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))
