"""Names: what is refused, and that no two names, nor two ids made of them, can be taken for each other."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.names import MAX_QUOTED_CHARS, check_bot_name, check_display_name, check_run_name, quote


@pytest.mark.parametrize("name", ["a", "alice", "Bot_2.1-rc", "_x", "7", "a" * 40, "a..b"])
def test_plain_names_are_taken_everywhere(name: str) -> None:
    check_bot_name(name)
    check_run_name(name)
    check_display_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".hidden", "-rf", "a/b", "a b", "a\n", "é", "a" * 41, "a\x00", "a\\b", "~", "٤"]
)
def test_a_name_of_a_folder_is_strict(name: str) -> None:
    for check in (check_bot_name, check_run_name):
        with pytest.raises(
            UsageError, match=r"cannot be a (bot|run)'s name: use 1 to 40 .*letters"
        ) as caught:
            check(name)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "alice bob",
        "Żółw",
        "囲碁",
        "a/b",
        "..",
        "../../etc",
        "<script>",
        "-x",
        "🤖",
        "a.b",
        "алиса",
        "бот-v2",
        "λbot",
    ],
)
def test_a_name_that_is_only_shown_may_be_any_visible_text(name: str) -> None:
    check_display_name(name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "0 characters"),
        ("x" * 41, "41 characters"),
        (" x", "'x' would do"),
        ("x\u3000", "begins or ends with a space"),
        ("a\nb", "U\\+000A"),
        ("a\x1b[31m", "U\\+001B"),
        ("a\u202eb", "U\\+202E"),
        ("a\u2066b", "U\\+2066"),
        ("a\u200bb", "U\\+200B"),
        ("a\u200db", "U\\+200D"),
        ("\ufeffa", "U\\+FEFF"),
        ("a\u00adb", "U\\+00AD"),
        ("a\u00a0b", "U\\+00A0"),
        ("a\u3164b", "U\\+3164"),
        ("a\ufe0f", "U\\+FE0F"),
        ("a\ud800b", "U\\+D800"),
        ("e\u0301", "composed"),
        ("a  b", "two spaces in a row: 'a b' would do"),
        ("\u0430lice", "mixes Latin and Cyrillic"),
    ],
)
def test_a_name_that_could_pass_for_another_is_refused(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        check_display_name(name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("alice", "alice"), ("a-b_C9", "a-b_C9"), ("a.b", "a%2Eb"), ("..", "%2E%2E"), ("a/b c", "a%2Fb%20c"),
     ("é", "%C3%A9"), ("%2E", "%252E")],
)  # fmt: skip
def test_quoting_keeps_letters_and_writes_the_rest_as_bytes(name: str, quoted: str) -> None:
    assert quote(name) == quoted


@given(st.text(max_size=60))
def test_a_quoted_name_is_safe_in_a_file_name_and_has_no_dot(name: str) -> None:
    assert re.fullmatch(rf"[A-Za-z0-9_%~-]{{0,{MAX_QUOTED_CHARS}}}", quote(name))


@given(st.lists(st.text(max_size=60), min_size=2, max_size=2, unique=True))
def test_different_names_are_quoted_differently(names: list[str]) -> None:
    assert quote(names[0]) != quote(names[1])


def test_long_names_that_differ_only_at_the_end_stay_different() -> None:
    assert quote("囲" * 39 + "碁") != quote("囲" * 40)
