"""Mistakes that a newcomer makes: each is answered with one line that says what is wrong, and status 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import run_here

from arena.cli import main

MISTAKES = [
    ("match squares", "Missing argument 'BOT'"),
    ("match squares random nobody", "no bot 'nobody': a bot is the name of a bundled bot"),
    ("match squres random first", "no game 'squres': did you mean 'squares'?"),
    ("match squares random first total=abc", "option total of squares: must be a whole number"),
    ("match squares random first total", "'total' is not OPTION=VALUE"),
    ("match squares random first -n 0", "'-n'"),
    ("match squares random first --seed -1", "'--seed'"),
    ("match squares random first --move-ms 0", "--move-ms 0: it must be a whole number from 1 to 86400000"),
    ("match squares random first --move-ms", "requires an argument (see 'arena match --help')"),
    (
        "match squares random first --increment-ms 5",
        "--increment-ms 5: it is added to the bank, and there is none",
    ),
    ("version", "no command 'version': did you mean '--version'?"),
    ("match squares random first --move-ms fast", "'--move-ms'"),
    ("match squares random first --move-msec 5", "No such option: --move-msec (Possible options: --move-ms)"),
    ("match squares random first totl=5", "squares has no option 'totl': did you mean 'total'?"),
    ("match squares randm first", "no bot 'randm': did you mean 'random'? ('arena bots' lists all)"),
    ("match squares random first --sandbox jail", "no sandbox 'jail': it is one of auto, bwrap, none"),
    ("match squares random first --restart never", "--restart never: it is one of fault, always"),
    ("match squares random notes.txt", "notes.txt is not executable: chmod +x it"),
    ("match squares random empty", "the folder empty has no bot.toml"),
    ("play", "Missing argument 'GAME'"),
    ("play chess", "no game 'chess': installed are grid"),
    ("play squares --vs nobody", "no bot 'nobody'"),
    ("play squares --seat 2", "name the bot with --vs BOT"),
    ("play squares --vs first --seat 3", "--seat must be 1 or 2, not 3"),
    ("run", "Missing argument 'FILE.toml'"),
    ("run nowhere.toml", "nowhere.toml cannot be read: No such file"),
    ("run notes.txt", "notes.txt is not TOML"),
    ("run empty", "empty cannot be read: Is a directory"),
    ("run cup.toml -j 0", "'-j'"),
    ("run cup.toml --move-ms -5", "--move-ms -5"),
    ("run cup.toml --ponder -j 2", "--ponder gives each bot a core of its own, so it needs -j 1"),
    ("standings nope", "no run 'nope': a run is a folder"),
    ("standings empty", "empty is no run: it has no file matches.jsonl"),
    ("standings cup.toml", "cup.toml has not been run yet"),
    ("report nope -o page.html", "no run 'nope'"),
    ("report nope", "Missing option '-o'"),
    ("verify nope", "no run 'nope'"),
    ("replay nope", "no run 'nope'"),
    ("replay bad.jsonl", "bad.jsonl line 1"),
    ("new", "Missing argument 'NAME'"),
    ("new alice --lang cobol", "there is no starter in 'cobol'; there is one in each of python"),
    ("new a/b", "'a/b' cannot be a bot's name"),
    ("check nobody", "no bot 'nobody'"),
    ("submit nothere", "nothere does not exist: submit a folder"),
    ("bots remove nobody", "no bot 'nobody' was submitted"),
    ("bots delete x", "say 'arena bots remove NAME[@VERSION]'"),
    ("match squares random first -n 0", "'-n': it must be 1 or more (see"),
    ("match squares random first -n x", "'-n': it must be a whole number (see"),
    ("bench --seconds 0", "--seconds 0: it should be between 0.1 and 3600"),
    ("bench --seconds nan", "it should be between 0.1 and 3600"),
    ("bench --sandbox jail", "no sandbox 'jail'"),
    ("solve squares --moves 5", "move 1 is not legal: 5 is not a perfect square"),
    ("demo surplus", "surplus"),
    ("stand cup", "did you mean 'standings'?"),
]


@pytest.mark.parametrize(("call", "told"), MISTAKES, ids=[call for call, _ in MISTAKES])
def test_a_mistake_is_one_line_on_stderr_and_status_2(
    call: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    Path("notes.txt").write_text("hello\n")
    Path("bad.jsonl").write_text('{"a": 1}\n')
    Path("empty").mkdir()
    Path("cup.toml").write_text(
        'name = "cup"\ngames = [{ id = "squares" }]\nbots = [{ name = "first" }, { name = "greedy" }]\n'
    )
    with pytest.raises(SystemExit) as left:
        main(call.split())
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("arena")
    assert told in err


@pytest.mark.parametrize(
    "text",
    [
        r'"\u001b[2J" = 7',
        r'name = "\u001b[2J"',
        r'games = [{ id = "\u001b[2J" }]',
        r'bots = [{ "\u009b2J" = 1 }]',
    ],
)
def test_a_mistake_in_a_hostile_file_moves_no_cursor(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text, encoding="utf-8")
    status, _, err = run_here(capsys, "run", str(file))
    assert status == 2
    assert err.replace("\n", "").isprintable()


@pytest.mark.parametrize("word", ["x" * 300, "~no-such-user/x", "\0"], ids=["long", "user", "zero"])
@pytest.mark.parametrize("call", ["check", "standings", "verify", "replay", "submit", "match squares first"])
def test_a_word_that_can_be_no_path_is_a_mistake_as_any_other(
    call: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    status, _, err = run_here(capsys, *call.split(), word)
    assert status == 2
    assert err.count("\n") == 1, err


def test_a_path_in_a_file_that_can_be_none_is_a_mistake_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.toml"
    bots = [
        f'[[bots]]\nname = "{name}"\npath = "{path}"\n'
        for name, path in (("a", "x" * 300), ("b", "~nobody-/x"))
    ]
    file.write_text('name = "cup"\ngames = [{ id = "squares" }]\n' + "".join(bots), encoding="utf-8")
    status, _, err = run_here(capsys, "run", str(file))
    assert status == 2
    assert [line.split(": ")[0] for line in err.removeprefix("arena: ").splitlines()] == [
        "cup.toml line 5",
        "cup.toml line 8",
    ]
