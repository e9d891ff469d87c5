"""A crew: who plays the blocks that the runner hands out. Here the crew of this machine's own processes.

`Crew` is the seam between the runner and whatever plays: the runner does not know which it is. A block is
either reported or lost (its worker died); nothing else can become of it. `LocalCrew` supervises worker processes of
its own: a worker that dies is noticed by the end of its pipe, its blocks are reported as lost, and another takes its
place; so is one that is silent for longer than any block can take. When this process dies, however it does, its
workers end at once, and their bots with them.

Raises HarnessFailure when workers cannot be started or kept alive at all.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import shutil
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from arena import cores
from arena.errors import HarnessFailure
from arena.worker import Block, Report, Setup, Worker

REPORT_BYTES = 1 << 20
STARTS = 3
"""So often a worker's start is tried: the fork server may be killed meanwhile, and the next try starts a new one."""
FAILURES_IN_A_ROW = 24
"""So many deaths of workers without a single report between them are the machine's failing, not a match's."""
HAND_IN = "hand in"
GO_HOME = "go home"


class Done(NamedTuple):
    """What became of a block: its report, or None if it was lost with its worker.

    `begun`: the worker died while playing it, and `why` says what is known of that.
    """

    lane: int
    block: Block
    report: Report | None
    begun: bool = True
    why: str = ""


class Crew(Protocol):
    """Those who play blocks. A lane is a worker, or whatever plays one block at a time in its place."""

    @property
    def lanes(self) -> int:
        """How many blocks can be played at the same time, now."""

    @property
    def largest_block(self) -> int:
        """The most matches that a block is to have, however quick they are."""

    def submit(self, lane: int, block: Block) -> None:
        """Have this block played, after those that this lane has already."""

    def wait(self, seconds: float) -> list[Done]:
        """What has become of blocks; waits for something at most so long."""

    def hand_in(self) -> None:
        """Have every block reported as soon as the match under way is over, with the rest of it unplayed."""

    def close(self, *, at_once: bool = False) -> None:
        """Send everybody home: after the blocks under way, or at once."""


class Broken(NamedTuple):
    """The last words of a worker that failed by itself: a mistake of ours or of a plug-in game, or of the machine."""

    why: str


@dataclass
class _Lane:
    """One worker process, its pipe, the blocks that it has, in order, and since when it has been at the first."""

    process: Any
    pipe: Any
    blocks: deque[Block] = field(default_factory=deque)
    since: float = 0.0
    last_words: str = ""


class LocalCrew:
    """Worker processes on this machine, each with its bots on a core of its own."""

    largest_block = 500
    """A pipe costs little, and small blocks keep the runner's memory small."""

    def __init__(self, setup: Setup, count: int) -> None:
        from multiprocess import get_context, resource_tracker

        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(["arena.crew"])
        self._setup = setup
        self._cores = cores.available()
        self._failures = 0
        self._patience = setup.longest_block_seconds()
        self._lanes: list[_Lane] = []
        try:
            resource_tracker.ensure_running()  # by itself: it unblocks the signals that `_ctrl_c_waits` blocks
        except OSError as error:
            raise HarnessFailure(f"a worker cannot be started: {error.strerror or error}") from None
        try:
            for number in range(count):
                self._lanes.append(self._start(number))
        except BaseException:
            self.close(at_once=True)
            raise

    @property
    def lanes(self) -> int:
        """One lane for each worker."""
        return len(self._lanes)

    def worker_pids(self) -> list[int]:
        """The process ids of the workers, for people who want to look at them."""
        return [lane.process.pid for lane in self._lanes]

    def _start(self, number: int) -> _Lane:
        """A new worker; HarnessFailure if none can be started, however often it is tried."""
        why = ""
        for _ in range(STARTS):
            try:
                return self._started(number)
            except OSError as error:
                why = error.strerror or str(error)
            except EOFError:
                why = "the process that starts them was killed, each time"
        raise HarnessFailure(f"a worker cannot be started: {why}")

    def _started(self, number: int) -> _Lane:
        core = self._cores[number % len(self._cores)] if self._cores else None
        ours, theirs = self._context.Pipe()
        with theirs:
            try:
                _widen(theirs)
                process = self._context.Process(
                    target=_work,
                    args=(theirs, self._setup, core),
                    name=f"arena-worker-{number + 1}",
                )
                process.daemon = True
                with _without_main(), _ctrl_c_waits():
                    process.start()
            except BaseException:
                ours.close()
                raise
        return _Lane(process, ours)

    def submit(self, lane: int, block: Block) -> None:
        """Send a block to a worker; if the worker has just died, `wait` will tell that it is lost."""
        chosen = self._lanes[lane]
        if not chosen.blocks:
            chosen.since = time.monotonic()
        chosen.blocks.append(block)
        with contextlib.suppress(OSError):
            _send(chosen.pipe, block)

    def wait(self, seconds: float) -> list[Done]:
        """Reports that have come in, and blocks whose worker has died."""
        from multiprocess.connection import wait

        # Only the pipes: a sentinel also fires when somebody kills the fork server and the worker is well.
        watched = {lane.pipe: number for number, lane in enumerate(self._lanes)}
        done: list[Done] = []
        for pipe in wait(list(watched), seconds):
            done += self._hear(watched[pipe])
        self._end_the_silent()
        return done

    def _hear(self, number: int) -> list[Done]:
        """All that one worker has sent; if it is dead, its other blocks are lost, and a new one takes its place."""
        lane = self._lanes[number]
        done: list[Done] = []
        try:
            while lane.pipe.poll():
                answer = _receive(lane.pipe)
                if isinstance(answer, Broken):
                    lane.last_words = answer.why
                    continue
                done.append(Done(number, lane.blocks.popleft(), answer))
                lane.since = time.monotonic()
                self._failures = 0
        except (EOFError, OSError):
            done += self._replace(number)
        return done

    def _end_the_silent(self) -> None:
        """Kill workers that take longer than any block can: stopped by somebody, or stuck. `wait` then hears of it."""
        now = time.monotonic()
        for lane in self._lanes:
            if lane.blocks and now - lane.since > self._patience:
                lane.last_words = f"it was silent for {now - lane.since:.0f} s"
                lane.since = now
                lane.process.kill()

    def _replace(self, number: int) -> list[Done]:
        lane = self._lanes[number]
        _end(lane)
        why = lane.last_words or _exit(lane.process)
        self._failures += 1
        if self._failures > FAILURES_IN_A_ROW:
            raise HarnessFailure(f"workers keep dying, {self._failures} in a row; of the last one: {why}")
        self._lanes[number] = self._start(number)
        lane.process.close()  # not before: if none can be started, `close` comes by this one again
        return [Done(number, block, None, begun=at == 0, why=why) for at, block in enumerate(lane.blocks)]

    def hand_in(self) -> None:
        """Workers finish the match that they are playing, and give everything else back."""
        self._tell(HAND_IN)

    def close(self, *, at_once: bool = False) -> None:
        """End the workers: they let their bots leave first, or do not even that."""
        self._tell(GO_HOME)
        for lane in self._lanes:
            _end(lane, kill=at_once)
            lane.process.close()
        self._lanes.clear()

    def _tell(self, word: str) -> None:
        for lane in self._lanes:
            with contextlib.suppress(OSError):
                _send(lane.pipe, word)


def _send(pipe: Any, what: Block | Report | Broken | str) -> None:
    """Send something, pickled by the standard library: a connection's own `send` would take ten times as long."""
    pipe.send_bytes(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))


def _receive(pipe: Any) -> Any:
    return pickle.loads(pipe.recv_bytes())


def _widen(pipe: Any) -> None:
    """Let a whole report fit into the pipe: it is then read in one piece, and nobody waits for the other."""
    with socket.socket(fileno=os.dup(pipe.fileno())) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, REPORT_BYTES)


def _end(lane: _Lane, *, kill: bool = True) -> None:
    if kill:
        lane.process.kill()
    lane.process.join()
    lane.pipe.close()  # if the fork server was killed, join did not wait: this ends the worker in any case


def _exit(process: Any) -> str:
    """How a worker process ended, in words."""
    code = process.exitcode
    if code is None or code >= 0:
        return f"it left with status {code}"
    with contextlib.suppress(ValueError):
        return f"it was ended by {signal.Signals(-code).name}"
    return f"it was ended by signal {-code}"


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Start a process that does not import the caller's main module: workers need none of it."""
    main = sys.modules["__main__"]
    hidden = ("__spec__", "__file__")
    before: dict[str, Any] = {name: main.__dict__.pop(name) for name in hidden if name in main.__dict__}
    try:
        main.__spec__ = None
        yield
    finally:
        main.__dict__.update(before)


@contextlib.contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Hold back Ctrl-C, here and in whatever is started: a process that still imports would answer with a traceback.

    A worker takes it from there once it ignores Ctrl-C (see `_work`); the fork server ignores it anyway.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the worker process -------------------------------------------------------------------------


def _work(pipe: Any, setup: Setup, core: int | None) -> None:
    """The life of a worker process: play block after block until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides when to stop
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    worker = Worker(setup, core)
    blocks: queue.SimpleQueue[Block | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, worker, blocks), daemon=True).start()
    try:
        while (block := blocks.get()) is not None:
            _send(pipe, worker.play(block))
    except BrokenPipeError:
        pass
    except Exception as error:  # told to the runner: a traceback is of no use to a user
        with contextlib.suppress(OSError):
            _send(pipe, Broken(_in_one_line(error)))
    finally:
        with contextlib.suppress(Exception):
            worker.close()


def _listen(pipe: Any, worker: Worker, blocks: queue.SimpleQueue[Block | None]) -> None:
    """Take in what the runner says. When it is no more, end this process at once; its keeper ends the bots."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            word = _receive(pipe)
            if word == HAND_IN:
                worker.hand_in()
            else:
                blocks.put(None if word == GO_HOME else word)
    os._exit(1)


def _in_one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


# --- in the fork server ----------------------------------------------------------------------------


def _clear_up() -> None:
    """Remove the folder of the fork server's socket, as the runner would have done had it not been killed.

    The fork server has loaded this module, knows its own address and has started no fork server itself; it leaves
    when the runner and all workers are gone.
    """
    server = getattr(sys.modules.get("multiprocess.forkserver"), "_forkserver", None)
    address = getattr(server, "_forkserver_address", None)
    if address and getattr(server, "_forkserver_pid", None) is None:
        folder, socket_name = os.path.split(os.fsdecode(address))
        if os.path.basename(folder).startswith("pymp-") and socket_name:
            shutil.rmtree(folder, ignore_errors=True)


atexit.register(_clear_up)
