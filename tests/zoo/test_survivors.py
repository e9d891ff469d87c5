"""Whoever is killed in the middle of a match, however rudely: no bot is left, nor a folder of one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from zoo_bars import MakeSpec, skip_without
from zoo_processes import marked, wait_until_empty, wait_until_gone

from arena import process, watch
from arena.bot_process import BotProcess
from arena.keeper import children_of
from arena.limits import Limits
from arena.player import ScriptedBot, Starved
from arena.record import Ending
from arena.referee import Fixture, Referee
from games.squares import Squares

HOST = Path(__file__).parent / "host.py"
Host = subprocess.Popen[str]


@pytest.fixture(params=["none", "bwrap"])
def host(request: pytest.FixtureRequest, mark: str, tmp_path: Path) -> Iterator[Host]:
    """A process that plays matches; it has played one and is in the middle of the next."""
    skip_without(request.param)
    found = subprocess.Popen(
        [sys.executable, str(HOST), request.param, mark],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert next_ending(found) == "completed"
        wait_until_empty(lambda: [0] if len(marked(mark)) < 3 else [])
        yield found
    finally:
        found.kill()
        found.communicate()


def next_ending(host: Host) -> str:
    assert host.stdout is not None
    return host.stdout.readline().strip()


def keeper_of(host: Host) -> int:
    (keeper,) = children_of(host.pid)
    return keeper


def warden_of(bot: BotProcess) -> int:
    """The keeper's child that this bot is below, found upwards: a list of children may miss one while others end."""
    assert bot.life is not None
    assert process._keeper is not None
    pid = bot.life.child.pid or 0
    while (above := int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])) > 1:
        if above == process._keeper.process.pid:
            return pid
        pid = above
    raise AssertionError("the keeper is not above the bot")


def nothing_is_left(host: Host, mark: str, folder: Path, keeper: int) -> None:
    host.wait(10)
    assert wait_until_gone(mark) == []
    assert wait_until_empty(lambda: [keeper] if watch.state(keeper) not in ("", "Z") else []) == []
    assert wait_until_empty(lambda: list(folder.glob("arena-*"))) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_referee_that_is_ended_leaves_nothing(
    host: Host, mark: str, tmp_path: Path, number: signal.Signals
) -> None:
    keeper = keeper_of(host)
    host.send_signal(number)
    nothing_is_left(host, mark, tmp_path, keeper)


def test_a_referee_whose_keeper_was_killed_plays_on_and_leaves_nothing(
    host: Host, mark: str, tmp_path: Path
) -> None:
    first = keeper_of(host)
    os.kill(first, signal.SIGKILL)
    endings = [next_ending(host) for _ in range(3)]
    assert endings == ["completed"] * 3
    second = keeper_of(host)
    assert second != first
    host.kill()
    nothing_is_left(host, mark, tmp_path, second)


def test_a_keeper_that_is_asked_to_leave_stays_with_its_bots(host: Host, mark: str, tmp_path: Path) -> None:
    keeper = keeper_of(host)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(keeper, number)
    assert next_ending(host) == "completed"
    assert keeper_of(host) == keeper
    host.kill()
    nothing_is_left(host, mark, tmp_path, keeper)


def test_not_even_the_death_of_referee_keeper_and_wardens_at_once_leaves_a_bot(host: Host, mark: str) -> None:
    keeper = keeper_of(host)
    everyone = [host.pid, keeper, *children_of(keeper)]
    for number in (signal.SIGSTOP, signal.SIGKILL):
        watch.send_signal(everyone, number)
    host.wait(10)
    assert wait_until_gone(mark) == []


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_match_in_which_the_first_process_of_a_namespace_is_killed_is_void(
    mode: str, animal: MakeSpec
) -> None:
    skip_without(mode)
    bot = BotProcess(animal("lives.py", "leaves-a-daemon"), Limits(move_ms=5000), sandbox_mode=mode)
    try:
        bot.greet(b"game squares seat=1 seed=1 move_ms=5000 total=3\n")
        bot.await_ready()
        child = bot.life.child if bot.life else None
        assert child is not None
        if not child.isolated:
            pytest.skip("this kernel has no namespaces for plain processes")
        everyone = bot._pids()
        watch.send_signal([child.pid or 0], signal.SIGKILL)
        assert wait_until_empty(lambda: [p for p in everyone if watch.state(p) not in ("", "Z")]) == []
        with pytest.raises(Starved, match="ended from outside"):
            bot.ask(b"state total=3\nlegal 1\ngo 5000\n", 5_000_000_000)
    finally:
        bot.stop()


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_match_whose_warden_is_killed_is_played_again(mode: str, animal: MakeSpec) -> None:
    skip_without(mode)
    limits = Limits(move_ms=5000)
    bot = BotProcess(animal("lives.py", "leaves-a-daemon"), limits, sandbox_mode=mode)
    killed: list[int] = []

    def kill_the_warden_once(turn: object) -> str:
        if not killed:
            killed.append(warden_of(bot))
            watch.send_signal(killed, signal.SIGKILL)
            assert wait_until_empty(lambda: [p for p in killed if watch.state(p) not in ("", "Z")]) == []
        return "1"

    try:
        played = Referee(Squares(), limits).play(
            Fixture("m", "squares", {"total": 3}, 1), (bot, ScriptedBot("visitor", kill_the_warden_once))
        )
        assert played.verdict.ending is Ending.COMPLETED
        assert bot.starts == 2
    finally:
        bot.stop()


def test_a_killed_warden_leaves_no_folder(
    animal: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bot = BotProcess(animal("lives.py", "leaves-a-daemon"), Limits())
    bot.greet(b"game squares seat=1 seed=1 move_ms=1000 total=3\n")
    bot.await_ready()
    assert list(tmp_path.glob("arena-*"))
    watch.send_signal([warden_of(bot)], signal.SIGKILL)
    assert wait_until_empty(lambda: list(tmp_path.glob("arena-*"))) == []
    bot.stop()


def test_closing_the_keeper_ends_every_child_at_once(
    animal: MakeSpec, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    original: Callable[..., int] = subprocess.Popen.wait

    def wait(popen: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        status = original(popen, timeout)
        waited.append(status)
        return status

    bot = BotProcess(animal("lives.py", "stays"), Limits())
    bot.greet(b"game squares seat=1 seed=1 move_ms=1000 total=3\n")
    bot.await_ready()
    monkeypatch.setattr(subprocess.Popen, "wait", wait)
    process.close_keeper()
    assert waited == [0]
    assert marked(mark) == []
    bot.discard()
