"""A bot as the opponent of a person: what it is told, and what is said when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.catalogue import get_game
from arena.errors import UnknownBot, UsageError
from arena.limits import Limits
from arena.opponent import BotFailed, open_opponent

SQUARES = get_game("squares")
OPTIONS = SQUARES.options({"total": 20})

ECHO = """\
import sys
seen = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "go":
        print("info", *seen, flush=True)
        print(legal[-1], flush=True)
        seen = []
    elif word == "legal":
        legal = rest
    if word in ("played", "state"):
        seen.append(line.strip())
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "echo.py"
    path.write_text(ECHO)
    return path


def test_a_bot_is_told_of_the_persons_move_and_answers_with_its_own(bot: Path) -> None:
    with open_opponent(str(bot), SQUARES, OPTIONS, 1, 2) as opponent:
        assert opponent.name == "echo"
        state = SQUARES.apply(SQUARES.start(OPTIONS, 1), 4)
        opponent.played(1, "4")
        assert opponent.choose(state) == "16"


def test_a_bot_may_have_the_first_move(bot: Path) -> None:
    with open_opponent(str(bot), SQUARES, OPTIONS, 1, 1) as opponent:
        assert opponent.choose(SQUARES.start(OPTIONS, 1)) == "16"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import sys\nsys.exit('no')\n", "fails failed: "),
        (
            "import sys\nsys.stdin.readline()\nsys.stdin.readline()\nprint('ready', flush=True)\n",
            "fails failed: ",
        ),
    ],
)
def test_a_bot_that_fails_ends_the_game_with_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "fails.py").write_text(text)
    with (
        pytest.raises(BotFailed, match=words) as failed,
        open_opponent(str(tmp_path / "fails.py"), SQUARES, OPTIONS, 1, 1, Limits(start_ms=5000)) as opponent,
    ):
        opponent.choose(SQUARES.start(OPTIONS, 1))
    assert "\n" not in str(failed.value)
    assert failed.value.exit_status == 1


def test_a_bot_that_is_nowhere_is_told_before_the_game_begins() -> None:
    with pytest.raises(UnknownBot, match="no bot 'nobody'"), open_opponent("nobody", SQUARES, OPTIONS, 1, 2):
        pass


def test_a_bot_that_does_not_play_the_game_is_refused(bot: Path) -> None:
    (bot.parent / "bot.toml").write_text('name = "picky"\nrun = "python3 echo.py"\ngames = ["grid"]\n')
    with (
        pytest.raises(UsageError, match="picky does not play squares: it plays grid"),
        open_opponent(str(bot.parent), SQUARES, OPTIONS, 1, 2),
    ):
        pass


def test_a_whole_game_against_a_real_bot_can_be_piped_in(arena) -> None:  # type: ignore[no-untyped-def]
    done = arena("play", "squares", "total=10", "--vs", "first", stdin="9\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("You are Player 1; first is Player 2.\n")
    assert done.stdout.endswith("Player 2 wins the game!\n")


def test_a_person_in_the_second_seat_answers_a_real_bot(arena) -> None:  # type: ignore[no-untyped-def]
    done = arena("play", "squares", "total=5", "--vs", "greedy", "--seat", "2", stdin="1\n")
    assert done.returncode == 0
    assert done.stdout.startswith("You are Player 2; greedy is Player 1.\n")
    assert done.stdout.endswith("Player 2 wins the game!\n")


def test_a_bot_that_fails_in_a_game_at_the_terminal_is_one_line_and_status_1(arena, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "fails.py").write_text("import sys\nsys.exit('no')\n")
    done = arena("play", "squares", "--vs", str(tmp_path / "fails.py"), stdin="4\n4\n")
    assert done.returncode == 1
    assert done.stderr.startswith("arena: fails failed: ")
    assert done.stderr.count("\n") == 1


def test_a_bot_that_fails_in_its_turn_is_told_on_a_line_of_its_own(arena, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "fails.py").write_text("print('ready', flush=True)\nfor _ in range(4):\n    input()\n")
    done = arena("play", "squares", "--vs", str(tmp_path / "fails.py"), stdin="4\n4\n")
    assert done.returncode == 1
    assert done.stdout.endswith("fails (Player 2) chooses \n")
