"""A bot that is a program: started, asked and told over pipes, watched while it is slow, ended with all it started.

The clock of a move runs from the write of its block to the arrival of the whole answer line, in monotonic time, against
one absolute deadline that nothing the bot prints can move. A bot that answers within FIRST_LOOK_MS costs one write, one
poll and one read; only a slower one is looked at from outside, every LOOK_MS, for its memory, its processes, and
whether its rival uses the processor. Its pipes, its processes and the verdicts on it belong to each of its lives
(`arena.bot_life`).

Raises Fault when the bot fails and Starved when the machine did not let it run.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Sequence

from arena.bot import BotSpec
from arena.bot_life import BotLife
from arena.bot_program import check_unchanged, program_of
from arena.errors import HarnessFailure
from arena.explain import shown
from arena.limits import Limits
from arena.looks import FIRST_LOOK_MS, MS, Looks, Sample
from arena.player import Fault, Player, Starved
from arena.process import Child
from arena.record import Ending

SAMPLE_NS = 100 * MS
"""A bot that is never slow is still looked at so often, for its memory."""
COSTLY_NS = 1 * MS
"""Whoever makes the referee compute for so long, just to look at it, takes that from the bot whose turn it is."""
SMALL = 1 << 10
"""Enough for a move and some info: what is more takes the long way."""
QUIT_SECONDS = 1.0

_now = time.monotonic_ns
_read = os.read
_write = os.write


class BotProcess:
    """One bot and its process, for many matches. A `Player`."""

    def __init__(
        self,
        spec: BotSpec,
        limits: Limits,
        *,
        sandbox_mode: str = "none",
        cpus: Sequence[int] | None = None,
        ponder: bool = False,
        company: Callable[[], Iterable[BotProcess]] = tuple,
    ) -> None:
        """`company` tells which bots, this one and its rival among them, may be running on the same cores."""
        self.name = spec.name
        self.version = spec.version
        self.spec = spec
        self.limits = limits
        self.elapsed_ns = 0
        self.info: Sequence[str] = ()
        self.starts = 0
        """How many processes it has had."""
        self.life: BotLife | None = None
        """Its process, while it has one."""
        self._sandboxed = sandbox_mode == "bwrap"
        self._cpus = cpus
        self._ponder = ponder
        self._company = company
        self._rival: BotProcess | None = None
        self._told = b""
        self._next_sample = 0
        self._plain = False
        """It runs, and nothing is unusual: the short way through `ask` will do."""
        self.greeted_ahead = b""
        """The greeting of a game that it knows of already, though the turn of that game has not come."""
        self._early: Fault | Starved | None = None
        """What came of that greeting, if it was not `ready`."""
        self._answered = False

    # --- life ------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether it has a process."""
        return self.life is not None

    @property
    def _child(self) -> Child | None:  # this and `_pids` are the names by which the zoo's tests look inside
        return None if self.life is None else self.life.child

    def _pids(self) -> list[int]:
        return [] if self.life is None else self.life.tree.members().own

    def _running_life(self) -> BotLife:
        if self.life is None:
            raise HarnessFailure(f"{self.name} was asked before it was started")
        return self.life

    def start(self) -> None:
        """Start its process and say which protocol is spoken; does not wait for anything."""
        if self.life is None:
            self._start()

    def _start(self) -> BotLife:
        program = program_of(self.spec, self.limits, sandboxed=self._sandboxed, cpus=self._cpus)
        life = self.life = BotLife(self.name, program, self.limits, sandboxed=self._sandboxed)
        self.starts += 1
        # What `ask` needs for a quick bot stands here, one step nearer.
        self._stdin, self._stdout = life.child.stdin, life.child.stdout
        self._poll, self._only_output = life.pipes.poll, life.pipes.only_output
        self._told = b""
        self._next_sample = 0
        life.greeted = _now()
        self._plain = life.pipes.send(b"arena 1\n")
        return life

    def discard(self) -> None:
        """End it at once, with all that it started."""
        life, self.life = self.life, None
        self._plain = self._answered = False
        self._told = self.greeted_ahead = b""
        self._early = None
        if life is not None:
            life.child.close()

    def ask_to_leave(self) -> None:
        """Send `quit` and close its input; `stop` does the rest."""
        if self.life is not None:
            self.life.tree.release()
            self.life.pipes.send_last(self._told + b"quit\n")

    def has_ended(self) -> bool:
        """Whether its process has ended, as far as is known without waiting."""
        if self.life is None:
            return True
        self.life.child.listen()
        return self.life.child.ended

    def stop(self) -> None:
        """Ask it to leave, wait a second at most, then end it."""
        self.ask_to_leave()
        if self.life is not None:
            self.life.pipes.see_out(QUIT_SECONDS)
        self.discard()

    # --- a game ----------------------------------------------------------------------------------

    def meet(self, rival: Player) -> None:
        """Know who might be using the processor while it is this bot's turn."""
        self._rival = rival if isinstance(rival, BotProcess) else None

    def greet_ahead(self, block: bytes) -> None:
        """Start it, and tell it of its next game before that game's turn; `await_ahead` hears the answer."""
        try:
            self.greet(block)
        except (Fault, Starved) as failure:
            self._early = failure
        self.greeted_ahead = block

    def await_ahead(self) -> None:
        """Wait for the answer to `greet_ahead`; if it fails, that is told when its game begins."""
        if self._early is None:
            try:
                self.await_ready()
            except (Fault, Starved) as failure:
                self._early = failure

    def greet(self, block: bytes) -> None:
        """Begin a game: what is left of its output from the last one is thrown away."""
        if self.greeted_ahead:
            if self.greeted_ahead == block:
                self.greeted_ahead = b""
                self._answered = True
                return
            self.discard()  # that game was given to another worker
        self._answered = False
        self._greeting = block
        life = self.life
        if life is not None and not self._fit_for_another_game(life):
            self.discard()
            life = None
        if life is None:
            life = self._start()
        life.greeted = _now()
        life.games += 1
        life.output.counted = 0
        if not life.pipes.send(self._told + block):
            self._plain = False
        self._told = b""

    def _fit_for_another_game(self, life: BotLife) -> bool:
        """Whether its process can go on; if so, what it has said since its last game is thrown away."""
        if life.tree.held:
            life.tree.release()
        if life.output.lines or life.output.partial or self._poll(0):
            with contextlib.suppress(Fault):
                life.pipes.pump(0)
            life.output.clear()
            self._settle(life)
        return life.usable

    def _settle(self, life: BotLife) -> None:
        """Find out whether the short way will do from here on."""
        self._plain = life.pipes.quiet and not life.tree.offender and life.pending is None

    def await_ready(self) -> None:
        """Wait for `ready`; other lines before it are passed over (they count as output)."""
        if self._answered:
            self._answered = False
            early, self._early = self._early, None
            if early is not None:
                raise early
            return
        if self._plain and self._poll(FIRST_LOOK_MS) == self._only_output:
            data = _read(self._stdout, SMALL)
            if data == b"ready\n":
                return
            self._running_life().output.take(data, _now())
        try:
            self._hear_ready(self._running_life())
        except Fault as fault:
            if self._running_life().games == 1:
                check_unchanged(self.spec)
            if fault.ending not in (Ending.CRASHED, Ending.TIMEOUT):
                raise
            if self._running_life().games == 1:
                raise Fault(
                    Ending.NO_START, f"did not start: {fault.detail}{self._instead_of_ready()}"
                ) from None
            self.discard()  # it serves one game a process, and has left after the last one
            self.greet(self._greeting)
            self.await_ready()
        finally:
            if self.life is not None and self.life.tree.offender:
                self.life.tree.hold()

    def _hear_ready(self, life: BotLife) -> None:
        deadline = life.greeted + self.limits.start_ms * MS
        looks = Looks(life.greeted)
        output, pipes = life.output, life.pipes
        if life.games == 1:
            looks.first = Sample()  # a new process: all that it has used is for this start
        while True:
            if output.heard(b"ready"):
                if life.games == 1:  # they may have been changed before the process had read them
                    check_unchanged(self.spec)
                output.counted = 0
                self._settle(life)
                return
            life.raise_if_over()
            now = _now()
            if now >= deadline:
                if pipes.pump(0) and output.lines:
                    continue
                raise life.not_ready(looks, self.limits.start_ms)
            if not pipes.pump(looks.wait_ms(now, deadline)) or _now() >= looks.due:
                now = _now()
                life.look(looks, now - looks.take(now))

    def _instead_of_ready(self) -> str:
        """What it had printed in the place of `ready`, if anything."""
        line = self._running_life().output.passed_over
        return "" if line is None else f"; it had printed {shown(line)}, and not 'ready'"

    def ask(self, block: bytes, limit_ns: int, since_ns: int = 0) -> str:
        """The answer line to this block."""
        if self._plain and not self._poll(0):
            begin = since_ns or _now()
            try:
                written = _write(self._stdin, block)
            except OSError:
                written = 0
            if written == len(block):  # noqa: SIM102 (two steps, and the comment stands between them)
                # What follows is the whole cost of a move for a quick bot: nothing is allocated that is not needed.
                if self._poll(FIRST_LOOK_MS) == self._only_output:
                    data = _read(self._stdout, SMALL)
                    end = _now()
                    if (
                        data.find(b"\n") == len(data) - 1 >= 0
                        and end - begin <= limit_ns
                        and not data.startswith(b"info")
                        and end < self._next_sample
                    ):
                        self.elapsed_ns = end - begin
                        self.info = ()
                        return data[:-1].decode("utf-8", "replace").removesuffix("\r")
                    self._running_life().output.take(data, end)
            return self._ask_slowly(
                self._running_life(), begin, limit_ns, block[written:], waited=not since_ns
            )
        life = self._running_life()
        life.before_asking()
        self._sample_now_and_then(life)
        return self._ask_slowly(life, since_ns or _now(), limit_ns, block)

    def tell(self, block: bytes) -> None:
        """Have lines that need no answer sent: with the next game, which saves a wake-up a match, or by `flush`."""
        if self.life is not None:
            self._told += block

    def flush(self) -> None:
        """Send what it was told; a bot that does not take it gets a new process for its next game."""
        if self._told and self.life is not None:
            if not self.life.pipes.send(self._told):
                self._plain = False
            self._told = b""

    def stderr_tail(self) -> str:
        """The last 64 kB that it has written to stderr."""
        if self.life is None:
            return ""
        self.life.pipes.drain_stderr()
        return self.life.pipes.stderr.text()

    # --- the long way ----------------------------------------------------------------------------

    def _ask_slowly(
        self, life: BotLife, begin: int, limit_ns: int, unsent: bytes, *, waited: bool = False
    ) -> str:
        """Wait for the answer, whatever comes: parts of lines, info, stderr, the end of the bot, the deadline.

        `waited`: the referee has already waited for it, from the beginning to the first look.
        """
        deadline = begin + limit_ns
        output, pipes = life.output, life.pipes
        looks = Looks(begin, pipes.stderr.total)
        since, own_ns = _now(), time.thread_time_ns()
        if waited:
            looks.woke(since, begin, looks.due)
            since = begin
        info: list[str] = []
        if unsent:
            pipes.send(unsent)
        pipes.pump(0)  # what is there is in time, however long the look takes
        self._sample_now_and_then(life)
        while True:
            if (answer := output.answer(info)) is not None:
                if output.arrived > deadline:
                    raise life.late_answer(looks, limit_ns, deadline)
                self.elapsed_ns = max(0, output.arrived - begin - looks.given_back)
                self.info = info
                output.counted = 0
                if life.tree.offender:
                    life.tree.hold()
                self._settle(life)
                return answer
            life.raise_if_over()
            now = _now()
            if now >= deadline:
                if pipes.pump(0) and output.lines:
                    continue
                held_up_ns = now - since - looks.waited_ns - (time.thread_time_ns() - own_ns)
                raise life.no_answer(looks, limit_ns // MS, len(info), held_up_ns)
            wait_ms = looks.wait_ms(now, deadline)
            silent = not pipes.pump(wait_ms)
            woken = _now()
            looks.woke(woken, now, now + wait_ms * MS)
            if silent or woken >= looks.due:
                self._look(life, looks)
                deadline = begin + limit_ns + looks.given_back

    def _sample_now_and_then(self, life: BotLife) -> None:
        if (now := _now()) >= self._next_sample:
            self._next_sample = now + SAMPLE_NS
            life.tree.check_limits(life.tree.members().own)

    # --- the others ------------------------------------------------------------------------------

    def _look(self, life: BotLife, looks: Looks) -> None:
        """Look at the bots during this one's slow move; what others have taken of its time is given back.

        At its rival always; at those who wait for another match only if this one did not have the processor.
        """
        now = _now()
        since = looks.take(now)
        ran = life.look(looks, now - since)
        life.look_at_output(looks)
        begun, own_ns = _now(), time.thread_time_ns()
        if self._catch_others(now, everyone=not ran):
            looks.given_back += max(now - since, life.waited_ns(looks) - looks.given_back)
        if time.thread_time_ns() - own_ns > COSTLY_NS:
            looks.given_back += _now() - begun

    def _catch_others(self, now: int, *, everyone: bool) -> bool:
        """Look at the rival, and at everyone else here if wanted: whether one had to be held."""
        rival = self._rival
        caught = rival is not None and rival.uses_the_processor(now, playing=True)
        for other in self._company() if everyone else ():
            if other is not self and other is not rival and other.uses_the_processor(now):
                caught = True
        return caught

    def uses_the_processor(self, now: int, *, playing: bool = False) -> bool:
        """Look at this bot while it is not its turn: whether it had to be held, now, for using the processor.

        In a match of its own it may have leave to, on its own core. One that is costly to look at (thousands of open
        files, say) takes the processor by that, and is held as well. What it does to its limits meanwhile is told at
        its next turn.
        """
        life = self.life
        if life is None or life.tree.held or life.pending is not None:
            return False
        begun_ns = time.thread_time_ns()
        works = life.works_off_turn(now) and not (playing and self._may_ponder(life))
        caught = works or time.thread_time_ns() - begun_ns > COSTLY_NS
        if caught:
            life.tree.offender = True
            life.tree.hold()
        self._settle(life)
        return caught

    def _may_ponder(self, life: BotLife) -> bool:
        """Whether it may use the processor in the other's turn: if that is allowed, and it has kept to its own core."""
        return self._ponder and (self._cpus is None or not life.tree.strays(self._cpus))
