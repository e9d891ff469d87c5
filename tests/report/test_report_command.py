"""`arena report` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from report_runs import FIELD, run_lines, write_run

Arena = Callable[..., "CompletedProcess[str]"]


@pytest.fixture(scope="module")
def few() -> list[str]:
    return run_lines(FIELD[:3], games=["squares"], rounds=1)


@pytest.fixture
def run(tmp_path: Path, few: list[str]) -> Path:
    return write_run(tmp_path / "runs" / "cup", few)


def test_it_writes_the_page_and_says_where_and_how_large(arena: Arena, run: Path, tmp_path: Path) -> None:
    target = tmp_path / "cup.html"
    done = arena("report", str(run), "-o", str(target))
    assert (done.returncode, done.stderr) == (0, "")
    size = target.stat().st_size
    assert done.stdout == f"wrote {target}: 6 matches, {size / 1e6:.2f} MB\n"


def test_records_without_a_run_make_a_page(arena: Arena, run: Path, tmp_path: Path) -> None:
    loose = tmp_path / "loose.jsonl"
    loose.write_bytes((run / "matches.jsonl").read_bytes())
    done = arena("report", str(loose), "-o", str(tmp_path / "page.html"), "--json")
    assert json.loads(done.stdout)["run"] == "loose.jsonl"


def test_programs_are_told_in_json(arena: Arena, run: Path, tmp_path: Path) -> None:
    target = tmp_path / "cup.html"
    told = json.loads(arena("report", str(run), "-o", str(target), "--json").stdout)
    assert told == {"file": str(target), "bytes": target.stat().st_size, "run": "cup", "matches": 6}


def test_a_line_that_is_still_being_written_is_left_for_the_next_time(
    arena: Arena, run: Path, few: list[str], tmp_path: Path
) -> None:
    with open(run / "matches.jsonl", "a", encoding="ascii") as file:
        file.write(few[0][:50])
    done = arena("report", str(run), "-o", str(tmp_path / "cup.html"), "--no-analysis")
    assert (done.returncode, done.stderr) == (0, "")
    assert ": 6 matches" in done.stdout


def test_a_run_without_a_match_gives_a_page_that_says_so(arena: Arena, tmp_path: Path) -> None:
    done = arena("report", str(write_run(tmp_path / "new", [])), "-o", str(tmp_path / "new.html"))
    assert done.returncode == 0
    assert "No match of this run has been finished yet" in (tmp_path / "new.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("nowhere", "cup.html", "no run "),
        ("runs", "cup.html", "is no run: it has no file matches.jsonl"),
        ("runs/cup", "missing/cup.html", "there is no folder "),
        ("runs/cup", "runs", "is a folder: name the page to write"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    arena: Arena, run: Path, tmp_path: Path, source: str, target: str, told: str
) -> None:
    done = arena("report", str(tmp_path / source), "-o", str(tmp_path / target))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert told in done.stderr


def test_a_line_that_is_no_record_is_named(arena: Arena, run: Path, tmp_path: Path) -> None:
    with open(run / "matches.jsonl", "a", encoding="ascii") as file:
        file.write('{"format": 2}\n')
    done = arena("report", str(run), "-o", str(tmp_path / "cup.html"))
    assert done.returncode == 2
    assert done.stderr.startswith("arena: matches.jsonl line 7: ")
    assert not (tmp_path / "cup.html").exists()
