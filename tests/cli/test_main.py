"""The shell of the command line: help, version, slips of the user's, and readers that leave early."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest
from combinations import paired

import arena.cli
from arena.errors import AnswerIsNo

ARENA = [sys.executable, "-m", "arena"]


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith("\n") and "Traceback" not in text


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_that_of_the_distribution(arena_process, option) -> None:
    done = arena_process(option)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"arena {version('bot-arena')}\n", "")


def test_the_version_is_told_before_a_command_too(arena_process) -> None:
    assert arena_process("--version", "games").stdout == f"arena {version('bot-arena')}\n"


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_lists_every_command(arena_process, option) -> None:
    done = arena_process(option)
    assert (done.returncode, done.stderr) == (0, "")
    listed = re.findall(r"^  ([a-z]+)  ", done.stdout.partition("Commands:")[2], re.MULTILINE)
    assert listed == list(arena_commands())


def arena_commands() -> list[str]:
    return list(arena.cli.COMMANDS)


def test_no_command_at_all_shows_the_help(arena) -> None:
    done = arena()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == arena("--help").stdout


def test_help_is_a_command_too(arena) -> None:
    assert arena("help").stdout == arena("--help").stdout
    assert arena("help", "match").stdout == arena("match", "--help").stdout
    assert one_line(arena("help", "mtach").stderr)


@pytest.mark.parametrize("command", arena_commands())
def test_the_help_of_every_command_keeps_the_lines_of_its_examples(arena, command) -> None:
    done = arena(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    examples = done.stdout.partition("  Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert examples
    assert all(line.startswith(f"    arena {command}") for line in examples)


@pytest.mark.parametrize("command", ["match", "replay"])
def test_help_has_no_colour_codes(arena_process, command) -> None:
    assert "\x1b" not in arena_process(command, "--help", env={"FORCE_COLOR": "1"}).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["gamez"], "no command 'gamez': did you mean 'games'?"),
        (["solv", "squares"], "no command 'solv': did you mean 'solve'?"),
        (["xyzzy"], "no command 'xyzzy': there are demo, games, rules,"),
        ([""], "no command '': there are demo, games, rules,"),
        (["--bad"], "No such option: --bad"),
        (["games", "--bad"], "No such option: --bad"),
        (["games", "surplus"], "surplus"),
        (["rules"], "Missing argument"),
        (["rules", "nim"], "no game 'nim'"),
        (["rules", "squars"], "did you mean 'squares'?"),
        (["play", "squares", "total=0"], "total"),
        (["play", "squares", "total"], "'total' is not OPTION=VALUE"),
        (["play", "squares", "size=4"], "squares has no option 'size'"),
        (["play", "squares", "total=5", "total=6"], "given twice"),
    ],
)
def test_a_wrong_call_ends_with_one_line_and_status_2(arena, args, message) -> None:
    done = arena(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr), done.stderr
    assert message in done.stderr


@pytest.mark.parametrize("args", [["--version"], ["--help"], ["games"], ["rules", "squares"]])
def test_a_reader_that_has_left_is_no_error(args) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([*ARENA, *args], stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("args", [["--version"], ["games"]])
def test_a_full_disk_is_told_in_one_line(args) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*ARENA, *args], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr == b"arena: cannot write the output: No space left on device\n"


@pytest.fixture
def command_that(monkeypatch):
    """Put a command `odd` into the command line that raises what is given."""

    def install(error: BaseException) -> None:
        module = ModuleType("odd_command")

        def command() -> None:
            raise error

        module.command = command  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "odd_command", module)
        monkeypatch.setitem(arena.cli.COMMANDS, "odd", "odd_command")

    return install


def leave(capsys, *args: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as left:
        arena.cli.main(list(args))
    return left.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (AnswerIsNo("that is not so"), 1, "arena: that is not so\n"),
        (KeyboardInterrupt(), 130, "arena: interrupted\n"),
        (ValueError("two\nlines"), 3, "arena: internal error, ValueError: two lines (ARENA_TRACEBACK=1 "),
    ],
)
def test_whatever_a_command_raises_becomes_one_line(
    command_that, capsys, monkeypatch, error, status, message
) -> None:
    monkeypatch.delenv("ARENA_TRACEBACK", raising=False)
    command_that(error)
    code, told = leave(capsys, "odd")
    assert code == status
    assert told.startswith(message)
    assert one_line(told)


def test_a_developer_can_ask_for_the_traceback(command_that, monkeypatch) -> None:
    monkeypatch.setenv("ARENA_TRACEBACK", "1")
    command_that(ValueError("a bug"))
    with pytest.raises(ValueError, match="a bug"):
        arena.cli.main(["odd"])


def test_the_help_cuts_no_description_and_says_how_to_begin(arena) -> None:
    said = arena("--help", env={"COLUMNS": "80"}).stdout
    assert "..." not in said.partition("Commands:")[2]
    assert "Try 'arena demo'." in said


@pytest.mark.parametrize(
    ("args", "closed"),
    paired(
        ["games", "bots", "play squares total=5", "rules squares"], [">&-", "2>&-", "<&-", "<&- >&- 2>&-"]
    ),
)
def test_standard_streams_that_are_closed_are_no_error(args: str, closed: str) -> None:
    script = f'exec "$0" -m arena {args} {closed}'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1 if args.startswith("play") else 0, "")


def test_a_name_that_the_terminal_has_no_letters_for_is_shown_as_escapes(tmp_path, arena_process) -> None:
    bots = '[{ name = "first" }, { name = "\u65e5\u672c", run = "greedy" }]'
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\ngames = [{{ id = "squares" }}]\nbots = {bots}\n', encoding="utf-8")
    latin = {"PYTHONIOENCODING": "latin-1"}
    done = arena_process("run", str(file), "--sandbox", "none", env=latin)
    assert (done.returncode, r"\u65e5\u672c" in done.stdout) == (0, True)
    done = arena_process("replay", str(tmp_path / "runs" / "cup"), env=latin)
    assert (done.returncode, done.stderr) == (0, "")


def test_permission_denied_is_the_users_to_mend(command_that, capsys, monkeypatch) -> None:
    monkeypatch.setattr(arena.cli, "_discard_output", lambda status: status)  # the output is the test's
    command_that(PermissionError(13, "Permission denied", "here"))
    assert leave(capsys, "odd") == (2, "arena: here: Permission denied\n")


def test_ctrl_c_while_a_command_is_loaded_is_one_line(capsys, monkeypatch) -> None:
    def interrupted(args: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(arena.cli, "_run", interrupted)
    assert leave(capsys, "games") == (130, "arena: interrupted\n")
