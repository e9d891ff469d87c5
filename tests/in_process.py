"""The command line in the process of the test: quicker than a new one, and seen by the coverage."""

from __future__ import annotations

import pytest

from arena.cli import main


def run_here(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run one command line in this process; its exit status, output and error output."""
    with pytest.raises(SystemExit) as left:
        main(list(args))
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err
