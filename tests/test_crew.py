"""A crew of real worker processes: killed, stopped, broken and sent home, none of them takes a block with it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_worker import setup

from arena.crew import FAILURES_IN_A_ROW, Done, LocalCrew
from arena.errors import HarnessFailure
from arena.worker import Block, Setup

Hire = Callable[..., LocalCrew]


@pytest.fixture
def hire() -> Iterator[Hire]:
    crews: list[LocalCrew] = []

    def hired(setup: Setup, count: int = 1) -> LocalCrew:
        crews.append(LocalCrew(setup, count))
        return crews[-1]

    yield hired
    for crew in crews:
        crew.close(at_once=True)


def ids(setup: Setup) -> tuple[str, ...]:
    return tuple(setup.schedule().ids())


def heard(crew: LocalCrew, count: int = 1) -> list[Done]:
    """So many ends of blocks, however long they take."""
    done: list[Done] = []
    deadline = time.monotonic() + 60
    while len(done) < count and time.monotonic() < deadline:
        done += crew.wait(0.2)
    return done


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_each_lane_plays_its_blocks_in_their_order(tmp_path: Path, hire: Hire) -> None:
    plan = setup(tmp_path)
    crew = hire(plan, 2)
    assert crew.lanes == len(set(crew.worker_pids())) == 2
    for number, match_id in enumerate(ids(plan)[:6]):
        crew.submit(number % 2, Block(number, (match_id,)))
    done = heard(crew, 6)
    for lane in (0, 1):
        assert [item.block.number for item in done if item.lane == lane] == [lane, lane + 2, lane + 4]
    assert all(item.report is not None and len(item.report.lines) == 1 for item in done)


def test_a_killed_worker_loses_its_blocks_and_is_replaced(tmp_path: Path, hire: Hire) -> None:
    plan = setup(tmp_path)
    crew = hire(plan)
    pid = crew.worker_pids()[0]
    os.kill(pid, signal.SIGSTOP)  # so that it has not begun when it is killed
    crew.submit(0, Block(1, ids(plan)[:2]))
    crew.submit(0, Block(2, ids(plan)[2:4]))
    os.kill(pid, signal.SIGKILL)
    first, second = heard(crew, 2)
    assert (first.block.number, first.report, first.begun, first.why) == (
        1,
        None,
        True,
        "it was ended by SIGKILL",
    )
    assert (second.block.number, second.report, second.begun) == (2, None, False)
    assert crew.worker_pids()[0] != pid
    crew.submit(0, first.block)
    assert heard(crew)[0].report is not None


def test_a_worker_that_is_silent_for_too_long_is_replaced(
    tmp_path: Path, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = setup(tmp_path)
    monkeypatch.setattr(Setup, "longest_block_seconds", lambda self: 0.3)
    crew = hire(plan)
    os.kill(crew.worker_pids()[0], signal.SIGSTOP)
    crew.submit(0, Block(1, ids(plan)[:1]))
    (lost,) = heard(crew)
    assert lost.report is None
    assert lost.why.startswith("it was silent for ")


def test_the_last_words_of_a_worker_that_fails_by_itself_are_kept(tmp_path: Path, hire: Hire) -> None:
    crew = hire(setup(tmp_path))
    crew.submit(0, Block(1, ("squares.no.such.1a",)))
    (lost,) = heard(crew)
    assert lost.report is None
    assert lost.why == "UsageError: no match 'squares.no.such.1a' is in the schedule of 'cup'"


def test_workers_that_keep_dying_are_the_machines_failing(
    tmp_path: Path, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FAILURES_IN_A_ROW >= 8
    monkeypatch.setattr("arena.crew.FAILURES_IN_A_ROW", 2)
    crew = hire(setup(tmp_path))

    def lose() -> None:
        crew.submit(0, Block(1, ("no such match",)))
        heard(crew)

    lose()
    lose()
    with pytest.raises(
        HarnessFailure, match="workers keep dying, 3 in a row; of the last one: UsageError: no match"
    ):
        lose()


def test_who_is_to_hand_in_gives_back_what_is_not_begun(tmp_path: Path, hire: Hire) -> None:
    plan = setup(tmp_path)
    crew = hire(plan)
    os.kill(crew.worker_pids()[0], signal.SIGSTOP)
    crew.hand_in()
    crew.submit(0, Block(1, ids(plan)[:3]))
    os.kill(crew.worker_pids()[0], signal.SIGCONT)
    (done,) = heard(crew)
    assert done.report is not None
    assert (done.report.lines, done.report.rest) == ([], ids(plan)[:3])


@pytest.mark.parametrize("at_once", [False, True])
def test_nobody_is_left_when_all_are_sent_home(tmp_path: Path, at_once: bool) -> None:
    plan = setup(tmp_path)
    crew = LocalCrew(plan, 3)
    pids = crew.worker_pids()
    crew.submit(0, Block(1, ids(plan)[:2]))
    heard(crew)
    crew.close(at_once=at_once)
    assert not [pid for pid in pids if lives(pid)]
    crew.close()  # closing twice is no mistake


def test_a_worker_that_cannot_be_started_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocess.context.ForkServerProcess.start", fail)
    with pytest.raises(
        HarnessFailure, match=r"^a worker cannot be started: Resource temporarily unavailable$"
    ):
        LocalCrew(setup(tmp_path), 2)


def test_a_fork_server_that_is_killed_while_a_worker_is_started_is_no_obstacle(
    tmp_path: Path, hire: Hire, monkeypatch: pytest.MonkeyPatch
) -> None:
    from multiprocess.context import ForkServerProcess

    failures = iter([EOFError("unexpected EOF"), ConnectionRefusedError(111, "Connection refused")])
    start = ForkServerProcess.start

    def fail_at_first(process: object) -> None:
        if (failure := next(failures, None)) is not None:
            raise failure
        start(process)

    monkeypatch.setattr(ForkServerProcess, "start", fail_at_first)
    plan = setup(tmp_path)
    crew = hire(plan)
    crew.submit(0, Block(1, ids(plan)[:1]))
    assert heard(crew)[0].report is not None


def test_a_fork_server_that_is_killed_each_time_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise EOFError("unexpected EOF")

    monkeypatch.setattr("multiprocess.context.ForkServerProcess.start", fail)
    with pytest.raises(
        HarnessFailure, match=r"^a worker cannot be started: the process that starts them was killed"
    ):
        LocalCrew(setup(tmp_path), 1)


def test_workers_and_what_they_start_hear_ctrl_c_as_the_runner_decides(tmp_path: Path, hire: Hire) -> None:
    plan = setup(tmp_path)
    crew = hire(plan)
    crew.submit(0, Block(1, ids(plan)[:1]))
    heard(crew)
    status = dict(
        line.split(":\t", 1)
        for line in Path(f"/proc/{crew.worker_pids()[0]}/status").read_text().splitlines()
    )
    ctrl_c = 1 << (signal.SIGINT - 1)
    assert int(status["SigIgn"], 16) & ctrl_c
    assert not int(status["SigBlk"], 16) & ctrl_c, "it would be handed on to the bots"
