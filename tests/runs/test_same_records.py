"""The same file gives the same records: with one worker or many, and more workers than cores."""

from __future__ import annotations

import json
from typing import Any

import pytest

TWO_GAMES = """\
[[games]]
id = "squares"
options = { total = [50, 90] }
opening_plies = 2
[[games]]
id = "grid"
"""


def test_any_number_of_workers_gives_the_same_records_and_tables(field: Any) -> None:
    bots = field.bots(5)
    found = []
    for workers in (1, 2, 8):
        name = f"cup-{workers}"
        file = field.cup(bots, name=name, rounds=4, games=TWO_GAMES)
        done = field.arena("run", file, f"-j{workers}", "--json")
        assert done.returncode == 0, done.stderr
        found.append((field.records(name), field.tables(name)))
    assert len(found[0][0]) == 160
    assert found[0] == found[1] == found[2]


def test_a_bot_that_fails_in_every_match_loses_them_all_and_holds_up_nobody(field: Any) -> None:
    bots = field.bots(3) | {"broken": field.bot("broken", on_game="raise ValueError('no such luck')")}
    done = field.arena("run", field.cup(bots), "-j2", "-q")
    assert done.returncode == 0, done.stderr
    rows = {row["bot"]: row for row in field.tables()["tables"][0]["rows"]}
    assert rows["broken"]["endings"] == {"no-start": 12}
    assert (rows["broken"]["wins"], rows["broken"]["losses"]) == (0, 12)
    assert all(row["matches"] == 12 for row in rows.values())
    record = field.records()["squares.bot1.broken.1a"]
    assert record["result"]["at_fault"] == 2
    assert "ValueError: no such luck" in json.dumps(record)


def test_a_bot_that_crashes_only_in_seat_2_loses_only_there(field: Any) -> None:
    bots = field.bots(2) | {"lefty": field.bot("lefty", on_go="assert seat == '1', 'not here'")}
    assert field.arena("run", field.cup(bots, rounds=3), "-j2", "-q").returncode == 0
    there = [record for record in field.records().values() if record["bots"][1]["name"] == "lefty"]
    assert len(there) == 6
    for record in there:
        moved = any(move["seat"] == 2 for move in record["moves"])
        lost = (record["result"]["ending"], record["result"]["at_fault"]) == ("crashed", 2)
        assert lost or record["result"]["winner"] == 1  # who was beaten by the first move was never asked
        assert not moved
    assert sum(record["result"]["ending"] == "crashed" for record in there) >= 3
    others = [record for record in field.records().values() if record not in there]
    assert {record["result"]["ending"] for record in others} == {"completed"}


ODD_NAMES = ["with space", "naïve 日本", "a/b", "..", "../../etc", "[[x]]", "-rf", "CON"]


def test_names_of_any_kind_are_played_recorded_and_shown(field: Any) -> None:
    script = field.bot("steady")
    file = field.cup(dict.fromkeys(ODD_NAMES, script), rounds=1)
    before = {path for path in field.folder.iterdir() if path.name != "home"}
    done = field.arena("run", file, "-j2", env=field.env | {"PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0, done.stderr
    assert {row["bot"] for row in field.tables()["tables"][0]["rows"]} == set(ODD_NAMES)
    assert all(name in done.stdout for name in ODD_NAMES)
    after = {path for path in field.folder.iterdir() if path.name != "home"}
    assert {path.name for path in after - before} == {"runs"}
    assert field.arena("verify", field.folder / "runs" / "cup").returncode == 0


@pytest.mark.parametrize("name", ["../cup", "a b", "", ".hidden", "日本"])
def test_a_run_that_could_leave_its_folder_is_refused_by_its_name(field: Any, name: str) -> None:
    file = field.cup(field.bots(2))
    file.write_text(file.read_text().replace('"cup"', json.dumps(name), 1))
    done = field.arena("run", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cup.toml line 1: name:" in done.stderr
    assert not (field.folder / "runs").exists()
