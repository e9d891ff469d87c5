"""A tournament on a Dask cluster: the same blocks of matches, played by the same code on other machines.

    runner ── DaskCrew (crew.py) ── Link (link.py) ── Dask's scheduler ── Dask's workers, each playing (there.py)

Beside the crew: who is there (peers.py) and what is asked of them first (reception.py), a block and its pieces
(orders.py), who plays what (shares.py), what nobody can (left_out.py), what bots travel in (post.py).

Dask carries tasks and answers and knows which workers there are. This side decides who plays what: a worker keeps
its bots alive between blocks, and only here it is known what a match that kills workers looks like. Only this package
imports `distributed`, and only when a cluster is asked for.

Raises UsageError where Dask is not installed, or the cluster cannot be reached or used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from arena.cluster.crew import DaskCrew
from arena.errors import UsageError
from arena.worker import Setup

LOCAL = "local"
SCHEMES = ("tcp://", "tls://", "ws://", "wss://", "ucx://")


def check(address: str, setup: Setup, workers: int | None = None) -> None:
    """Refuse what can never be played on, before anything is written for it."""
    if find_spec("distributed") is None:
        raise UsageError("--cluster needs Dask, which is not installed: pip install 'bot-arena[dask]'")
    if setup.ponder:
        raise UsageError("--ponder is for one machine: it does not go together with --cluster")
    if address == LOCAL:
        return
    if workers is not None:
        raise UsageError("-j is for this machine: on a cluster every worker that is there plays")
    if not address.startswith(SCHEMES) or not _has_port(address):
        raise UsageError(
            f"--cluster {address}: give the scheduler's address, such as tcp://HOST:8786, or 'local'"
        )
    from arena.cluster.dask_words import tls_trouble

    if (trouble := tls_trouble(address)) is not None:
        raise UsageError(f"--cluster: {trouble}")


def hire(
    address: str, setup: Setup, folder: Path, notify: Callable[[str], None], workers: int | None = None
) -> DaskCrew:
    """The crew at this scheduler's address, or for `local` one of so many processes on this machine.

    `folder` is the tournament file's: bots' paths are relative to it. `notify` is told, in one line each, what the
    user ought to know.
    """
    check(address, setup, workers)
    from arena.cluster.link import Link
    from arena.cluster.local_hosts import LocalHosts

    if address == LOCAL:
        hosts = LocalHosts(workers)
        return DaskCrew(setup, folder, Link(hosts.address, hosts.close, direct=True), notify)
    return DaskCrew(setup, folder, Link(address), notify)


def _has_port(address: str) -> bool:
    """Whether the address names a host and a possible port."""
    try:
        return bool(urlsplit(address).hostname and urlsplit(address).port)
    except ValueError:
        return False
