"""The Python interface: `import arena` plays matches, runs tournaments and reads what came of them."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from small_run import make_run

import arena

CUP = """\
name = "cup"
rounds = 2
games = [{ id = "squares", options = { total = [30, 60] } }]
bots = [{ name = "first" }, { name = "greedy" }]
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return make_run(tmp_path)


def test_every_public_name_is_there_and_documented() -> None:
    for name in arena.__all__:
        value = getattr(arena, name)
        assert name == "__version__" or value.__doc__, name
    assert set(dir(arena)) == set(arena.__all__)


def test_the_page_lists_every_public_name() -> None:
    page = (Path(__file__).parent.parent / "docs" / "python-api.md").read_text(encoding="utf-8")
    listed = page.partition("## What there is")[2]
    assert not {name for name in arena.__all__ if f"`{name}`" not in listed} - {"__version__"}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'nonsense'"):
        arena.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_the_import_loads_nothing_slow() -> None:
    script = "import sys, arena; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"numpy", "pydantic", "typer", "rich", "games.interface"}


def test_matches_are_played_as_on_the_command_line() -> None:
    played = list(arena.play_matches("squares", "first", "greedy", count=2, options={"total": 40}, seed=3))
    assert [match.id for match in played] == ["squares.first.greedy.1a", "squares.first.greedy.1b"]
    records = [match.record() for match in played]
    assert [[bot.name for bot in record.bots] for record in records] == [
        ["first", "greedy"],
        ["greedy", "first"],
    ]
    assert {record.seed for record in records} == {3}
    assert {record.options["total"] for record in records} == {40}


@pytest.mark.parametrize("limits", [{"move_ms": 7000}, arena.Limits(move_ms=7000)])
def test_limits_are_a_mapping_or_limits_in_both_calls(
    tmp_path: Path, limits: arena.Limits | dict[str, int]
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"{CUP}limits = {{ start_ms = 9000 }}\n")
    arena.run_tournament(file, workers=1, limits=limits, sandbox="none", restart=True, ponder=True)
    plan = json.loads((tmp_path / "runs" / "cup" / "run.json").read_text())
    kept = plan["tournament"]["limits"]
    assert (kept["move_ms"], kept["start_ms"], kept["memory_mb"]) == (7000, 9000, 512)
    assert len(list(arena.play_matches("grid", "first", "first", limits=limits))) == 1


def test_a_wrong_limit_of_a_match_is_told_at_once() -> None:
    with pytest.raises(arena.ArenaError, match=r"^no limit 'move': there are move_ms, "):
        arena.play_matches("grid", "first", "first", limits={"move": 5})


def test_an_observer_can_be_annotated_with_public_names(tmp_path: Path) -> None:
    seen: list[arena.Tally | arena.Report | None] = []
    file = tmp_path / "cup.toml"
    file.write_text(CUP)
    outcome = arena.run_tournament(
        file, workers=1, observer=lambda tally, report: seen.extend((tally, report))
    )
    assert isinstance(outcome, arena.RunOutcome)
    assert {arena.Tally, arena.Report} <= {type(told) for told in seen}


def test_a_table_of_a_game_that_is_not_there_is_refused(small: Path) -> None:
    with pytest.raises(
        arena.ArenaError, match=r"^no table of 'foo' in this run: there are all, squares, grid$"
    ):
        arena.read_standings(small).table("foo")


def test_without_a_seed_each_series_has_a_new_one() -> None:
    seeds = {next(arena.play_matches("grid", "first", "first")).record().seed for _ in range(2)}
    assert len(seeds) == 2


def test_bots_are_ended_when_nobody_wants_more_matches() -> None:
    matches = arena.play_matches("squares", "first", "greedy", count=1000)
    assert len(list(islice(matches, 2))) == 2
    matches.close()  # type: ignore[attr-defined]  # a generator, for those who leave early
    assert list(matches) == []


@pytest.mark.parametrize(
    ("game", "bot", "options", "words"),
    [
        ("squares", "nobody", {}, "no bot 'nobody'"),
        ("nim", "first", {}, "no game 'nim'"),
        ("squares", "first", {"total": 0}, "option total of squares"),
    ],
)
def test_what_a_caller_did_wrong_is_told_at_once(
    game: str, bot: str, options: dict[str, int], words: str
) -> None:
    with pytest.raises(arena.ArenaError, match=words):
        arena.play_matches(game, bot, "first", options=options)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"move_ms": 0}, "^move_ms 0: it must be a whole number from 1 to 86400000$"),
        ({"move": 5}, "^no limit 'move': there are move_ms, "),
    ],
)
def test_a_wrong_limit_of_a_tournament_is_told_before_it_starts(
    tmp_path: Path, limits: dict[str, int], words: str
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP)
    with pytest.raises(arena.ArenaError, match=words):
        arena.run_tournament(file, limits=limits)
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


def test_a_tournament_is_run_watched_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP)
    seen: list[int] = []
    outcome = arena.run_tournament(
        file, workers=1, observer=lambda tally, report: seen.append(tally.recorded)
    )
    assert outcome.complete
    assert outcome.tally.recorded == 4
    assert seen[-1] == 4
    file.write_text(CUP.replace("rounds = 2", "rounds = 3"))
    assert arena.run_tournament(str(file), workers=1).tally.played == 2
    assert len(list(arena.read_records(file))) == 6


def test_a_run_is_read_by_its_folder_or_its_file_of_records(small: Path) -> None:
    by_folder = list(arena.read_records(small))
    assert by_folder == list(arena.read_records(str(small / "matches.jsonl")))
    assert len(by_folder) == 24
    assert {record.game for record in by_folder} == {"squares", "grid"}


def test_standings_are_those_of_the_records(small: Path) -> None:
    rows = arena.read_standings(small).table().rows
    assert {row.bot for row in rows} == {"alice", "bob", "carol"}
    assert sum(row.score.points for row in rows) == 24


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(arena.ArenaError, match="is no run"):
        arena.read_standings(tmp_path)


def test_a_match_can_be_played_without_any_process() -> None:
    referee = arena.Referee(arena.get_game("primes"), arena.Limits())
    fixture = arena.Fixture("x", "primes", {"n": 10}, seed=1)
    last = arena.ScriptedBot("last", lambda turn: turn.legal[-1])
    played = referee.play(fixture, (last, arena.ScriptedBot("three", ["3"])))
    assert played.verdict.winner == 2
