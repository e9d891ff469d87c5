"""Where the marks of the report's drawings stand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report.figures import TimeAxis, axis_over, time_bin, time_label

ratings = st.lists(st.floats(-5000, 5000), min_size=1, max_size=30)


@given(ratings)
def test_every_value_stands_on_its_axis_in_order(values: list[float]) -> None:
    axis = axis_over(values, at_least=100.0)
    places = [axis.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 < place < 100 for place in places)


@given(ratings)
def test_an_axis_has_a_few_ticks_at_round_numbers(values: list[float]) -> None:
    ticks = axis_over(values, at_least=100.0).ticks
    assert 2 <= len(ticks) <= 6
    steps = {round(float(b.label) - float(a.label), 6) for a, b in pairwise(ticks)}
    assert len(steps) == 1


def test_an_axis_over_nothing_is_still_an_axis() -> None:
    assert axis_over([]).at(0.0) == 50.0


def test_a_value_beyond_the_axis_stands_at_its_end() -> None:
    axis = axis_over([0.0, 10.0])
    assert (axis.at(-1000), axis.at(1000)) == (0.0, 100.0)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_bars_stay_within_their_axis(times: list[float]) -> None:
    counts = Counter(map(time_bin, times))
    bars = TimeAxis.over(counts).bars(counts)
    assert len(bars) == len(counts)
    assert all(bar.at >= 0 and bar.at + bar.width <= 100.1 for bar in bars)
    assert max(bar.height for bar in bars) == 1.0


def test_a_time_axis_has_a_tick_for_each_factor_of_ten() -> None:
    axis = TimeAxis.over([time_bin(0.2), time_bin(30.0)])
    assert [tick.label for tick in axis.ticks] == ["100 µs", "1 ms", "10 ms", "100 ms"]


@pytest.mark.parametrize(
    ("ms", "label"),
    [
        (None, ""),
        (0.0, "0 µs"),
        (0.0123, "12.3 µs"),
        (0.9999, "1 ms"),
        (4.567, "4.57 ms"),
        (61_000.0, "61 s"),
    ],
)
def test_times_are_written_for_people(ms: float | None, label: str) -> None:
    assert time_label(ms) == label
