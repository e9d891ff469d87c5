"""The tab key: commands, options, games and bots."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli import completion


def offered(arena, typed: str) -> list[str]:  # type: ignore[no-untyped-def]
    """What bash is told to offer after these words."""
    settings = {
        "_ARENA_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split(" ")) - 1),
    }
    done = arena(env=settings)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("arena stan", ["standings"]),
        ("arena match --mo", ["--move-ms"]),
        ("arena match squ", ["squares"]),
        ("arena match squares c", ["c-greedy", "cpp-mirror"]),
        ("arena play li", ["linked"]),
        ("arena play linked --vs pe", ["perfect"]),
        ("arena rules gr", ["grid"]),
        ("arena check pe", ["perfect"]),
        ("arena check x.py --game li", ["linked"]),
        ("arena new x --lang p", ["python"]),
        ("arena replay x --ending ti", ["timeout"]),
        ("arena match squares first first --sandbox b", ["bwrap"]),
        ("arena standings x --format mark", ["markdown"]),
        ("arena solve pri", ["primes"]),
    ],
)
def test_the_tab_key_offers_what_can_follow(arena, typed: str, wanted: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert offered(arena, typed) == wanted


def test_submitted_bots_are_offered_with_the_bundled_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path))
    (tmp_path / "bots" / "perkin").mkdir(parents=True)
    (tmp_path / "bots" / "perkin" / "current").write_text("x")
    assert completion.bots("pe") == ["perfect", "perkin"]


@pytest.mark.parametrize("name", ["standings", "report", "verify", "replay"])
def test_a_command_that_wants_a_run_offers_runs(arena, name: str, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "spring").mkdir(parents=True)
    (tmp_path / "runs" / "spring" / "matches.jsonl").write_text("")
    assert offered(arena, f"arena {name} sp") == ["spring"]


def test_runs_are_offered_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert completion.runs("") == []
    for name in ("spring", "autumn"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "matches.jsonl").write_text("")
    assert completion.runs("sp") == ["spring"]


def test_a_home_that_cannot_be_read_is_no_reason_to_complain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "file" / "below"))
    assert "perfect" in completion.bots("")


def test_the_script_for_the_shell_is_printed() -> None:
    """For the shell in which it is called: the tests themselves may have been started by none."""
    line = f"{shlex.quote(sys.executable)} -m arena --show-completion; exit $?"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "_ARENA_COMPLETE=complete_bash" in done.stdout
