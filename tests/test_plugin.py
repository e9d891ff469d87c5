"""A sixth game, written by the guide alone and installed as a package of its own, works in every command."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "tictactoe"
GUIDE = ROOT / "docs" / "add-a-game.md"

WIN_FOR_1 = ["1", "4", "2", "5", "3"]
WIN_FOR_2 = ["1", "4", "2", "5", "9", "6"]
DRAW = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment in which pip has installed the example, from a copy of its folder."""
    home = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(EXAMPLE, home / "source", ignore=shutil.ignore_patterns("__pycache__", "dist"))
    # with the build backend at hand no network is needed
    how = ["--no-build-isolation", "--no-index"] if find_spec("hatchling") else []
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "--no-deps",
        *how,
    ]
    done = subprocess.run(
        [*pip, "--target", str(home / "site"), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return home / "site"


@pytest.fixture
def plugged(arena_process, installed):
    """The `arena` command where the example is installed."""

    def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return arena_process(*args, stdin=stdin, env={"PYTHONPATH": str(installed)})

    return run


def play(plugged, moves: list[str]) -> str:
    done = plugged("play", "tic-tac-toe", stdin="".join(f"{move}\n" for move in moves))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_game_is_unknown_until_it_is_installed(arena_process) -> None:
    done = arena_process("rules", "tic-tac-toe", env={"PYTHONPATH": ""})
    assert done.returncode == 2
    assert done.stderr.startswith("arena: no game 'tic-tac-toe'")


def test_the_installed_game_is_listed_with_the_bundled_ones(plugged) -> None:
    done = plugged("games", "--json")
    assert {"tic-tac-toe", "squares", "linked"} <= {game["id"] for game in json.loads(done.stdout)}
    assert "Tic-tac-toe" in plugged("games").stdout


def test_its_rules_are_printed(plugged) -> None:
    assert "numbered 1 to 9" in plugged("rules", "tic-tac-toe").stdout


@pytest.mark.parametrize(("moves", "winner"), [(WIN_FOR_1, 1), (WIN_FOR_2, 2)])
def test_it_is_played_to_a_win(plugged, moves, winner) -> None:
    assert f"Player {winner} wins the game!" in play(plugged, moves)


def test_it_is_played_to_a_draw(plugged) -> None:
    assert play(plugged, DRAW).endswith("X O X\nX O O\nO X X\nThe game is a draw.\n")


def test_a_refused_move_is_asked_for_again(plugged) -> None:
    told = play(plugged, ["1", "1", "10", "middle", *WIN_FOR_1[1:]])
    assert "taken" in told
    assert "10 is no square" in told
    assert "'middle' is not a whole number" in told
    assert "Player 1 wins the game!" in told


def test_the_solver_proves_the_draw(plugged) -> None:
    done = plugged("solve", "tic-tac-toe", "--json")
    assert done.returncode == 0
    expected = {"game": "tic-tac-toe", "to_move": 1, "winner": 0, "winning_moves": [], "plies": 9}
    assert json.loads(done.stdout) == expected


def test_the_solver_finds_the_win_after_a_mistake(plugged) -> None:
    told = json.loads(plugged("solve", "tic-tac-toe", "--moves", "1 2", "--json").stdout)
    assert (told["winner"], told["winning_moves"], told["plies"]) == (1, ["4", "5", "7"], 5)


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "games.conformance", "arena_tictactoe:TicTacToe"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "test_tictactoe.py"],
    ],
)
def test_it_passes_the_examination_as_its_author_runs_it(installed, tmp_path, command) -> None:
    shutil.copy(EXAMPLE / "test_tictactoe.py", tmp_path)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("language", "file"),
    [("python", "arena_tictactoe.py"), ("toml", "pyproject.toml"), ("python", "test_tictactoe.py")],
)
def test_the_guide_shows_the_very_files_that_are_tested(language, file) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert (EXAMPLE / file).read_text("utf-8") in blocks


def test_every_arena_command_of_the_guide_works(plugged) -> None:
    shell = re.findall(r"^```sh\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    commands = [line for block in shell for line in block.splitlines() if line.startswith("arena ")]
    assert len(commands) >= 5
    for line in commands:
        done = plugged(*shlex.split(line)[1:], stdin="\n".join([*DRAW, ""]))
        assert (done.returncode, done.stderr) == (0, ""), line


def register(folder: Path, package: str, entry: str) -> None:
    """Make a folder one in which a package is installed that registers a game."""
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[arena.games]\n{entry}\n")


def test_an_id_that_two_packages_register_is_refused_with_both_named_and_hides_no_other(
    arena_process, tmp_path
) -> None:
    register(tmp_path, "odd", "squares = games.primes:Primes")
    env = {"PYTHONPATH": str(tmp_path)}
    message = (
        "the game 'squares' is registered by the packages bot-arena (games.squares:Squares) "
        "and odd (games.primes:Primes)"
    )
    asked = arena_process("rules", "squares", env=env)
    assert (asked.returncode, asked.stdout, asked.stderr.count("\n")) == (2, "", 1)
    assert message in asked.stderr
    listed = arena_process("games", "--json", env=env)
    assert message in listed.stderr
    assert [game["id"] for game in json.loads(listed.stdout)] == ["grid", "linked", "primes", "sum-to-zero"]
    assert arena_process("rules", "primes", env=env).returncode == 0


def test_one_class_that_two_packages_register_is_no_contradiction(arena_process, tmp_path) -> None:
    register(tmp_path, "arena-under-another-name", "squares = games.squares:Squares")
    done = arena_process("rules", "squares", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")


def test_a_plug_in_that_leaves_is_told_in_one_line(arena_process, tmp_path) -> None:
    register(tmp_path, "odd", "odd = odd:Odd")
    (tmp_path / "odd.py").write_text("raise SystemExit(0)\n")
    done = arena_process("rules", "odd", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: the game 'odd' (odd:Odd) cannot be loaded: it leaves\n"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("odd = no_such_module:Odd", "the game 'odd' (no_such_module:Odd) cannot be loaded: No module named"),
        ("odd = json:loads", "the game 'odd' (json:loads) cannot be loaded"),
        ("odd = builtins:dict", "the game 'odd' (builtins:dict) does not follow games.interface.Game"),
        ("odd = games.squares:Squares", "the game registered as 'odd' (games.squares:Squares) calls itself"),
    ],
)
def test_a_broken_plug_in_is_told_in_one_line_and_hides_no_other_game(
    arena_process, tmp_path, entry, message
) -> None:
    register(tmp_path, "odd", entry)
    asked = arena_process("rules", "odd", env={"PYTHONPATH": str(tmp_path)})
    assert (asked.returncode, asked.stdout, asked.stderr.count("\n")) == (2, "", 1)
    assert message in asked.stderr
    listed = arena_process("games", env={"PYTHONPATH": str(tmp_path)})
    assert listed.returncode == 0
    assert message in listed.stderr
    assert "squares" in listed.stdout
