"""Walking through a replay: keys lead where they say, and a page never has more rows than its window."""

from __future__ import annotations

from typing import Any

import pytest

from arena.record import MatchRecord, parse_record, record_line
from arena.replay import Replay
from arena.tables import width
from arena.walk import Walk, fold


def match(**changes: Any) -> MatchRecord:
    """A match of squares from 9, the opening 1, of two moves."""
    values: dict[str, Any] = {
        "id": "squares.alice.bob.3a", "game": "squares", "options": {"total": 9}, "seed": 5, "opening": ["1"],
        "bots": [("alice", "aaaa"), ("bob", "bbbb")],
        "moves": [(2, "4", 1.5, ["hm"]), (1, "4", 2.25, [])],
        "winner": 1, "ending": "completed", "at_fault": None, "detail": "alice reached 0",
        "started": "2026-01-31T12:00:00.000Z", "wall_ms": 100.0,
    }  # fmt: skip
    return parse_record(record_line(**(values | changes)))


def tall() -> Walk:
    """At the last step of a match whose loser wrote a lot to stderr."""
    stderr = "".join(f"line {number}\n" for number in range(100))
    lost = {"moves": [(2, "4", 1.5, ["漢字" * 60])], "winner": 2, "ending": "crashed", "at_fault": 1}
    walk = Walk(Replay(match(**lost, detail="exited with status 1", stderr=stderr)))
    walk.press("end")
    return walk


def after(walk: Walk, keys: str) -> Walk:
    for key in keys.split():
        walk.press(key)
    return walk


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ("right", 1), ("n", 1), ("space", 1), ("right right right right right", 3), ("left", 0),
        ("end", 3), ("end p", 2), ("end home", 0), ("2 enter", 3), ("1 enter", 2), ("0 enter", 1),
        ("9 9 enter", 3), ("2 backspace enter", 1), ("1 right", 1), ("x", 0), ("end left left n", 2),
        ("down j page-down", 3), ("end up k page-up", 0),
    ],
)  # fmt: skip
def test_keys_lead_where_they_say(keys: str, at: int) -> None:
    walk = after(Walk(Replay(match())), keys)
    assert (walk.at, walk.over) == (at, False)


def test_q_leaves_and_a_typed_number_is_shown() -> None:
    walk = after(Walk(Replay(match())), "2")
    assert "go to move 2" in walk.page()
    assert after(walk, "q").over


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (200, 60), (20, 5), (7, 3)])
def test_no_page_is_larger_than_its_window_and_every_row_can_be_reached(size: tuple[int, int]) -> None:
    walk, seen = tall(), ""
    walk.fit(*size)
    for _ in range(400):
        rows = walk.page().split("\n")
        assert len(rows) <= size[1]
        assert max(map(width, rows)) <= size[0]
        seen += rows[0]
        walk.press("down")
    seen += "".join(rows)
    assert walk.at == len(walk.replay) - 1
    assert all(f"line {number}" in seen for number in range(100))


def test_a_tall_page_begins_at_its_top_says_where_it_is_and_how_to_scroll() -> None:
    first = tall().page().split("\n")
    assert first[0].startswith("squares.alice.bob.3a: ")
    assert "rows 1 to 22 of " in first[-2]
    assert first[-1].startswith("up/down: scroll  right/n: on  q: leave")
    assert "rows 2 to 23 of " in after(tall(), "j").page()
    assert "rows 22 to 43 of " in after(tall(), "page-down").page()
    assert after(tall(), "down down up").page() == after(tall(), "j").page()


def test_a_page_that_fits_has_no_word_of_scrolling() -> None:
    page = Walk(Replay(match())).page()
    assert "scroll" not in page
    assert "rows" not in page


def test_the_next_page_begins_at_its_top() -> None:
    assert after(tall(), "page-down left").top == 0


def test_a_window_that_has_grown_shows_as_much_as_it_can() -> None:
    walk = after(tall(), " ".join(["page-down"] * 40))
    walk.fit(80, 60)
    rows = walk.page().split("\n")
    assert len(rows) == 60
    assert rows[57] == "  line 99"


def test_a_window_that_does_not_know_its_size_has_the_usual_one() -> None:
    walk = tall()
    walk.fit(0, 0)
    assert walk.page() == tall().page()


@pytest.mark.parametrize(
    ("line", "rows"),
    [("", [""]), ("abcd", ["abcd"]), ("abcde", ["abcd", "e"]), ("a漢字b", ["a漢", "字b"]),
     ("abce\u0301x", ["abce\u0301", "x"])],
)  # fmt: skip
def test_a_line_is_folded_by_the_columns_that_it_takes(line: str, rows: list[str]) -> None:
    assert list(fold(line, 4)) == rows
