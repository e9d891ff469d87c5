"""Processor time, with that of processes that have ended."""

from __future__ import annotations

import pytest

from arena.spent import CpuTime, Spent, TaskTime, longest_wait_ns


def test_what_is_there_counts_with_what_it_has_reaped() -> None:
    assert Spent().total_ns({7: CpuTime(10, 5), 8: CpuTime(1, 0)}) == 16
    assert Spent().total_ns({}) == 0


def test_who_has_ended_counts_as_when_last_seen() -> None:
    spent = Spent()
    spent.total_ns({7: CpuTime(10, 0), 8: CpuTime(100, 3)})
    assert spent.total_ns({7: CpuTime(12, 0)}) == 115
    assert spent.total_ns({7: CpuTime(12, 0), 9: CpuTime(1, 0)}) == 116
    assert spent.total_ns({}) == 116


def test_who_was_waited_for_is_not_counted_twice() -> None:
    spent = Spent()
    spent.total_ns({7: CpuTime(10, 0), 8: CpuTime(100, 0)})
    assert spent.total_ns({7: CpuTime(10, 130)}) == 140
    assert spent.total_ns({7: CpuTime(10, 130)}) == 140


def test_waits_for_a_processor_are_compared_thread_by_thread() -> None:
    def waited(ns: int) -> TaskTime:
        return TaskTime(0, ns)

    assert longest_wait_ns({"1": waited(500), "2": waited(10)}, {"1": waited(500), "2": waited(210)}) == 200
    assert longest_wait_ns({}, {"9": waited(70)}) == 70
    assert longest_wait_ns({"1": waited(5)}, {}) == 0


@pytest.mark.parametrize(
    ("sleeps", "runnable", "waited"),
    [(3, True, 70), (4, True, 10), (3, False, 10)],
)
def test_a_wait_that_is_not_over_counts_for_who_has_not_slept(
    sleeps: int, runnable: bool, waited: int
) -> None:
    before = {"1": TaskTime(100, 20, 3, True)}
    after = {"1": TaskTime(130, 30, sleeps, runnable)}
    assert longest_wait_ns(before, after, elapsed_ns=100) == waited
