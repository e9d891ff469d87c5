"""Our own bots under examination: every starter and every bundled bot, in every language that is installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from toolchains import works

import bots
from arena.bot import resolve
from arena.doctor import Report, examine
from arena.limits import Limits
from arena.starter import TOOLS, make_starter

POSITIONS = 50
LIMITS = Limits(move_ms=600)  # the searcher takes half of it


def told(report: Report) -> str:
    return "\n".join(f"{finding.code}: {finding.what}" for finding in report.findings)


@pytest.mark.parametrize("language", TOOLS)
def test_a_starter_is_healthy_before_it_is_edited(language: str, tmp_path: Path) -> None:
    if missing := [tool for tool in TOOLS[language] if not works(tool)]:
        pytest.skip(f"no {' and no '.join(missing)} on this machine")
    made = make_starter("alice", language, tmp_path)
    report = examine(resolve(str(made.folder)), positions=POSITIONS)
    assert report.findings == [], told(report)
    assert len(report.games) >= 5


@pytest.mark.parametrize("name", bots.bundled())
def test_a_bundled_bot_is_healthy(name: str) -> None:
    manifest = tomllib.loads((bots.bundled()[name] / "bot.toml").read_text(encoding="utf-8"))
    for command in (manifest.get("build", "true"), manifest["run"]):
        tool = command.split()[0]
        if "/" not in tool and not works(tool):
            pytest.skip(f"no {tool} on this machine")
    report = examine(resolve(name), limits=LIMITS, positions=POSITIONS)
    assert report.findings == [], told(report)
