"""What the cluster's tests share: one of them at a time on a machine, whoever runs them."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_hosts import Cluster


@pytest.fixture(scope="session")
def _lock_file() -> Iterator[int]:
    path = Path(tempfile.gettempdir()) / f"arena-cluster-tests-{os.getuid()}.lock"
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    yield fd
    os.close(fd)


@pytest.fixture
def alone_on_the_cores(_lock_file: int) -> Iterator[None]:
    """Cluster tests take turns, in whatever process they run: a worker claims a core of the machine for itself."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("two Dask workers need two cores")
    fcntl.flock(_lock_file, fcntl.LOCK_EX)
    yield
    fcntl.flock(_lock_file, fcntl.LOCK_UN)


@pytest.fixture
def cluster(tmp_path: Path, alone_on_the_cores: None) -> Iterator[Cluster]:
    """A scheduler without workers yet."""
    made = Cluster(tmp_path)
    yield made
    made.close()
