"""`arena play`: typed, piped, against a bot, and left in the middle."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cli import main
from arena.session import Console, Session, SessionEnd
from games.interface import Game, GameOptions, Outcome, Refusal
from games.squares import Squares

STOPPED = "Game stopped before the end.\n"
Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Pipe lines into `arena play`; gives the exit status, stdout and stderr."""

    def run(*args: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main(["play", *args])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


def test_a_whole_game_can_be_piped_in(play: Play) -> None:
    status, out, err = play("primes", "n=10", typed="5\n5\n")
    assert (status, err) == (0, "")
    assert out == (
        "Game Start! The starting number is 10.\n"
        "Player 1's turn.\nValid primes to subtract: 2, 3, 5, 7\nEnter the prime number to subtract: 5\n"
        "You chose to subtract 5.\nNew number is: 5\n\n"
        "Player 2's turn.\nValid primes to subtract: 2, 3, 5\nEnter the prime number to subtract: 5\n"
        "You chose to subtract 5.\nNew number is: 0\n"
        "Player 2 wins the game!\n"
    )


def test_a_last_line_without_its_end_still_counts(play: Play) -> None:
    status, out, _ = play("squares", "total=4", typed="4")
    assert status == 0
    assert out.endswith("): 4\nYou subtracted 4.\nNew total is 0.\n\nPlayer 1 wins the game!\n")


@pytest.mark.parametrize(
    ("game", "bad", "why"),
    [
        ("squares", "5", "5 is not a perfect square from 1 to 100."),
        ("squares", "121", "121 is greater than the total, 100."),
        ("squares", "+4", "'+4' is not a whole number in plain digits."),
        ("squares", "", "Type a move, or quit to stop."),
        ("primes", "9", "9 is not a prime number."),
        ("primes", "23", "23 is greater than the current number, 20."),
        ("sum-to-zero", "10", "10 is not in the pool of available numbers."),
        ("sum-to-zero", "0", "0 is not in the pool of available numbers."),
        ("grid", "17", "17 is not in the grid any more, or never was."),
        ("linked", "50", "The first number must be less than N, 50."),
        ("linked", "0", "0 is not a positive number."),
    ],
)
def test_a_wrong_move_is_answered_with_the_reason_and_asked_for_again(
    play: Play, game: str, bad: str, why: str
) -> None:
    status, out, err = play(game, typed=f"{bad}\n" * 30 + "1\n")
    assert (status, err) == (1, "")  # the input ended before the game did
    assert out.count(f"{bad}\n{why}\n") == 30
    assert out.count("Player 1's") == 1  # the turn is not announced anew


def test_only_the_question_is_repeated_after_a_wrong_move(play: Play) -> None:
    _, out, _ = play("primes", typed="4\n3\n")
    assert "subtract: 4\n4 is not a prime number.\nEnter the prime number to subtract: 3\n" in out


def test_white_space_around_a_typed_move_is_forgiven(play: Play) -> None:
    status, out, _ = play("squares", "total=4", typed="  4 \r\n")
    assert status == 0
    assert "Player 1 wins the game!" in out


def test_a_number_above_n_ends_linked_at_once(play: Play) -> None:
    status, out, _ = play("linked", typed="60\n")
    assert status == 0
    assert out.endswith(
        "Enter a number to subtract: 60\n"
        "60 is greater than N, 50: N would go negative, which loses at once.\n\nPlayer 2 wins!\n"
    )


def test_a_player_without_a_valid_move_is_told_so(play: Play) -> None:
    status, out, _ = play("linked", "n=12", "allow_one=false", typed="7\n")
    assert status == 0
    assert out.endswith("New N is 5.\n\nPlayer 2 has no valid move.\nPlayer 1 wins!\n")


def test_the_end_of_input_stops_the_game_with_one_line(play: Play) -> None:
    status, out, err = play("squares", typed="36\n")
    assert (status, err) == (1, "")
    assert out.endswith(f"49, 64): \n{STOPPED}")


def test_typing_quit_stops_the_game(play: Play) -> None:
    status, out, err = play("sum-to-zero", typed="4\nquit\n")
    assert (status, err) == (0, "")
    assert out.endswith(f"Select a number: quit\n{STOPPED}")


def test_the_same_seed_gives_the_same_grid_and_no_seed_a_new_one(play: Play) -> None:
    assert play("grid", "--seed", "7") == play("grid", "--seed", "7")
    assert len({play("grid", "size=6")[1] for _ in range(3)}) > 1


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (
            ["squares", "total=abc"],
            "option total of squares: must be a whole number from 1 to 1000000000, not 'abc'",
        ),
        (["squares", "100"], "'100' is not OPTION=VALUE; the options of squares are total"),
        (["squares", "--seat", "2"], "--seat is your seat against a bot: name the bot with --vs BOT"),
        (["squares", "--vs", "someone", "--seat", "3"], "--seat must be 1 or 2, not 3"),
    ],
)
def test_a_wrong_call_is_one_line_on_stderr(play: Play, args: list[str], why: str) -> None:
    assert play(*args) == (2, "", f"arena: {why}\n")


def test_a_huge_start_is_played_at_once_with_a_short_list(play: Play) -> None:
    _, out, _ = play("primes", "n=1000000000", typed="999999937\n")
    assert "Valid primes to subtract: 2, 3, 5, 7, 11," in out
    assert "71, ..., 999999937\n" in out
    assert "New number is: 63\n" in out
    _, out, _ = play("linked", "n=1000000000", typed="1\n")
    assert "20, ..., 999999999\n" in out


class FakeBot:
    """An opponent that plays a given list of moves and remembers what it was told."""

    name = "fake"

    def __init__(self, *moves: str) -> None:
        self.moves = iter(moves)
        self.told: list[tuple[int, str]] = []
        self.closed = False
        self.seat = 0

    @contextmanager
    def open(
        self, bot: str, game: Any, options: Any, seed: int, seat: int, limits: Any = None
    ) -> Iterator[FakeBot]:
        assert (bot, seat) == ("fake", self.seat)
        try:
            yield self
        finally:
            self.closed = True

    def seated(self, monkeypatch: pytest.MonkeyPatch, seat: int) -> FakeBot:
        self.seat = seat
        monkeypatch.setitem(sys.modules, "arena.opponent", SimpleNamespace(open_opponent=self.open))
        return self

    def choose(self, state: Any) -> str:
        return next(self.moves)

    def played(self, seat: int, move: str) -> None:
        self.told.append((seat, move))


def test_a_bot_takes_the_other_seat_and_is_told_of_every_move(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = FakeBot("49", "4", "1").seated(monkeypatch, 2)
    status, out, _ = play("squares", "--vs", "fake", typed="36\n9\n1\n")
    assert status == 0
    assert "\n\nfake (Player 2) chooses 49.\n" in out
    assert "You subtracted 49" not in out
    assert out.endswith("Player 2 wins the game!\n")
    assert bot.told == [(1, "36"), (2, "49"), (1, "9"), (2, "4"), (1, "1"), (2, "1")]
    assert bot.closed


def test_the_person_may_take_the_second_seat(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeBot("5").seated(monkeypatch, 1)
    status, out, _ = play("primes", "n=10", "--vs", "fake", "--seat", "2", typed="5\n")
    assert status == 0
    assert out.endswith("Player 2 wins the game!\n")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("5", "5 is not a perfect square from 1 to 64"),
        (" 4", "' 4' is not a whole number in plain digits"),
        ("\x1b[2J", "'\\x1b[2J' is not a whole number in plain digits"),
    ],
)
def test_a_bot_that_answers_with_no_legal_move_loses(
    play: Play, monkeypatch: pytest.MonkeyPatch, answer: str, why: str
) -> None:
    bot = FakeBot(answer).seated(monkeypatch, 2)
    status, out, _ = play("squares", "--vs", "fake", typed="36\n")
    assert status == 0
    assert out.endswith(f"\nfake loses by an invalid move: {why}.\n\nPlayer 1 wins the game!\n")
    assert "\x1b" not in out
    assert bot.closed


def test_a_bot_is_closed_when_the_person_leaves(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = FakeBot().seated(monkeypatch, 2)
    assert play("squares", "--vs", "fake")[0] == 1
    assert bot.closed


def test_a_terminal_is_not_given_its_own_input_back() -> None:
    written: list[str] = []
    session = Session(Squares(), Console(lambda: "4\n", written.append, echo=False), max_moves=9)
    assert session.play(Squares().start(Squares().options({"total": 4}), 0)) is SessionEnd.FINISHED
    assert "".join(written).endswith(
        "(Valid choices: 1, 4): You subtracted 4.\nNew total is 0.\n\nPlayer 1 wins the game!\n"
    )


class Endless(Game[int, str]):
    """A game in which nothing ever happens, with the announcements that the interface gives."""

    id = "endless"
    title = "Endless"
    summary = "Nothing happens."
    rules = "Wait."
    options_type = GameOptions
    draws = True

    def start(self, options: Any, seed: int) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 1 + state % 2

    def legal_moves(self, state: int) -> list[str]:
        return ["wait"]

    def refusal(self, state: int, move: str) -> Refusal | None:
        return None

    def apply(self, state: int, move: str) -> int:
        return state + 1

    def outcome(self, state: int) -> Outcome | None:
        return None

    def view(self, state: int, seat: int) -> str:
        return f"turn={state}"

    def read_move(self, text: str) -> str:
        return text

    def picture(self, state: int) -> str:
        return f"Turn {state}"


def test_a_game_at_its_cap_of_moves_is_a_draw() -> None:
    written: list[str] = []
    session = Session(Endless(), Console(lambda: "wait\n", written.append, echo=True), max_moves=3)
    assert session.play(0) is SessionEnd.FINISHED
    said = "".join(written)
    assert said.count("Enter a move: wait\n") == 3
    assert said.endswith("Turn 3\nThe game is a draw.\n")


def test_bytes_that_are_no_text_are_refused_like_any_wrong_move() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "play", "squares", "total=4"],
        input=b"\xff\xfe\n\x00\n4\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"is not a whole number in plain digits.\n") == 2
    assert done.stdout.endswith(b"Player 1 wins the game!\n")


TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'arena', 'play', 'squares'])"
)


def read_until(terminal: int, wanted: bytes) -> bytes:
    """What the terminal shows up to these bytes, or up to its end."""
    seen = b""
    while wanted not in seen:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, seen
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side of a terminal is closed
            break
        if not chunk:
            break
        seen += chunk
    return seen


def test_ctrl_c_at_a_terminal_stops_the_game_with_one_plain_line() -> None:
    terminal, inside = pty.openpty()
    try:
        game = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL], stdin=inside, stdout=inside, stderr=inside
        )
        os.close(inside)
        read_until(terminal, b"100): ")
        os.write(terminal, b"36\n")
        shown = read_until(terminal, b"49, 64): ")
        assert shown.startswith(b"36\r\nYou subtracted 36.\r\n")  # echoed once, by the terminal
        os.write(terminal, b"\x03")
        rest = read_until(terminal, b"no such text")
        assert game.wait(60) == 130
    finally:
        os.close(terminal)
    assert rest.replace(b"^C", b"").decode().split() == STOPPED.split()
