"""Which programs for the bots' languages can be used on this machine."""

from __future__ import annotations

import functools
import shutil
import subprocess

QUESTIONS = dict.fromkeys(("cc", "c++", "javac", "java", "node", "rustc"), "--version") | {"go": "version"}
"""What a toolchain's program is asked, since it may only stand for one that is not installed."""


@functools.cache
def works(program: str) -> bool:
    """Whether a program is there, and answers if it belongs to a toolchain."""
    if shutil.which(program) is None or program not in QUESTIONS:
        return shutil.which(program) is not None
    asked = [program, QUESTIONS[program]]
    return subprocess.run(asked, capture_output=True, stdin=subprocess.DEVNULL, check=False).returncode == 0
