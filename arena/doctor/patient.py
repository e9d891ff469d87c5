"""The patient: a bot under examination, one process at a time, and what can be asked and seen of it.

Adds to BotProcess what only a doctor needs: single questions, how it leaves, what it holds. Raises Fault and
Starved, as every player does.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from arena import sandbox
from arena.bot import BotSpec
from arena.bot_process import QUIT_SECONDS, BotProcess
from arena.catalogue import option_words
from arena.limits import Limits
from arena.player import Fault, Starved
from arena.referee import LISTED_MOVES, VOID_TRIES
from games.interface import Game

MS = 1_000_000
MARK = "arena-doctor:"
RUNTIMES_OWN = ("/tmp/hsperfdata_",)
"""What a runtime leaves by itself, here Java's: no author has written that."""
LOOK_AROUND = f"""
"$@"
for place in /proc/[0-9]*; do
  number=${{place#/proc/}}
  if [ "$number" != $$ ] && [ "$number" != 1 ] && read -r name < "$place/comm"; then
    echo "{MARK} process $name" >&2
  fi
done
find "$HOME" /tmp -mindepth 1 -xdev ! -type l -exec echo "{MARK} file {{}}" ';' >&2
"""
"""Runs the bot and says, once it has left, what it left behind. In bubblewrap nobody else is there to be seen."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to be asked about: a start, and moves from there."""

    game: Game[Any, Any]
    options: Mapping[str, Any]
    seed: int
    opening: Sequence[str] = ()

    def state(self) -> Any:
        """The position itself."""
        state = self.game.start(self.game.options(self.options), self.seed)
        for text in self.opening:
            state = self.game.apply(state, self.game.read_move(text))
        return state

    def told(self) -> str:
        """The position in a few words, as the bot sees it."""
        state = self.state()
        given = " ".join(option_words(self.options))
        seen = self.game.view(state, self.game.to_move(state))
        return f"{self.game.id} {given}, at 'state {seen if len(seen) <= 120 else seen[:117] + '...'}'"


class Patient(BotProcess):
    """A bot that can be asked single questions and watched as it leaves."""

    def __init__(self, spec: BotSpec, limits: Limits, sandbox_mode: str) -> None:
        super().__init__(spec, limits, sandbox_mode=sandbox_mode)
        self.sandbox_mode = sandbox_mode
        self.past: list[Callable[[Patient], object]] = []
        """What its process has been through, so that another can be put through the same."""

    def fresh(self) -> Patient:
        """The same bot with another process."""
        return Patient(self.spec, self.limits, self.sandbox_mode)

    def discard(self) -> None:
        """End it at once; the next process has no past."""
        super().discard()
        self.past = []

    def question(self, asked: Question, *, strange_word: bool = False, strange_option: bool = False) -> str:
        """Its answer to one position of a new game, with something strange in the conversation if wanted."""
        for _ in range(VOID_TRIES):
            with contextlib.suppress(Starved):
                return self._asked(asked, strange_word, strange_option)
            self.discard()
        return self._asked(asked, strange_word, strange_option)

    def _asked(self, asked: Question, strange_word: bool, strange_option: bool) -> str:
        answer = self._question(asked, strange_word, strange_option)
        self.past.append(lambda other: other._question(asked, strange_word, strange_option))
        return answer

    def keeps_ready_back(self, asked: Question) -> bool:
        """Whether `ready` comes when its input ends: a program that leaves writes what was still in a buffer."""
        self.discard()
        self.greet(self._greeting_of(asked))
        life = self._running_life()
        life.pipes.close_input()
        deadline = time.monotonic() + QUIT_SECONDS
        try:
            while not (life.child.ended or life.pipes.eof) and (left := deadline - time.monotonic()) > 0:
                life.pipes.pump(math.ceil(left * 1000))
            life.pipes.take_rest()
            return life.output.heard(b"ready")
        except Fault:
            return False
        finally:
            self.discard()

    def _greeting_of(self, asked: Question, **more: int) -> bytes:
        """The line `game` for this question."""
        seat = asked.game.to_move(asked.state())
        words = {"seat": seat, "seed": asked.seed, "move_ms": self.limits.move_ms, **asked.options, **more}
        return " ".join([f"game {asked.game.id}", *option_words(words)]).encode() + b"\n"

    def _question(self, asked: Question, strange_word: bool, strange_option: bool) -> str:
        game, state = asked.game, asked.state()
        seat = game.to_move(state)
        more = {"an_option_of_later": 1} if strange_option else {}
        strange = b"a-word-of-later 1 two=2\n" if strange_word else b""
        self.greet(strange + self._greeting_of(asked, **more))
        self.await_ready()
        block = self._played(asked) + strange + _position(game, state, seat)
        return self.ask(block + b"go %d\n" % self.limits.move_ms, self.limits.move_ms * MS)

    @staticmethod
    def _played(asked: Question) -> bytes:
        """The lines `played` of the moves that led to the position."""
        state, lines = replace(asked, opening=()).state(), b""
        for text in asked.opening:
            lines += f"played {asked.game.to_move(state)} {text}\n".encode()
            state = asked.game.apply(state, asked.game.read_move(text))
        return lines

    def memory_mb(self) -> float:
        """The memory that it holds now, with all that it started."""
        return 0.0 if self.life is None else self.life.tree.own_bytes() / 2**20

    def stderr_bytes(self) -> int:
        """How much its process has written to stderr so far."""
        if self.life is None:
            return 0
        self.life.pipes.drain_stderr()
        return self.life.pipes.stderr.total

    def leaves(self, *, by_word: bool) -> bool:
        """Say `quit`, or only end its input: whether it leaves within a second. It is ended in any case."""
        if self.life is None:
            return True
        pipes = self.life.pipes
        if by_word:
            self.tell(b"quit\n")
        self.flush()
        if not by_word:
            pipes.close_input()
        left = pipes.see_out(QUIT_SECONDS)
        self.last_words = self.stderr_tail()
        self.discard()
        return left

    last_words = ""
    """What was on its stderr when it left."""


def looked_around(spec: BotSpec) -> BotSpec:
    """The same bot, started so that it is told on stderr what it left behind (in bubblewrap only)."""
    argv = ("/bin/sh", "-c", LOOK_AROUND, "sh", *spec.argv)
    return replace(spec, argv=argv, visible=(*sandbox.programs_home(spec.argv[0]), *spec.visible))


def left_behind(last_words: str, spec: BotSpec) -> tuple[list[str], list[str]]:
    """The processes and the files that a bot left, from what `looked_around` has said on stderr."""
    processes, files = [], []
    for line in last_words.splitlines():
        if line.startswith(f"{MARK} process "):
            processes.append(line.removeprefix(f"{MARK} process "))
        elif line.startswith(f"{MARK} file "):
            files.append(line.removeprefix(f"{MARK} file "))
    own = [file for file in files if not file.startswith(RUNTIMES_OWN)]
    return processes, [file for file in own if not any(_leads_to(file, place) for place in spec.visible)]


def _leads_to(file: str, place: str) -> bool:
    """Whether this is what is shown to the bot, or a folder on the way there."""
    return place == file or place.startswith(f"{file}/")


def _position(game: Game[Any, Any], state: Any, seat: int) -> bytes:
    text = f"state {game.view(state, seat)}\n"
    legal = list(islice(game.legal_moves(state), LISTED_MOVES + 1))
    if len(legal) <= LISTED_MOVES:
        text += f"legal {' '.join(map(game.write_move, legal))}\n"
    return text.encode()
