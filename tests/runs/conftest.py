"""Whole runs as an organiser starts them: tournaments in a folder of their own, whose every process can be found.

A bot here is a small script in the test's folder, so its command line names that folder; all other processes of a run
carry a mark of the test in their environment. So `Field.processes` finds what is left of a run, whatever it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from in_process import arena_here

MARK = "ARENA_TEST_MARK"
PATIENCE_SECONDS = 60.0

STEADY = """\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        seat = next(w[5:] for w in rest if w.startswith("seat="))
        state = int(next(w[5:] for w in rest if w.startswith("seed=")))
        {on_game}
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        {on_go}
        state = (state * 1103515245 + {number}) % 2**31
        print(legal[(state >> 8) % len(legal)], flush=True)
    elif word == "quit":
        break
"""


class Field:
    """A folder with bots and tournament files, and the runs that are started there."""

    def __init__(self, folder: Path, mark: str) -> None:
        self.folder = folder
        self.mark = mark
        self.env = {**os.environ, MARK: mark, "ARENA_HOME": str(folder / "home"), "NO_COLOR": "1"}
        self.scratch = Path(
            tempfile.mkdtemp(prefix="a-")
        )  # a socket's path must be short: pytest's folder is not
        self.env["TMPDIR"] = str(self.scratch)
        self.started: list[subprocess.Popen[str]] = []

    def bot(self, name: str, *, on_game: str = "pass", on_go: str = "pass") -> str:
        """A deterministic bot in a script of its own; the name of the script."""
        number = 12345 + 2 * sum(map(ord, name))
        script = self.folder / f"{name}.py"
        script.write_text(STEADY.format(on_game=on_game, on_go=on_go, number=number), encoding="utf-8")
        return script.name

    def cup(
        self,
        bots: dict[str, str],
        *,
        name: str = "cup",
        seed: int = 7,
        rounds: int = 2,
        games: str = '[[games]]\nid = "squares"\noptions = { total = [50, 90] }\nopening_plies = 2\n',
        limits: str = "",
    ) -> Path:
        """A tournament file with these bots: their names, and the scripts that they are."""
        listed = "".join(
            f"[[bots]]\nname = {json.dumps(bot, ensure_ascii=False)}\npath = {json.dumps(path)}\n"
            for bot, path in bots.items()
        )
        file = self.folder / f"{name}.toml"
        head = f'name = "{name}"\nseed = {seed}\nrounds = {rounds}\n'
        file.write_text(f"{head}{games}[limits]\n{limits}\n{listed}", encoding="utf-8")
        return file

    def bots(self, count: int) -> dict[str, str]:
        """So many different bots."""
        names = [f"bot{number}" for number in range(1, count + 1)]
        return {name: self.bot(name) for name in names}

    # --- running

    def start(self, *args: str | Path, **how: Any) -> subprocess.Popen[str]:
        """`arena ARGS` in the background, without a sandbox unless told otherwise."""
        words = words_of(args)
        settings: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            "cwd": self.folder,
            "env": self.env,
        }
        process = subprocess.Popen([sys.executable, "-m", "arena", *words], **(settings | how))
        self.started.append(process)
        return process

    def here(self, *args: str | Path) -> subprocess.CompletedProcess[str]:
        """The same in the test's process, which is quicker: for what comes before and after that which is tested."""
        env = {name: self.env[name] for name in ("ARENA_HOME", "NO_COLOR")}
        with contextlib.chdir(self.folder):
            return arena_here(*words_of(args), env=env)

    def arena(self, *args: str | Path, **how: Any) -> subprocess.CompletedProcess[str]:
        """`arena ARGS` to its end."""
        process = self.start(*args, **how)
        stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def matches(self, name: str = "cup") -> Path:
        """The records of a run."""
        return self.folder / "runs" / name / "matches.jsonl"

    def size(self, name: str = "cup") -> int:
        """How many bytes are recorded."""
        path = self.matches(name)
        return path.stat().st_size if path.exists() else 0

    def records(self, name: str = "cup") -> dict[str, dict[str, Any]]:
        """The records by their ids, without what depends on the clock; no id twice."""
        found: dict[str, dict[str, Any]] = {}
        for line in self.matches(name).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            assert record["id"] not in found
            for key in ("started", "wall_ms", "worker"):
                record.pop(key, None)
            for move in record["moves"]:
                del move["ms"]
            found[record["id"]] = record
        return found

    def tables(self, name: str = "cup") -> Any:
        """The standings as JSON, without the thinking times and the run's name."""
        done = self.here("standings", self.folder / "runs" / name, "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        del found["run"]
        for table in found["tables"]:
            for row in table["rows"]:
                del row["think_ms"]
        return found

    # --- looking

    def processes(self) -> dict[int, str]:
        """Every living process that belongs to the runs of this field: bots, keepers, workers, all."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                command = (entry / "cmdline").read_bytes()
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if os.fsencode(self.folder) in command or f"{MARK}={self.mark}".encode() in environment:
                found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")[:200]
        return found

    def has_child(self, run: subprocess.Popen[str], what: str) -> bool:
        """Whether a run has a child with this word in its command line, or is over."""
        return run.poll() is not None or any(what in command_of(child) for child in children(run.pid))

    def workers(self, run: subprocess.Popen[str]) -> list[int]:
        """The worker processes of a run: the children of its fork server."""
        return [
            pid for child in children(run.pid) if "forkserver" in command_of(child) for pid in children(child)
        ]

    def nothing_is_left(self) -> None:
        """Wait until no process of the runs lives any more; fail, naming them, if some stay."""
        until(lambda: not self.processes(), lambda: f"still there: {self.processes()}", seconds=20)


def words_of(args: Iterable[str | Path]) -> list[str]:
    """The words of a command line; runs are without a sandbox unless told otherwise."""
    words = [str(arg) for arg in args]
    return [*words, "--sandbox", "none"] if words[0] == "run" and "--sandbox" not in words else words


def children(pid: int) -> list[int]:
    """The direct children of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        try:
            found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def until(true: Callable[[], bool], what: Callable[[], str], seconds: float = PATIENCE_SECONDS) -> None:
    """Look until something has come true; fail if it does not for very long."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            pytest.fail(what())
        time.sleep(0.002)


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Look until something has come true: `wait_until(condition, what_if_not)`."""
    return until


@pytest.fixture
def field(tmp_path: Path) -> Iterator[Field]:
    """A folder to hold tournaments in; at the end nothing that was started there may be left."""
    made = Field(tmp_path, f"{os.getpid()}-{tmp_path.name}")
    yield made
    for process in made.started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()
    made.nothing_is_left()
    shutil.rmtree(made.scratch)
