"""The command line in the process of the test: quicker than a new one, and seen by the coverage."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Mapping

import pytest

from arena.cli import main


def run_here(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run one command line in this process; its exit status, output and error output."""
    with pytest.raises(SystemExit) as left:
        main(list(args))
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err


def arena_here(
    *args: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same with streams of its own: these lines are typed in, and nobody is at a terminal."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.StringIO(stdin),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", write_through=True),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as left:
            main(list(args))
    status = int(left.value.code or 0)
    return subprocess.CompletedProcess(
        ["arena", *args], status, out.getvalue().decode(), err.getvalue().decode()
    )
