"""BotOutput and StderrTail: lines from pieces, what counts as an answer, the limit. No process is started."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot_output import STDERR_KEPT, BotOutput, StderrTail
from arena.player import Fault
from arena.record import Ending


def output_of(*pieces: bytes, limit_kb: int = 64) -> BotOutput:
    output = BotOutput(limit_kb)
    for now, piece in enumerate(pieces, 1):
        output.take(piece, now)
    return output


@given(st.lists(st.binary(max_size=20).map(lambda piece: piece.replace(b"x", b"\n"))))
def test_lines_do_not_depend_on_the_pieces_in_which_they_come(pieces: list[bytes]) -> None:
    output = output_of(*pieces)
    assert [*output.lines, bytes(output.partial)] == b"".join(pieces).split(b"\n")
    assert output.counted == len(b"".join(pieces))


def test_an_answer_has_arrived_when_its_last_piece_has() -> None:
    output = output_of(b"3", b"6\n")
    assert output.arrived == 2
    assert output.answer([]) == "36"


def test_info_lines_are_kept_apart_from_the_answer_that_follows() -> None:
    info: list[str] = []
    assert output_of(b"info one\r\ninfo\ninformal\r\ninfo late\n").answer(info) == "informal"
    assert info == ["one", ""]


def test_info_alone_is_no_answer() -> None:
    info: list[str] = []
    assert output_of(b"info one\n7").answer(info) is None
    assert info == ["one"]


def test_an_empty_line_is_an_answer() -> None:
    assert output_of(b"\n").answer([]) == ""


def test_bytes_that_are_no_text_become_an_answer_that_can_be_shown() -> None:
    assert output_of(b"\xff\n").answer([]) == "\ufffd"


def test_lines_before_a_word_are_passed_over_and_those_after_it_are_not() -> None:
    output = output_of(b"hello\nready\r\n7\n")
    assert output.heard(b"ready")
    assert output.lines == [b"7"]
    assert not output.heard(b"ready")


def test_an_answer_that_nobody_asked_for_is_malformed_but_info_is_not() -> None:
    output_of(b"info one\n7").raise_if_unasked()
    with pytest.raises(Fault, match="'7' was there before it was asked for") as fault:
        output_of(b"info one\n7\n").raise_if_unasked()
    assert fault.value.ending is Ending.MALFORMED


@pytest.mark.parametrize(
    ("pieces", "detail"),
    [
        ([b"x" * 1024, b"x"], "a line of more than 1 kB, without an end"),
        ([b"x\n" * 512, b"x"], "more than 1 kB of output for one move"),
    ],
)
def test_output_over_its_limit_is_a_flood(pieces: list[bytes], detail: str) -> None:
    output_of(pieces[0], limit_kb=1)
    with pytest.raises(Fault, match=detail) as fault:
        output_of(*pieces, limit_kb=1)
    assert fault.value.ending is Ending.FLOODED


def test_what_is_thrown_away_is_neither_a_line_nor_the_beginning_of_one() -> None:
    output = output_of(b"7\n8")
    output.clear()
    output.take(b"9\n", 2)
    assert output.lines == [b"9"]


def test_of_stderr_the_last_is_kept_and_all_is_counted() -> None:
    tail = StderrTail()
    tail.add(b"first")
    tail.add(b"x" * (STDERR_KEPT - 1) + b"\xff")
    assert tail.text() == "x" * (STDERR_KEPT - 1) + "\ufffd"
    assert tail.total == STDERR_KEPT + 5
