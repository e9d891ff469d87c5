"""How animals are kept: each has a mark on its command line, and nothing of it may be left afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from toolchains import works
from zoo_bars import BOTS, MakeSpec
from zoo_processes import marked, wait_until_empty, wait_until_gone

from arena import process
from arena.bot import BotSpec
from arena.keeper import children_of

SESSION = f"zoo-{uuid.uuid4().hex}"
INTERPRETERS = {".py": sys.executable, ".js": "node", ".sh": "sh"}


@pytest.fixture(scope="session", autouse=True)
def empty_in_the_evening() -> Iterator[None]:
    """After the whole zoo, no process with this session's mark is on the machine."""
    yield
    assert marked(SESSION) == []


@pytest.fixture
def mark() -> Iterator[str]:
    """A word that only this test's animals have on their command lines; afterwards nobody has it."""
    word = f"{SESSION}-{uuid.uuid4().hex}"
    yield word
    assert wait_until_gone(word) == []
    if process._keeper is not None:  # it reaps a warden a moment after its last word
        assert wait_until_empty(lambda: children_of(process._keeper.process.pid)) == []  # type: ignore[union-attr]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Compile a program in C, once a session; skip where there is no compiler."""
    folder = tmp_path_factory.mktemp("compiled")

    def compile_it(source: Path) -> Path:
        target = folder / source.stem
        if not works("cc"):
            pytest.skip("no C compiler here")
        if not target.exists():
            subprocess.run(["cc", "-O1", "-pthread", "-o", str(target), str(source)], check=True)
        return target

    return compile_it


@pytest.fixture
def animal(mark: str, compiled: Callable[[Path], Path]) -> MakeSpec:
    """Make a BotSpec of a file in bots/, with the test's mark as its last word but those given."""

    def make(program: str, name: str = "", *more: str) -> BotSpec:
        path = BOTS / program
        words = [word for word in (name, mark, *more) if word]
        if path.suffix == ".c":
            target = compiled(path)
            return BotSpec("animal", "1", (str(target), *words), visible=(str(target),))
        interpreter = shutil.which(INTERPRETERS[path.suffix])
        if interpreter is None:
            pytest.skip(f"no {INTERPRETERS[path.suffix]} here")
        return BotSpec("animal", "1", (interpreter, str(path), *words), visible=(str(BOTS),))

    return make
