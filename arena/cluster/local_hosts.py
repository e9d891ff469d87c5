"""Dask's own cluster of processes on this machine, for `--cluster local`.

Raises UsageError when it cannot be started.
"""

from __future__ import annotations

import contextlib
import logging

from arena import cores
from arena.cluster import there
from arena.cluster.dask_words import brief, quieten
from arena.errors import UsageError

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""What Dask does hundreds of times a second on the side, and nobody here needs: not on cores where clocks run."""


class LocalHosts:
    """A scheduler and a worker a core."""

    def __init__(self, workers: int | None = None) -> None:
        import dask
        from distributed import LocalCluster

        count = workers or max(1, len(cores.available()))
        dask.config.set(QUIET)
        quieten()
        try:
            self._cluster = LocalCluster(  # type: ignore[no-untyped-call]  # Dask has no annotations
                n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None,
                memory_limit=None, preload=[there.__name__], silence_logs=logging.CRITICAL,
            )  # fmt: skip
        except (OSError, RuntimeError, TimeoutError) as error:
            raise UsageError(f"--cluster local: no cluster could be started: {brief(error)}") from error
        self.address: str = self._cluster.scheduler_address

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError, TimeoutError):
            self._cluster.close(timeout=5)
