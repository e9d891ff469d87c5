"""One life of a bot: a process from its start to its end, with its pipes and its tree, and why it failed.

Raises Fault when the bot has ended or uses more than it may, and Starved when its end was the machine's doing. What
says why an answer is missing gives the exception back, for its caller to raise.
"""

from __future__ import annotations

import signal

from arena import watch
from arena.bot_pipes import BotPipes
from arena.bot_tree import OFF_TURN_SHARE, BotTree
from arena.explain import FEW_THREADS, Overdue, explain_end, explain_timeout, shown
from arena.limits import Limits
from arena.looks import MS, Looks, Sample
from arena.player import Fault, Starved
from arena.process import GONE_SECONDS, Child, Program
from arena.record import Ending

LAST_WORDS_SECONDS = 0.1
"""How long a bot that has closed its output may take to end before it counts as still running."""
LAST_WORDS_LOOKS = 20
"""So often it may take so long if it is busy: in the middle of ending, as one that is large on a slow machine."""
LOOKS_AT_OUTPUT = 5
"""At every so many looks, whether it still holds its output: bubblewrap does, so that its end cannot be read."""
CLOSED_OUTPUT = "closed its output, and went on running"


class BotLife:
    """A started process of a bot."""

    def __init__(self, name: str, program: Program, limits: Limits, *, sandboxed: bool) -> None:
        self.child = Child(program)
        self.pipes = BotPipes(self.child, limits.output_kb)
        self.output = self.pipes.output
        self.tree = BotTree(self.child, limits, sandboxed=sandboxed)
        self.greeted = 0
        """When it was told of its game, in monotonic time."""
        self.games = 0
        """How many games it has been told of."""
        self.pending: Fault | None = None
        """What it did while it was not its turn, to be told at its next."""
        self._name = name
        self._sandboxed = sandboxed

    @property
    def usable(self) -> bool:
        """Whether it can serve another game, as far as is known."""
        pipes = self.pipes
        return not (pipes.unsent or pipes.eof or self.pending or pipes.input_closed or self.child.ended)

    def before_asking(self) -> None:
        """See to everything that is unusual: what is pending, a held bot, output that nobody has asked for."""
        if self.pending is not None:
            raise self.pending
        self.tree.release()
        self.output.counted = len(self.output.partial)
        self.pipes.pump(0)
        self.output.raise_if_unasked()

    # --- looking at it ---------------------------------------------------------------------------

    def look(self, looks: Looks, elapsed_ns: int) -> bool:
        """Look at it while it is slow: fail if it uses too much; the first look is kept.

        Whether it had the processor for most of the time since the last look.
        """
        members = self.tree.members()
        self.tree.check_limits(members.own)
        cpu_ns = self.tree.cpu_ns(members)
        before, looks.cpu_ns = looks.cpu_ns, cpu_ns
        if looks.first is None:
            looks.first = self.tree.sample(members)
        return before is None or cpu_ns - before >= (1 - OFF_TURN_SHARE) * elapsed_ns

    def waited_ns(self, looks: Looks) -> int:
        """How long it was ready to run and did not get a processor, since the first look."""
        return (looks.first or Sample()).waited_ns(self.tree.sample(self.tree.members()))

    def look_at_output(self, looks: Looks) -> None:
        """At some of the looks, fail if nobody holds its output any more."""
        if looks.count % LOOKS_AT_OUTPUT == 0 and not self.tree.holds_pipe(self.child.stdout):
            self._raise_end()

    def works_off_turn(self, now: int) -> bool:
        """Look at it while it is not its turn: whether it uses the processor.

        If it is over its limits it is stopped for good, and fails at its next turn.
        """
        self.pipes.drain_stderr()
        members = self.tree.members()
        try:
            self.tree.check_limits(members.own)
        except Fault as fault:
            self.pending = fault
            watch.send_signal(members.own, signal.SIGSTOP)
            return False
        return self.tree.has_worked(members, now)

    # --- its end ---------------------------------------------------------------------------------

    def raise_if_over(self) -> None:
        """Fail if it has ended or closed its output, with the reason; not while there are lines of it to take."""
        if self.pipes.eof or self.child.ended:
            self._raise_end()

    def _raise_end(self) -> None:
        """Fail with the reason why there is no more to come, once there are no lines of it to take."""
        self._see_it_end()
        if self.child.ended:
            self.pipes.take_rest()  # what it had written before it ended counts
            if self.output.lines:
                return
        raise self._end()

    def _see_it_end(self) -> None:
        """Wait until a bot that has closed its output has ended, unless it goes on, and waits for something."""
        for _ in range(LAST_WORDS_LOOKS):
            if self.child.wait(LAST_WORDS_SECONDS):
                return
            if not self.tree.any_busy():
                break
        if not self.tree.any_alive():
            self.child.wait(GONE_SECONDS)

    def _end(self) -> Exception:
        """The verdict on a bot that has ended or closed its output."""
        self.pipes.drain_stderr()
        child = self.child
        if child.failure is not None:
            return Fault(Ending.NO_START, f"could not be started: {child.failure}")
        if child.broken is not None:
            what = "could not be started" if child.pid is None else "was ended from outside"
            return Starved(f"{self._name} {what}: {child.broken}")
        if child.gone and child.status is None and (self.tree.has_own_table or child.pid is None):
            return Starved(f"the warden of {self._name} was killed, which the bot itself cannot do")
        if not child.ended:
            return Fault(Ending.CRASHED, CLOSED_OUTPUT)
        stderr, partial = self.pipes.stderr.text(), bytes(self.output.partial)
        return Fault(*explain_end(child.status, wrapped=self._sandboxed, stderr=stderr, partial=partial))

    # --- the deadline ----------------------------------------------------------------------------

    def not_ready(self, looks: Looks, limit_ms: int) -> Exception:
        """The verdict on a bot that has not said `ready` in time."""
        seen = self._overdue(limit_ms, looks, wanted="'ready'")
        if self.child.pid is None:
            return Starved(f"{self._name} could not be started within {limit_ms} ms: the machine is too busy")
        if seen.starved:
            return Starved(
                f"{self._name} had to wait {seen.held_back_ms:.0f} of its {limit_ms} ms for a processor"
            )
        if self.output.passed_over is not None and not self.output.partial:
            other = f"but other output: {shown(self.output.passed_over)}"
            return Fault(Ending.NO_START, f"no 'ready' within {limit_ms} ms of the line 'game', {other}")
        return Fault(Ending.NO_START, f"did not start: {explain_timeout(seen)}")

    def no_answer(self, looks: Looks, limit_ms: int, info_lines: int, held_up_ns: int = 0) -> Exception:
        """The verdict when the time is over and no answer is there: the bot's fault, or the machine's."""
        seen = self._overdue(limit_ms, looks, info_lines=info_lines, held_up_ns=held_up_ns)
        if seen.starved and seen.held_up_ms > seen.held_back_ms:
            return _held_up(held_up_ns)
        if seen.starved:
            return Starved(
                f"{self._name} was ready to run, but had to wait {seen.held_back_ms:.0f} of its {limit_ms} ms "
                "for a processor"
            )
        if not seen.partial and not self.tree.holds_pipe(self.child.stdout):
            self._see_it_end()
            return self._end()
        return Fault(Ending.TIMEOUT, explain_timeout(seen))

    def late_answer(self, looks: Looks, limit_ns: int, deadline: int) -> Exception:
        """The verdict on an answer that was read after the deadline: late, unless it was the referee who was."""
        over_ns = self.output.arrived - deadline
        limit_ms = limit_ns // MS
        if looks.held_up_ns + MS >= over_ns > MS:  # waits are in whole milliseconds
            seen = self._overdue(limit_ms, looks)
            # one that has used more has several threads, and may be the one who held us up
            if seen.cpu_ms * MS < 1.5 * limit_ns and (seen.cpu_known or seen.runnable <= FEW_THREADS):
                return _held_up(looks.held_up_ns)
        return Fault(
            Ending.TIMEOUT, f"its answer came {over_ns / MS:.1f} ms after its {limit_ms} ms were over"
        )

    def _overdue(
        self,
        limit_ms: int,
        looks: Looks,
        *,
        info_lines: int = 0,
        held_up_ns: int = 0,
        wanted: str = "answer",
    ) -> Overdue:
        """What can be seen of the bot now, for the explanation."""
        pipes, tree = self.pipes, self.tree
        members = tree.members()
        doing = watch.doing(members.own)
        now = tree.sample(members)
        first = looks.first or now
        return Overdue(
            limit_ms=limit_ms,
            partial=bytes(self.output.partial),
            unread_bytes=pipes.unread_bytes(),
            cpu_ms=(now.cpu_ns - first.cpu_ns) / MS,
            reads_input=doing.reads_input,
            waits_for_something=doing.waits_for_something,
            runnable=doing.runnable,
            stopped=doing.stopped,
            blocked=doing.blocked,
            held_up_ms=held_up_ns / MS,
            cpu_known=looks.first is not None,
            started=now.newest - first.newest,
            held_back_ms=first.waited_ns(now) / MS,
            input_closed=pipes.input_closed or not tree.holds_pipe(self.child.stdin),
            info_lines=info_lines,
            stderr_bytes=pipes.stderr.total - looks.stderr_bytes,
            wanted=wanted,
        )


def _held_up(by_ns: int) -> Starved:
    return Starved(f"the referee was held up for {by_ns / MS:.0f} ms")
