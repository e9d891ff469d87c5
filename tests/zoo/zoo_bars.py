"""What tests of the zoo share: the animals' files, and the skip where there is no bubblewrap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena import sandbox
from arena.bot import BotSpec

BOTS = Path(__file__).parent / "bots"
MakeSpec = Callable[..., BotSpec]


def skip_without(mode: str) -> None:
    """Skip, by name, what needs bubblewrap where there is none."""
    if mode == "bwrap" and (trouble := sandbox.bubblewrap_trouble()) is not None:
        pytest.skip(trouble)
