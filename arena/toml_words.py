"""What is wrong with a text that is no TOML, in the words of somebody who knows none. Raises nothing."""

from __future__ import annotations

import re

_SYNTAX = (
    (
        re.compile(r"Cannot mutate immutable namespace \('([^']*)'.*?\)"),
        r"'\1 = ...' stands above already: write all of it there, or all of it below headers such as this",
    ),
    (
        re.compile(r"Cannot declare \('([^']*)'.*?\) twice"),
        r"[\1] is there already: put all its keys in one place",
    ),
    (re.compile(r"Cannot overwrite a value"), "this is there already: leave one of the two out"),
    (re.compile(r"Illegal character '\\n'|Expected ('\"'|\"'\")"), "a text lacks the quote at its end"),
    (
        re.compile(r"Invalid value"),
        "this is no value: a text stands in quotes, a list in [ ], a table in { }",
    ),
)
"""What the reader of TOML says, and what it means to somebody who knows no TOML."""


def plain_words(error: Exception) -> str:
    """The mistake that the reader of TOML found, with the place that it names."""
    what = str(error) or "nested too deeply"
    for said, meaning in _SYNTAX:
        what = said.sub(meaning, what)
    return what
