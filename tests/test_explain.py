"""Every sentence for a bot's author, from what was seen of the bot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.explain import Overdue, counted, explain_end, explain_timeout, last_line, shown
from arena.record import Ending

IDLE = Overdue(
    limit_ms=1000,
    partial=b"",
    unread_bytes=0,
    cpu_ms=3.2,
    reads_input=False,
    waits_for_something=False,
    runnable=False,
)


def timeout(**seen: object) -> str:
    return explain_timeout(replace(IDLE, **seen))  # type: ignore[arg-type]


def test_an_unfinished_line_is_named_first_whatever_else_was_seen() -> None:
    said = timeout(partial=b"4", runnable=True, unread_bytes=9)
    assert said.startswith("no newline after 1 byte: did you forget to print a newline or flush?")
    assert "'4'" in said
    assert "no newline after 2 bytes" in timeout(partial=b"49")


def test_of_a_long_unfinished_line_only_the_beginning_is_shown() -> None:
    assert len(timeout(partial=b"9" * 60_000)) < 300


@pytest.mark.parametrize("seen", [{"runnable": True}, {"cpu_ms": 800.0}])
def test_a_bot_that_uses_the_processor_is_still_computing(seen: dict[str, object]) -> None:
    assert timeout(**seen).startswith("still computing when its 1000 ms were over (")


def test_the_time_that_a_computing_bot_had_to_wait_is_named_if_it_is_notable() -> None:
    assert "waited for a processor" not in timeout(cpu_ms=900.0, held_back_ms=20.0)
    assert "300 ms waited for a processor" in timeout(cpu_ms=690.0, held_back_ms=300.0)


def test_input_left_unread_is_counted() -> None:
    assert "left 123 bytes of its input unread" in timeout(unread_bytes=123, waits_for_something=True)


def test_a_bot_that_waits_for_more_input_is_told_of_its_buffer() -> None:
    said = timeout(reads_input=True)
    assert "waits for more input" in said
    assert "flush the output after every move" in said


def test_a_bot_that_sleeps_or_waits_for_a_timer_is_told_so() -> None:
    assert "it has read everything and sleeps" in timeout()
    assert "waits for input or a timer" in timeout(waits_for_something=True)


def test_a_stopped_bot_and_one_without_input_are_told_so() -> None:
    assert "stopped by a signal" in timeout(stopped=True)
    assert "closed its input" in timeout(input_closed=True)


def test_what_it_said_instead_of_a_move_is_mentioned() -> None:
    assert timeout(info_lines=1).endswith("; it printed info (1 line), but no move")
    assert "(3 lines)" in timeout(info_lines=3)
    assert "to stderr" not in timeout(stderr_bytes=100)
    assert "wrote 2048 kB to stderr meanwhile" in timeout(stderr_bytes=2 << 20)


def test_a_start_that_is_late_speaks_of_ready() -> None:
    said = timeout(wanted="'ready'", reads_input=True)
    assert said.startswith("no 'ready' within 1000 ms")
    assert "if it has printed 'ready'" in said


@pytest.mark.parametrize(
    ("held_back_ms", "cpu_ms", "starved"),
    [
        (600.0, 100.0, True),
        (499.0, 100.0, False),  # it was let run for most of its time
        (900.0, 900.0, False),  # many threads that wait for each other: they have had their processor
        (0.0, 0.0, False),  # asleep
    ],
)
def test_starved_is_who_waited_for_a_processor_most_of_its_time_and_did_not_have_it(
    held_back_ms: float, cpu_ms: float, starved: bool
) -> None:
    assert replace(IDLE, held_back_ms=held_back_ms, cpu_ms=cpu_ms, runnable=True).starved is starved


@pytest.mark.parametrize(
    ("held_up_ms", "cpu_ms", "starved"), [(600.0, 9.0, True), (600.0, 600.0, False), (400.0, 9.0, False)]
)
def test_a_referee_that_was_held_up_for_most_of_the_time_blames_nobody_who_did_not_compute(
    held_up_ms: float, cpu_ms: float, starved: bool
) -> None:
    assert replace(IDLE, held_up_ms=held_up_ms, cpu_ms=cpu_ms).starved is starved


def test_who_keeps_many_threads_running_may_have_held_the_referee_up_itself() -> None:
    unseen = replace(IDLE, held_up_ms=990.0, cpu_ms=0.0, cpu_known=False)
    assert replace(unseen, runnable=1).starved
    assert not replace(unseen, runnable=8).starved
    assert replace(unseen, runnable=8, cpu_known=True).starved


def test_a_bot_that_waits_for_a_disk_is_told_so() -> None:
    assert "waits in the kernel, for a disk or for memory" in timeout(blocked=True)


def test_who_starts_many_processes_is_not_believed_to_be_starved() -> None:
    waiting = replace(IDLE, held_back_ms=900.0, cpu_ms=10.0, runnable=True)
    assert replace(waiting, started=2).starved
    assert not replace(waiting, started=40).starved


def test_with_a_short_limit_few_processes_are_many() -> None:
    waiting = replace(IDLE, limit_ms=100, held_back_ms=90.0, cpu_ms=1.0, runnable=True)
    assert replace(waiting, started=2).starved
    assert not replace(waiting, started=3).starved


@pytest.mark.parametrize(
    ("status", "wrapped", "said"),
    [
        (("exited", 0), False, "exited with status 0"),
        (("exited", 3), True, "exited with status 3"),
        (("signal", 11), False, "killed by SIGSEGV"),
        (("exited", 139), True, "killed by SIGSEGV"),
        (("exited", 139), False, "exited with status 139"),
        (("exited", 255), True, "exited with status 255"),
        (("signal", 99), False, "killed by signal 99"),
        (None, False, "its warden, the parent of its process, was killed: did it do that itself?"),
    ],
)
def test_an_end_is_told_by_status_or_signal(status: tuple[str, int] | None, wrapped: bool, said: str) -> None:
    assert explain_end(status, wrapped=wrapped, stderr="", partial=b"") == (Ending.CRASHED, said)


def test_an_end_in_the_middle_of_a_line_and_with_last_words() -> None:
    ending, said = explain_end(("exited", 1), wrapped=False, stderr="a\nValueError: b\n\n", partial=b"12")
    assert ending is Ending.CRASHED
    assert (
        said == "exited with status 1 in the middle of a line ('12'); its last line on stderr: ValueError: b"
    )


@pytest.mark.parametrize(
    "words",
    [
        "MemoryError",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        "memory allocation of 68719476736 bytes failed",
    ],
)
def test_a_runtime_that_was_given_no_more_memory_is_out_of_memory(words: str) -> None:
    ending, said = explain_end(("signal", 6), wrapped=False, stderr=words, partial=b"")
    assert ending is Ending.MEMORY
    assert said.startswith("ran out of memory: killed by SIGABRT")


def test_the_last_line_is_the_one_that_says_what_went_wrong() -> None:
    assert last_line("TypeError: x\n    at f (a.js:1)\n    at b\n\nNode.js v20.1.0\n") == "TypeError: x"
    assert last_line('Exception in thread "main" E: y\n\tat Bot.main(Bot.java:5)\n\t... 3 more').endswith(
        "E: y"
    )
    assert last_line("thread 'main' panicked: z\nnote: run with `RUST_BACKTRACE=1`\n").endswith("panicked: z")
    assert last_line("   at home\n") == "at home"
    assert last_line("\n \n") == ""


def test_last_words_and_bytes_are_shown_in_one_line_of_printable_characters() -> None:
    assert last_line("\x1b[31mred\x07") == "\ufffd[31mred\ufffd"
    assert len(last_line("x" * 10_000)) == 200
    assert shown(b"\xff\x001") == r"'" + "\ufffd" + r"\x001'"
    assert shown(b"1" * 50) == repr("1" * 40) + "..."


def test_a_number_stands_with_its_noun() -> None:
    assert (counted(1, "line"), counted(0, "line"), counted(2, "line")) == ("1 line", "0 lines", "2 lines")
