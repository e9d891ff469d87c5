"""Figures: where the marks of the report's drawings stand, as percentages of a width that only the browser knows.

Owns the axes, the bins, and what tells discs apart. Everything is a plain number, so that the template draws with
SVG attributes alone and the page needs no inline style. Raises nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, cos, floor, hypot, log10, pi, sin
from string import ascii_lowercase
from typing import NamedTuple

BINS_PER_DECADE = 6
LEAST_TICKS = 4
_SMALLEST_BIN = -3 * BINS_PER_DECADE  # 1 µs: records tell no less


class Tick(NamedTuple):
    """A labelled place on an axis, in percent of its length."""

    at: float
    label: str


class Axis(NamedTuple):
    """A straight axis from `low` to `high` with round ticks."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """The place of a value in percent; one outside the axis stands at its end."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


def axis_over(values: Iterable[float], at_least: float = 1.0) -> Axis:
    """An axis that holds all values with a little room at both ends, its ticks at round numbers."""
    known = list(values) or [0.0]
    low, high = min(known), max(known)
    spare = max((high - low) * 0.05, (at_least - (high - low)) / 2, 1e-9)
    low, high = low - spare, high + spare
    bare = Axis(low, high, ())
    ticks = tuple(Tick(bare.at(mark), f"{mark + 0.0:.10g}") for mark in _round_marks(low, high))
    return bare._replace(ticks=ticks)


def _round_marks(low: float, high: float) -> list[float]:
    """The multiples of a round step (100, 50, 25, 20, 10, ...) in a range: of the largest that has four there.

    So there are no more than eight, and at neither end a quarter of the range is without one.
    """
    power = 10.0 ** ceil(log10(high - low))
    steps = (power * factor for power in (power, power / 10) for factor in (1, 0.5, 0.25, 0.2))
    found = ([n * step for n in range(ceil(low / step), floor(high / step) + 1)] for step in steps)
    return next(marks for marks in found if len(marks) >= LEAST_TICKS)


# --- discs with a number in them -------------------------------------------------------------------

DISC = 11
"""The radius of a disc, in pixels."""
_FIELDS = ((260, 240), (600, 224), (1000, 352))  # pixels of the drawing on a phone, on paper and on a desk
_SHIFTS = ((0, 0), *((round(far * cos(turn * pi / 6)), round(far * sin(turn * pi / 6)))
                     for far in (25, 38, 52, 70) for turn in range(12)))  # fmt: skip


def apart(places: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """By how many pixels the disc of each place (in percent) is moved so that none covers another, if there is room."""
    shifts: list[tuple[int, int]] = []
    for place in places:
        before = list(zip(places, shifts, strict=False))
        free = (shift for shift in _SHIFTS if all(_is_free(field, place, shift, before) for field in _FIELDS))
        shifts.append(next(free, (0, 0)))
    return shifts


def _is_free(
    field: tuple[int, int],
    place: tuple[float, float],
    shift: tuple[int, int],
    before: Iterable[tuple[tuple[float, float], tuple[int, int]]],
) -> bool:
    across, up = _pixels(field, place, shift)
    if shift != (0, 0) and not (0 <= across <= field[0] and 0 <= up <= field[1]):
        return False
    others = (_pixels(field, *other) for other in before)
    return all(hypot(across - other[0], up - other[1]) > 2 * DISC for other in others)


def _pixels(
    field: tuple[int, int], place: tuple[float, float], shift: tuple[int, int]
) -> tuple[float, float]:
    return field[0] * place[0] / 100 + shift[0], field[1] * place[1] / 100 + shift[1]


def rank_labels(ranks: list[int]) -> list[str]:
    """The ranks, and after those that several share the letters a, b, ... z, aa, bb, ..."""
    shared, seen, labels = Counter(ranks), Counter[int](), []
    for rank in ranks:
        turn, letter = divmod(seen[rank], 26)
        labels.append(f"{rank}{ascii_lowercase[letter] * (turn + 1) if shared[rank] > 1 else ''}")
        seen[rank] += 1
    return labels


# --- think times -----------------------------------------------------------------------------------


def time_bin(ms: float) -> int:
    """The bin of a think time: six to a factor of ten."""
    return max(floor(log10(ms) * BINS_PER_DECADE), _SMALLEST_BIN) if ms > 0 else _SMALLEST_BIN


class Bar(NamedTuple):
    """One bar of a histogram: place and width in percent, height from 0 to 1."""

    at: float
    width: float
    height: float


class TimeAxis(NamedTuple):
    """An axis of think times in whole factors of ten, so that every bot of a table is drawn on the same."""

    first: int
    last: int

    @classmethod
    def over(cls, bins: Iterable[int]) -> TimeAxis:
        """The axis that holds all these bins."""
        known = list(bins) or [0]
        decades = floor(min(known) / BINS_PER_DECADE), floor(max(known) / BINS_PER_DECADE) + 1
        return cls(decades[0], max(decades[1], decades[0] + 2))

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """One tick for each factor of ten."""
        span = self.last - self.first
        return tuple(
            Tick(round(100 * (power - self.first) / span, 2), time_label(10.0**power))
            for power in range(self.first, self.last + 1)
        )

    def bars(self, counts: Counter[int]) -> list[Bar]:
        """The histogram of one bot; its highest bar has height 1."""
        width = 100 / ((self.last - self.first) * BINS_PER_DECADE)
        top = max(counts.values(), default=1)
        return [
            Bar(round((step - self.first * BINS_PER_DECADE) * width, 2), round(width, 2), counts[step] / top)
            for step in sorted(counts)
        ]


def time_label(ms: float | None) -> str:
    """A think time for people: three digits, in µs, ms or s."""
    if ms is None:
        return ""
    for unit, size in (("s", 1000.0), ("ms", 1.0)):
        if ms >= size * 0.9995:
            return f"{float(f'{ms / size:.3g}'):g} {unit}"
    return f"{float(f'{ms * 1000:.3g}'):g} µs"
