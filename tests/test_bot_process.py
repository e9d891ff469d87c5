"""BotProcess as a player: its clock, its lines, its starts, with small bots written on the spot."""

from __future__ import annotations

import py_compile
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena import sandbox
from arena.bot import BotSpec, resolve
from arena.bot_process import BotProcess
from arena.contents import Content
from arena.errors import HarnessFailure
from arena.limits import Limits
from arena.player import Fault, ScriptedBot, Starved
from arena.record import Ending

MS = 1_000_000
GAME = b"game squares seat=1 seed=1 move_ms=1000 total=9\n"
ECHO = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "say":
        print(bytes(line[4:-1], "ascii").decode("unicode_escape"), flush=True)
    elif word == "err":
        print(*rest, file=sys.stderr, flush=True)
"""
Make = Callable[..., BotProcess]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A bot that runs this program, started and ready."""
    made: list[BotProcess] = []

    def start(script: str = ECHO, **limits: int) -> BotProcess:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(script)
        spec = BotSpec("bot", "1", (sys.executable, str(path)), visible=(str(path),))
        bot = BotProcess(spec, Limits(**{"move_ms": 10_000, **limits}))
        made.append(bot)
        bot.greet(GAME)
        bot.await_ready()
        return bot

    yield start
    for bot in made:
        bot.stop()


def ask(bot: BotProcess, answer: str) -> str:
    """Have the echo say this, with escapes, and take its answer."""
    return bot.ask(f"say {answer}\n".encode(), 10_000 * MS)


@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_compiled_module_beside_a_bot_is_never_what_plays(mode: str, tmp_path: Path) -> None:
    if mode == "bwrap" and (trouble := sandbox.bubblewrap_trouble()) is not None:
        pytest.skip(trouble)
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text("name = 'bot'\nrun = 'python3 bot.py'\n", encoding="utf-8")
    (folder / "bot.py").write_text("import helper\n" + ECHO, encoding="utf-8")
    (folder / "helper.py").write_text("raise SystemExit('evil')", encoding="utf-8")
    py_compile.compile(
        str(folder / "helper.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    (folder / "helper.py").write_text("book = 4", encoding="utf-8")
    bot = BotProcess(resolve(str(folder)), Limits(), sandbox_mode=mode)
    try:
        bot.greet(GAME)
        bot.await_ready()
        assert ask(bot, "4") == "4"
    finally:
        bot.stop()


def test_an_answer_comes_without_its_line_end(make: Make) -> None:
    bot = make()
    assert [ask(bot, text) for text in ("4", r"4\r", " 4 ", "")] == ["4", "4", " 4 ", ""]
    assert bot.elapsed_ns > 0


def test_info_lines_are_kept_and_only_those(make: Make) -> None:
    bot = make()
    assert ask(bot, r"info a\ninfo\r\ninfo  b \n4") == "4"
    assert list(bot.info) == ["a", "", " b "]
    assert ask(bot, "information") == "information"
    assert list(bot.info) == []


def test_bytes_that_are_no_text_are_replaced(make: Make) -> None:
    bot = make(ECHO.replace('print(bytes(line[4:-1], "ascii").decode("unicode_escape"), flush=True)',
                            'sys.stdout.buffer.write(b"\\xff\\n"); sys.stdout.flush()'))  # fmt: skip
    assert ask(bot, "") == "\ufffd"


def test_a_surplus_line_is_malformed_at_the_next_turn_and_info_is_not(make: Make) -> None:
    bot = make()
    assert ask(bot, r"1\ninfo later") == "1"
    assert ask(bot, r"1\n7") == "1"
    with pytest.raises(Fault, match="the line '7' was there before it was asked for") as fault:
        ask(bot, "1")
    assert fault.value.ending is Ending.MALFORMED


def test_what_was_left_over_in_one_game_does_not_count_in_the_next(make: Make) -> None:
    bot = make()
    assert ask(bot, r"1\n7\n8") == "1"
    bot.greet(GAME)
    bot.await_ready()
    assert ask(bot, "2") == "2"
    assert bot.starts == 1


@pytest.mark.parametrize(("output", "fits"), [(1024, True), (1025, False)])
def test_output_is_counted_with_line_ends_up_to_its_limit(make: Make, output: int, fits: bool) -> None:
    words = 'bytes(line[4:-1], "ascii").decode("unicode_escape")'
    bot = make(ECHO.replace(words, "'x' * int(rest[0])"), output_kb=1)
    if fits:
        assert len(ask(bot, str(output - 1))) == output - 1
        assert len(ask(bot, str(output - 1))) == output - 1
        return
    with pytest.raises(Fault) as fault:
        ask(bot, str(output - 1))
    assert fault.value.ending is Ending.FLOODED


def test_the_clock_of_a_question_asked_again_runs_from_its_first_time(make: Make) -> None:
    bot = make()
    since = time.monotonic_ns() - 5_000 * MS
    assert bot.ask(b"say 1\n", 10_000 * MS, since) == "1"
    assert bot.elapsed_ns >= 5_000 * MS
    with pytest.raises(Fault) as fault:
        bot.ask(b"say 1\n", 5_000 * MS, since)
    assert fault.value.ending is Ending.TIMEOUT


def test_stderr_is_kept_for_the_author(make: Make) -> None:
    bot = make()
    bot.tell(b"err what I think\n")
    bot.flush()
    assert ask(bot, "1") == "1"
    assert bot.stderr_tail() == "what I think\n"


def test_what_a_bot_is_told_reaches_it_with_its_next_game(make: Make) -> None:
    bot = make()
    bot.tell(b"err hello\n")
    bot.greet(GAME)
    bot.await_ready()
    assert ask(bot, "1") == "1"
    assert bot.stderr_tail() == "hello\n"


def test_a_discarded_bot_starts_afresh(make: Make) -> None:
    bot = make()
    bot.discard()
    assert not bot.running
    assert bot.has_ended()
    bot.greet(GAME)
    bot.await_ready()
    assert ask(bot, "1") == "1"
    assert bot.starts == 2


def test_stopping_twice_or_before_the_start_is_no_mistake(tmp_path: Path) -> None:
    bot = BotProcess(BotSpec("bot", "1", ("/bin/cat",)), Limits())
    bot.stop()
    bot.discard()
    bot.tell(b"over win completed\n")
    bot.flush()
    assert not bot.running


def test_a_bot_with_a_folder_finds_its_files_in_its_working_folder(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("1")
    (tmp_path / "bot.py").write_text(ECHO.replace("bytes(line[4:-1], ", "bytes(open('book.txt').read(), "))
    spec = BotSpec(
        "bot", "1", (sys.executable, str(tmp_path / "bot.py")), folder=str(tmp_path), visible=(str(tmp_path),)
    )
    bot = BotProcess(spec, Limits())
    try:
        bot.greet(GAME)
        bot.await_ready()
        assert ask(bot, "") == "1"
    finally:
        bot.stop()


def test_a_rival_that_is_no_process_is_not_watched(make: Make) -> None:
    bot = make()
    bot.meet(ScriptedBot("visitor", ["1"]))
    assert ask(bot, "1") == "1"


def test_who_has_no_process_cannot_be_asked(make: Make) -> None:
    bot = make()
    bot.discard()
    with pytest.raises(HarnessFailure, match="bot was asked before it was started"):
        ask(bot, "1")
    with pytest.raises(HarnessFailure, match="bot was asked before it was started"):
        bot.await_ready()


def test_a_long_greeting_reaches_a_bot_whole_that_was_ready_before_it_had_read_it(make: Make) -> None:
    words = 'bytes(line[4:-1], "ascii").decode("unicode_escape")'
    silent = ECHO.replace('print("ready", flush=True)', "size = len(line)").replace(words, "size")
    bot = make("print('ready', flush=True)\n" + silent)
    bot.discard()
    greeting = b"game squares rest=" + b"x" * 300_000 + b"\n"
    bot.greet(greeting)
    bot.await_ready()
    assert ask(bot, "") == str(len(greeting))


def test_a_bot_that_has_much_to_say_as_it_leaves_is_seen_out(make: Make) -> None:
    bot = make(ECHO + "print('x' * 1_000_000, flush=True)\nprint('y' * 1_000_000, 'bye', file=sys.stderr)\n")
    life = bot.life
    assert life is not None
    bot.ask_to_leave()
    assert life.pipes.see_out(60)
    assert bot.stderr_tail().endswith("y bye\n")
    assert bot.has_ended()


@pytest.mark.parametrize("script", [ECHO, "raise SystemExit(3)"])
def test_a_program_that_was_changed_while_it_started_is_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """The look before the start came too early: what is in memory may be the new program."""
    path = tmp_path / "bot.py"
    path.write_text(ECHO)
    spec = BotSpec("bot", "1", (sys.executable, str(path)), content=Content.of(str(path)))
    path.write_text(script + "\n# changed\n")
    monkeypatch.setattr("arena.bot_program.check_unchanged", lambda spec: None)
    bot = BotProcess(spec, Limits())
    try:
        bot.greet(GAME)
        with pytest.raises(Starved, match="the files of bot were changed"):
            bot.await_ready()
    finally:
        bot.stop()
