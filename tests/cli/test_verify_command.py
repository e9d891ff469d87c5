"""`arena verify` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_run import lines_of, make_run, tamper, write_lines

Arena = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path)


def swap_winner(record: dict[str, Any]) -> None:
    record["result"]["winner"] = 3 - record["result"]["winner"]
    record["result"]["scores"].reverse()


def test_a_true_run_is_proved_with_its_digest(arena: Arena, run: Path) -> None:
    done = arena("verify", str(run), "--complete")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first.startswith("small: 24 of 24 matches played, ")
    assert first.endswith(" moves: proved")
    assert second.startswith("sha256 ")
    assert arena("verify", str(run), "--digest", second.split()[1]).returncode == 0


def test_a_tampered_run_ends_with_status_1_and_the_field(arena: Arena, run: Path) -> None:
    tamper(run, 3, swap_winner, reseal=False)
    done = arena("verify", str(run))
    assert (done.returncode, done.stderr) == (1, "")
    match_id = json.loads(lines_of(run)[2])["id"]
    assert done.stdout.startswith(f"line 3, {match_id}, result.")
    assert "seal: matches.jsonl: lines 1 to 5 were changed after being sealed" in done.stdout
    assert "NOT proved, 2 problems" in done.stdout


def test_json_has_every_problem(arena: Arena, run: Path) -> None:
    tamper(run, 3, swap_winner, reseal=False)
    done = arena("verify", str(run), "--json")
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["ok"], facts["played"], facts["scheduled"]) == (1, False, 24, 24)
    assert [problem["line"] for problem in facts["problems"]] == [3, None]


def test_quiet_says_nothing_where_nothing_is_wrong(arena: Arena, run: Path) -> None:
    done = arena("verify", str(run), "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_without_records_proves_nothing(arena: Arena, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = arena("verify", str(empty))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: empty.jsonl has no records: there is nothing to prove\n"


def test_records_that_were_taken_away_are_a_problem(arena: Arena, run: Path) -> None:
    (run / "matches.jsonl").write_bytes(b"")
    done = arena("verify", str(run))
    assert (done.returncode, done.stderr) == (1, "")
    assert "NOT proved" in done.stdout


def test_many_problems_are_counted_not_all_shown(arena: Arena, run: Path) -> None:
    write_lines(run, lines_of(run) * 4)
    done = arena("verify", str(run))
    assert "... and 22 problems more (--json lists all)" in done.stdout


def test_no_text_of_a_record_reaches_the_terminal_as_a_command(arena: Arena, run: Path) -> None:
    tamper(run, 2, lambda record: record.update(id="\x1b[2J\r\n"), reseal=False)
    assert "\x1b" not in arena("verify", str(run)).stdout


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("nowhere",), "no run 'nowhere'"),
        ((".", "--digest", "abc"), "'abc' is no SHA-256 digest"),
    ],
)
def test_a_slip_is_told_in_one_line(arena: Arena, args: tuple[str, ...], what: str) -> None:
    done = arena("verify", *args)
    assert done.returncode == 2
    assert what in done.stderr
    assert done.stderr.count("\n") == 1
