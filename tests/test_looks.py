"""Looks: when a slow bot is looked at. Its times are given, so no clock is read."""

from __future__ import annotations

import pytest

from arena.looks import FIRST_LOOK_MS, LOOK_MS, MS, SECOND_LOOK_MS, Looks

FAR = 1_000_000 * MS


def test_looks_come_soon_then_a_little_later_then_at_a_steady_pace() -> None:
    looks = Looks(0)
    waits = []
    for _ in range(4):
        last, now = looks.last, looks.due
        assert looks.take(now) == last
        waits.append((now - last) // MS)
    assert waits == [FIRST_LOOK_MS, SECOND_LOOK_MS, LOOK_MS, LOOK_MS]


@pytest.mark.parametrize(
    ("now", "deadline", "wait_ms"),
    [(0, FAR, FIRST_LOOK_MS), (1, FAR, FIRST_LOOK_MS), (0, MS, 1), (0, MS + 1, 2), (5 * MS, FAR, 0)],
)
def test_a_wait_ends_at_the_next_look_or_the_deadline_and_never_before(
    now: int, deadline: int, wait_ms: int
) -> None:
    assert Looks(0).wait_ms(now, deadline) == wait_ms


@pytest.mark.parametrize(("now", "late"), [(2 * MS, 0), (3 * MS, 0), (7 * MS, 4 * MS)])
def test_a_referee_that_wakes_up_after_its_wait_was_held_up(now: int, late: int) -> None:
    looks = Looks(0)
    looks.woke(now, began=MS, planned=3 * MS)
    assert looks.held_up_ns == late
    assert looks.waited_ns == now - MS - late
