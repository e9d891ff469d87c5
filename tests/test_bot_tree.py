"""BotTree: what is seen of a bot's processes, and holding them. Numbers are given where /proc would tell them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from arena import watch
from arena.bot_tree import MAX_PROCESSES, BotTree, Members
from arena.limits import Limits
from arena.looks import LOOK_MS, MS
from arena.player import Fault
from arena.process import Child, Program
from arena.record import Ending
from arena.spent import CpuTime

NOBODY = Members([], [])


@pytest.fixture
def child() -> Iterator[Child]:
    """A program that waits for its input to end."""
    child = Child(Program(["/bin/cat"], {}, "/"))
    yield child
    child.close()


@pytest.fixture
def tree(child: Child) -> BotTree:
    return BotTree(child, Limits(memory_mb=1), sandboxed=False)


@pytest.fixture
def cpu_ns(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processor time that will be seen, one look after the other."""
    told: list[int] = []
    monkeypatch.setattr(watch, "cpu_times", lambda pids: {1: CpuTime(told.pop(0), 0)})
    return told


def test_a_program_that_is_not_known_to_have_started_has_no_processes(tree: BotTree) -> None:
    assert tree.members() == NOBODY
    assert not tree.any_alive()
    assert tree.holds_pipe(0), "nobody is there to be blamed"


@pytest.mark.parametrize(
    ("ms", "used_ms", "worked"),
    [
        (LOOK_MS, LOOK_MS, True),
        (LOOK_MS, LOOK_MS / 4, True),
        (LOOK_MS, LOOK_MS / 4 - 0.1, False),
        (2, 1, True),
        (2, 0.9, False),
        (2 * LOOK_MS + 1, 2 * LOOK_MS, False),
    ],
)
def test_a_bot_has_worked_if_it_used_much_of_a_short_time(
    tree: BotTree, cpu_ns: list[int], ms: int, used_ms: float, worked: bool
) -> None:
    cpu_ns += [5, 5 + int(used_ms * MS)]
    assert not tree.has_worked(NOBODY, 7), "the first look has nothing to compare with"
    assert tree.has_worked(NOBODY, 7 + ms * MS) is worked


def test_as_many_processes_as_allowed_are_no_fault_and_one_more_is(tree: BotTree) -> None:
    nowhere = [-1] * MAX_PROCESSES
    tree.check_limits(nowhere)
    with pytest.raises(Fault, match="more than 64 processes") as fault:
        tree.check_limits([*nowhere, -1])
    assert fault.value.ending is Ending.CRASHED


def test_memory_over_the_limit_is_a_fault_that_names_both_numbers(tree: BotTree) -> None:
    with pytest.raises(Fault, match=r"used \d+ MB of memory: its limit is 1 MB") as fault:
        tree.check_limits([os.getpid()])
    assert fault.value.ending is Ending.MEMORY


def test_who_was_held_is_released_once(tree: BotTree, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[list[int], signal.Signals]] = []
    grown = [Members([1], []), Members([1, 2], []), Members([1, 2], [])]
    monkeypatch.setattr(tree, "members", lambda: grown.pop(0))
    monkeypatch.setattr(watch, "send_signal", lambda pids, number: sent.append((list(pids), number)))
    tree.hold()
    assert tree.held == [1, 2], "also who was started while the others were being stopped"
    tree.release()
    tree.release()
    assert sent == [([1], signal.SIGSTOP), ([2], signal.SIGSTOP), ([1, 2], signal.SIGCONT)]
    assert tree.held == []
