"""What one bot does must not cost the other, and what the machine does must cost neither."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from combinations import paired
from zoo_bars import MakeSpec, skip_without
from zoo_processes import wait_until_empty

from arena import watch
from arena.bot import BotSpec
from arena.bot_process import BotProcess
from arena.limits import Limits
from arena.looks import MS
from arena.player import Player, ScriptedBot
from arena.record import Ending
from arena.referee import Fixture, Played, Referee
from games.squares import Squares

PATIENT = Limits(move_ms=5000)


def visitor() -> ScriptedBot:
    return ScriptedBot("visitor", lambda turn: turn.legal[0])


def measured(bot: BotProcess, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much of each of its moves is not on its clock, in nanoseconds, as the moves are made."""
    not_counted: list[int] = []

    def ask(*args: Any) -> str:
        begin = time.monotonic_ns()
        answer = BotProcess.ask(bot, *args)
        not_counted.append(time.monotonic_ns() - begin - bot.elapsed_ns)
        return answer

    monkeypatch.setattr(bot, "ask", ask)
    return not_counted


def play(one: Player, two: Player, limits: Limits, total: int = 12, **options: bool) -> Played:
    match = Fixture("m", "squares", {"total": total}, 1)
    try:
        return Referee(Squares(), limits, **options).play(match, (one, two))
    finally:
        one.flush()
        two.flush()


@pytest.mark.parametrize(("mode", "seat"), paired(("none", "bwrap"), (1, 2)))
def test_a_bot_that_spins_off_turn_is_held_and_its_rival_loses_no_game(
    mode: str, seat: int, animal: MakeSpec
) -> None:
    skip_without(mode)
    core = {min(os.sched_getaffinity(0))}
    spinner = BotProcess(animal("clocks.py", "spins-off-turn"), PATIENT, sandbox_mode=mode, cpus=core)
    rival = BotProcess(animal("clocks.py", "dawdles"), PATIENT, sandbox_mode=mode, cpus=core)
    try:
        played = play(*((spinner, rival) if seat == 1 else (rival, spinner)), PATIENT)
        assert played.verdict.ending is Ending.COMPLETED
        assert len(spinner._pids()) == 4
        assert wait_until_empty(lambda: [p for p in spinner._pids() if watch.state(p) != "T"]) == []
        assert play(spinner, rival, PATIENT).verdict.ending is Ending.COMPLETED
        assert (spinner.starts, rival.starts) == (1, 1)
    finally:
        spinner.stop()
        rival.stop()


@pytest.mark.parametrize("ponder", [False, True])
def test_a_bot_that_spins_while_others_play_is_held_too(animal: MakeSpec, ponder: bool) -> None:
    core = {min(os.sched_getaffinity(0))}
    here: list[BotProcess] = []
    spinner, one, two = (
        BotProcess(animal("clocks.py", name), PATIENT, cpus=core, ponder=ponder, company=lambda: here)
        for name in ("spins-off-turn", "dawdles", "dawdles")
    )
    here += [spinner, one, two]
    try:
        assert play(spinner, visitor(), PATIENT, total=4).verdict.ending is Ending.COMPLETED
        assert "T" not in {watch.state(pid) for pid in spinner._pids()}
        assert play(one, two, PATIENT).verdict.ending is Ending.COMPLETED
        assert wait_until_empty(lambda: [p for p in spinner._pids() if watch.state(p) != "T"]) == []
        assert play(spinner, one, PATIENT).verdict.ending is Ending.COMPLETED
        assert (spinner.starts, one.starts, two.starts) == (1, 1, 1)
    finally:
        for bot in here:
            bot.stop()


def test_time_that_a_rival_has_taken_is_not_on_the_clock(
    animal: MakeSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = {min(os.sched_getaffinity(0))}
    spinner = BotProcess(animal("clocks.py", "spins-off-turn"), PATIENT, cpus=core)
    rival = BotProcess(animal("clocks.py", "dawdles"), PATIENT, cpus=core)
    given_back = measured(rival, monkeypatch)
    try:
        assert play(spinner, rival, PATIENT).verdict.ending is Ending.COMPLETED
        assert max(given_back) > 2 * MS
    finally:
        spinner.stop()
        rival.stop()


def test_a_bot_that_is_costly_to_look_at_is_held_and_its_rival_does_not_pay(
    animal: MakeSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bot_process.COSTLY_NS", 0)
    costly = BotProcess(animal("clocks.py", "rests"), PATIENT)
    rival = BotProcess(animal("clocks.py", "dawdles"), PATIENT)
    given_back = measured(rival, monkeypatch)
    try:
        assert play(costly, rival, PATIENT).verdict.ending is Ending.COMPLETED
        assert wait_until_empty(lambda: [p for p in costly._pids() if watch.state(p) != "T"]) == []
        assert max(given_back) > 0
    finally:
        costly.stop()
        rival.stop()


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core only: there is nowhere to wander")
def test_a_bot_that_may_ponder_and_leaves_its_own_core_is_held(animal: MakeSpec) -> None:
    here, there, *_ = sorted(os.sched_getaffinity(0))
    wanderer = BotProcess(animal("clocks.py", "wanders"), PATIENT, cpus={here}, ponder=True)
    rival = BotProcess(animal("clocks.py", "dawdles"), PATIENT, cpus={there}, ponder=True)
    try:
        assert play(wanderer, rival, PATIENT).verdict.ending is Ending.COMPLETED
        assert wait_until_empty(lambda: [p for p in wanderer._pids() if watch.state(p) != "T"]) == []
    finally:
        wanderer.stop()
        rival.stop()


@pytest.mark.parametrize("name", ["answers.py crlf", "clocks.py sleeps"])
def test_a_referee_that_was_held_up_blames_nobody(
    name: str, animal: MakeSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(move_ms=50, start_ms=60_000)
    bot = BotProcess(animal(*name.split()), limits)

    def ask(*args: Any) -> str:
        poll = bot._poll

        def held_up(ms: int) -> list[tuple[int, int]]:
            time.sleep(0.2 if ms else 0)
            return poll(ms)

        monkeypatch.setattr(bot, "_poll", held_up)
        return BotProcess.ask(bot, *args)

    monkeypatch.setattr(bot, "ask", ask)
    try:
        verdict = play(bot, visitor(), limits).verdict
        assert (verdict.ending, verdict.at_fault) == (Ending.VOID, None)
        assert "the referee was held up" in verdict.detail
    finally:
        bot.stop()


def test_a_bot_that_may_ponder_is_not_held(animal: MakeSpec) -> None:
    spinner = BotProcess(animal("clocks.py", "spins-off-turn"), PATIENT, ponder=True)
    rival = BotProcess(animal("clocks.py", "dawdles"), PATIENT)
    try:
        assert play(spinner, rival, PATIENT, total=4).verdict.ending is Ending.COMPLETED
        assert "T" not in {watch.state(pid) for pid in spinner._pids()}
    finally:
        spinner.stop()
        rival.stop()


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_memory_that_is_taken_off_turn_is_told_at_the_next_turn(mode: str, animal: MakeSpec) -> None:
    skip_without(mode)
    limits = Limits(move_ms=5000, memory_mb=80)
    eater = BotProcess(animal("greed.py", "eats-off-turn"), limits, sandbox_mode=mode)
    rival = BotProcess(animal("clocks.py", "dawdles"), limits, sandbox_mode=mode)
    try:
        played = play(eater, rival, limits)
        assert (played.verdict.ending, played.verdict.at_fault) == (Ending.MEMORY, 1)
    finally:
        eater.stop()
        rival.stop()


@pytest.fixture
def crowd(mark: str) -> Iterator[set[int]]:
    """A core on which a dozen other programs compute, each in a session of its own."""
    core = {max(os.sched_getaffinity(0))}
    script = f"import os\nos.sched_setaffinity(0, {core})\nprint(flush=True)\nwhile True: pass"
    busy = [
        subprocess.Popen([sys.executable, "-c", script, mark], start_new_session=True, stdout=subprocess.PIPE)
        for _ in range(12)
    ]
    try:
        for program in busy:
            assert program.stdout is not None
            program.stdout.readline()
        yield core
    finally:
        for program in busy:
            program.kill()
            program.communicate()


def test_a_bot_that_the_machine_does_not_let_run_has_a_void_match_after_three_more_tries(
    animal: MakeSpec, crowd: set[int]
) -> None:
    limits = Limits(move_ms=250, start_ms=60_000)
    bot = BotProcess(animal("clocks.py", "computes-a-little"), limits, cpus=crowd)
    try:
        played = play(bot, visitor(), limits)
        assert played.verdict.ending is Ending.VOID
        assert (played.verdict.winner, played.verdict.at_fault) == (None, None)
        assert "animal was ready to run, but had to wait" in played.verdict.detail
        assert bot.starts == 4
    finally:
        bot.stop()


def test_a_bot_that_the_machine_does_not_let_start_has_a_void_match(
    animal: MakeSpec, crowd: set[int]
) -> None:
    limits = Limits(move_ms=250, start_ms=40)
    bot = BotProcess(animal("clocks.py", "computes-a-little"), limits, cpus=crowd)
    try:
        played = play(bot, visitor(), limits)
        assert played.verdict.ending is Ending.VOID
    finally:
        bot.stop()


def test_who_makes_himself_wait_for_children_that_nobody_counts_is_not_starved(
    animal: MakeSpec, crowd: set[int]
) -> None:
    limits = Limits(move_ms=500, start_ms=60_000)
    bot = BotProcess(animal("clocks.py", "spins-in-forgotten-lives"), limits, cpus=crowd)
    try:
        assert play(bot, visitor(), limits).verdict.ending is Ending.TIMEOUT
    finally:
        bot.stop()


def test_sleeping_on_a_busy_machine_is_still_the_bots_own_fault(animal: MakeSpec, crowd: set[int]) -> None:
    limits = Limits(move_ms=1000, start_ms=60_000)
    bot = BotProcess(animal("clocks.py", "sleeps"), limits, cpus=crowd)
    try:
        assert play(bot, visitor(), limits).verdict.ending is Ending.TIMEOUT
    finally:
        bot.stop()


@pytest.mark.parametrize(("mode", "seat"), paired(("none", "bwrap"), (1, 2)))
def test_a_bot_that_leaves_right_after_its_winning_move_has_won(
    mode: str, seat: int, animal: MakeSpec
) -> None:
    skip_without(mode)
    bot = BotProcess(animal("lives.py", "leaves-after-answer"), PATIENT, sandbox_mode=mode)
    players = (bot, visitor()) if seat == 1 else (visitor(), bot)
    try:
        for _ in range(5):
            verdict = play(*players, PATIENT, total=3 + seat).verdict
            assert (verdict.ending, verdict.winner) == (Ending.COMPLETED, seat)
        assert bot.starts == 5
    finally:
        bot.stop()


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_bot_that_serves_one_game_a_process_is_started_for_each(mode: str, animal: MakeSpec) -> None:
    skip_without(mode)
    bot = BotProcess(animal("lives.py", "leaves-after-game"), PATIENT, sandbox_mode=mode)
    try:
        endings = [play(bot, visitor(), PATIENT).verdict.ending for _ in range(5)]
        assert endings == [Ending.COMPLETED] * 5
        assert bot.starts == 5
    finally:
        bot.stop()


def test_a_bot_at_fault_starts_afresh_for_its_next_match(animal: MakeSpec) -> None:
    bot = BotProcess(animal("lives.py", "leaves-quietly"), PATIENT)
    try:
        endings = [play(visitor(), bot, PATIENT).verdict.ending for _ in range(3)]
        assert endings == [Ending.CRASHED] * 3
        assert bot.starts == 3
    finally:
        bot.stop()


def test_of_two_bots_that_both_do_not_start_the_first_is_at_fault(animal: MakeSpec) -> None:
    bots = [BotProcess(animal("lives.py", "dies-at-start"), PATIENT) for _ in range(2)]
    try:
        verdict = play(bots[0], bots[1], PATIENT).verdict
        assert (verdict.ending, verdict.at_fault, verdict.winner) == (Ending.NO_START, 1, 2)
    finally:
        for bot in bots:
            bot.stop()


def test_of_two_bots_that_both_crash_the_one_to_move_is_at_fault(animal: MakeSpec) -> None:
    bots = [BotProcess(animal("lives.py", "leaves-quietly"), PATIENT) for _ in range(2)]
    try:
        verdict = play(bots[0], bots[1], PATIENT).verdict
        assert (verdict.ending, verdict.at_fault) == (Ending.CRASHED, 1)
    finally:
        for bot in bots:
            bot.stop()


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_program_that_is_not_there_or_is_no_program_is_no_start(mode: str, tmp_path: Path) -> None:
    skip_without(mode)
    text = tmp_path / "text"
    text.write_text("this is no program\n")
    text.chmod(0o755)
    for path in (text, tmp_path / "missing"):
        visible = (str(path),) if path.exists() else ()
        bot = BotProcess(BotSpec("bot", "1", (str(path),), visible=visible), PATIENT, sandbox_mode=mode)
        verdict = play(bot, visitor(), PATIENT).verdict
        assert (verdict.ending, verdict.at_fault) == (Ending.NO_START, 1)
        assert str(path) in verdict.detail


def test_the_end_of_stderr_is_kept_with_a_fault_and_only_there(animal: MakeSpec) -> None:
    limits = Limits(move_ms=250)
    loud = BotProcess(animal("greed.py", "floods-stderr"), limits)
    fair = BotProcess(animal("greed.py", "much-on-stderr"), PATIENT)
    try:
        assert len(json.loads(play(loud, visitor(), limits).line)["stderr"]) == 64 * 1024
        assert "stderr" not in json.loads(play(fair, visitor(), PATIENT).line)
    finally:
        loud.stop()
        fair.stop()


def test_info_lines_are_kept_with_their_move(animal: MakeSpec) -> None:
    bot = BotProcess(animal("answers.py", "info"), PATIENT)
    try:
        moves = json.loads(play(bot, visitor(), PATIENT).line)["moves"]
        assert {tuple(move["info"]) for move in moves} == {("depth 1",), ()}
        assert all(move["info"] for move in moves if move["seat"] == 1)
    finally:
        bot.stop()


def test_shared_memory_does_not_outlive_its_bot(animal: MakeSpec) -> None:
    key = os.getpid() + 0x5A000000
    bot = BotProcess(animal("lives.py", "leaves-shared-memory", str(key)), PATIENT)
    try:
        assert play(bot, visitor(), PATIENT).verdict.ending is Ending.COMPLETED
    finally:
        bot.stop()
    assert str(key) not in Path("/proc/sysvipc/shm").read_text()
