"""`arena demo`: a real tournament of the bundled bots, its table, its report, and what to try next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena import demo


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which the demo was run, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "demo"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr  # nobody watches: no bars, no colours
    return folder, done.stdout


def test_every_match_is_played_and_no_bundled_bot_fails(shown: tuple[Path, str]) -> None:
    records = list(arena.read_records(shown[0] / "arena-demo" / "demo.toml"))
    assert {record.game for record in records} == {"squares", "primes", "sum-to-zero", "grid", "linked"}
    assert {record.result.ending for record in records} <= {"completed", "void"}


def test_the_table_has_the_bots_in_several_languages(shown: tuple[Path, str]) -> None:
    assert "perfect" in shown[1]
    assert sum(name in shown[1] for name in demo.BOTS) >= 4


def test_the_report_is_written_and_named_with_the_three_commands_to_try(shown: tuple[Path, str]) -> None:
    folder, printed = shown
    assert "Open arena-demo/report.html in a browser." in printed
    assert (folder / "arena-demo" / "report.html").stat().st_size > 50_000
    tail = printed.partition("Three commands to try next:\n")[2].splitlines()
    assert [line.split()[:2] for line in tail] == [["arena", "play"], ["arena", "new"], ["arena", "replay"]]


def test_what_it_suggests_works(shown: tuple[Path, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "replay", "arena-demo/runs/demo"],
        cwd=shown[0],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "squares.first.perfect.1a" in done.stdout
