"""What the tests of the report share: made-up runs, and one browser for all that needs a real one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_runs import FIELD, HOSTILE, run_lines

from arena.record import MatchRecord, parse_record
from arena.report.data import build
from arena.report.page import render, write
from arena.schedule import id_order

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def lines() -> list[str]:
    """A run of six bots and two hostile ones over the five games."""
    return run_lines([*FIELD, *HOSTILE[:2]])


@pytest.fixture(scope="session")
def records(lines: list[str]) -> list[MatchRecord]:
    """The records of that run, in the order in which the page lists them."""
    return sorted((parse_record(line) for line in lines), key=lambda record: id_order(record.id))


@pytest.fixture(scope="session")
def report_file(records: list[MatchRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of that run."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    write(render(build("spring-cup", records[::-1], scheduled=600)), file)
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium, launched once for a module."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no browser: chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()
