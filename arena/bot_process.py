"""A bot that is a program: started, asked and told over pipes, watched while it is slow, ended with all it started.

The clock of a move runs from the write of its block to the arrival of the whole answer line, in monotonic time, against
one absolute deadline that nothing the bot prints can move. There is one wait, a poll of the bot's output, its stderr
and its leash. A bot that answers within FIRST_LOOK_MS costs one write, one poll and one read; only a slower one is
looked at from outside, every LOOK_MS, for its memory, its processes, and whether its rival uses the processor.

Raises Fault when the bot fails and Starved when the machine did not let it run.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import select
import signal
import struct
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena import sandbox, watch
from arena.bot import BotSpec
from arena.errors import HarnessFailure
from arena.limits import Limits
from arena.player import Fault, Player, Starved
from arena.process import GONE_SECONDS, Child, Program
from arena.record import Ending
from arena.verdict import Overdue, explain_end, explain_timeout, shown

MS = 1_000_000
FIRST_LOOK_MS = 3
SECOND_LOOK_MS = 5
LOOK_MS = 20
LOOKS_AT_OUTPUT = 5
"""At every so many looks, whether it still holds its output: bubblewrap does, so that its end cannot be read."""
SAMPLE_NS = 100 * MS
"""A bot that is never slow is still looked at so often, for its memory."""
CHUNK = 1 << 16
SMALL = 1 << 10
"""Enough for a move and some info; Python allocates the whole of it for every read."""
STDERR_KEPT = 64 * 1024
MAX_PROCESSES = 64
QUIT_SECONDS = 1.0
LAST_WORDS_SECONDS = 0.1
"""How long a bot that has closed its output may take to end before it counts as still running."""
CLOSED_OUTPUT = "closed its output, and went on running"
OFF_TURN_SHARE = 0.25
OFF_TURN_NS = 1 * MS

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
    ) -> None:
        self.name = spec.name
        self.version = spec.version
        self.spec = spec
        self.limits = limits
        self.elapsed_ns = 0
        self.info: Sequence[str] = ()
        self.starts = 0
        """How many processes it has had."""
        self._sandboxed = sandbox_mode == "bwrap"
        self._cpus = cpus
        self._ponder = ponder
        self._max_output = limits.output_kb * 1024
        self._rival: BotProcess | None = None
        self._child: Child | None = None
        self._clear()

    def _clear(self) -> None:
        """Forget everything about a process that is no more."""
        self._child = None
        self._buffer = bytearray()
        self._lines: list[bytes] = []
        self._stderr = bytearray()
        self._counted = 0
        self._arrived = 0
        self._eof = False
        self._unsent = b""
        self._told = b""
        self._plain = True
        """Nothing is unusual: the short way through `ask` will do."""
        self._offender = False
        self._held: list[int] = []
        self._pending: Fault | None = None
        self._next_sample = 0
        self._cpu_mark: tuple[int, int] | None = None
        self._greeted = 0
        self._games = 0
        """How many games this process has been told of."""
        self._input_closed = False
        self._stderr_bytes = 0

    # --- life ------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether it has a process."""
        return self._child is not None

    def _running_child(self) -> Child:
        if self._child is None:
            raise HarnessFailure(f"{self.name} was asked before it was started")
        return self._child

    def start(self) -> None:
        """Start its process and say which protocol is spoken; does not wait for anything."""
        if self._child is not None:
            return
        self._clear()
        child = self._child = Child(self._program())
        self.starts += 1
        self._stdin, self._stdout = child.stdin, child.stdout
        poll = select.poll()
        for fd in (child.stdout, child.stderr, child.leash.fileno()):
            poll.register(fd, select.POLLIN)
        self._poller = poll
        self._poll = poll.poll
        self._only_output = [(child.stdout, select.POLLIN)]
        self._greeted = _now()
        self._send(b"arena 1\n")

    def _program(self) -> Program:
        """How it is started: in bubblewrap, or with the limits alone in a private folder."""
        spec = self.spec
        rlimits = sandbox.resource_limits(self.limits)
        if self._sandboxed:
            env = sandbox.environment(sandbox.INSIDE)
            visible = [*sandbox.programs_home(spec.argv[0]), *spec.visible]
            argv = [*sandbox.command(visible, env, spec.folder), *spec.argv]
            return Program(argv, {}, "/", rlimits, isolate=True, cpus=self._cpus)
        # Its warden makes the folder and removes it: had we made it, it would stay behind if we were killed now.
        folder = os.path.join(tempfile.gettempdir(), f"arena-{secrets.token_hex(8)}")
        own = spec.folder
        linked = [] if own is None else [os.path.join(own, entry) for entry in os.listdir(own)]
        return Program(
            spec.argv,
            sandbox.environment(folder),
            folder,
            rlimits,
            isolate=True,
            confine=True,
            cpus=self._cpus,
            scratch=folder,
            linked=linked,
        )

    def discard(self) -> None:
        """End it at once, with all that it started."""
        child, self._child = self._child, None
        if child is not None:
            child.close()
            self._clear()

    def ask_to_leave(self) -> None:
        """Send `quit` and close its input; `stop` does the rest."""
        child = self._child
        if child is None or child.stdin < 0:
            return
        self._release()
        with contextlib.suppress(OSError):
            _write(child.stdin, self._told + b"quit\n")
        os.close(child.stdin)
        child.stdin = -1

    def has_ended(self) -> bool:
        """Whether its process has ended, as far as is known without waiting."""
        if self._child is None:
            return True
        self._child.listen()
        return self._child.ended

    def stop(self) -> None:
        """Ask it to leave, wait a second at most, then end it."""
        self.ask_to_leave()
        child = self._child
        if child is None:
            return
        deadline = time.monotonic() + QUIT_SECONDS
        while not child.ended and (left := deadline - time.monotonic()) > 0:
            for fd, _ in self._poller.poll(left * 1000):  # a bot that has much to say must not block on it
                if fd == child.leash.fileno():
                    child.listen()
                elif not self._swallow(fd):
                    self._forget_fd(fd)
        self.discard()

    def _swallow(self, fd: int) -> bool:
        try:
            return bool(_read(fd, CHUNK))
        except BlockingIOError:
            return True

    def _forget_fd(self, fd: int) -> None:
        with contextlib.suppress(KeyError):
            self._poller.unregister(fd)

    # --- a game ----------------------------------------------------------------------------------

    def meet(self, rival: Player) -> None:
        """Know who might be using the processor while it is this bot's turn."""
        self._rival = rival if isinstance(rival, BotProcess) else None

    def greet(self, block: bytes) -> None:
        """Begin a game: what is left of its output from the last one is thrown away."""
        self._greeting = block
        if self._child is not None and not self._fit_for_another_game():
            self.discard()
        if self._child is None:
            self.start()
        self._greeted = _now()
        self._games += 1
        self._counted = 0
        self._send(self._told + block)
        self._told = b""

    def _fit_for_another_game(self) -> bool:
        """Whether its process can go on; if so, what it has said since its last game is thrown away."""
        if self._held:
            self._release()
        if self._lines or self._buffer or self._poll(0):
            with contextlib.suppress(Fault):
                self._pump(0)
            self._lines.clear()
            self._buffer.clear()
            self._plain = not (self._offender or self._eof)
        child = self._running_child()
        return not (self._unsent or self._eof or self._pending or self._input_closed or child.ended)

    def await_ready(self) -> None:
        """Wait for `ready`; other lines before it are passed over (they count as output)."""
        if self._plain and self._poll(FIRST_LOOK_MS) == self._only_output:
            data = _read(self._stdout, SMALL)
            if data == b"ready\n":
                return
            self._take(data, _now())
        try:
            self._hear_ready()
        except Fault as fault:
            if fault.ending not in (Ending.CRASHED, Ending.TIMEOUT):
                raise
            if self._games == 1:
                raise Fault(Ending.NO_START, f"did not start: {fault.detail}") from None
            self.discard()  # it serves one game a process, and has left after the last one
            self.greet(self._greeting)
            self.await_ready()
        finally:
            if self._offender and not self._ponder:
                self._hold()

    def _hear_ready(self) -> None:
        deadline = self._greeted + self.limits.start_ms * MS
        looks = _Looks(self._greeted)
        if self._games == 1:
            looks.first = _Sample()  # a new process: all that it has used is for this start
        while True:
            while self._lines:
                if self._lines.pop(0).rstrip(b"\r") == b"ready":
                    self._counted = 0
                    self._plain = self._plain and not (self._lines or self._buffer)
                    return
            self._raise_if_over()
            now = _now()
            if now >= deadline:
                if self._pump(0) and self._lines:
                    continue
                raise self._not_ready(looks)
            if not self._pump(looks.wait_ms(now, deadline)) or _now() >= looks.due:
                looks.take(_now())
                tree = self._tree()
                self._check_limits(tree[0])
                if looks.first is None:
                    looks.first = self._sample(tree)

    def _not_ready(self, looks: _Looks) -> Exception:
        """The verdict on a bot that has not said `ready` in time."""
        limit = self.limits.start_ms
        seen = self._overdue(limit, looks, wanted="'ready'")
        if self._child is not None and self._child.pid is None:
            return Starved(f"{self.name} could not be started within {limit} ms: the machine is too busy")
        if seen.starved:
            return Starved(
                f"{self.name} had to wait {seen.held_back_ms:.0f} of its {limit} ms for a processor"
            )
        if self._counted and not self._buffer:
            return Fault(
                Ending.NO_START, f"no 'ready' within {limit} ms of the line 'game', but other output"
            )
        return Fault(Ending.NO_START, f"did not start: {explain_timeout(seen)}")

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
                    self._take(data, end)
            return self._ask_slowly(begin, limit_ns, block[written:])
        self._before_asking()
        begin = since_ns or _now()
        return self._ask_slowly(begin, limit_ns, block)

    def tell(self, block: bytes) -> None:
        """Have lines that need no answer sent: with the next game, which saves a wake-up a match, or by `flush`."""
        if self._child is not None:
            self._told += block

    def flush(self) -> None:
        """Send what it was told; a bot that does not take it gets a new process for its next game."""
        if self._told and self._child is not None:
            self._send(self._told)
            self._told = b""

    def stderr_tail(self) -> str:
        """The last 64 kB that it has written to stderr."""
        self._drain_stderr()
        return self._stderr.decode("utf-8", "replace")

    # --- the long way ----------------------------------------------------------------------------

    def _before_asking(self) -> None:
        """See to everything that is unusual: a held bot, output that is there before it was asked for, an end."""
        if self._pending is not None:
            raise self._pending
        self._release()
        self._counted = len(self._buffer)
        self._pump(0)
        for line in self._lines:
            if not _is_info(line):
                raise Fault(
                    Ending.MALFORMED,
                    f"the line {shown(line)} was there before it was asked for (an answer too many?)",
                )

    def _ask_slowly(self, begin: int, limit_ns: int, unsent: bytes) -> str:
        """Wait for the answer, whatever comes: parts of lines, info, stderr, the end of the bot, the deadline."""
        deadline = begin + limit_ns
        looks = _Looks(begin)
        looks.stderr_bytes = self._stderr_bytes
        info: list[str] = []
        self._unsent = unsent
        if unsent:
            self._send_more()
        if (now := _now()) >= self._next_sample:
            self._next_sample = now + SAMPLE_NS
            self._check_limits(self._pids())
        while True:
            while self._lines:
                line = self._lines.pop(0)
                if _is_info(line):
                    info.append(_text(line)[5:])
                    continue
                if self._arrived > deadline:
                    raise self._answer_came_late(looks, limit_ns, deadline)
                self.elapsed_ns = self._arrived - begin
                return self._answered(line, info)
            self._raise_if_over()
            now = _now()
            if now >= deadline:
                if self._pump(0) and self._lines:
                    continue
                raise self._no_answer(looks, limit_ns, len(info))
            if deadline <= looks.due and looks.own_delay is None:
                looks.own_delay = _own_delay_ns()
            if not self._pump(looks.wait_ms(now, deadline)) or _now() >= looks.due:
                deadline += self._look(looks)

    def _answered(self, line: bytes, info: list[str]) -> str:
        self.info = info
        if self._offender and not self._ponder:
            self._hold()
        self._counted = 0
        self._plain = not (self._lines or self._buffer or self._offender or self._unsent or self._eof)
        return _text(line)

    def _send(self, block: bytes) -> None:
        """Write as much as fits; the rest waits in `_unsent`."""
        self._unsent += block
        self._send_more()

    def _send_more(self) -> None:
        try:
            written = _write(self._stdin, self._unsent)
        except BlockingIOError:
            written = 0
        except OSError:  # it has closed its input: it may still answer, and if it has ended the leash tells
            written = len(self._unsent)
            self._input_closed = True
        self._unsent = self._unsent[written:]
        if self._unsent:
            self._plain = False

    def _pump(self, wait_ms: int) -> bool:
        """Wait for something from the bot, at most so long, and take it in; whether there was anything."""
        child = self._running_child()
        if self._unsent:
            self._poller.register(self._stdin, select.POLLOUT)
        events = self._poll(wait_ms)
        if self._unsent:
            self._poller.unregister(self._stdin)
        for fd, _ in events:
            if fd == child.stdout:
                self._take_output()
            elif fd == child.stderr:
                self._drain_stderr()
            elif fd == self._stdin:
                self._send_more()
            else:
                child.listen()
                if child.ended:
                    self._take_output()
        return bool(events)

    def _take_output(self) -> None:
        """Take in what the bot has written, at most a chunk at a time."""
        try:
            data = _read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        if data:
            self._take(data, _now())
        elif not self._eof:
            self._eof = True
            self._plain = False
            self._forget_fd(self._stdout)

    def _take(self, data: bytes, now: int) -> None:
        """Cut output into lines and count it against the limit."""
        self._arrived = now
        self._counted += len(data)
        self._buffer += data
        if b"\n" in data:
            *lines, rest = self._buffer.split(b"\n")
            self._lines += map(bytes, lines)
            self._buffer = rest
        if self._counted > self._max_output:
            kilobytes = self.limits.output_kb
            if len(self._buffer) >= self._max_output:
                raise Fault(Ending.FLOODED, f"a line of more than {kilobytes} kB, without an end")
            raise Fault(Ending.FLOODED, f"more than {kilobytes} kB of output for one move")

    def _drain_stderr(self) -> None:
        """Keep the last of stderr; read at most a megabyte, so that a flood cannot hold up the clock."""
        child = self._child
        if child is None or child.stderr < 0:
            return
        for _ in range(16):
            try:
                data = _read(child.stderr, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._forget_fd(child.stderr)
                return
            self._stderr += data
            self._stderr_bytes += len(data)
            del self._stderr[:-STDERR_KEPT]

    def _raise_if_over(self) -> None:
        """Fail if the bot has ended or closed its output, with the reason."""
        child = self._running_child()
        if not (self._eof or child.ended):
            return
        if self._eof and not child.wait(LAST_WORDS_SECONDS) and not watch.any_alive(self._pids()):
            child.wait(GONE_SECONDS)
        if child.ended:
            while not self._eof:  # what it had written before it ended counts
                before = len(self._buffer), len(self._lines)
                self._take_output()
                if before == (len(self._buffer), len(self._lines)):
                    break
            if self._lines:
                return
        self._drain_stderr()
        if child.failure is not None:
            raise Fault(Ending.NO_START, f"could not be started: {child.failure}")
        if child.broken is not None:
            raise Starved(f"{self.name} could not be started: {child.broken}")
        if child.gone and child.status is None and (self._has_own_table() or child.pid is None):
            raise Starved(f"the warden of {self.name} was killed, which the bot itself cannot do")
        stderr = self._stderr.decode("utf-8", "replace")
        if not child.ended:
            raise Fault(Ending.CRASHED, CLOSED_OUTPUT)
        ending, detail = explain_end(
            child.status, wrapped=self._sandboxed, stderr=stderr, partial=bytes(self._buffer)
        )
        raise Fault(ending, detail)

    # --- looking at it from outside --------------------------------------------------------------

    def _tree(self) -> tuple[list[int], list[int]]:
        """The bot's processes, and those that only hold it (bubblewrap, the first of a namespace)."""
        child = self._child
        if child is None or child.pid is None:
            return [], []
        return watch.below(child.pid, int(child.isolated) + (2 if self._sandboxed else 0))

    def _has_own_table(self) -> bool:
        return self._sandboxed or (self._child is not None and self._child.isolated)

    def _pids(self) -> list[int]:
        return self._tree()[0]

    def _sample(self, tree: tuple[list[int], list[int]]) -> _Sample:
        """What the bot has used up to now. Holders count too: they start it, and reap what it leaves behind."""
        everyone = tree[0] + tree[1]
        newest = watch.newest_number(tree[0]) if self._has_own_table() else 0
        return _Sample(watch.cpu_ns(everyone), watch.run_delays_ns(everyone), newest)

    def _check_limits(self, pids: list[int]) -> None:
        """Fail if it holds too much memory or has started too many processes."""
        if len(pids) > MAX_PROCESSES:
            raise Fault(Ending.CRASHED, f"stopped: it had started more than {MAX_PROCESSES} processes")
        limit = self.limits.memory_mb << 20
        bound = watch.resident_bytes(pids) + watch.memory_file_bytes(pids)
        if bound > limit and (used := watch.own_bytes(pids)) > limit:
            megabytes = used / 2**20
            raise Fault(
                Ending.MEMORY, f"used {megabytes:.0f} MB of memory: its limit is {self.limits.memory_mb} MB"
            )

    def _look(self, looks: _Looks) -> int:
        """Look at both bots during this one's slow move; the time to give back, if the rival has taken some."""
        now = _now()
        since = looks.take(now)
        tree = self._tree()
        self._check_limits(tree[0])
        if looks.first is None:
            looks.first = self._sample(tree)
        if looks.count % LOOKS_AT_OUTPUT == 0 and not self._holds(self._stdout):
            raise Fault(Ending.CRASHED, CLOSED_OUTPUT)
        rival = self._rival
        if rival is not None and rival.running and rival.uses_the_processor(now):
            return now - since
        return 0

    def uses_the_processor(self, now: int) -> bool:
        """Look at this bot while it is not its turn: whether it had to be held, now, for using the processor.

        What it does to its limits meanwhile is told at its next turn.
        """
        if self._held or self._pending is not None:
            return False
        self._drain_stderr()
        pids, holders = self._tree()
        try:
            self._check_limits(pids)
        except Fault as fault:
            self._pending, self._plain = fault, False
            watch.send_signal(pids, signal.SIGSTOP)
            return False
        cpu = watch.cpu_ns(pids + holders)
        mark, self._cpu_mark = self._cpu_mark, (now, cpu)
        if mark is None or self._ponder or now - mark[0] > 2 * LOOK_MS * MS:
            return False
        used = cpu - mark[1]
        if used < OFF_TURN_NS or used < OFF_TURN_SHARE * (now - mark[0]):
            return False
        self._offender = True
        self._hold()
        return True

    def _hold(self) -> None:
        """Stop all its processes until its next turn."""
        stopped: list[int] = []
        while fresh := [pid for pid in self._pids() if pid not in stopped]:
            watch.send_signal(fresh, signal.SIGSTOP)
            stopped += fresh
            if len(stopped) > MAX_PROCESSES:
                break
        self._held = stopped
        self._plain = False

    def _release(self) -> None:
        if self._held:
            watch.send_signal(self._held, signal.SIGCONT)
            self._held = []

    # --- the deadline ----------------------------------------------------------------------------

    def _no_answer(self, looks: _Looks, limit_ns: int, info_lines: int) -> Exception:
        """The verdict when the time is over and no answer is there: the bot's fault, or the machine's."""
        seen = self._overdue(limit_ns // MS, looks, info_lines=info_lines)
        if seen.starved:
            return Starved(
                f"{self.name} was ready to run, but had to wait {seen.held_back_ms:.0f} of its {seen.limit_ms} ms "
                "for a processor"
            )
        if not seen.partial and not self._holds(self._stdout):
            return Fault(Ending.CRASHED, CLOSED_OUTPUT)
        return Fault(Ending.TIMEOUT, explain_timeout(seen))

    def _answer_came_late(self, looks: _Looks, limit_ns: int, deadline: int) -> Exception:
        """The verdict on an answer that was read after the deadline: late, unless it was the referee who was."""
        over_ns = self._arrived - deadline
        held_up_ns = 0 if looks.own_delay is None else _own_delay_ns() - looks.own_delay
        if held_up_ns >= over_ns > MS:
            seen = self._overdue(limit_ns // MS, looks)
            if (
                seen.cpu_ms * MS < 1.5 * limit_ns
            ):  # else it has several threads, and may be the one who held us up
                return Starved(f"the referee had to wait {held_up_ns / MS:.0f} ms for a processor")
        return Fault(
            Ending.TIMEOUT, f"its answer came {over_ns / MS:.1f} ms after its {limit_ns // MS} ms were over"
        )

    def _holds(self, our_end: int) -> bool:
        """Whether a process of the bot still holds its end of this pipe; that bubblewrap does tells nothing."""
        pids, pipe = self._pids(), os.fstat(our_end)
        return not pids or watch.holds_file(pids, pipe.st_dev, pipe.st_ino)

    def _overdue(
        self, limit_ms: int, looks: _Looks, *, info_lines: int = 0, wanted: str = "answer"
    ) -> Overdue:
        """What can be seen of the bot now, for the explanation."""
        tree = self._tree()
        doing = watch.doing(tree[0])
        now = self._sample(tree)
        first = looks.first or now
        return Overdue(
            limit_ms=limit_ms,
            partial=bytes(self._buffer),
            unread_bytes=_unread(self._stdin) + len(self._unsent),
            cpu_ms=(now.cpu_ns - first.cpu_ns) / MS,
            reads_input=doing.reads_input,
            waits_for_something=doing.waits_for_something,
            runnable=doing.runnable,
            stopped=doing.stopped,
            started=now.newest - first.newest,
            held_back_ms=max(0, watch.longest_wait_ns(first.delays_ns, now.delays_ns)) / MS,
            input_closed=self._input_closed or not self._holds(self._stdin),
            info_lines=info_lines,
            stderr_bytes=self._stderr_bytes - looks.stderr_bytes,
            wanted=wanted,
        )


@dataclass(frozen=True)
class _Sample:
    """What a bot had used at one moment: processor time, and how long each thread had waited for a processor."""

    cpu_ns: int = 0
    delays_ns: Mapping[str, int] = field(default_factory=dict)
    newest: int = 0
    """The highest number of its processes, in a process table of its own."""


class _Looks:
    """When a slow bot is looked at: soon, a little later, then at a steady pace."""

    __slots__ = ("count", "due", "first", "last", "own_delay", "stderr_bytes")

    def __init__(self, begin: int) -> None:
        self.count = 0
        self.last = begin
        self.due = begin + FIRST_LOOK_MS * MS
        self.first: _Sample | None = None
        """What the bot had used at the first look."""
        self.own_delay: int | None = None
        """How long the referee had waited for a processor, before the last wait of all."""
        self.stderr_bytes = 0

    def wait_ms(self, now: int, deadline: int) -> int:
        """How long to wait for the next look or the deadline: whole milliseconds, rounded up."""
        return max(0, -((now - min(self.due, deadline)) // MS))

    def take(self, now: int) -> int:
        """Note that a look is taken now; when the last one was."""
        last, self.last = self.last, now
        self.own_delay = None
        self.count += 1
        self.due = now + (SECOND_LOOK_MS if self.count == 1 else LOOK_MS) * MS
        return last


def _own_delay_ns() -> int:
    """How long this process, the referee, has waited for a processor, all in all."""
    return sum(watch.run_delays_ns([os.getpid()]).values())


def _is_info(line: bytes) -> bool:
    return line.startswith(b"info") and line[4:5] in (b"", b" ", b"\r")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r")


def _unread(fd: int) -> int:
    """How many bytes of what was written to a pipe have not been read at its other end."""
    with contextlib.suppress(OSError):
        return int(struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0\0\0\0"))[0])
    return 0
