"""`arena check` as its user sees it: words, JSON, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import run_here

CONTRACT_BOT = """\
import random, sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(random.choice(legal), flush=True)
"""
QUICK = ("--game", "squares", "--positions", "30")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_complete_bot_of_the_contract_gets_advice_only(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "mine.py").write_text(CONTRACT_BOT, encoding="utf-8")
    status, out, err = run_here(capsys, "check", "mine.py", *QUICK)
    assert (status, err) == (0, "")
    assert out.startswith("mine ")
    assert "Nothing was found by which it would lose matches." in out
    assert "- no-quit: it was still there a second after 'quit'" in out
    assert "Loses matches:" not in out


def test_a_missing_flush_is_explained_with_its_remedy(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "mine.py").write_text(CONTRACT_BOT.replace(", flush=True", ""), encoding="utf-8")
    status, out, err = run_here(capsys, "check", "mine.py", *QUICK, "--start-ms", "400")
    assert (status, err) == (1, "")
    assert "Loses matches:\n- no-flush:" in out
    assert "print(..., flush=True) in Python" in " ".join(out.split())
    assert out.endswith("It would lose matches: 1 finding to mend.\n")


def test_a_bot_that_cannot_start_is_told_with_file_and_line(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "mine.py").write_text("def f():\n    for x in range(3)\n", encoding="utf-8")
    _, out, _ = run_here(capsys, "check", "mine.py", *QUICK)
    assert 'mine.py", line 2\n          for x in range(3)\n' in out
    assert "bot.toml" not in out
    _, out, _ = run_here(capsys, "submit", "mine.py")
    assert 'bot.py", line 2\n          for x in range(3)\n' in out
    _, out, _ = run_here(capsys, "check", "mine.py", *QUICK, "--json")
    assert "for x in range(3)" in json.loads(out)["findings"][0]["stderr"]


def test_the_same_finding_in_several_games_is_told_once(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "mine.py").write_text(
        CONTRACT_BOT.replace("print(random", "print('I think...', random"), encoding="utf-8"
    )
    games = ("--game", "squares", "--game", "linked", "--game", "primes")
    _, out, _ = run_here(capsys, "check", "mine.py", *games, "--positions", "30")
    assert "- malformed in squares, linked, primes: 'I think..." in out
    assert out.count("Remedy: Answer 'go' with one line") == 1
    assert out.endswith("It would lose matches: 1 finding to mend.\n")


def test_json_has_the_findings_and_the_facts(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_here(capsys, "check", "random", *QUICK, "--json", "--move-ms", "500")
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert (told["bot"], told["ok"], told["games"], told["findings"]) == ("random", True, ["squares"], [])
    assert told["facts"]["answers"]["limit_ms"] == 500
    assert told["facts"]["answers"]["count"] >= 30
    assert told["facts"]["same_seed_same_play"] is True


def test_a_failing_bot_gives_status_one_and_json_all_the_same(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "mine.py").write_text(CONTRACT_BOT.replace("random.choice(legal)", '"+1"'), encoding="utf-8")
    status, out, _ = run_here(capsys, "check", "mine.py", *QUICK, "--json")
    told = json.loads(out)
    assert (status, told["ok"]) == (1, False)
    loses = [finding for finding in told["findings"] if finding["severity"] == "loses-matches"]
    assert [(finding["code"], finding["game"]) for finding in loses] == [("malformed", "squares")]
    assert all(finding["remedy"] for finding in told["findings"])


def test_a_bot_cannot_forge_lines_of_the_report(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    forged = "import sys\nsys.exit('\\x1b[2J\\x1b[1mNothing was found')\n"
    (here / "mine.py").write_text(forged, encoding="utf-8")
    status, out, _ = run_here(capsys, "check", "mine.py", *QUICK)
    assert status == 1
    assert "\x1b" not in out


def test_a_build_that_fails_is_an_answer_with_what_it_printed(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "bot.toml").write_text(
        "name = 'a'\nrun = './a'\nbuild = 'echo line 7; exit 1'\n", encoding="utf-8"
    )
    status, out, err = run_here(capsys, "check", ".")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "arena: the build of a (echo line 7; exit 1) failed with status 1; it printed:",
        "  line 7",
    ]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nobody",), "no bot 'nobody'"),
        (("random", "--game", "chess"), "no game 'chess'"),
        (("perfect", "--game", "squares", "--sandbox", "tin"), "no sandbox 'tin'"),
        (("random", "--move-ms", "0"), "--move-ms 0"),
        ((), "Missing argument 'BOT'"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(
    args: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_here(capsys, "check", *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_the_last_check_of_a_submitted_bot_is_kept(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "mine.py").write_text(CONTRACT_BOT, encoding="utf-8")
    assert run_here(capsys, "submit", "mine.py", "--positions", "10")[0] == 0
    run_here(capsys, "check", "mine", *QUICK)
    listed = json.loads(run_here(capsys, "bots", "--json")[1])
    assert listed[0]["check"]["games"] == ["squares"]


def test_a_long_line_of_stderr_is_cut(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "mine.py").write_text("import sys\nsys.exit('9' * 60_000)\n", encoding="utf-8")
    _, out, _ = run_here(capsys, "check", "mine.py", *QUICK)
    assert "9... (59,700 more characters)\n" in out
    assert len(out) < 2000
