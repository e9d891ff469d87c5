"""Bots, built once for each test worker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from driver import build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """A function from a bot's source folder to a folder where it is built and can be run."""
    done: dict[Path, Path] = {}

    def get(source: Path) -> Path:
        if source not in done:
            done[source] = build(source, tmp_path_factory.mktemp("bot") / source.name)
        return done[source]

    return get
