"""ScriptedBot: a player without a process that behaves, on the referee's side, as a program would."""

from __future__ import annotations

import pytest

from arena.player import Fault, ScriptedBot, Turn
from arena.record import Ending

GAME = b"game squares seat=2 seed=5 move_ms=100 total=9\n"
MS = 1_000_000


def started(answers: object, **options: float) -> ScriptedBot:
    bot = ScriptedBot("bot", answers, **options)  # type: ignore[arg-type]
    bot.greet(GAME)
    bot.await_ready()
    return bot


def test_a_list_is_answered_one_by_one_and_then_the_bot_has_ended() -> None:
    bot = started(["4", "1"])
    assert [bot.ask(b"state total=9\ngo 100\n", 100 * MS) for _ in range(2)] == ["4", "1"]
    with pytest.raises(Fault) as fault:
        bot.ask(b"go 100\n", 100 * MS)
    assert fault.value.ending is Ending.CRASHED


def test_a_function_sees_the_turn_taken_apart() -> None:
    seen: list[Turn] = []

    def script(turn: Turn) -> str:
        seen.append(turn)
        return "4"

    bot = started(script)
    bot.ask(b"played 1 1\nstate total=8 more=a=b\nlegal 1 4\ngo 70\n", 100 * MS)
    bot.ask(b"illegal no such move\ngo 30\n", 100 * MS)
    assert seen[0] == Turn("squares", 2, ((1, "1"),), {"total": "8", "more": "a=b"}, ("1", "4"), 70)
    assert seen[1] == Turn(
        "squares", 2, ((1, "1"),), {"total": "8", "more": "a=b"}, ("1", "4"), 30, "no such move"
    )


def test_a_position_without_the_line_legal_has_no_legal_moves_of_the_last_one() -> None:
    seen: list[Turn] = []
    bot = started(lambda turn: seen.append(turn) or "1")
    bot.ask(b"state total=8\nlegal 1 4\ngo 70\n", 100 * MS)
    bot.ask(b"state total=4\ngo 70\n", 100 * MS)
    assert seen[1].legal == ()


def test_a_new_game_forgets_the_last_one() -> None:
    seen: list[Turn] = []
    bot = started(lambda turn: seen.append(turn) or "1")
    bot.ask(b"played 1 4\nstate total=5\ngo 70\n", 100 * MS)
    bot.greet(GAME)
    bot.ask(b"state total=9\ngo 70\n", 100 * MS)
    assert seen[1].played == ()


def test_lines_before_the_last_are_info() -> None:
    bot = started(["info a\ninfo b c\n4"])
    assert bot.ask(b"go 100\n", 100 * MS) == "4"
    assert list(bot.info) == ["a", "b c"]


def test_its_clock_can_be_set_and_runs_on_when_it_is_asked_again() -> None:
    bot = started(["5", "4", "1"], ms=40)
    bot.ask(b"go 100\n", 100 * MS)
    assert bot.elapsed_ns == 40 * MS
    bot.ask(b"illegal no\ngo 60\n", 100 * MS, since_ns=1)
    assert bot.elapsed_ns == 80 * MS
    with pytest.raises(Fault) as fault:
        bot.ask(b"illegal no\ngo 20\n", 100 * MS, since_ns=1)
    assert fault.value.ending is Ending.TIMEOUT


def test_a_script_may_fail_as_it_likes_and_all_it_heard_is_kept() -> None:
    def script(turn: Turn) -> str:
        raise Fault(Ending.MEMORY, "used 9 GB")

    bot = started(script)
    with pytest.raises(Fault, match="used 9 GB"):
        bot.ask(b"go 100\n", 100 * MS)
    bot.tell(b"over loss memory\n")
    bot.flush()
    bot.discard()
    bot.stop()
    assert bot.heard == [GAME.decode().strip(), "go 100", "over loss memory"]
    assert bot.stderr_tail() == ""
