"""The contents of a bot's files, so that what is started is what was found: read again only where a file has changed.

Raises OSError where a file is gone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

IGNORED = {"__pycache__", ".git", ".venv"}
"""Folders that are no part of a bot; nor is Cargo's `target`."""
VERSION_CHARS = 12

_known: dict[tuple[str, ...], tuple[tuple[tuple[str, int, int, int, int], ...], str]] = {}


class Content(NamedTuple):
    """Files and folders, and a hash of what was in them."""

    paths: tuple[str, ...]
    digest: str

    @classmethod
    def of(cls, *paths: str) -> Content:
        """As they are now."""
        return cls(paths, content_now(paths))

    def change(self) -> str | None:
        """What has become of them since, as a part of a sentence; None if they are what they were."""
        try:
            return None if content_now(self.paths) == self.digest else "were changed"
        except OSError:
            return "are gone"


def content_now(paths: Sequence[str]) -> str:
    """A hash of all these files and folders, as they are now."""
    key = tuple(paths)
    marks = tuple(_mark(file) for path in key for file in _files(Path(path)))
    known = _known.get(key)
    if known is None or known[0] != marks:
        content = hashlib.sha256("".join(content_version(Path(path)) for path in key).encode()).hexdigest()
        known = _known[key] = marks, content
    return known[1]


def _mark(file: Path) -> tuple[str, int, int, int, int]:
    """What changes when the file does."""
    found = os.stat(file)
    return str(file), found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode


def content_version(path: Path) -> str:
    """The version of a file or folder: a hash of its files' names and contents, and of which are programs."""
    digest = hashlib.sha256()
    for file in _files(path):
        name = file.name if file == path else file.relative_to(path).as_posix()
        content = file.read_bytes()
        digest.update(f"{len(name)} {name} {len(content)} {is_program(file):d} ".encode(errors="replace"))
        digest.update(content)
    return digest.hexdigest()[:VERSION_CHARS]


def _files(path: Path) -> list[Path]:
    return bot_files(path) if path.is_dir() else [path]


def is_program(file: Path) -> bool:
    """Whether the file is marked executable, for anyone: the same whoever looks."""
    return bool(file.stat().st_mode & 0o111)


def bot_files(folder: Path) -> list[Path]:
    """The files that make up a bot, in one order: all below its folder but what tools leave there."""
    found = []
    for place, folders, files in os.walk(folder):
        ignored = IGNORED | {"target"} if "Cargo.toml" in files else IGNORED
        folders[:] = [name for name in folders if name not in ignored]
        found += [path for name in files if (path := Path(place, name)).is_file()]
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())
