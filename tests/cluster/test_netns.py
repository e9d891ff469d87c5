"""Hosts with a network between them, as network namespaces: a link that is cut in the middle of a block."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_hosts import Cluster, hold_until_seated, played, run_alone, run_on, workers_of, write_tournament

from arena.cluster.crew import DaskCrew
from arena.runner import Runner, Tally

pytestmark = [pytest.mark.xdist_group("cluster"), pytest.mark.filterwarnings("ignore::ResourceWarning")]

IMPATIENT = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "3s"}
"""A worker that is silent for so long (5 s at the least) is dropped; with Dask's own settings that takes 30 s."""
_numbers = itertools.count()


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class FarHost:
    """A network namespace, joined to this host by a cable that can be cut."""

    def __init__(self) -> None:
        number = os.getpid() * 7 + next(_numbers)
        self.name = f"arena-{number}"
        self.near_end, self.far_end = f"an{number % 10**8}", f"af{number % 10**8}"
        net = f"10.{64 + number % 64}.{number // 64 % 256}"
        self.near, self.far = f"{net}.1", f"{net}.2"
        ip("netns", "add", self.name)
        ip("link", "add", self.near_end, "type", "veth", "peer", "name", self.far_end, "netns", self.name)
        ip("addr", "add", f"{self.near}/24", "dev", self.near_end)
        ip("link", "set", self.near_end, "up")
        ip("-n", self.name, "addr", "add", f"{self.far}/24", "dev", self.far_end)
        ip("-n", self.name, "link", "set", self.far_end, "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    @property
    def command(self) -> list[str]:
        """What stands before a command that runs there."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        ip("-n", self.name, "link", "set", self.far_end, "down")

    def remove(self) -> None:
        subprocess.run(["ip", "link", "del", self.near_end], check=False, capture_output=True)
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)


@pytest.fixture
def far_host(alone_on_the_cores: None) -> Iterator[FarHost]:
    if os.getuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and the program ip")
    try:
        host = FarHost()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"this machine makes no network namespaces: {error.stderr.decode().strip()}")
    yield host
    host.remove()


@pytest.fixture
def spread(far_host: FarHost, tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler here, a worker here and a worker on the far host."""
    made = Cluster(tmp_path, IMPATIENT, host="0.0.0.0")
    made.start_worker("near")
    made.start_worker("far", host=far_host.far, scheduler=far_host.near, within=far_host.command)
    yield made
    made.close()


def test_a_worker_cut_off_in_the_middle_of_a_block_loses_no_match(
    spread: Cluster, far_host: FarHost, tmp_path: Path
) -> None:
    path = write_tournament(tmp_path, 'name = "first"', 'name = "greedy"')
    cut: list[int] = []

    def cut_the_cable(tally: Tally, crew: DaskCrew, runner: Runner) -> None:
        if not cut:
            hold_until_seated(crew, "near", "far")
        if not cut and "far" in workers_of(path):
            far_host.cut()
            cut.append(tally.played)

    outcome, _, crew = run_on(spread.address, path, cut_the_cable)
    assert cut
    assert outcome.complete
    assert outcome.tally.lost_workers == 1
    assert crew.names() == ["near"]
    assert played(path) == run_alone(path)
