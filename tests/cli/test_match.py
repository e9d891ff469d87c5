"""`arena match`: who plays, what is told, and that a match which went wrong can be played again."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main

Match = Callable[..., tuple[int, str, str]]

HEAD = "import sys\nfor line in sys.stdin:\n    word, *rest = line.split()\n    if word == 'game':\n"
READY = "        print('ready', flush=True)\n    elif word == 'legal':\n        legal = rest\n"
GREEDY = (
    HEAD
    + READY
    + "    elif word == 'go':\n        print('info large', legal[-1], flush=True)\n"
    + ("        print(legal[-1], flush=True)\n")
)
LIAR = HEAD + READY + "    elif word == 'go':\n        print('7', flush=True)\n"
CRASHER = HEAD + READY + "    elif word == 'go':\n        sys.exit('I have had enough')\n"


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Match:
    """`arena match` in a folder with three bots; gives the exit status, stdout and stderr."""
    for name, text in {"large.py": GREEDY, "liar.py": LIAR, "crasher.py": CRASHER}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))

    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["match", *args])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def records(match: Match, *args: str) -> list[dict[str, Any]]:
    status, out, _ = match(*args, "--json")
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def essence(record: dict[str, Any]) -> tuple[Any, ...]:
    """What has to be the same when a match is played again."""
    moves = [(move["seat"], move["move"]) for move in record["moves"]]
    return record["game"], record["options"], record["seed"], moves, record["result"]


def test_a_single_match_is_told_with_its_winner_and_ending(match: Match) -> None:
    status, out, _ = match("squares", "large.py", "first", "total=16")
    assert status == 0
    row = out.splitlines()[2].split()
    assert row[:6] == ["1a", "large", "first", "large", "completed", "1"]


def test_seats_are_swapped_in_turn_and_each_start_is_played_in_both(match: Match) -> None:
    played = records(match, "grid", "large.py", "first", "-n", "4", "--seed", "5")
    assert [[bot["name"] for bot in record["bots"]] for record in played] == [
        ["large", "first"],
        ["first", "large"],
    ] * 2
    assert [record["id"][-2:] for record in played] == ["1a", "1b", "2a", "2b"]
    seeds = [record["seed"] for record in played]
    assert seeds[0] == seeds[1] == 5
    assert seeds[2] == seeds[3] != 5


def test_the_same_seed_gives_the_same_matches(match: Match) -> None:
    call = ["linked", "random", "random", "-n", "4", "--seed", "9"]
    assert [essence(one) for one in records(match, *call)] == [essence(two) for two in records(match, *call)]


def test_two_bots_of_one_name_are_told_apart(match: Match) -> None:
    [record] = records(match, "squares", "large.py", "./large.py")
    assert [bot["name"] for bot in record["bots"]] == ["large", "large-2"]


def test_a_command_line_is_named_after_its_program_and_arguments(match: Match) -> None:
    [record] = records(match, "squares", "python3 large.py", "first")
    assert record["bots"][0]["name"] == "python3 large.py"


def test_json_is_one_record_a_line_that_can_be_verified(
    match: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = match("primes", "large.py", "random", "-n", "6", "--json")
    assert err == ""
    (tmp_path / "some.jsonl").write_text(out)
    with pytest.raises(SystemExit) as left:
        main(["verify", "some.jsonl", "-q"])
    assert left.value.code in (0, None), capsys.readouterr().out


def test_info_lines_are_kept_with_their_move(match: Match) -> None:
    [record] = records(match, "squares", "large.py", "first", "total=16")
    assert record["moves"][0]["info"] == ["large 16"]


def test_a_longer_series_is_told_by_its_sums_alone(match: Match) -> None:
    _, out, _ = match("squares", "large.py", "first", "total=4", "-n", "22")
    lines = out.splitlines()
    assert lines[0].split() == ["bot", "wins", "draws", "losses", "score"]
    assert {line.split()[0] for line in lines[2:4]} == {"large", "first"}
    assert "1a" not in out


@pytest.mark.parametrize(
    ("bot", "ending", "words"),
    [
        ("liar.py", "illegal", "7 is not a perfect square from 1 to 60 (asked again 2 times)"),
        ("crasher.py", "crashed", "exited with status 1"),
    ],
)
def test_a_fault_is_told_with_what_its_author_needs(match: Match, bot: str, ending: str, words: str) -> None:
    status, out, _ = match("squares", "first", bot, "total=60", "-n", "2")
    assert status == 0  # a bot's fault is a result, not a failure of the command
    assert f"(seat 1) lost by {ending}: " in out
    assert words in out


def test_the_end_of_stderr_is_shown_with_a_crash(match: Match) -> None:
    _, out, _ = match("squares", "crasher.py", "first")
    assert "    I have had enough\n" in out


def test_matches_that_are_all_alike_are_noted_unless_quiet(match: Match) -> None:
    call = ("squares", "first", "greedy", "total=60", "-n", "4")
    assert "all matches were the same, move by move: -n 2 says as much" in match(*call)[2]
    assert match(*call, "-q")[2] == match(*call, "--json")[2] == ""
    assert match("squares", "first", "greedy", "total=60", "-n", "2")[2] == ""
    assert "the same, move by move" not in match("squares", "first", "random", "-n", "6", "--seed", "1")[2]


def test_stderr_is_shown_indented_as_it_was(match: Match) -> None:
    Path("syntax.py").write_text("def f():\n    for x in range(3)\n\tpass\n", encoding="utf-8")
    _, out, _ = match("squares", "syntax.py", "first")
    assert "        for x in range(3)\n" in out
    assert "\\x" not in out


@pytest.mark.parametrize("flags", [[], ["--move-ms", "700", "--reprompts", "0", "--sandbox", "none"]])
def test_the_line_after_again_plays_that_very_match_again(match: Match, flags: list[str]) -> None:
    call = ["grid", "random", "liar.py", "score=14", "-n", "6", "--seed", "3", *flags]
    faults = [record for record in records(match, *call) if record["result"]["at_fault"]]
    _, out, _ = match(*call)
    again = re.findall(r"^    again: arena match (.+)$", out, re.MULTILINE)
    assert len(again) == min(5, len(faults)) > 1
    for line, before in zip(again, faults, strict=False):
        [after] = records(match, *shlex.split(line))
        assert essence(after) == essence(before)
        assert [bot["name"] for bot in after["bots"]] == [bot["name"] for bot in before["bots"]]


def test_only_the_first_faults_are_told_in_full(match: Match) -> None:
    _, out, _ = match("squares", "liar.py", "first", "total=60", "-n", "7")
    assert out.count("again: ") == 5
    assert "There were more faults; --json prints every record." in out


def test_limits_given_as_flags_are_those_of_the_match(match: Match) -> None:
    listener = HEAD + "        print('info', file=sys.stderr)\n        sys.exit(' '.join(rest))\n"
    Path("listener.py").write_text(listener)
    _, out, _ = match(
        "squares", "listener.py", "first", "--move-ms", "70", "--bank-ms", "900", "--increment-ms", "8"
    )
    assert "move_ms=70 bank_ms=900 increment_ms=8 total=100" in out


def test_no_more_reprompts_than_asked_for(match: Match) -> None:
    [record] = records(match, "squares", "liar.py", "first", "total=60", "--reprompts", "1")
    assert record["result"]["detail"].endswith("(asked again 1 time)")


def test_a_bot_starts_afresh_for_every_match_if_asked_to(match: Match) -> None:
    counting = GREEDY.replace("import sys\n", "import sys\ngames = 0\n").replace(
        "        print('ready', flush=True)\n",
        "        games += 1\n        print('ready', flush=True)\n        if games > 1: sys.exit('a second game')\n",
    )
    Path("once.py").write_text(counting)
    call = ["squares", "once.py", "first", "-n", "3", "total=60"]
    endings = [record["result"]["ending"] for record in records(match, *call, "--restart", "always")]
    assert endings == ["completed"] * 3


def test_bots_may_think_in_the_others_turn_if_asked_to(match: Match) -> None:
    [record] = records(match, "squares", "large.py", "first", "--ponder")
    assert record["result"]["ending"] == "completed"


def test_a_bot_that_does_not_play_the_game_is_refused(match: Match) -> None:
    Path("picky").mkdir()
    Path("picky/bot.toml").write_text('name = "picky"\nrun = "python3 bot.py"\ngames = ["grid", "linked"]\n')
    Path("picky/bot.py").write_text(GREEDY)
    status, out, err = match("squares", "./picky", "first")
    assert (status, out) == (2, "")
    assert err == "arena: picky does not play squares: its bot.toml says grid, linked\n"


def test_names_that_would_move_the_cursor_are_shown_as_escapes(match: Match) -> None:
    Path("evil.py").write_text(LIAR)
    _, out, _ = match("squares", "python3 evil.py \x1b[2J", "first")
    assert "\x1b" not in out
    assert "again: arena match squares $'python3 evil.py \\x1b[2J' first total=100 --seed" in out


def test_progress_is_counted_at_a_terminal_and_wiped_at_the_end(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, err = match("squares", "large.py", "first", "-n", "2", "--sandbox", "none")
    assert err.endswith("\r1/2 matches\r2/2 matches\r\x1b[K")


def test_nothing_is_counted_where_the_cursor_cannot_be_moved(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert match("squares", "large.py", "first", "-n", "2", "--sandbox", "none")[2] == ""


def test_nothing_is_counted_where_nobody_watches_or_wants_it(match: Match) -> None:
    assert match("squares", "large.py", "first", "-n", "2", "-q")[2] == ""


def test_the_moves_are_told_if_wanted(match: Match) -> None:
    _, out, _ = match("squares", "large.py", "first", "total=20", "-n", "2", "-v")
    assert out.startswith("1a: 16 1 1 1 1\n1b: 1 16 1 1 1\n")
