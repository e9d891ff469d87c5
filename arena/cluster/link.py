"""The link to a Dask cluster: carries errands to workers and tells, as events, what became of them.

Owns the Dask client and its thread; the crew sees neither. Everything that happens arrives in one queue, in order:
which workers there are, answers, failures, the loss of the scheduler (`Cut`: whatever was under way is void, and the
next `Present` says that it is back) and, if it does not come back in time, `Gone`.

Raises UsageError when a cluster on this machine cannot be started.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import queue
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from arena import cores
from arena.cluster import there
from arena.errors import UsageError

CONNECT_SECONDS = 10.0
RECONNECT_SECONDS = 60.0
LOOK_SECONDS = 0.4
SILENCE_SECONDS = 20.0
"""A scheduler that does not answer for so long is taken for lost."""
LARGEST_TASK = "1GB"
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""What Dask does hundreds of times a second on the side, and nobody here needs: not on cores where clocks run."""
UNUSABLE = (ValueError, TypeError, RuntimeError, ImportError)
"""What Dask raises for an address or a configuration that can never work."""


class Present(NamedTuple):
    """The workers that are there, by address, with their numbers of threads."""

    workers: dict[str, int]


class Answered(NamedTuple):
    """An errand was done."""

    ticket: int
    value: Any


class Lost(NamedTuple):
    """The worker died of an errand, more than once: Dask has given it up."""

    ticket: int


class Again(NamedTuple):
    """An errand was called off by the cluster: it may be sent again."""

    ticket: int


class Failed(NamedTuple):
    """An errand could not be done: what Dask says of it."""

    ticket: int
    reason: str


class Cut(NamedTuple):
    """The scheduler is not to be reached; all that was under way is void."""


class Gone(NamedTuple):
    """The scheduler was not reached in time, and is not tried any more."""

    reason: str


Event = Present | Answered | Lost | Again | Failed | Cut | Gone


class Link:
    """One cluster, by its scheduler's address. `afterwards` is called when the link is closed.

    `direct`: answers come from the workers themselves and not by way of the scheduler, which costs less where they can
    be reached for sure.
    """

    def __init__(
        self, address: str, afterwards: Callable[[], None] = lambda: None, *, direct: bool = False
    ) -> None:
        self.address = address
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._afterwards = afterwards
        self._direct = direct
        self._errands: dict[int, tuple[Any, asyncio.Task[None]]] = {}
        self._client: Any = None
        self._stop: asyncio.Event | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="arena-link", daemon=True)
        self._thread.start()

    # --- from the crew's thread ------------------------------------------------------------------

    def send(self, ticket: int, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Have a worker call this; its answer, or its failing, will be an event with the same ticket."""
        self._call(self._begin, ticket, worker, function, arguments)

    def forget(self, ticket: int) -> None:
        """Call an errand off; there will be no event about it, or one that may be ignored."""
        self._call(self._drop, ticket)

    def close(self) -> None:
        """Let go of the cluster."""
        self._call(self._end)
        self._thread.join(10)
        self._afterwards()

    def _call(self, function: Callable[..., Any], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the link has told `Gone`
            self._loop.call_soon_threadsafe(function, *arguments)

    def _end(self) -> None:
        if self._stop is not None:
            self._stop.set()

    # --- in the link's own thread ----------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._live())
        except Exception as error:  # told to the crew: in this thread nobody would hear it
            self.events.put(Gone(f"the link to the cluster failed: {type(error).__name__}: {error}"))
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _live(self) -> None:
        """Be connected, and connect again when the connection is lost, until closed or out of time."""
        self._stop = asyncio.Event()
        limit = CONNECT_SECONDS
        while not self._stop.is_set():
            client = await self._connect(limit)
            if client is None:
                return
            self._client = client
            try:
                await self._look(client)
            except (OSError, TimeoutError):
                self.events.put(Cut())
            finally:
                self._client = None
                for ticket in list(self._errands):
                    self._drop(ticket)
                with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
                    await client.close(timeout=3)
            limit = RECONNECT_SECONDS

    async def _connect(self, limit: float) -> Any:
        """A client of the scheduler; None (and `Gone`) if that takes too long or cannot be."""
        import dask
        from distributed import Client

        dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGEST_TASK})
        _quieten()
        if (trouble := _tls_trouble(self.address)) is not None:
            self.events.put(Gone(trouble))
            return None
        deadline = time.monotonic() + limit
        while self._stop is not None and not self._stop.is_set():
            left = deadline - time.monotonic()
            try:
                return await Client(  # type: ignore[no-untyped-call]  # Dask has no annotations
                    self.address,
                    asynchronous=True,
                    timeout=max(1.0, min(left, 5.0)),
                    set_as_default=False,
                    direct_to_workers=self._direct,
                )
            except (OSError, TimeoutError):
                if time.monotonic() >= deadline:
                    self.events.put(
                        Gone(f"no scheduler answered at {self.address} for {limit:g} s: is it running there?")
                    )
                    return None
                await asyncio.sleep(0.3)
            except UNUSABLE as error:
                self.events.put(Gone(f"{self.address} cannot be used: {_brief(error)}"))
                return None
        return None

    async def _look(self, client: Any) -> None:
        """Tell again and again which workers there are; OSError when the scheduler is lost."""
        stop = self._stop
        while stop is not None and not stop.is_set():
            present = await asyncio.wait_for(client.scheduler.ncores(workers=None), SILENCE_SECONDS)
            self.events.put(Present(dict(present)))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), LOOK_SECONDS)

    def _begin(
        self, ticket: int, worker: str, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        client = self._client
        if client is None:
            self.events.put(Again(ticket))
            return
        key = f"arena-{function.__name__}-{os.getpid()}-{next(_keys)}-{time.time_ns():x}"
        try:
            future = client.submit(
                function, *arguments, key=key, pure=False, workers=[worker], allow_other_workers=False
            )
        except Exception as error:  # whatever cannot be packed or sent: the errand fails, not the link
            self.events.put(Failed(ticket, _brief(error)))
            return
        self._errands[ticket] = (future, self._loop.create_task(self._follow(ticket, future)))

    async def _follow(self, ticket: int, future: Any) -> None:
        """Wait for an errand's end, and tell it."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        event: Event
        try:
            event = Answered(ticket, await future)
        except CancelledError:
            event = Again(ticket)
        except KilledWorker:
            event = Lost(ticket)
        except Exception as error:  # anything that Dask or the task raised: the crew decides what it means
            event = Failed(ticket, _brief(error))
        self._errands.pop(ticket, None)
        future.release()
        self.events.put(event)

    def _drop(self, ticket: int) -> None:
        future, follower = self._errands.pop(ticket, (None, None))
        if follower is not None:
            follower.cancel()
            with contextlib.suppress(Exception):  # cancelling is a courtesy: the scheduler may be gone
                self._loop.create_task(_called_off(future))


_keys = itertools.count()


async def _called_off(future: Any) -> None:
    with contextlib.suppress(Exception):
        await future.cancel()
    future.release()


def _quieten() -> None:
    """What Dask logs and warns about lost connections and other versions, the crew tells in its own words."""
    for name in [
        "distributed",
        *logging.root.manager.loggerDict,
    ]:  # Dask's import has given each a level of its own
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="distributed")


def _brief(error: BaseException) -> str:
    """The first line of an error, with its kind where it has no words."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(":") if lines else type(error).__name__


def _tls_trouble(address: str) -> str | None:
    """Why a tls:// address cannot be used, if the certificates for it are not in Dask's configuration."""
    from distributed import Security

    if not address.startswith(("tls://", "wss://")):
        return None
    try:
        found = Security().get_connection_args("client").get("ssl_context")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        return f"{address}: the certificates in Dask's configuration cannot be used: {_brief(error)}"
    if found is not None:
        return None
    return f"{address} needs certificates: set distributed.comm.tls in Dask's configuration (see docs/cluster.md)"


class LocalHosts:
    """Dask's own cluster of processes on this machine, for `--cluster local`: a worker a core."""

    def __init__(self, workers: int | None = None) -> None:
        import dask
        from distributed import LocalCluster

        count = workers or max(1, len(cores.available()))
        dask.config.set(QUIET)
        _quieten()
        try:
            self._cluster = LocalCluster(  # type: ignore[no-untyped-call]  # Dask has no annotations
                n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None,
                memory_limit=None, preload=[there.__name__], silence_logs=logging.CRITICAL,
            )  # fmt: skip
        except (OSError, RuntimeError, TimeoutError) as error:
            raise UsageError(f"--cluster local: no cluster could be started: {_brief(error)}") from error
        self.address: str = self._cluster.scheduler_address

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError, TimeoutError):
            self._cluster.close(timeout=5)
