"""What the sandbox has denied a bot, by its own words on stderr alone: it is never run outside to compare.

Whether a file that it misses is elsewhere on this machine is looked up here, by us. Raises nothing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from arena import sandbox
from arena.bot import BotSpec

NETWORK_WORDS = (
    "Network is unreachable", "Name or service not known", "name resolution", "getaddrinfo", "ENETUNREACH",
    "EAI_AGAIN", "ENOTFOUND", "UnknownHostException", "ECONNREFUSED", "Connection refused", "dial tcp",
)  # fmt: skip
READ_ONLY_WORDS = ("Read-only file system", "EROFS")
"""Said of nothing that a bot may write to: its working folder is writable."""
PATH_WORDS = (
    *READ_ONLY_WORDS, "No such file or directory", "no such file or directory", "Permission denied",
    "permission denied", "FileNotFoundError", "FileNotFoundException", "NoSuchFileException", "PermissionError",
    "ENOENT", "EACCES",
)  # fmt: skip
ITS_OWN = ("/proc", "/dev", "/sys", sandbox.INSIDE)
_PATH = re.compile(r"(?<![\w./~-])/[^\s'\"`:;,()<>|]+")


class Denied(NamedTuple):
    """Something that a bot wanted and may not have: the finding's code, and the line that says so."""

    code: str
    line: str


def denied(stderr: str, spec: BotSpec) -> list[Denied]:
    """What this bot has missed in the sandbox, each kind once."""
    found: dict[str, Denied] = {}
    for line in stderr.splitlines():
        code = _kind(line, spec)
        if code is not None:
            found.setdefault(code, Denied(code, line))
    return list(found.values())


def speaks_of_files(stderr: str) -> bool:
    """Whether it has missed some file, perhaps by its own mistake."""
    return _says(stderr, PATH_WORDS)


def _kind(line: str, spec: BotSpec) -> str | None:
    if _says(line, NETWORK_WORDS):
        return "network"
    if _says(line, READ_ONLY_WORDS):
        return "forbidden-path"
    if _says(line, PATH_WORDS) and any(_is_elsewhere(path, spec) for path in _PATH.findall(line)):
        return "forbidden-path"
    return None


def _is_elsewhere(word: str, spec: BotSpec) -> bool:
    """Whether this path is on this machine, or its folder is, and the sandbox does not show it."""
    path = Path(os.path.normpath(word))
    shown = (*sandbox.SYSTEM_FOLDERS, *ITS_OWN, *spec.visible)
    if any(path.is_relative_to(place) for place in shown):
        return str(path) in sandbox.HIDDEN_FILES
    return os.path.exists(path) or (path.parent != path.parent.parent and path.parent.is_dir())


def _says(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
