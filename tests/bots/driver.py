"""A small referee for tests: speaks the line protocol to bot processes and plays whole games by the rules.

It owns building a bot from its `bot.toml` and one conversation per process. A bot that breaks the rules
or the protocol fails the test by AssertionError.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from toolchains import works

from arena.catalogue import get_game

MOST_LISTED = 1000

STARTS: dict[str, dict[str, Any]] = {
    "squares": {"total": 87},
    "primes": {"n": 61},
    "sum-to-zero": {"limit": 6},
    "grid": {"score": 20},
    "linked": {"n": 50},
}
"""A start of each bundled game that lasts a few moves."""

HUGE_STARTS: dict[str, dict[str, Any]] = {
    "squares": {"total": 1_100_000},
    "primes": {"n": 9_000},
    "sum-to-zero": {"limit": 40},
    "grid": {"score": 300, "size": 12},
    "linked": {"n": 5_000},
}
"""Starts too large for a list of moves, or at least for an exact solution."""

TOOLS = {"cc": "c", "c++": "cpp", "javac": "java", "java": "java", "node": "js", "rustc": "rust", "go": "go"}


def manifest(folder: Path) -> dict[str, Any]:
    """What the folder's `bot.toml` says."""
    return tomllib.loads((folder / "bot.toml").read_text(encoding="utf-8"))


def build(source: Path, target: Path) -> Path:
    """Copy a bot to `target` and build it there; skips the test, by name, if a toolchain is missing."""
    said = manifest(source)
    for command in (said.get("build", ""), said["run"]):
        words = shlex.split(command)
        if words and words[0] in TOOLS and not works(words[0]):
            pytest.skip(f"no {words[0]} on this machine")
    shutil.copytree(source, target, dirs_exist_ok=True)
    if "build" in said:
        done = subprocess.run(
            said["build"], shell=True, cwd=target, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode == 0, f"{said['build']} failed:\n{done.stdout}{done.stderr}"
    return target


class Talk:
    """One bot process and the conversation with it."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            shlex.split(manifest(folder)["run"]),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.info: list[str] = []
        self.say("arena 1")

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if kind is not None:
            self.process.kill()
        self.leave()

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def hear(self) -> str:
        """The next line that is not an `info` line; an end of output is a failure."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line.endswith("\n"), f"the bot left or sent half a line: {line!r}"
            if not line.startswith("info "):
                return line.strip()
            self.info.append(line.removeprefix("info ").strip())

    def leave(self, *, by_word: bool = True) -> int:
        """End the bot by `quit`, or by the end of its input alone; its exit status."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            if by_word:
                self.say("quit")
                status = self.process.wait(timeout=60)
                self.process.stdin.close()
            else:
                self.process.stdin.close()
                status = self.process.wait(timeout=60)
        except BrokenPipeError:
            status = self.process.wait(timeout=60)
        self.process.stdout.close()
        return status

    def start(self, game_id: str, seat: int, given: dict[str, Any], seed: int = 1) -> None:
        """Announce a game and hear `ready`."""
        options = get_game(game_id).options(given).model_dump()
        shown = " ".join(f"{name}={str(value).lower()}" for name, value in options.items())
        self.say(
            "a-word-from-the-future 1 2", f"game {game_id} seat={seat} seed={seed} move_ms=1000 {shown} new=1"
        )
        answer = self.hear()
        assert answer == "ready", f"expected ready, heard {answer!r}"

    def ask(self, game_id: str, state: Any, move_ms: int = 100, *, listing: bool = True) -> str:
        """The bot's move at this position, as text."""
        game = get_game(game_id)
        lines = [f"state {game.view(state, game.to_move(state))}"]
        legal = [game.write_move(move) for move in game.legal_moves(state)] if listing else []
        if 0 < len(legal) <= MOST_LISTED:
            lines.append("legal " + " ".join(legal))
        self.say(*lines, f"go {move_ms}")
        return self.hear()


def play(
    game_id: str, seats: tuple[Talk, Talk], given: dict[str, Any], seed: int = 1
) -> tuple[int, list[str]]:
    """A whole game of two bots; the winner's seat and all moves. Any illegal move fails the test."""
    game = get_game(game_id)
    state = game.start(game.options(given), seed)
    for seat, talk in enumerate(seats, start=1):
        talk.start(game_id, seat, given, seed)
    moves: list[str] = []
    while (outcome := game.outcome(state)) is None:
        mover = game.to_move(state)
        text = seats[mover - 1].ask(game_id, state)
        move = game.read_move(text)
        refusal = game.refusal(state, move)
        assert refusal is None, f"{text} in {game.view(state, mover)}: {refusal}"
        state = game.apply(state, move)
        for talk in seats:
            talk.say(f"played {mover} {text}")
        moves.append(text)
    for seat, talk in enumerate(seats, start=1):
        talk.say(f"over {'win' if outcome.winner == seat else 'loss'} completed")
    return outcome.winner, moves


@contextmanager
def table(first: Path, second: Path) -> Iterator[tuple[Talk, Talk]]:
    """Two bots at one table; both are told to quit at the end."""
    with Talk(first) as one, Talk(second) as two:
        yield one, two
