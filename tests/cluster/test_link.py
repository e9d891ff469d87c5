"""The link to what is no scheduler, or a scheduler no more: told in words that help, and soon."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster import dask_words, link
from arena.cluster.events import Answered, Gone, Present
from arena.cluster.link import Link


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of something that takes connections and says nothing."""
    monkeypatch.setattr(link, "CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_what_listens_and_is_no_scheduler_is_given_up_soon(listener: str) -> None:
    made = Link(listener)
    try:
        event = made.events.get(timeout=30)
    finally:
        made.close()
    assert isinstance(event, Gone)
    assert event.reason.startswith(f"no Dask scheduler answers at {listener}")
    assert "something listens there" in event.reason


@pytest.fixture
def unconnected(monkeypatch: pytest.MonkeyPatch) -> Link:
    """A link whose thread does nothing, for what it does within."""
    monkeypatch.setattr(Link, "_run", lambda made: made._loop.close())
    return Link("tcp://nobody:1")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (caused(OSError("timed out"), ConnectionRefusedError()), "is it running there?"),
        (caused(OSError("closed"), ConnectionResetError()), "an address with tls://"),
        (OSError("no route"), r"can it be reached from here\? \(no route\)"),
    ],
)
def test_why_nobody_answers_is_told_as_far_as_it_is_known(error: Exception, expected: str) -> None:
    with pytest.raises(RuntimeError, match=expected):
        raise RuntimeError(dask_words.of_silence("tcp://h:1", error, 10))


def test_a_workers_own_address_is_explained() -> None:
    error = TypeError("Worker.identity() got an unexpected keyword argument 'n_workers'")
    said = dask_words.of_what_cannot_be("tcp://h:1", error)
    assert said.startswith("tcp://h:1 is the address of a worker: give the scheduler's")


def test_certificates_that_do_not_fit_are_named() -> None:
    error = caused(OSError("closed"), ssl.SSLCertVerificationError("self-signed certificate"))
    assert "the certificates here and at tls://h:1 do not fit" in str(
        dask_words.certificate_trouble("tls://h:1", error)
    )
    assert dask_words.certificate_trouble("tls://h:1", OSError("no route")) is None


class FakeScheduler:
    """A scheduler with one worker; at the second look another one stands in its place, as after a restart."""

    def __init__(self) -> None:
        self.client: Any = SimpleNamespace(scheduler=self, scheduler_comm="first line")
        self.looks = 0

    async def ncores(self, workers: None) -> dict[str, int]:
        self.looks += 1
        if self.looks == 1:
            return {"tcp://w:1": 1}
        self.client.scheduler_comm = "second line"
        return {}

    async def identity(self) -> dict[str, Any]:
        return {"workers": {"tcp://w:1": {"name": "lab1"}}}


def test_a_scheduler_that_dask_itself_has_found_again_counts_as_lost_and_not_its_workers_as_gone(
    unconnected: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "LOOK_SECONDS", 0.0)
    made = unconnected

    async def look() -> None:
        made._stop = asyncio.Event()
        await made._look(FakeScheduler().client)

    with pytest.raises(ConnectionResetError):
        asyncio.run(look())
    assert made.events.get() == Present({"tcp://w:1": "lab1"})
    assert made.events.empty()


class FakeFuture:
    """An answer that comes with others in one fetch, as Dask's do that are ready at the same time."""

    def __init__(self, fetch: asyncio.Task[str]) -> None:
        self.fetch = fetch

    def __await__(self) -> Any:
        return self.fetch.__await__()

    async def cancel(self) -> None:
        """Called off; what is being fetched comes all the same."""

    def release(self) -> None:
        """Nobody needs it any more."""


def test_an_errand_that_is_called_off_takes_no_other_with_it(unconnected: Link) -> None:
    made = unconnected

    async def two_errands() -> None:
        made._loop = asyncio.get_running_loop()
        ready = asyncio.Event()

        async def fetched() -> str:
            await ready.wait()
            return "played"

        fetch = asyncio.create_task(fetched())
        made._client = SimpleNamespace(submit=lambda *_, **__: FakeFuture(fetch))
        made._begin(1, "tcp://w:1", str, ())
        made._begin(2, "tcp://w:1", str, ())
        await asyncio.sleep(0)  # both wait for the fetch now
        made._drop(2)
        await asyncio.sleep(0)
        ready.set()
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    asyncio.run(two_errands())
    assert made.events.get(timeout=1) == Answered(1, "played")
    assert made.events.empty()
    assert not made._errands
