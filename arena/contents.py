"""The contents of a bot's files, so that what is started is what was found: read again only where a file has changed.

Raises OSError where a file is gone.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

IGNORED = {"__pycache__", ".git", ".venv"}
"""Folders that are no part of a bot; nor is Cargo's `target`."""
VERSION_CHARS = 12

Mark = tuple[str, int, int, int, int]
_known: dict[tuple[tuple[str, ...], bool], tuple[tuple[Mark, ...], str]] = {}


class Content(NamedTuple):
    """Files and folders, and a hash of what was in them: of a bot's own files, or of the whole folders."""

    paths: tuple[str, ...]
    digest: str
    whole: bool = False

    @classmethod
    def of(cls, *paths: str, whole: bool = False) -> Content:
        """As they are now."""
        return cls(paths, content_now(paths, whole=whole), whole)

    def change(self) -> str | None:
        """What has become of them since, as a part of a sentence; None if they are what they were."""
        try:
            return None if content_now(self.paths, whole=self.whole) == self.digest else "were changed"
        except OSError:
            return "are gone"


def content_now(paths: Sequence[str], *, whole: bool = False) -> str:
    """A hash of all these files and folders, as they are now.

    `whole`: with what a bot's version leaves out. A build may put anything anywhere, and what it made is what plays.
    """
    key = tuple(paths), whole
    files, look = (_all_files, os.lstat) if whole else (_files, os.stat)
    marks = tuple(_mark(file, look(file)) for path in paths for file in files(Path(path)))
    known = _known.get(key)
    if known is None or known[0] != marks:
        version = _whole_digest if whole else content_version
        content = hashlib.sha256("".join(version(Path(path)) for path in paths).encode()).hexdigest()
        known = _known[key] = marks, content
    return known[1]


def _mark(file: Path, found: os.stat_result) -> Mark:
    """What changes when the file does; nobody can set the time of a change back."""
    return str(file), found.st_ino, found.st_ctime_ns, found.st_size, found.st_mode


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
    """The files that make up a bot, in one order: all below its folder but what tools leave there.

    Links to files are taken for these, and links to folders of the bot's own for what is in them.
    """
    return _walked(folder)[0]


def stray_links(folder: Path) -> list[Path]:
    """The links to folders that are not followed: out of the bot's folder, or round in a circle."""
    return _walked(folder)[1]


def _walked(folder: Path) -> tuple[list[Path], list[Path]]:
    """A bot's files, and the links to folders that are not followed."""
    found: list[Path] = []
    strays: list[Path] = []
    root = os.path.realpath(folder)
    for place, folders, files in os.walk(folder, followlinks=True):
        ignored = IGNORED | {"target"} if "Cargo.toml" in files else IGNORED
        inside = [Path(place, name) for name in folders if name not in ignored]
        astray = [path for path in inside if path.is_symlink() and _leads_astray(path, folder, root)]
        strays += astray
        folders[:] = [path.name for path in inside if path not in astray]
        found += [path for name in files if (path := Path(place, name)).is_file()]
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix()), sorted(strays)


def _leads_astray(link: Path, folder: Path, root: str) -> bool:
    real = Path(os.path.realpath(link))
    above = [place for place in link.parents if place.is_relative_to(folder)]
    return not real.is_relative_to(root) or any(os.path.realpath(place) == str(real) for place in above)


def has_caches(path: str) -> bool:
    """Whether Python would find compiled modules in this folder, which are no part of a bot's version."""
    return any("__pycache__" in folders for _, folders, _ in os.walk(path))


# --- whole folders ------------------------------------------------------------------------------


def _all_files(folder: Path) -> list[Path]:
    """All that is in a folder but folders, in one order; links are not followed."""
    found = []
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        found += [Path(place, name) for name in (*files, *links)]
    return sorted(found)


def _whole_digest(folder: Path) -> str:
    """A hash of names, kinds and contents of all that is in a folder."""
    digest = hashlib.sha256()
    for file in _all_files(folder):
        name, mode = file.relative_to(folder).as_posix(), file.lstat().st_mode
        content = b""  # of a pipe, say: it is not opened
        if stat.S_ISREG(mode):
            content = file.read_bytes()
        elif stat.S_ISLNK(mode):
            content = os.fsencode(os.readlink(file))
        head = f"{len(name)} {name} {len(content)} {stat.S_IFMT(mode)} {mode & 0o111:d} "
        digest.update(head.encode(errors="replace"))
        digest.update(content)
    return digest.hexdigest()
