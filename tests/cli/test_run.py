"""`arena run` as it speaks: the plan, the outcome, events, plain lines in a pipe, a live table at a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from in_process import arena_here
from legal_bot import legal_bot

from arena.cli import progress
from arena.cli import run as run_command
from arena.cli.progress import duration, status
from arena.runner import RunOutcome, Tally


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament of three bots and 12 matches."""
    for name, pick in (("low", "0"), ("high", "-1"), ("middle", "len(legal) // 2")):
        (tmp_path / f"{name}.py").write_text(legal_bot(pick))
    path = tmp_path / "cup.toml"
    listed = "".join(f'[[bots]]\nname = "{name}"\npath = "{name}.py"\n' for name in ("low", "high", "middle"))
    path.write_text(f'name = "cup"\nrounds = 2\n[[games]]\nid = "squares"\nopening_plies = 2\n{listed}')
    return path


def run(*args: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`arena run FILE ...` in the file's folder."""
    file = Path(args[0])
    words = ["run", file.name, "--sandbox", "none", *map(str, args[1:])]
    with contextlib.chdir(file.parent):
        return arena_here(*words, env={"ARENA_HOME": str(file.parent / "home"), **(env or {})})


def records(file: Path) -> list[str]:
    return (file.parent / "runs" / "cup" / "matches.jsonl").read_text().splitlines()


def test_a_dry_run_says_what_would_be_played_and_plays_nothing(file: Path) -> None:
    done = run(file, "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["cup: round-robin, 3 bots, 12 matches", "  squares: 12 matches"]
    assert re.fullmatch(r"  low \([0-9a-f]{12}\)", lines[2])
    assert lines[-1] == "The records would be in runs/cup."
    assert not (file.parent / "runs").exists()


def test_a_dry_run_of_a_run_under_way_says_how_much_of_it_is_left(file: Path) -> None:
    assert run(file, "-q").returncode == 0
    file.write_text(file.read_text().replace("rounds = 2", "rounds = 3"))
    assert "12 of them are recorded, 6 are left" in run(file, "--dry-run").stdout
    plan = json.loads(run(file, "--dry-run", "--json").stdout)
    assert (plan["run"], plan["scheduled"], plan["recorded"], plan["games"]) == (
        "cup",
        18,
        12,
        {"squares": 18},
    )
    assert sorted(plan["bots"]) == ["high", "low", "middle"]


def test_a_dry_run_refuses_what_the_run_would_refuse(file: Path) -> None:
    assert run(file, "-q").returncode == 0
    file.write_text("seed = 5\n" + file.read_text())
    done = run(file, "--dry-run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "seed is 5, and was 0" in done.stderr


def test_a_run_ends_with_the_table_and_what_to_do_next(file: Path) -> None:
    done = run(file, "-j2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("cup: 12 of 12 matches recorded, 12 now, in ")
    for name in ("low", "high", "middle"):
        assert re.search(rf"\d  {name} ", done.stdout)
    for command in ("standings", "report", "verify"):
        assert f"arena {command} runs/cup" in done.stdout
    again = run(file, "-q")
    assert again.stdout == "cup: all 12 matches are recorded, there was nothing left to play.\n"


def test_the_outcome_as_json_is_one_object(file: Path) -> None:
    done = run(file, "--json")
    outcome = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    expected = {
        "run": "cup", "stopped": False, "recorded": 12, "scheduled": 12, "played": 12, "void": 0, "unplayable": {},
        "void_matches": {}, "left_out": {}, "faults": {},
    }  # fmt: skip
    assert expected.items() <= outcome.items()
    assert outcome.keys() - expected.keys() == {"rate", "seconds_left"}


def test_bots_that_lost_by_their_faults_are_named_below_the_table(file: Path) -> None:
    for number in range(6):
        (file.parent / f"bad{number}.py").write_text("raise SystemExit(1)\n")
    bad = "".join(f'[[bots]]\nname = "bad{n}"\npath = "bad{n}.py"\n' for n in range(6))
    file.write_text(
        file.read_text().replace("rounds = 2", 'rounds = 1\nformat = "gauntlet"\nheroes = ["low"]') + bad
    )
    said = run(file).stdout
    assert "bad0: 2 of 2 matches lost by no-start (arena replay runs/cup --lost-by bad0)" in said
    assert "bad4: " in said
    assert "and 1 more bots" not in said
    assert "and 1 more bot lost by faults" in said
    assert "lost by" not in run(file, "-q").stdout
    faults = json.loads(run(file, "--json").stdout)["faults"]
    assert faults == {f"bad{number}": {"no-start": 2} for number in range(6)}


def test_events_are_json_lines_from_the_start_to_the_end(file: Path) -> None:
    done = run(file, "-j2", "--events", "events.jsonl")
    assert done.returncode == 0
    events = [json.loads(line) for line in (file.parent / "events.jsonl").read_text().splitlines()]
    assert (events[0]["event"], events[0]["workers"], events[0]["scheduled"]) == ("start", 2, 12)
    assert (events[-1]["event"], events[-1]["recorded"], events[-1]["stopped"]) == ("end", 12, False)
    matches = {event["id"]: event for event in events if event["event"] == "match"}
    for record in map(json.loads, records(file)):
        event = matches.pop(record["id"])
        assert event["bots"] == [bot["name"] for bot in record["bots"]]
        assert (event["winner"], event["ending"]) == (record["result"]["winner"], record["result"]["ending"])
    assert not matches
    assert [event["recorded"] for event in events if event["event"] == "progress"][-1] == 12


def test_events_on_stdout_have_it_for_themselves(file: Path) -> None:
    done = run(file, "--events", "-")
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()][-1] == "end"


def test_an_events_file_that_cannot_be_written_is_told_before_anything_starts(file: Path) -> None:
    done = run(file, "--events", "no/such/folder/events")
    assert done.returncode == 2
    assert (
        "--events no/such/folder/events: the file cannot be written: No such file or directory" in done.stderr
    )
    assert not (file.parent / "runs").exists()


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--restart", "never"], "--restart never: it is one of fault, always"),
        (["--ponder", "-j2"], "--ponder gives each bot a core of its own, so it needs -j 1, not -j 2"),
        (["-j0"], "Invalid value for '-j' / '--workers'"),
        (["--move-ms", "0"], "--move-ms"),
    ],
)
def test_flags_that_do_not_fit_are_refused_in_one_line(file: Path, flags: list[str], said: str) -> None:
    done = run(file, *flags)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_standings_can_be_asked_for_while_the_run_goes_on(file: Path) -> None:
    file.write_text(file.read_text().replace("rounds = 2", "rounds = 100000"))
    command = [sys.executable, "-m", "arena"]
    with subprocess.Popen(
        [*command, "run", "cup.toml", "--sandbox", "none", "-j1", "--events", "-"],
        cwd=file.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as going:  # fmt: skip
        assert going.stdout is not None
        while json.loads(going.stdout.readline())["event"] != "progress":
            pass
        done = subprocess.run(
            [*command, "standings", "cup", "--json"],
            cwd=file.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert going.poll() is None
        going.kill()
    table = json.loads(done.stdout)
    assert table["scheduled"] == 600_000
    assert 0 < table["played"] < 600_000


# --- progress --------------------------------------------------------------------------------------


def at_a_terminal(file: Path, env: Mapping[str, str]) -> tuple[int, str]:
    """The run with a terminal for its stderr: its exit status, and everything that was drawn there."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "arena", "run", file.name, "--sandbox", "none", "-j2"]
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    settings = {**plain, "TERM": "xterm", "COLUMNS": "100", **env}
    process = subprocess.Popen(
        command, cwd=file.parent, stdout=subprocess.DEVNULL, stderr=theirs, env=settings
    )
    os.close(theirs)
    drawn = b""
    while True:
        select.select([ours], [], [])
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the last one has closed it
            break
        if not piece:
            break
        drawn += piece
    os.close(ours)
    return process.wait(), drawn.decode("utf-8", "replace")


def test_at_a_terminal_progress_is_drawn_and_wiped(file: Path) -> None:
    file.write_text(file.read_text().replace("rounds = 2", "rounds = 300"))
    code, drawn = at_a_terminal(file, {})
    assert code == 0
    assert re.search(r"\d+/1800 matches \(\d+%\), \d+ matches/s", drawn)
    assert all(name in drawn for name in ("low", "high", "middle"))
    assert "\x1b[2K" in drawn
    assert drawn.endswith("\x1b[2K") or "\x1b[?25h" in drawn[-40:]


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_bar_has_a_line_of_its_own(columns: int) -> None:
    from rich.console import Console

    tally = Tally(scheduled=1000, recorded=0)
    tally.count("a bot with a long name", "b", 1, "completed", 400)
    tally.stopping = True
    console = Console(width=columns, color_system=None)
    with console.capture() as drawn:
        console.print(progress._drawn(tally))
    status_line, stopping, bar, blank, header, *rows = drawn.get().splitlines()
    assert status_line.startswith("400/1000 matches (40%)")
    assert stopping.startswith("finishing the matches")
    assert set(bar.strip()) <= set("━╸╺-")
    assert blank.strip() == ""
    assert header.split() == ["bot", "score", "matches", "share"]
    assert rows[-1].split() == ["b", "0", "400", "0%"]


def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(file: Path) -> None:
    code, drawn = at_a_terminal(file, {"TERM": "dumb"})
    assert (code, "\x1b" in drawn) == (0, False)


def test_void_matches_are_told_by_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    held_up = {f"m{number}": f"the referee was held up for {number} ms" for number in range(3)}
    outcome = RunOutcome(Tally(9, 5), False, {}, {**held_up, "m9": "the disk was on fire"}, {})
    run_command._tell_missing(outcome)
    assert capsys.readouterr().err.splitlines() == [
        "arena run: 3 matches are void, each time: the referee was held up for 0 ms",
        "arena run: 1 match is void, each time: the disk was on fire",
    ]


def test_warnings_are_told_to_the_quiet_too(file: Path) -> None:
    assert run(file, "-q").returncode == 0
    matches = file.parent / "runs" / "cup" / "matches.jsonl"
    matches.write_bytes(matches.read_bytes().replace(b'"wall_ms": ', b'"wall_ms": 1'))
    assert "changed after being sealed" in run(file, "-q").stderr


def test_without_colour_nothing_is_coloured(file: Path) -> None:
    file.write_text(file.read_text().replace("rounds = 2", "rounds = 300"))
    code, drawn = at_a_terminal(file, {"NO_COLOR": "1"})
    assert code == 0
    assert "matches/s" in drawn
    assert not re.search(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|[34]8;[25])[;m]", drawn)


def test_in_a_pipe_progress_is_a_plain_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    tally = Tally(scheduled=4, recorded=0)
    with progress.progress(quiet=False) as show:
        show(tally, None)
        tally.count("a\x1b[2J", "b", 1, "completed")
        tally.ended = tally.began + 2.0
        show(tally, None)
    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"0/4 matches \(0%\), 0 matches/s", first)
    assert second == "1/4 matches (25%), 0.5 matches/s, 6 s left; top: a\\x1b[2J 1/1, b 0/1"


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress(quiet=True) as show:
        show(Tally(1, 0), None)
    assert capsys.readouterr() == ("", "")


def test_the_time_left_is_told_once_the_rate_means_something() -> None:
    tally = Tally(scheduled=4000, recorded=1, played=1)
    tally.ended = tally.began + progress.SETTLED_SECONDS / 2
    assert "left" not in status(tally)
    tally.ended = tally.began + progress.SETTLED_SECONDS * 2
    assert status(tally).endswith(" left")


def test_games_that_begin_alike_in_every_round_are_noted_unless_quiet(file: Path) -> None:
    file.write_text(file.read_text().replace("opening_plies = 2\n", ""))
    assert "arena run: every round of squares has the same start" in run(file).stderr
    assert "same start" not in run(file, "-q").stderr + run(file, "--json").stderr


def test_the_table_at_the_end_has_the_ratings_of_the_standings(file: Path) -> None:
    assert not re.search(r"\+\d", run(file).stdout)


def test_the_status_tells_what_is_void() -> None:
    tally = Tally(scheduled=0, recorded=0, voided=3)
    assert status(tally) == "0/0 matches (100%), 0 matches/s, 3 void"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (3599.9, "1 h 0 min"),
        (90061, "25 h 1 min"),
        (2e6, "23 days"),
    ],
)
def test_a_span_of_time_is_told_in_the_units_that_matter(seconds: float, text: str) -> None:
    assert duration(seconds) == text
