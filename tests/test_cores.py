"""Cores: which there are, and staying on one for a while."""

from __future__ import annotations

import os

import pytest

from arena import cores


def test_the_available_cores_are_those_that_the_system_allows() -> None:
    assert set(cores.available()) == os.sched_getaffinity(0)


def test_the_current_core_is_an_available_one() -> None:
    [core] = cores.current() or [None]
    assert core in cores.available()


def test_a_process_is_pinned_for_a_while_and_free_afterwards() -> None:
    before = os.sched_getaffinity(0)
    with cores.pinned([cores.available()[0]]):
        assert os.sched_getaffinity(0) == {cores.available()[0]}
    assert os.sched_getaffinity(0) == before


def test_it_is_free_again_after_an_error_too() -> None:
    before = os.sched_getaffinity(0)
    with pytest.raises(ValueError, match="within"), cores.pinned([cores.available()[0]]):
        raise ValueError("within")
    assert os.sched_getaffinity(0) == before


def test_pinning_to_nothing_changes_nothing() -> None:
    before = os.sched_getaffinity(0)
    with cores.pinned(None):
        assert os.sched_getaffinity(0) == before


def test_two_bots_that_think_at_once_have_different_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available", lambda: [2, 5, 7])
    assert cores.apart() == ([2], [5])


def test_on_a_single_core_nothing_is_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available", lambda: [0])
    assert cores.apart() == (None, None)


def test_without_a_word_from_the_system_there_is_no_current_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "available", list)
    assert cores.current() is None
