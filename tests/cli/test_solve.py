"""`arena solve` as its user sees it: JSON, words, mistakes and exit statuses."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO

import pytest
from in_process import run_here

from arena.cli import solve


def arena(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_here(capsys, "solve", *args)


def test_json_is_exactly_what_the_contract_shows(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = arena(capsys, "squares", "--json")
    assert (status, err) == (0, "")
    assert out == '{"game": "squares", "to_move": 1, "winner": 1, "winning_moves": ["100"], "plies": 1}\n'


def test_moves_are_played_before_the_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "squares", "total=14", "--moves", "9", "--json")
    assert json.loads(out) == {
        "game": "squares", "to_move": 2, "winner": 1, "winning_moves": [], "plies": 2,
    }  # fmt: skip


def test_moves_may_begin_with_a_negative_number(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = arena(capsys, "sum-to-zero", "limit=4", "--moves", "-4 3", "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["to_move"], found["winner"], found["plies"]) == (1, 1, 1)
    assert "1" in found["winning_moves"]


def test_a_finished_game_has_nobody_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "squares", "total=9", "--moves", "9", "--json")
    assert json.loads(out) == {
        "game": "squares", "to_move": None, "winner": 1, "winning_moves": [], "plies": 0,
    }  # fmt: skip
    _, out, _ = arena(capsys, "squares", "total=9", "--moves", "9")
    assert out == "Total: 0\nThe game is over: Player 1 reached 0.\n"


def test_words_tell_the_winner_every_winning_move_and_the_quickest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = arena(capsys, "squares", "total=11")
    assert status == 0
    assert out == (
        "Total: 11\nPlayer 1 is to move.\nWith best play Player 1 wins, after 3 more moves.\n"
        "Winning moves: 1, 4, 9\nQuickest: 9\n10 positions looked at.\n"
    )


def test_words_for_a_lost_position_tell_the_longest_defence(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "squares", "total=5")
    assert "Player 2 wins, after 2 more moves.\nNo move wins. The longest defence: 1, 4\n" in out


def test_where_numbers_stand_in_the_grid_does_not_matter(capsys: pytest.CaptureFixture[str]) -> None:
    answers = {
        arena(capsys, "grid", "size=3", "score=12", "--seed", str(seed), "--json") for seed in range(3)
    }
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["squares", "--moves", "4 x"], "move 2 is no move of squares: 'x' is not a whole number"),
        (["squares", "--moves", "4 4 5"], "move 3 is not legal: 5 is not a perfect square"),
        (["squares", "--moves", "100 1"], "move 2 comes after the end of the game: Player 1 reached 0"),
        (["squares", "--moves", "+4"], "move 1 is no move of squares"),
        (["linked", "n=9", "--moves", "4 8"], "move 2 is not legal: 8 is greater than N"),
        (["squares", "total=0"], "option total of squares"),
        (["squares", "totl=9"], "squares has no option 'totl'"),
        (["square"], "did you mean 'squares'?"),
        (["squares", "--max-positions", "0"], "--max-positions"),
        (["squares", "--seed", "x"], "--seed"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    args: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = arena(capsys, *args)
    assert (status, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_position_past_the_limit_is_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = arena(capsys, "squares", "total=1000", "--max-positions", "100")
    assert (status, out) == (1, "")
    assert err == (
        "arena: this position of squares is too large to solve exactly: "
        "gave up after 100 positions were visited\n"
    )


def test_a_position_that_takes_too_long_is_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = arena(capsys, "squares", "total=10000", "--max-seconds", "0")
    assert (status, out) == (1, "")
    assert err.endswith(" s of the processor's time\n")
    assert err.count("\n") == 1


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_a_long_search_tells_how_far_it_is_and_takes_the_line_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(solve, "PROGRESS_SECONDS", 0)
    status, out, _ = arena(capsys, "squares", "total=10000", "--json")
    assert (status, json.loads(out)["plies"]) == (0, 1)
    told = terminal.getvalue()
    assert re.match(r"\r[\d,]+ positions looked at so far \.\.\.\r", told)
    assert re.search(r"\r +\r$", told)
    assert "\n" not in told


def test_elsewhere_nothing_is_told_of_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "PROGRESS_SECONDS", 0)
    assert arena(capsys, "squares", "total=10000", "--json")[2] == ""


@pytest.mark.parametrize(
    "args",
    [
        ["squares", "total=1000000000"],
        ["primes", "n=1000000000"],
        ["linked", "n=1000000000"],
        ["grid", "size=30", "score=1000000"],
        ["sum-to-zero", "limit=500", "--moves", "7 4"],
    ],
)
def test_the_largest_games_are_given_up_and_not_searched_for_ever(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = arena(capsys, *args, "--max-positions", "2000")
    assert status == 1
    assert "too large to solve exactly" in err
