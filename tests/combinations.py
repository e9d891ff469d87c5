"""How much of what can be tested is: the whole of it, or as much as a quick run has the time for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

WHOLE = "ARENA_TESTS_WHOLE"
"""With this variable set, as `tox -e tests` sets it, tests are run with every combination, and as often as they can."""


def is_whole() -> bool:
    """Whether a test is to do all that it can, however long that takes."""
    return bool(os.environ.get(WHOLE))


def paired(some: Sequence[A], others: Sequence[B]) -> list[tuple[A, B]]:
    """Each of both sides at least once: what goes wrong with one of them does so beside whatever other."""
    if is_whole():
        return list(product(some, others))
    longest = max(len(some), len(others))
    return [(some[at % len(some)], others[at % len(others)]) for at in range(longest)]
