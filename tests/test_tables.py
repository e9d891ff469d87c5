"""Tables: every format holds every name in its cell, and says under the table what its order means."""

from __future__ import annotations

import csv
import io
import json
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.record import Head
from arena.standings import Standings
from arena.tables import escape, formats, render, width

NASTY = [
    "<script>alert(1)</script>",
    "a|b",
    "囲碁",
    "x\x1b[31my",
    "line\nbreak",
    "=1+1",
    "a & b",
    "$x_1$",
    "‮evil",
    "",
    " ",
]


def played(*pairs: tuple[str, str], game: str = "squares", winner: int = 1) -> Standings:
    none = array("d")
    return Standings.from_records(
        Head("id", game, pair, ("v", "v"), winner, "completed", None, "2026-01-31T12:00:00Z", none, none)
        for pair in pairs
    )


FIELD = played(("alice", "bob"), ("bob", "carol"), ("carol", "alice"), ("alice", "carol"))


def test_the_text_has_standings_endings_crosstable_seat_and_rules() -> None:
    text = render(FIELD, run_name="spring-cup", scheduled=6)
    assert text.startswith("spring-cup: 4 of 6 matches played\n\nsquares\n")
    for part in ("95% interval", "better than next", "completed", "score against", "Seat 1 scored", "head to head",
                 "Sonneborn-Berger", "Elo scale"):  # fmt: skip
        assert part in text
    assert text.count("alice") == 3  # with one game, the table over all is not repeated


def test_several_games_have_a_table_each_and_one_over_all() -> None:
    both = Standings.from_records([*heads_of("squares"), *heads_of("grid")])
    text = render(both)
    assert [line for line in text.splitlines() if line in ("All games", "grid", "squares")] == [
        "All games",
        "grid",
        "squares",
    ]
    assert "All games" not in render(both, game="grid")
    assert json.loads(render(both, "json", game="grid"))["tables"][0]["game"] == "grid"


def heads_of(game: str) -> list[Head]:
    none = array("d")
    return [
        Head(
            "id", game, ("alice", "bob"), ("v", "v"), 1, "completed", None, "2026-01-31T12:00:00Z", none, none
        )
    ]


@pytest.mark.parametrize("format", formats())
def test_every_format_prints_a_field_with_nasty_names(format: str) -> None:
    text = render(played(*[("alice", name) for name in NASTY]), format, "cup")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "alice" in text
    if format in ("html", "unsafehtml", "markdown", "github", "pipe"):
        assert "<script>" not in text


@pytest.mark.parametrize(
    "format", ["simple", "markdown", "grid", "html", "rst", "psql", "csv", "tsv", "plain"]
)
@given(name=st.text(max_size=12))
def test_no_name_can_add_or_break_a_line(format: str, name: str) -> None:
    plain = render(played(("alice", "bob")), format)
    if name not in ("alice", "bob"):
        assert len(render(played(("alice", name)), format).splitlines()) == len(plain.splitlines())


def test_wide_names_keep_the_columns_straight() -> None:
    lines = render(played(("囲碁", "ab"), ("ab", "cdef"))).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("------"))
    rows = lines[start + 1 : start + 3]  # the last row has no last cell
    assert "囲碁" in rows[0]
    assert {width(row) for row in rows} == {width(lines[start])}


def test_csv_has_one_line_for_each_game_and_bot() -> None:
    rows = list(csv.DictReader(io.StringIO(render(FIELD, "csv"))))
    assert [(row["game"], row["rank"], row["bot"]) for row in rows[:3]] == [
        ("all", "1", "alice"), ("all", "2", "bob"), ("all", "3", "carol"),
    ]  # fmt: skip
    assert rows[0]["completed"] == rows[0]["matches"] == "3"
    assert len(rows) == 6


def test_a_name_that_a_spreadsheet_would_compute_is_a_text() -> None:
    rows = list(csv.DictReader(io.StringIO(render(played(("=1+1", "bob")), "csv"))))
    assert rows[0]["bot"] == "'=1+1"


def test_json_has_all_that_the_tables_show() -> None:
    table = json.loads(render(FIELD, "json", "cup", 6))["tables"][0]
    assert table["crosstable"]["alice"]["carol"] == {"wins": 1, "draws": 0, "losses": 1}
    assert table["first_seat"]["matches"] == 4
    assert table["rows"][0]["better_than_next"] is not None


def test_extra_columns_stand_in_every_kind_of_table() -> None:
    extra = {"all": {"alice": {"accuracy": 0.975, "blunders_a_match": 1.0}, "bob": {"accuracy": None}}}
    assert "blunders a match" in render(FIELD, extra=extra, game="all")
    assert "97.5%" in render(FIELD, "markdown", extra=extra, game="all")
    rows = list(csv.DictReader(io.StringIO(render(FIELD, "csv", extra=extra))))
    assert (rows[0]["accuracy"], rows[1]["accuracy"], rows[3]["accuracy"]) == ("0.975", "", "")
    assert json.loads(render(FIELD, "json", extra=extra))["tables"][0]["rows"][0]["blunders_a_match"] == 1.0


def test_bots_that_nothing_links_and_stated_bounds_are_explained() -> None:
    text = render(played(("alice", "bob"), ("carol", "dave")))
    assert "linked by no chain of matches" in text
    assert "at least" in text
    assert "cautious guess" in text


def test_a_run_without_matches_says_so() -> None:
    assert render(Standings(), run_name="cup", scheduled=6) == "cup: 0 of 6 matches played\n"


def test_an_unknown_format_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no table format 'markdwn': did you mean 'markdown'"):
        render(FIELD, "markdwn")


@given(st.text(max_size=20), st.sampled_from(formats()))
def test_an_escaped_name_is_one_printable_line(text: str, format: str) -> None:
    shown = escape(text, format)
    assert shown
    assert shown.isprintable()
