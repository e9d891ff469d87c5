"""What runs within a Dask worker: blocks are played there by the same `Worker` as on one machine.

Owns, as long as there is something to play: a core that no other worker of this machine plays on, and a few
tournaments' Workers with their bots. One block is played at a time, however many threads Dask has. What a worker does
not have (a tournament, a bot's files) it asks for in its answer. Two things can go wrong: a bot cannot run here
(`Refuses`), or a block could not be played to its end (`Broken`), which is the match's doing or this machine's. Bots
that nobody has asked for in a while are sent home, for whoever asked may be no more. They never outlive this process:
the keeper sees to that.
"""

from __future__ import annotations

import contextlib
import pickle
import platform
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena import parcel, sandbox
from arena.bot import BotSpec
from arena.catalogue import get_game
from arena.cluster import core_claim
from arena.errors import ArenaError, UnknownGame
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
class Broken:
    """The block could not be played to its end, and why: a mistake of ours, of a plug-in game, or of the machine."""

    why: str


@dataclass(frozen=True, slots=True)
class NoCore:
    """Not played: others have all the cores now, and why that is."""

    why: str


Answer = Report | Wants | Refuses | Broken | NoCore


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
    used: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.schedule = self.setup.schedule()
        self.versions = {spec.name: spec.version for spec in self.setup.bots}


_lock = threading.RLock()
_engagements: OrderedDict[str, _Engagement] = OrderedDict()
_watch: list[float] = []
"""When somebody last asked for anything; empty while nobody watches for that."""


def greet(sandbox_mode: str, games: Sequence[str]) -> Greeting:
    """Say who one is, and whether one can play: with the games, a core of one's own, and the sandbox asked for."""
    from distributed import get_worker

    dask = get_worker()
    with _lock:
        crowded = None
        trouble = sandbox.bubblewrap_trouble() if sandbox_mode == "bwrap" else None
        trouble = trouble or _missing_game(games)
        if trouble is None:
            crowded = core_claim.crowding()
            _watch_idle()
    name, python = _own_name(), platform.python_version()
    return Greeting(name, python, dask.state.nthreads, trouble or crowded, crowded is not None)


def _missing_game(games: Sequence[str]) -> str | None:
    for game in games:
        try:
            get_game(game)
        except UnknownGame:
            return f"the game {game!r} is not installed there"
    return None


def _own_name() -> str:
    """The Dask worker's name as records show it: the one it was given, or its address."""
    from distributed import get_worker

    name = get_worker().name
    return f"{socket.gethostname()}-{name}" if isinstance(name, int) else str(name)


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
            spoilt = _keep(parcels)
            if key not in _engagements:
                if setup is None:
                    return Wants(setup=True)
                if (crowded := core_claim.crowding()) is not None:
                    return NoCore(crowded)
                _engage(key, setup)
            _engagements.move_to_end(key)
            engagement = _engagements[key]
            return _missing(engagement, block, spoilt) or engagement.worker.play(block)
        except Exception as error:  # told to whoever asked, as a worker's last words on one machine are
            with contextlib.suppress(Exception):
                _end(key)  # the bots are in the middle of something
            return Broken(" ".join(f"{type(error).__name__}: {error}".split()))
        finally:
            if key in _engagements:
                _engagements[key].used = time.monotonic()
            _watch_idle()


def _keep(parcels: Sequence[Parcel]) -> dict[str, str]:
    """Keep what was sent; for versions that could not be kept, the reason."""
    spoilt = {}
    for sent in parcels:
        try:
            parcel.keep(sent)
        except (ArenaError, OSError, ValueError, LookupError) as error:
            spoilt[sent.about.version] = one_line(error)
    return spoilt


def _engage(key: str, setup: Setup) -> None:
    """Begin with a tournament; those that were asked for longest ago make room."""
    worker = TravellingWorker(setup, core_claim.claimed_core(), _own_name())
    _engagements[key] = _Engagement(worker, setup)
    while len(_engagements) > MOST_TOURNAMENTS:
        _end(next(iter(_engagements)))


def _missing(engagement: _Engagement, block: Block, spoilt: Mapping[str, str]) -> Wants | Refuses | None:
    """What has to be there before this block can be played; bots that are found are remembered."""
    names = {name for match_id in block.ids for name in engagement.schedule.pairing_of(match_id)[1:3]}
    lacks: dict[str, str] = {}
    wanted: list[str] = []
    for name in sorted(names - engagement.known):
        version = engagement.versions[name]
        if version in spoilt:
            lacks[name] = spoilt[version]
            continue
        try:
            spec: BotSpec | None = parcel.find(version)
        except (ArenaError, OSError) as error:
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
    """The tournament is over: send its bots home, and let others have the core if it was the last one."""
    with _lock:
        try:
            _end(key)
        finally:
            if not _engagements:
                core_claim.release()


def _end(key: str) -> None:
    engagement = _engagements.pop(key, None)
    if engagement is not None:
        engagement.worker.close()


def _watch_idle() -> None:
    """Somebody asks for something: look again later whether anybody still does."""
    watched = bool(_watch)
    _watch[:] = [time.monotonic()]
    if not watched:
        threading.Thread(target=_dismiss_idle, name="arena-idle", daemon=True).start()


def _dismiss_idle() -> None:
    """Send bots home that nobody has asked for in a while, and give up the core, until nothing is left to watch."""
    while True:
        with _lock:
            if not _watch:  # another one has seen to it
                return
            now = time.monotonic()
            for key in [key for key, at in _engagements.items() if now - at.used >= IDLE_SECONDS]:
                with contextlib.suppress(
                    Exception
                ):  # nobody would hear of it, and the others are to go as well
                    dismiss(key)
            if not _engagements and now - _watch[0] >= IDLE_SECONDS:
                core_claim.release()
            if not _engagements and not core_claim.is_held():
                _watch.clear()
                return
        time.sleep(IDLE_SECONDS / 4)


def one_line(error: BaseException) -> str:
    """What went wrong, without the many lines that a compiler prints."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return lines[0] if len(lines) == 1 else f"{lines[0].rstrip(':')}: {lines[-1]}"


def dask_setup(worker: object) -> None:  # noqa: ARG001 - Dask calls it with its worker
    """Called by Dask where this module is preloaded (`--cluster local`): Ctrl-C is for the runner alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
