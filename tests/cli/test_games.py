"""`arena games` and `arena rules`, as people and as programs read them."""

from __future__ import annotations

import json

import pytest
from in_process import run_here

IDS = ["grid", "linked", "primes", "squares", "sum-to-zero"]


def test_every_game_is_listed_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_here(capsys, "games")
    assert (status, err) == (0, "")
    assert set(IDS) <= {line.split()[0] for line in out.splitlines()}
    assert "n=50 allow_one=true" in out
    assert "score=20 size=4" in out


def test_games_as_json_tell_each_options_default_and_range(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_here(capsys, "games", "--json")
    assert status == 0
    games = {game["id"]: game for game in json.loads(out)}
    assert set(IDS) <= set(games)
    assert games["squares"]["options"] == [
        {
            "name": "total",
            "type": "integer",
            "default": 100,
            "minimum": 1,
            "maximum": 10**9,
            "description": "the common total of points at the start",
        }
    ]
    assert games["linked"]["options"][1]["default"] is True


def test_a_game_that_cannot_be_loaded_hides_no_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.games.game_ids", lambda: ["broken", "squares"])
    status, out, err = run_here(capsys, "games")
    assert status == 0
    assert "squares" in out
    assert err.startswith("arena games: no game 'broken'")
    assert err.count("\n") == 1


@pytest.mark.parametrize("game", IDS)
def test_rules_are_followed_by_a_table_of_every_option(capsys: pytest.CaptureFixture[str], game: str) -> None:
    status, out, err = run_here(capsys, "rules", game)
    assert (status, err) == (0, "")
    rules, _, table = out.partition("\n## Options\n")
    assert rules.startswith("# ")
    assert "draws" in rules
    assert table.split()[:4] == ["option", "default", "values", "meaning"]


def test_the_table_of_linked_shows_ranges_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_here(capsys, "rules", "linked")
    assert "2 to 1000000000" in out
    assert "true or false" in out


def test_rules_as_json_hold_the_text_and_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_here(capsys, "rules", "grid", "--json")
    told = json.loads(out)
    assert status == 0
    assert set(told) == {"id", "title", "summary", "options", "rules"}
    assert [option["name"] for option in told["options"]] == ["score", "size"]


@pytest.mark.parametrize("command", ["rules", "play"])
def test_an_unknown_game_is_one_line_with_the_nearest_name(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    status, out, err = run_here(capsys, command, "square")
    assert (status, out) == (2, "")
    assert "did you mean 'squares'?" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["games", "rules", "play"])
def test_the_help_of_a_command_has_examples(capsys: pytest.CaptureFixture[str], command: str) -> None:
    status, out, _ = run_here(capsys, command, "--help")
    assert status == 0
    assert "Examples:" in out
    assert f"\n    arena {command}" in out
