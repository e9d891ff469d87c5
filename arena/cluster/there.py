"""What runs within a Dask worker: blocks are played there by the same `Worker` as on one machine.

Owns, for the life of the Dask worker's process: a core that no other worker of this machine plays on, and a few
tournaments' Workers with their bots. One block is played at a time, however many threads Dask has. What a worker does
not have (a tournament, a bot's files) it asks for in its answer; what it cannot play it refuses, with the reason. Bots
that nobody has asked for in a while are sent home, for whoever asked may be no more. They never outlive this process:
the keeper sees to that.
"""

from __future__ import annotations

import pickle
import platform
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena import cores, parcel, sandbox
from arena.bot import BotSpec
from arena.errors import ArenaError
from arena.parcel import Parcel
from arena.worker import Block, Report, Setup, Worker

IDLE_SECONDS = 30.0
MOST_TOURNAMENTS = 2


@dataclass(frozen=True, slots=True)
class Greeting:
    """A worker as it presents itself. `trouble`: why it cannot play at all."""

    name: str
    python: str
    threads: int
    trouble: str | None = None
    crowded: bool = False
    """The trouble is that others have all the cores: it may be over when one of them leaves."""


@dataclass(frozen=True, slots=True)
class Wants:
    """Not played: the worker has to be sent these first."""

    setup: bool = False
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuses:
    """Not played: these bots cannot be started on this worker, and why."""

    lacks: dict[str, str]


@dataclass(frozen=True, slots=True)
class Unfit:
    """Not played: this worker cannot play anything, and why."""

    reason: str


Answer = Report | Wants | Refuses | Unfit


class TravellingWorker(Worker):
    """A worker that learns how each bot is started here, as the bots arrive."""

    def learn(self, spec: BotSpec) -> None:
        """Start this bot as it is installed here, not as it was where the run began."""
        self._specs[spec.name] = spec


@dataclass
class _Engagement:
    """A tournament that is played here: its worker, and the bots that were found so far."""

    worker: TravellingWorker
    setup: Setup
    known: set[str] = field(default_factory=set)
    used: float = 0.0

    def __post_init__(self) -> None:
        self.schedule = self.setup.schedule()
        self.versions = {spec.name: spec.version for spec in self.setup.bots}


_lock = threading.RLock()
_engagements: OrderedDict[str, _Engagement] = OrderedDict()
_claims: dict[int, socket.socket] = {}


def greet(sandbox_mode: str) -> Greeting:
    """Say who one is, and whether one can play: with a core of one's own, and the sandbox that is asked for."""
    from distributed import get_worker

    dask = get_worker()
    with _lock:
        trouble = sandbox.bubblewrap_trouble() if sandbox_mode == "bwrap" else None
        crowded = trouble is None and bool(cores.available()) and claimed_core() is None
        if crowded:
            trouble = (
                f"each of the {len(cores.available())} cores that it may use has a worker already, "
                "of this cluster or of another on the same machine"
            )
    return Greeting(_own_name(), platform.python_version(), dask.state.nthreads, trouble, crowded)


def _own_name() -> str:
    """The Dask worker's name as records show it: the one it was given, or its address."""
    from distributed import get_worker

    name = get_worker().name
    return f"{socket.gethostname()}-{name}" if isinstance(name, int) else str(name)


def claimed_core() -> int | None:
    """A core that no other worker on this machine has, kept until this process ends; None if there is none now.

    The claim is a socket's name in the kernel: it goes with the process, however that ends, and leaves no file.
    """
    for core in _claims:
        return core
    for core in cores.available():
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0arena-core-{core}")
        except OSError:
            claim.close()
            continue
        _claims[core] = claim
        return core
    return None


def play(key: str, block: Block, setup: Setup | None, parcels: Sequence[Parcel]) -> bytes:
    """Play a block of the tournament `key`, or say what is missing for that: an Answer, packed (see `unpack`).

    Packed here and not by Dask, whose thread would hold the interpreter for milliseconds while the next block plays.
    """
    return pickle.dumps(_play(key, block, setup, parcels))


def unpack(answer: bytes) -> Answer:
    """The answer that `play` packed."""
    value: Answer = pickle.loads(answer)
    return value


def _play(key: str, block: Block, setup: Setup | None, parcels: Sequence[Parcel]) -> Answer:
    with _lock:
        try:
            for sent in parcels:
                parcel.keep(sent)
            engagement = _engagement(key, setup)
            if engagement is None:
                return Wants(setup=True)
            answer = _missing(engagement, block) or engagement.worker.play(block)
            engagement.used = time.monotonic()
            _watch_idle()
        except (ArenaError, OSError) as error:
            return Unfit(one_line(error))
        return answer


def _engagement(key: str, setup: Setup | None) -> _Engagement | None:
    """The tournament of this key, begun if its setup has come along; None if it is not known here."""
    if key not in _engagements:
        if setup is None:
            return None
        _engagements[key] = _Engagement(TravellingWorker(setup, claimed_core(), _own_name()), setup)
        while len(_engagements) > MOST_TOURNAMENTS:
            _engagements.popitem(last=False)[1].worker.close()
    _engagements.move_to_end(key)
    return _engagements[key]


def _missing(engagement: _Engagement, block: Block) -> Wants | Refuses | None:
    """What has to be there before this block can be played; bots that are found are remembered."""
    names = {name for match_id in block.ids for name in engagement.schedule.pairing_of(match_id)[1:3]}
    lacks: dict[str, str] = {}
    wanted: list[str] = []
    for name in sorted(names - engagement.known):
        version = engagement.versions[name]
        try:
            spec: BotSpec | None = parcel.find(version)
        except ArenaError as error:
            lacks[name] = one_line(error)
            continue
        if spec is None:
            wanted.append(version)
            continue
        engagement.worker.learn(spec.renamed(name))
        engagement.known.add(name)
    if lacks:
        return Refuses(lacks)
    return Wants(versions=tuple(wanted)) if wanted else None


def dismiss(key: str) -> None:
    """The tournament is over: send its bots home."""
    with _lock:
        engagement = _engagements.pop(key, None)
        if engagement is not None:
            engagement.worker.close()


def _watch_idle() -> None:
    """Look again later whether anybody still asks for these bots."""
    if not any(thread.name == "arena-idle" for thread in threading.enumerate()):
        threading.Thread(target=_dismiss_idle, name="arena-idle", daemon=True).start()


def _dismiss_idle() -> None:
    """Send bots home that nobody has asked for in a while, until there are none."""
    while True:
        with _lock:
            now = time.monotonic()
            for key in [key for key, at in _engagements.items() if now - at.used >= IDLE_SECONDS]:
                dismiss(key)
            if not _engagements:
                return
        time.sleep(IDLE_SECONDS / 4)


def one_line(error: BaseException) -> str:
    """What went wrong, without the many lines that a compiler prints."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return lines[0] if len(lines) == 1 else f"{lines[0].rstrip(':')}: {lines[-1]}"


def dask_setup(worker: object) -> None:  # noqa: ARG001 - Dask calls it with its worker
    """Called by Dask where this module is preloaded (`--cluster local`): Ctrl-C is for the runner alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
