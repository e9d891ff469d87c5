"""Where the marks of the report's drawings stand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import dist, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report.figures import DISC, TimeAxis, apart, axis_over, time_bin, time_label

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
    assert 4 <= len(ticks) <= 8
    steps = {round(float(b.label) - float(a.label), 6) for a, b in pairwise(ticks)}
    assert len(steps) == 1


def test_an_axis_that_goes_below_zero_has_ticks_there() -> None:
    labels = [tick.label for tick in axis_over([-304.0, 880.0], at_least=100.0).ticks]
    assert labels == ["-250", "0", "250", "500", "750"]


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


@pytest.mark.parametrize("field", [(260, 240), (600, 224), (1000, 352)])
def test_discs_of_one_place_or_close_ones_do_not_cover_each_other(field: tuple[int, int]) -> None:
    places = [(50.0, 50.0)] * 4 + [(52.0, 51.0), (95.0, 5.0), (95.0, 5.0), (5.0, 95.0)]
    shifts = apart(places)
    discs = [
        (field[0] * place[0] / 100 + shift[0], field[1] * place[1] / 100 + shift[1])
        for place, shift in zip(places, shifts, strict=True)
    ]
    assert all(dist(one, other) > 2 * DISC for one, other in combinations(discs, 2))
    assert shifts[0] == shifts[5] == shifts[7] == (0, 0)


def test_more_discs_than_there_is_room_for_stay_in_their_places() -> None:
    assert apart([(50.0, 50.0)] * 200)[-1] == (0, 0)


def test_a_time_axis_has_a_tick_for_each_factor_of_ten() -> None:
    axis = TimeAxis.over([time_bin(0.2), time_bin(30.0)])
    assert [tick.label for tick in axis.ticks] == ["100 µs", "1 ms", "10 ms", "100 ms"]


@pytest.mark.parametrize("ms", [0.0, 0.001, 0.007, 0.0123, 0.2, 30.0])
def test_a_bar_stands_between_the_marks_around_its_time(ms: float) -> None:
    axis = TimeAxis.over([time_bin(ms), time_bin(1000.0)])
    (bar,) = axis.bars(Counter([time_bin(ms)]))
    exact = 100 * (log10(max(ms, 0.001)) - axis.first) / (axis.last - axis.first)
    assert bar.at - 0.01 <= exact <= bar.at + bar.width + 0.01


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
