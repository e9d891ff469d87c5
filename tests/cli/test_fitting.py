"""Tables and narrow terminals."""

from __future__ import annotations

import sys

import pytest

from arena.cli.fitting import fitted

ROWS = [("one", "some words that may stand on more than one line", "x"), ("two", "few", "y")]
HEADERS = ("a", "words", "b")


@pytest.mark.parametrize(("columns", "wanted"), [(100, 4), (40, 5), (10, 6)])
def test_on_a_narrow_terminal_the_words_are_folded(
    monkeypatch: pytest.MonkeyPatch, columns: int, wanted: int
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = fitted(ROWS, HEADERS, folding=1).splitlines()
    assert len(lines) >= wanted
    assert max(map(len, lines)) <= max(columns, 40)
    assert "one" in lines[2]


def test_in_a_pipe_every_row_is_a_line() -> None:
    assert len(fitted(ROWS, HEADERS, folding=1).splitlines()) == 4
