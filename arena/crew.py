"""A crew: who plays the blocks that the runner hands out. Here the crew of this machine's own processes.

`Crew` is the seam between the runner and whatever plays: the runner does not know which it is. A block is
either reported or lost (its worker died); nothing else can become of it. `LocalCrew` supervises worker processes of
its own: a worker that is killed is noticed by its sentinel, its blocks are reported as lost, and another takes its
place. When this process dies, however it does, its workers end at once, and their bots with them.

Raises HarnessFailure when workers cannot be kept alive at all.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from arena import cores
from arena.errors import ArenaError, HarnessFailure
from arena.worker import Block, Report, Setup, Worker

FAILURES_IN_A_ROW = 8
"""So many deaths of workers without a single report between them are the machine's failing, not a match's."""


class Done(NamedTuple):
    """What became of a block: its report, or None if it was lost with its worker (`begun`: while playing it)."""

    lane: int
    block: Block
    report: Report | None
    begun: bool = True


class Crew(Protocol):
    """Those who play blocks. A lane is a worker, or whatever plays one block at a time in its place."""

    @property
    def lanes(self) -> int:
        """How many blocks can be played at the same time, now."""

    def submit(self, lane: int, block: Block) -> None:
        """Have this block played, after those that this lane has already."""

    def wait(self, seconds: float) -> list[Done]:
        """What has become of blocks; waits for something at most so long."""

    def close(self, *, at_once: bool = False) -> None:
        """Send everybody home: after the blocks under way, or at once."""


@dataclass
class _Lane:
    """One worker process, its pipe, and the blocks that it has, in order."""

    process: Any
    pipe: Any
    blocks: deque[Block] = field(default_factory=deque)


class LocalCrew:
    """Worker processes on this machine, each with its bots on a core of its own."""

    def __init__(self, setup: Setup, count: int) -> None:
        from multiprocess import get_context

        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(["arena.crew"])
        self._setup = setup
        self._cores = cores.available()
        self._failures = 0
        # The workers watch the other end of this pipe: it closes when this process is no more.
        self._lifeline_theirs, self._lifeline = self._context.Pipe(duplex=False)
        self._lanes = [self._start(number) for number in range(count)]

    @property
    def lanes(self) -> int:
        """One lane for each worker."""
        return len(self._lanes)

    def worker_pids(self) -> list[int]:
        """The process ids of the workers, for people who want to look at them."""
        return [lane.process.pid for lane in self._lanes]

    def _start(self, number: int) -> _Lane:
        core = self._cores[number % len(self._cores)] if self._cores else None
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(theirs, self._lifeline_theirs, self._setup, core), name=f"arena-worker-{number + 1}"
        )
        process.daemon = True
        process.start()
        theirs.close()
        return _Lane(process, ours)

    def submit(self, lane: int, block: Block) -> None:
        """Send a block to a worker; if the worker has just died, `wait` will tell that it is lost."""
        self._lanes[lane].blocks.append(block)
        with contextlib.suppress(OSError):
            self._lanes[lane].pipe.send(block)

    def wait(self, seconds: float) -> list[Done]:
        """Reports that have come in, and blocks whose worker has died."""
        from multiprocess.connection import wait

        watched: dict[Any, int] = {}
        for number, lane in enumerate(self._lanes):
            watched[lane.pipe] = watched[lane.process.sentinel] = number
        done: list[Done] = []
        for number in sorted({watched[ready] for ready in wait(list(watched), seconds)}):
            done += self._hear(number)
        return done

    def _hear(self, number: int) -> list[Done]:
        """All that one worker has sent; if it is dead, its other blocks are lost, and a new one takes its place."""
        lane = self._lanes[number]
        done: list[Done] = []
        try:
            while lane.pipe.poll():
                answer = lane.pipe.recv()
                if isinstance(answer, ArenaError):
                    raise answer
                done.append(Done(number, lane.blocks.popleft(), answer))
                self._failures = 0
        except (EOFError, OSError):
            done += self._replace(number)
        return done

    def _replace(self, number: int) -> list[Done]:
        lane = self._lanes[number]
        self._failures += 1
        if self._failures > FAILURES_IN_A_ROW:
            raise HarnessFailure(f"workers keep dying ({self._failures} in a row, the last with {_exit(lane.process)})")
        _end(lane)
        self._lanes[number] = self._start(number)
        return [Done(number, block, None, begun=at == 0) for at, block in enumerate(lane.blocks)]

    def close(self, *, at_once: bool = False) -> None:
        """End the workers: they finish the match that they are playing, or do not even that."""
        for lane in self._lanes:
            if at_once:
                lane.process.kill()
            else:
                with contextlib.suppress(OSError):
                    lane.pipe.send(None)
        for lane in self._lanes:
            _end(lane, kill=at_once)
        self._lifeline.close()
        self._lifeline_theirs.close()


def _end(lane: _Lane, *, kill: bool = True) -> None:
    if kill:
        lane.process.kill()
    lane.process.join()
    lane.process.close()
    lane.pipe.close()


def _exit(process: Any) -> str:
    process.join(1)
    code = process.exitcode
    return f"signal {-code}" if code is not None and code < 0 else f"status {code}"


def _work(pipe: Any, lifeline: Any, setup: Setup, core: int | None) -> None:
    """The life of a worker process: play block after block until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides when to stop
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    worker = Worker(setup, core)
    try:
        while (block := pipe.recv()) is not None:
            pipe.send(worker.play(block))
    except (EOFError, BrokenPipeError):
        pass
    except ArenaError as error:
        pipe.send(error)
    finally:
        worker.close()


def _end_with(lifeline: Any) -> None:
    """End this process, at once, when the one that started it is no more. Its keeper ends the bots."""
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(1)
