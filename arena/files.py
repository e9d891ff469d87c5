"""Files: the one that a user's word names, and writing one so that nobody ever meets a part of it.

Raises UsageError for a path that may not be looked at, and OSError when the disk fails.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from arena.errors import ArenaError, HarnessFailure, UsageError

UNFINISHED = ".new-"
"""How the names of files begin that are still being written, or were when their writer was killed."""


def named(word: str, folder: Path | None = None) -> Path | None:
    """The file or folder that a word names, seen from `folder`; None for a word that names none.

    A word may also be a whole command line, too long for any path, or begin with `~` and nobody's name.
    """
    path = (folder or Path()) / os.path.expanduser(word)
    try:
        path.stat()
    except PermissionError:
        raise UsageError(f"{path} cannot be looked at: permission denied") from None
    except (OSError, ValueError):  # ValueError: a zero byte
        return None
    return path


def disk_error(what: str, error: OSError) -> ArenaError:
    """The error for something that the disk refused: the user's to mend if it is a matter of permission."""
    said = f"{what}: {error.strerror or error}"
    return UsageError(said) if isinstance(error, PermissionError) else HarnessFailure(said)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader, or a crash, meets the old one or the new one and nothing between."""
    descriptor, name = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # mkstemp makes it private
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Have the disk keep a file's content, or the names in a folder, whatever happens to the machine."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
