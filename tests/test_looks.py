"""Looks: when a slow bot is looked at. Its times are given, so no clock is read."""

from __future__ import annotations

import pytest

from arena import watch
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


@pytest.fixture
def delays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the referee will be told that it has waited for a processor, one after the other."""
    told: list[int] = []
    monkeypatch.setattr(watch, "run_delays_ns", lambda pids: {"1": told.pop(0)})
    return told


def test_the_referees_own_delay_counts_from_the_beginning_of_the_last_wait(delays: list[int]) -> None:
    delays += [10, 35]
    looks = Looks(0)
    looks.mark_last_wait(MS)
    looks.mark_last_wait(MS)
    assert looks.held_up_ns() == 25


def test_a_referee_that_had_looks_to_take_was_not_held_up(delays: list[int]) -> None:
    looks = Looks(0)
    looks.mark_last_wait(FAR)
    assert looks.held_up_ns() == 0


def test_a_look_begins_a_new_wait(delays: list[int]) -> None:
    delays += [10]
    looks = Looks(0)
    looks.mark_last_wait(MS)
    looks.take(MS)
    assert looks.held_up_ns() == 0
