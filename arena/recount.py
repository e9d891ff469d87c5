"""A table that somebody keeps or published, compared with the table that the records give.

Owns what counts as the same: everything that depends on results alone, think times left out; ratings are compared
to a tenth of a point, as machines may round the last figure differently.

Raises UsageError for a file that is no table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from arena.proof import Finding

RATING_SLACK = 0.11
"""Two tables that round to tenths may differ by one of them."""
SHARE_SLACK = 0.0002
_RATINGS = (".rating", ".low", ".high")
_LEFT_OUT = frozenset({"think_ms", "run"})


def read_tables(path: Path) -> dict[str, Any]:
    """The tables of a file, as `arena standings --json` prints them."""
    try:
        stored = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no JSON: {error}") from None
    if not isinstance(stored, dict) or not isinstance(stored.get("tables"), list):
        raise UsageError(f"{path} has no tables in it: it should be what 'arena standings RUN --json' prints")
    return stored


def compare(stored: Any, right: Any, place: str = "") -> Finding | None:
    """The first place at which a stored table is not what the records give; None if there is none.

    What the stored one leaves out is not looked at, nor is what only it knows.
    """
    if isinstance(stored, dict) and isinstance(right, dict):
        for key in [key for key in stored if key in right and key not in _LEFT_OUT]:
            if finding := compare(stored[key], right[key], f"{place}.{key}" if place else str(key)):
                return finding
        return None
    if isinstance(stored, list) and isinstance(right, list):
        return _compare_lists(stored, right, place)
    if _same(stored, right, RATING_SLACK if place.endswith(_RATINGS) else SHARE_SLACK):
        return None
    return Finding(place, f"is {stored!r}, by the records {right!r}")


def _compare_lists(stored: list[Any], right: list[Any], place: str) -> Finding | None:
    if len(stored) != len(right):
        return Finding(place, f"has {len(stored)} entries, by the records {len(right)}")
    for index, (one, other) in enumerate(zip(stored, right, strict=True)):
        if finding := compare(one, other, f"{place}.{index}"):
            return finding
    return None


def _same(stored: Any, right: Any, slack: float) -> bool:
    if isinstance(stored, float) and isinstance(right, float):
        return abs(stored - right) <= slack
    return bool(stored == right)
