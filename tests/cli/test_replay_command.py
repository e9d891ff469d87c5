"""`arena replay` as a user runs it: the list, one match, the keys at a real terminal, and a bot once more."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_run import lines_of, make_run

from arena import watch
from arena.bot_process import BotProcess
from arena.cli import rerun
from arena.cli.keys import name_of
from arena.record import read_records

Arena = Callable[..., Any]
BOT = """\
import sys
answers = iter({answers!r})
for line in sys.stdin:
    word = line.split()[0]
    if word == "game":
        print("ready", flush=True)
    elif word == "go":
        print(next(answers), flush=True)
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path)


def record_of(run: Path, least: int = 2) -> dict[str, Any]:
    """A completed match with at least so many moves."""
    for line in lines_of(run):
        record: dict[str, Any] = json.loads(line)
        if record["result"]["ending"] == "completed" and len(record["moves"]) >= least:
            return record
    raise LookupError(least)


def test_without_a_match_all_are_listed(arena: Arena, run: Path) -> None:
    done = arena("replay", str(run))
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 24)


def test_filters_choose_from_the_list(arena: Arena, run: Path) -> None:
    done = arena("replay", str(run), "--lost-by", "carol", "--ending", "illegal", "--game", "grid", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    wanted = [
        record["id"]
        for record in map(json.loads, lines_of(run))
        if record["game"] == "grid" and record["result"]["ending"] == "illegal"
    ]
    assert [row["id"] for row in rows] == sorted(wanted)
    assert arena("replay", str(run), "--ending", "memory").stdout == "no match is like that\n"


def test_the_list_goes_by_games_bots_and_rounds(arena: Arena, run: Path) -> None:
    lines = [line.replace(".2a", ".10a") for line in lines_of(run)]
    loose = run / "loose.jsonl"
    loose.write_text("".join(f"{line}\n" for line in reversed(lines)), encoding="ascii")
    ids = [row.split()[0] for row in arena("replay", str(loose)).stdout.splitlines()]
    assert len(ids) == 24
    assert ids[:4] == [f"grid.alice.bob.{number}" for number in ("1a", "1b", "2b", "10a")]
    assert [name.split(".")[0] for name in ids] == ["grid"] * 12 + ["squares"] * 12


@pytest.mark.parametrize("records", ["matches.jsonl", "loose.jsonl"])
def test_a_bot_or_game_that_is_not_in_the_run_is_refused(arena: Arena, run: Path, records: str) -> None:
    if records == "loose.jsonl":
        (run / "matches.jsonl").rename(run / records)
    for flag in ("--bot", "--lost-by"):
        done = arena("replay", str(run / records), flag, "nobody")
        assert done.returncode == 2
        assert done.stderr.endswith("no bot 'nobody' in this run: there are alice, bob, carol\n")
    assert "did you mean 'alice'?" in arena("replay", str(run / records), "--bot", "alise").stderr
    done = arena("replay", str(run / records), "--game", "chess")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no game 'chess' in this run: there are grid, squares\n" in done.stderr


def test_a_match_is_printed_whole_where_nobody_can_press_keys(arena: Arena, run: Path) -> None:
    record = record_of(run)
    done = arena("replay", str(run), record["id"])
    assert done.returncode == 0
    assert f"Move {len(record['moves'])} of {len(record['moves'])}" in done.stdout
    assert "Result: " in done.stdout
    assert done.stdout == arena("replay", str(run), record["id"], "--plain").stdout


def test_json_has_the_record_and_its_analysis(arena: Arena, run: Path) -> None:
    record = record_of(run)
    facts = json.loads(arena("replay", str(run), record["id"], "--json").stdout)
    assert facts["record"]["id"] == record["id"]
    assert len(facts["analysis"]["notes"]) == len(record["moves"])


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("squares",), "'squares' is in the ids of 12 matches: "),
        (("zzz",), "no match has 'zzz' in its id"),
        (("--ending", "tiemout"), "no ending 'tiemout'"),
        (("--against", "random"), "--against needs the match"),
        (("squares.alice.bob.1a", "--seat", "1"), "--seat is the seat that --against BOT takes"),
        (("squares.alice.bob.1a", "--against", "random", "--seat", "3"), "--seat must be 1 or 2, not 3"),
    ],
)
def test_a_slip_is_told_in_one_line(arena: Arena, run: Path, args: tuple[str, ...], what: str) -> None:
    done = arena("replay", str(run), *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert what in done.stderr
    assert done.stderr.count("\n") == 1


def at_a_terminal(args: list[str], keys: bytes) -> tuple[int, str]:
    """The exit status and the screen of a command at a terminal of its own, with these keys typed ahead."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *args], stdin=slave, stdout=slave, stderr=slave
    ) as done:
        os.close(slave)
        seen = b""
        while b"leave" not in seen:
            seen += os.read(master, 4096)
        os.write(master, keys)
        try:
            while data := os.read(master, 4096):
                seen += data
        except OSError:  # the other end is closed
            pass
        status = done.wait(60)
    os.close(master)
    return status, seen.decode()


def test_a_window_that_changes_its_size_is_drawn_anew(run: Path) -> None:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    command = [sys.executable, "-m", "arena", "replay", str(run), record_of(run)["id"]]
    # A session of its own, whose terminal this is: only such a one is told of its size.
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as done:  # fmt: skip
        os.close(slave)
        seen = b""
        while b"leave" not in seen:
            seen += os.read(master, 4096)
        assert b"scroll" not in seen
        termios.tcsetwinsize(master, (6, 80))
        while b"scroll" not in seen:
            seen += os.read(master, 4096)
        os.write(master, b"q")
        assert done.wait(60) == 0
    os.close(master)


def test_keys_step_through_a_match_at_a_terminal(run: Path) -> None:
    record = record_of(run, least=3)
    opening, moves = len(record["opening"]), len(record["moves"])
    status, seen = at_a_terminal(["replay", str(run), record["id"]], b"n\x1b[C\x1b[D3\r\x1b[Fq")
    places = [
        part.split("]")[0]
        for part in seen.split("[")
        if part.split("]")[0].endswith(f" of {opening + moves}")
    ]
    steps = [int(place.split()[0]) for place in places]
    assert status == 0
    assert steps == [0, 1, 2, 1, 1, opening + 3, opening + moves]


@pytest.mark.parametrize(
    ("text", "name"),
    [("\x1b[C", "right"), ("\x1bOD", "left"), ("\x1b[1~", "home"), ("\x1b", "q"), ("\x1b[99~", ""), (" ", "space"),
     ("\x1b[A", "up"), ("\x1b[6~", "page-down"),
     ("\r", "enter"), ("7", "7"), ("\x7f", "backspace")],
)  # fmt: skip
def test_a_key_is_known_by_what_it_sends(text: str, name: str) -> None:
    assert name_of(text) == name


def test_a_bot_that_answers_as_recorded_is_told_so(arena: Arena, run: Path, tmp_path: Path) -> None:
    record = record_of(run)
    answers = [move["move"] for move in record["moves"] if move["seat"] == 1]
    bot = tmp_path / "again.py"
    bot.write_text(BOT.format(answers=answers))
    done = arena("replay", str(run), record["id"], "--against", str(bot), "--seat", "1")
    assert done.returncode == 0, done.stderr
    assert f"{len(answers)} of {len(answers)} turn" in done.stdout


def test_the_first_answer_that_differs_ends_it_with_status_1(arena: Arena, run: Path, tmp_path: Path) -> None:
    record = record_of(run)
    bot = tmp_path / "other.py"
    bot.write_text(BOT.format(answers=["7777"] * 3))
    done = arena("replay", str(run), record["id"], "--against", str(bot), "--seat", "2", "--json")
    first, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, first["same"], first["given"], last["same"]) == (1, False, "7777", 0)


def test_a_bot_that_crashes_again_shows_its_stderr(arena: Arena, run: Path, tmp_path: Path) -> None:
    record = record_of(run)
    bot = tmp_path / "crash.py"
    bot.write_text(BOT.format(answers=[]))
    done = arena("replay", str(run), record["id"], "--against", str(bot), "--seat", "1")
    assert done.returncode == 1
    assert "the bot failed: " in done.stdout
    assert "StopIteration" in done.stdout


def failed_match(tmp_path: Path, ending: str, detail: str, *, bot: str = "bad") -> Path:
    """A file with one match of squares, from 10, that the bot at seat 1 lost at its first turn."""
    record = {
        "format": 1, "id": f"squares.{bot}.good.1a", "game": "squares", "options": {"total": 10}, "seed": 1,
        "opening": [], "bots": [{"name": bot, "version": "0"}, {"name": "good", "version": "0"}], "moves": [],
        "result": {"winner": 2, "scores": [0.0, 1.0], "ending": ending, "at_fault": 1, "detail": detail},
        "stderr": "", "started": "2026-01-01T00:00:00Z", "wall_ms": 1.0,
    }  # fmt: skip
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record) + "\n")
    return path


def script(tmp_path: Path, *answers: str) -> str:
    bot = tmp_path / "bad.py"
    bot.write_text(BOT.format(answers=answers))
    return str(bot)


ILLEGAL = "7 is not a perfect square from 1 to 10"


def test_a_bot_that_was_not_mended_fails_as_it_did_then(arena: Arena, tmp_path: Path) -> None:
    match = failed_match(tmp_path, "illegal", f"{ILLEGAL} (asked again 2 times)")
    done = arena("replay", str(match), "1a", "--against", script(tmp_path, "7", "7", "7"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "it fails as it did in the match (illegal)" in done.stdout


def test_a_mended_bot_is_told_from_a_broken_one(arena: Arena, tmp_path: Path) -> None:
    match = failed_match(tmp_path, "illegal", f"{ILLEGAL} (asked again 2 times)")
    done = arena("replay", str(match), "1a", "--against", script(tmp_path, "1"))
    assert done.returncode == 1
    assert "move 1: answered 1; in the match it failed here (illegal)" in done.stdout


def test_a_crash_at_the_same_turn_is_as_in_the_match(arena: Arena, tmp_path: Path) -> None:
    match = failed_match(tmp_path, "crashed", "exited with status 1")
    done = arena("replay", str(match), "1a", "--against", script(tmp_path))
    assert done.returncode == 0
    assert "the bot failed, as it did in the match: exited with status 1" in done.stdout


@pytest.mark.parametrize(
    ("ending", "then"),
    [("crashed", "exited with status 3"), ("crashed", "killed by SIGSEGV"), ("timeout", "no answer in time")],
)
def test_a_crash_of_another_kind_differs_and_both_are_told(
    arena: Arena, tmp_path: Path, ending: str, then: str
) -> None:
    match = failed_match(tmp_path, ending, then)
    done = arena("replay", str(match), "1a", "--against", script(tmp_path))
    assert done.returncode == 1
    assert "the bot failed in another way than in the match: exited with status 1" in done.stdout
    assert f"; in the match: {then}\n" in done.stdout


def test_a_last_line_on_stderr_is_told_once_if_it_is_all(arena: Arena, run: Path, tmp_path: Path) -> None:
    bot = tmp_path / "terse.py"
    bot.write_text("import sys\nsys.exit('no luck')")
    done = arena("replay", str(run), record_of(run)["id"], "--against", str(bot), "--seat", "1")
    assert done.stdout.count("no luck") == 1


def test_a_bot_that_lost_by_time_is_told_how_long_it_takes_now(arena: Arena, tmp_path: Path) -> None:
    match = failed_match(tmp_path, "timeout", "no answer within 1000 ms")
    done = arena("replay", str(match), "1a", "--against", script(tmp_path, "1"))
    assert done.returncode == 1
    assert " ms; the limit was 1000 ms; in the match it failed here (timeout)" in done.stdout


def test_a_bot_that_starts_now_differs_from_one_that_did_not(arena: Arena, tmp_path: Path) -> None:
    match = failed_match(tmp_path, "no-start", "did not start")
    done = arena("replay", str(match), "1a", "--against", script(tmp_path, "1"))
    assert done.returncode == 1
    assert "DIFFERS, in the match it did not start" in done.stdout


def test_whoever_waits_for_a_bot_that_does_not_flush_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot answers only once it has been told of: until then it waits for somebody to open a pipe."""
    told, waits, bot = tmp_path / "told", tmp_path / "waits", tmp_path / "late.py"
    os.mkfifo(told)
    bot.write_text(LATE.format(told=str(told), waits=str(waits)))

    def say(process: BotProcess) -> None:
        while not waits.exists():
            time.sleep(0.01)
        assert process.life is not None
        while [watch.state(pid) for pid in process.life.tree.members().own] != ["S"]:
            time.sleep(0.01)
        silent(process)
        told.open("w").close()

    silent = rerun._say_silent
    monkeypatch.setattr(rerun, "SILENT_SECONDS", 0.1)
    monkeypatch.setattr(rerun, "_say_silent", say)
    match = failed_match(tmp_path, "illegal", ILLEGAL)
    record = next(iter(read_records(match)))
    assert rerun.rerun(str(match), record, str(bot), 1, as_json=False) == 1
    assert "waiting for its answer (no time limit here; Ctrl-C leaves): no answer" in capsys.readouterr().err


LATE = """\
import sys
for line in sys.stdin:
    if line.startswith("game"):
        print("ready", flush=True)
    elif line.startswith("go"):
        open({waits!r}, "w").close()
        open({told!r}).close()
        print(1, flush=True)
"""


def test_a_terminal_that_cannot_be_wiped_gets_the_whole_match(run: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "arena", "replay", str(run), record_of(run)["id"]]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, env={**os.environ, "TERM": "dumb"}) as done:
        os.close(theirs)
        seen = b""
        try:
            while data := os.read(ours, 4096):
                seen += data
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert (done.returncode, b"\x1b" in seen, b"Result: " in seen) == (0, False, True)
