"""What happens at a cluster, as the link tells it and the crew hears it; and what a link is. Raises nothing."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol


class Present(NamedTuple):
    """The workers that are there: their names by their addresses."""

    workers: dict[str, str]


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


Reply = Answered | Lost | Again | Failed
"""What can become of an errand."""
Event = Present | Reply | Cut | Gone


class Carrier(Protocol):
    """What the crew needs of a link; a test gives it one without any Dask."""

    address: str
    events: queue.SimpleQueue[Event]

    def send(self, ticket: int, worker: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Have a worker call this."""

    def forget(self, ticket: int) -> None:
        """Call an errand off."""

    def close(self) -> None:
        """Let go of the cluster."""
