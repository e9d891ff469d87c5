"""`arena standings` as its user sees it: tables, JSON, a run under way, mistakes and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import run_here

from arena.bot import BotSpec
from arena.journal import Journal
from arena.record import record_line
from arena.run_folder import Plan, RunFolder
from arena.tournament import parse

FILE = """\
name = "cup"
rounds = 2
[[games]]
id = "squares"
[[games]]
id = "grid"
[[bots]]
name = "alice"
run = "true"
[[bots]]
name = "囲碁"
run = "true"
"""


def arena(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    return run_here(capsys, "standings", *args)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    """A run of which all but the last match is recorded; the working folder is that of its file."""
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(FILE)
    tournament = parse(FILE, Path("cup.toml")).tournament
    plan = Plan.of(tournament, [BotSpec(bot.name, "v1", ("true",)) for bot in tournament.bots])
    folder = RunFolder(tmp_path / "runs" / "cup")
    folder.save(plan, FILE)
    schedule = plan.schedule()
    lines = []
    for match_id in list(schedule.ids())[:-1]:
        match = schedule.match_of(match_id)
        lines.append(record_line(
            id=match.id, game=match.game, options=match.options, seed=match.seed, opening=match.opening,
            bots=[(name, "v1") for name in match.bots], moves=[(1, "1", 0.5, ())], winner=1, ending="completed",
            at_fault=None, detail="", started="2026-01-31T12:00:00.000Z", wall_ms=1.0,
        ))  # fmt: skip
    with Journal.open(folder.path) as journal:
        journal.append(lines)
    return folder


@pytest.mark.parametrize("name", ["cup", "runs/cup", "cup.toml"])
def test_a_run_is_named_in_any_way_that_its_user_knows(
    run: RunFolder, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, out, err = arena(capsys, name)
    assert (status, err) == (0, "")
    assert out.startswith("cup: 7 of 8 matches played\n\nAll games\n")
    assert "囲碁" in out


def test_json_is_the_contracts(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = arena(capsys, "cup", "--json")
    data = json.loads(out)
    assert status == 0
    assert (data["run"], data["played"], data["scheduled"]) == ("cup", 7, 8)
    assert [table["game"] for table in data["tables"]] == ["all", "grid", "squares"]
    assert set(data["tables"][0]) == {"game", "rows"}


def test_one_games_table_can_be_asked_for(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "cup", "--game", "grid", "--format", "markdown")
    assert "## grid" in out
    assert "squares" not in out
    _, out, _ = arena(capsys, "cup", "--game", "grid", "--json")
    assert [table["game"] for table in json.loads(out)["tables"]] == ["grid"]


def test_a_run_under_way_is_read_while_its_lock_is_held(
    run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(run.path), open(run.matches, "a") as file:
        file.write('{"format": 1, "id": "half')
        file.flush()
        status, out, _ = arena(capsys, "cup")
        assert (status, out.splitlines()[0]) == (0, "cup: 7 of 8 matches played")


def test_a_run_that_has_only_begun_has_no_table_yet(
    run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    run.matches.unlink()
    assert arena(capsys, "cup") == (0, "cup: 0 of 8 matches played\n", "")


def test_records_without_a_plan_are_all_that_was_scheduled(
    run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    (run.path / "run.json").unlink()
    assert json.loads(arena(capsys, "cup", "--json")[1])["scheduled"] == 7


def test_records_without_a_run_have_a_table(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.jsonl").write_bytes(run.matches.read_bytes())
    status, out, err = arena(capsys, "m.jsonl")
    assert (status, err) == (0, "")
    assert out.startswith("m.jsonl: 7 of 7 matches played\n\nAll games\n")


def test_a_game_that_is_planned_and_not_played_has_an_empty_table(
    run: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    run.matches.unlink()
    _, out, _ = arena(capsys, "cup", "--game", "grid", "--json")
    assert json.loads(out)["tables"] == [{"game": "grid", "rows": []}]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["pup"], "arena: no run 'pup': did you mean 'cup'?"),
        (["cup", "--format", "sipmle"], "arena: no table format 'sipmle': did you mean 'simple'?"),
        (["cup", "--game", "gird"], "arena: no table of 'gird' in this run: did you mean 'grid'?"),
        ([], "arena standings: Missing argument 'RUN'"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    run: RunFolder, capsys: pytest.CaptureFixture[str], args: list[str], says: str
) -> None:
    status, out, err = arena(capsys, *args)
    assert (status, out) == (2, "")
    assert err.startswith(says)
    assert err.count("\n") == 1


def test_a_bad_record_is_named_by_its_line(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    with open(run.matches, "a") as file:
        file.write("{}\n")
    status, _, err = arena(capsys, "cup")
    assert status == 2
    assert err.startswith("arena: matches.jsonl line 8: ")
