"""What runs within a Dask worker, without Dask: what it refuses, what it reports as broken, and when it lets go."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_hosts import write_tournament

from arena import cores, parcel
from arena.cluster import core_claim, there
from arena.cluster.post import Post, setup_key
from arena.cluster.there import Broken, NoCore, Refuses, TravellingWorker, Wants
from arena.organiser import Order, take_order
from arena.parcel import Parcel
from arena.worker import Block, Report, Setup


@pytest.fixture
def order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Order:
    """A tournament, on a machine whose only core is one that no machine has."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(there, "_own_name", lambda: "w1")
    monkeypatch.setattr(cores, "available", lambda: [10**6 + os.getpid()])
    monkeypatch.setattr(cores, "pinned", _unpinned)
    return take_order(write_tournament(tmp_path, 'name = "first"', rounds=1), sandbox_mode="none")


@pytest.fixture(autouse=True)
def _let_go() -> Iterator[None]:
    yield
    for key in list(there._engagements):
        there.dismiss(key)
    core_claim.release()


class _unpinned:  # noqa: N801 - in the place of a function
    def __init__(self, cores: object) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def play(
    order: Order, setup: Setup | None = None, parcels: tuple[Parcel, ...] = (), count: int = 1
) -> there.Answer:
    block = Block(1, tuple(order.setup.schedule().ids())[:count])
    return there.unpack(there.play(setup_key(order.setup), block, setup, parcels))


def middle(order: Order) -> Parcel:
    version = next(spec.version for spec in order.setup.bots if spec.name == "middle")
    return Post(order.setup, order.file.folder).parcels([version])[0][0]


def test_what_is_missing_is_asked_for_and_then_played(order: Order) -> None:
    assert play(order) == Wants(setup=True)
    sent = middle(order)
    assert play(order, order.setup) == Wants(versions=(sent.about.version,))
    assert isinstance(play(order, None, (sent,)), Report)


def test_a_bot_whose_files_cannot_be_kept_is_refused_alone(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(sent: Parcel) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parcel, "keep", keep)
    answer = play(order, order.setup, (middle(order),))
    assert answer == Refuses({"middle": "[Errno 28] No space left on device"})


def test_an_exception_while_playing_is_told_with_its_kind_and_the_bots_are_sent_home(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(worker: TravellingWorker, block: Block) -> Report:
        raise KeyError("x")

    monkeypatch.setattr(TravellingWorker, "play", fail)
    assert play(order, order.setup, (middle(order),)) == Broken("KeyError: 'x'")
    assert not there._engagements
    assert there._watch, "somebody sees to it that the core is given up"


def test_a_core_is_claimed_for_a_tournament_and_given_up_at_its_end(order: Order) -> None:
    assert not core_claim.is_held()
    play(order, order.setup)
    assert core_claim.is_held()
    there.dismiss(setup_key(order.setup))
    assert not core_claim.is_held()


def test_without_a_core_nothing_is_played(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_claim, "claimed_core", lambda: None)
    answer = play(order, order.setup)
    assert isinstance(answer, NoCore)
    assert "each of the 1 cores that it may use has a worker that plays already" in answer.why


def test_an_idle_worker_gives_up_its_core_and_its_bots(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(there, "_watch", [time.monotonic()])  # this test is the one that watches
    play(order, order.setup)
    monkeypatch.setattr(there, "IDLE_SECONDS", 0.0)
    there._dismiss_idle()
    assert not there._engagements
    assert not core_claim.is_held()
    assert there._watch == []


def test_a_game_that_is_not_installed_is_named() -> None:
    assert (
        there._missing_game(["squares", "no-such-game"]) == "the game 'no-such-game' is not installed there"
    )
    assert there._missing_game(["squares"]) is None
