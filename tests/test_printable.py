"""Text for terminals: whatever stands in it, nothing moves the cursor, and no two names look the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.printable import printable, printable_lines, visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1bb", "a\\x1bb"),
        ("a\u202eb", "a\\u202eb"),
        (" a ", "\\x20a\\x20"),
        ("", "''"),
        ("a\\b", "a\\\\b"),
        ("囲", "囲"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_sentence_keeps_its_spaces_and_its_backslashes() -> None:
    assert printable(" a\\b \x9b2J\n") == " a\\b \\x9b2J\\x0a"


def test_lines_stay_lines() -> None:
    assert printable_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\x0d\n"


def test_lines_of_a_program_keep_their_indentation_and_nothing_else_that_is_invisible() -> None:
    text = '  File "a.py"\n\n\tfor x\x1b[31m\r\n    \u202eend \n\n'
    assert visible_lines(text) == ['  File "a.py"', "", "    for x\\x1b[31m", "    \\u202eend"]


@given(st.text(max_size=40))
def test_whatever_a_program_prints_is_lines_that_print(text: str) -> None:
    assert all(line.isprintable() for line in visible_lines(text))


@given(st.text(max_size=20))
def test_whatever_the_text_is_it_prints(text: str) -> None:
    assert printable(text).isprintable()
    assert visible(text).isprintable()


@given(st.text(min_size=1, max_size=5), st.text(min_size=1, max_size=5))
def test_two_names_never_look_the_same(one: str, other: str) -> None:
    assert (visible(one) == visible(other)) == (one == other)
