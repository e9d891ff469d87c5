"""Processor time, with that of processes that have ended."""

from __future__ import annotations

from arena.spent import CpuTime, Spent


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
