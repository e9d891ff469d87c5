"""Real Dask processes on loopback for tests, and tournaments to play on them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from legal_bot import legal_bot

from arena.cluster import hire
from arena.cluster.crew import DaskCrew
from arena.crew import LocalCrew
from arena.organiser import opened, take_order
from arena.runner import Runner, RunOutcome, Tally
from arena.worker import Report

Hook = Callable[[Tally, DaskCrew, Runner], None]


def write_tournament(folder: Path, *bots: str, rounds: int = 40, name: str = "cup") -> Path:
    """A tournament of these bots (lines of TOML each) and a script of its own, `middle.py`, beside it."""
    (folder / "middle.py").write_text(legal_bot("len(legal) // 2"), encoding="utf-8")
    lines = [f'name = "{name}"', "seed = 5", f"rounds = {rounds}"]
    lines += ["[[games]]", 'id = "squares"', "options = { total = [30, 90] }", "[[games]]", 'id = "grid"']
    for bot in ('name = "middle"\npath = "middle.py"', *bots):
        lines += ["[[bots]]", bot]
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def played(path: Path) -> dict[str, dict[str, Any]]:
    """The records of a run by id, without what may differ: times, and who played them. No id is there twice."""
    found: dict[str, dict[str, Any]] = {}
    name = path.stem
    for line in (path.parent / "runs" / name / "matches.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert record["id"] not in found, f"{record['id']} is recorded twice"
        for key in ("started", "wall_ms", "worker"):
            record.pop(key, None)
        for move in record["moves"]:
            del move["ms"]
        found[record["id"]] = record
    return found


def workers_of(path: Path) -> set[str]:
    """Who played, by the records."""
    text = (path.parent / "runs" / path.stem / "matches.jsonl").read_text(encoding="utf-8")
    return {json.loads(line)["worker"] for line in text.splitlines()}


def run_alone(path: Path) -> dict[str, dict[str, Any]]:
    """Play it with one worker of this machine, beside the file in a folder of its own."""
    folder = path.parent / "alone"
    folder.mkdir()
    for file in path.parent.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
            (folder / file.name).chmod(file.stat().st_mode)
    order = take_order(folder / path.name, sandbox_mode="none")
    with opened(order) as event:
        crew = LocalCrew(order.setup, 1)
        event.runner(crew, lambda tally, report: None).run()
        crew.close()
    return played(folder / path.name)


def run_on(address: str, path: Path, hook: Hook | None = None) -> tuple[RunOutcome, list[str], DaskCrew]:
    """Play it on a cluster, calling `hook` after every report; the outcome, what was said, and the crew."""
    notes: list[str] = []
    order = take_order(path, sandbox_mode="none")
    with opened(order) as event:
        crew = hire(address, order.setup, order.file.folder, notes.append)

        def observe(tally: Tally, report: Report | None) -> None:
            if hook is not None:
                hook(tally, crew, runner)

        runner = event.runner(crew, observe)
        try:
            outcome = runner.run()
        finally:
            crew.close()
    return outcome, notes, crew


def hold_until_seated(crew: DaskCrew, *names: str) -> None:
    """Hold the run until these workers are there: no clock decides what a test sees."""
    for _ in range(200):
        if set(names) <= set(crew.names()):
            return
        crew._heed(crew._link.events.get(timeout=30))
    raise AssertionError(
        f"{names} did not come: {crew.names()} are there, not used are {crew._peers.reasons()}"
    )


class Cluster:
    """A Dask scheduler and its workers, as processes that a person starts by hand."""

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None, host: str = "127.0.0.1") -> None:
        self.folder = folder
        self.env = {**os.environ, **(env or {})}
        self.host = host
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.scheduler = self.start_scheduler()

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Start it, or start it again at the same port."""
        words = f"--port {self.port} --no-dashboard --host {self.host}".split()
        self.scheduler = self._start([], "scheduler", words, {})
        return self.scheduler

    def start_worker(
        self,
        name: str,
        env: Mapping[str, str] | None = None,
        *,
        host: str = "127.0.0.1",
        scheduler: str = "127.0.0.1",
        within: Sequence[str] = (),
    ) -> subprocess.Popen[bytes]:
        """A worker of this name, with a home of its own, so that every bot has to travel to it."""
        home = {"ARENA_HOME": str(self.folder / f"home-{name}")}
        words = f"tcp://{scheduler}:{self.port} --name {name} --nthreads 1 --no-nanny --no-dashboard --host {host}"
        self.workers[name] = self._start(within, "worker", words.split(), {**home, **(env or {})})
        return self.workers[name]

    def _start(
        self, within: Sequence[str], what: str, words: Sequence[str], env: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                [*within, sys.executable, "-m", f"distributed.cli.dask_{what}", *words],
                env={**self.env, **env},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip

    def kill(self, name: str) -> None:
        """kill -9 a worker."""
        self.workers[name].send_signal(signal.SIGKILL)
        self.workers[name].wait()

    def close(self) -> None:
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
