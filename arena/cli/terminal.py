"""The terminal that we are at: whether it can be drawn over, and how we are called there. Raises nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import TextIO


def can_redraw(stream: TextIO) -> bool:
    """Whether a line may be wiped and written anew there; not in a pipe, and not at `TERM=dumb`."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def program() -> str:
    """The word with which to begin a command line that is to be typed: `arena`, or the path where only that works."""
    typed = sys.argv[0]
    found = shutil.which("arena")
    by_path = os.path.basename(typed) == "arena" and os.path.exists(typed)
    return shlex.quote(typed) if by_path and not (found and os.path.samefile(found, typed)) else "arena"
