"""Which combinations of two things a test is run with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

WHOLE = "ARENA_TESTS_WHOLE"
"""With this variable set, as `tox -e tests` sets it, tests are run with every combination."""


def paired(some: Sequence[A], others: Sequence[B]) -> list[tuple[A, B]]:
    """Each of both sides at least once: what goes wrong with one of them does so beside whatever other."""
    if os.environ.get(WHOLE):
        return list(product(some, others))
    longest = max(len(some), len(others))
    return [(some[at % len(some)], others[at % len(others)]) for at in range(longest)]
