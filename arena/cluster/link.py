"""The link to a Dask cluster: carries errands to workers and tells, as events, what became of them.

Owns the Dask client and its thread; the crew sees neither. Everything that happens arrives in one queue, in order:
which workers there are, answers, failures, the loss of the scheduler (`Cut`: whatever was under way is void, and the
next `Present` says that it is back) and, if it does not come back in time, `Gone`. Raises nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from arena.cluster.dask_words import (
    brief,
    certificate_trouble,
    of_silence,
    of_what_cannot_be,
    quieten,
)
from arena.cluster.events import Again, Answered, Cut, Event, Failed, Gone, Lost, Present

CONNECT_SECONDS = 10.0
RECONNECT_SECONDS = 60.0
TRY_SECONDS = 5.0
"""One try to connect, Dask's handshake included: whatever listens there, it may not be a scheduler."""
LOOK_SECONDS = 0.4
SILENCE_SECONDS = 20.0
"""A scheduler that does not answer for so long is taken for lost."""
LARGEST_TASK = "1GB"
UNUSABLE = (ValueError, TypeError, RuntimeError, ImportError)
"""What Dask raises for an address or a configuration that can never work."""


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
        self._errands: dict[int, Any] = {}
        """The futures of those that somebody waits for; when one is told or called off, it is here no more."""
        self._followers: set[asyncio.Task[None]] = set()
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
                await self._drop_all()
                with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
                    await client.close(timeout=3)
            limit = RECONNECT_SECONDS

    async def _connect(self, limit: float) -> Any:
        """A client of the scheduler; None (and `Gone`) if that takes too long or cannot be."""
        import dask

        dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGEST_TASK})
        quieten()
        deadline = time.monotonic() + limit
        while self._stop is not None and not self._stop.is_set():
            try:
                return await self._client_within(max(1.0, min(deadline - time.monotonic(), TRY_SECONDS)))
            except (OSError, TimeoutError) as error:
                if (trouble := certificate_trouble(self.address, error)) is not None:
                    return self._give_up(trouble)
                if time.monotonic() >= deadline:
                    return self._give_up(of_silence(self.address, error, limit))
                await asyncio.sleep(0.3)
            except UNUSABLE as error:
                return self._give_up(of_what_cannot_be(self.address, error))
        return None

    async def _client_within(self, seconds: float) -> Any:
        """A client that is connected; TimeoutError if that takes longer: Dask's own limit leaves the handshake out."""
        from distributed import Client

        client: Any = Client(  # type: ignore[no-untyped-call]  # Dask has no annotations
            self.address,
            asynchronous=True,
            timeout=seconds,
            set_as_default=False,
            direct_to_workers=self._direct,
        )
        try:
            async with asyncio.timeout(seconds + 1.0):
                return await client
        except BaseException as error:
            with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
                await client.close(timeout=1)
            if isinstance(error, TimeoutError):
                raise TimeoutError from None  # of what was cancelled within there is nothing to tell
            raise

    def _give_up(self, why: str) -> None:
        self.events.put(Gone(why))

    async def _look(self, client: Any) -> None:
        """Tell again and again which workers there are; OSError when the scheduler is lost."""
        stop = self._stop
        line = client.scheduler_comm
        names: dict[str, str] = {}
        while stop is not None and not stop.is_set():
            present = await asyncio.wait_for(client.scheduler.ncores(workers=None), SILENCE_SECONDS)
            if not present.keys() <= names.keys():
                known = await asyncio.wait_for(client.scheduler.identity(), SILENCE_SECONDS)
                names = {address: str(about["name"]) for address, about in known["workers"].items()}
            if (
                client.scheduler_comm is not line
            ):  # Dask has connected anew by itself: to one that knows nothing of us
                raise ConnectionResetError
            self.events.put(Present({address: names.get(address, address) for address in present}))
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
            self.events.put(Failed(ticket, brief(error)))
            return
        self._errands[ticket] = future
        follower = self._loop.create_task(self._follow(ticket, future))
        self._followers.add(follower)
        follower.add_done_callback(self._followers.discard)

    async def _follow(self, ticket: int, future: Any) -> None:
        """Wait for an errand's end, and tell it, unless it was called off meanwhile.

        Followers are never cancelled one by one: Dask fetches the answers of those that end together in one go, which
        ends for all of them when one is cancelled.
        """
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
            event = Failed(ticket, brief(error))
        future.release()
        if self._errands.pop(ticket, None) is not None:
            self.events.put(event)

    def _drop(self, ticket: int) -> None:
        future = self._errands.pop(ticket, None)
        if future is not None:
            with contextlib.suppress(Exception):  # cancelling is a courtesy: the scheduler may be gone
                self._loop.create_task(_called_off(future))

    async def _drop_all(self) -> None:
        """Call all errands off, and wait for none of them."""
        for ticket in list(self._errands):
            self._drop(ticket)
        followers = list(self._followers)
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)


_keys = itertools.count()


async def _called_off(future: Any) -> None:
    with contextlib.suppress(Exception):
        await future.cancel()
    future.release()
