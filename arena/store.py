"""The store: the bots that were submitted, each version a snapshot that never changes.

    arena-home/                  ARENA_HOME, or `arena` in the user's data folder
        lock                     held while the store is changed
        staging/XXXX/            a submission on its way in, locked by its owner
        bots/NAME/VERSION/       about.json, and the bot's files in `files`, read-only
        bots/NAME/VERSION.check  what the last check found
        bots/NAME/current        the version that NAME means
        trash/XXXX/              on its way out
        builds/                  see arena.build

Every change is one rename: a process killed at any moment leaves the old or the new, and leftovers that the
next change sweeps away. Readers take no lock. Raises UnknownBot for what is not there, UsageError for files
that cannot be taken.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.contents import bot_files, content_version, is_program, stray_links
from arena.errors import UnknownBot, UsageError
from arena.files import UNFINISHED, sync, write_whole
from arena.names import check_bot_name

FORMAT = 1
FILES = "files"
MIN_PREFIX = 4
NO_VERSION = "unknown"
MAX_FILES = 20_000
MAX_TOTAL_BYTES = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One version of a submitted bot. `check` is what its last check found."""

    name: str
    version: str
    folder: Path
    current: bool
    language: str
    games: tuple[str, ...] | None
    submitted: str
    check: dict[str, Any] | None
    damage: str | None = None
    """Why it cannot be played: somebody has changed what is beside its files."""

    def is_intact(self) -> bool:
        """Whether all of it is there, and its files are those that were submitted."""
        try:
            return self.damage is None and content_version(self.folder) == self.version
        except OSError:
            return False


def home_folder() -> Path:
    """Where submitted and built bots are kept; not made by asking."""
    given = os.environ.get("ARENA_HOME")
    if given:
        return Path(given).expanduser().absolute()
    data = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    if not data.is_absolute():  # the specification says: ignore it then
        data = Path("~/.local/share").expanduser()
    return data / "arena"


class Store:
    """The submitted bots below one home folder."""

    def __init__(self, home: Path | None = None) -> None:
        self.home = home or home_folder()
        self.bots = self.home / "bots"

    # --- reading -------------------------------------------------------------------------------

    def find(self, name: str, version: str | None = None) -> Snapshot:
        """The current version of this bot, or the one whose version begins so; UnknownBot if none can be played."""
        found = self.look(name, version)
        if found.damage is not None:
            raise UnknownBot(
                f"the snapshot {name}@{found.version} is damaged ({found.damage}): submit it again"
            )
        return found

    def look(self, name: str, version: str | None = None) -> Snapshot:
        """The same, damaged or not; UnknownBot if there is none."""
        current = self._current(name)
        if current is None:
            raise UnknownBot(f"no bot {name!r} was submitted ('arena bots' lists those that were)")
        if version is None:
            return self._read(name, current, current)
        there = self.versions(name)
        fitting = [v for v in there if v == version] or [v for v in there if v.startswith(version)]
        if len(fitting) != 1 or len(version) < MIN_PREFIX:
            what = "more than one version" if len(fitting) > 1 else "no version"
            raise UnknownBot(f"{name} has {what} {version!r}; there are {', '.join(there)}")
        return self._read(name, fitting[0], current)

    def versions(self, name: str) -> list[str]:
        """All versions of this bot, the latest submission last."""
        with contextlib.suppress(FileNotFoundError):  # removed while we looked
            folders = [path for path in self._folder(name).iterdir() if path.is_dir()]
            return [path.name for path in sorted(folders, key=lambda path: path.stat().st_mtime_ns)]
        return []

    def names(self) -> list[str]:
        """The names of all submitted bots, in alphabetical order."""
        if not self.bots.is_dir():
            return []
        return sorted(path.name for path in self.bots.iterdir() if (path / "current").is_file())

    def snapshots(self) -> list[Snapshot]:
        """Every version of every bot, bots by name and each bot's latest first."""
        found = []
        for name in self.names():
            versions: list[str | None] = [*reversed(self.versions(name))]
            if self._current(name) not in versions:
                versions.append(None)  # damaged, but no reason to hide it
            for version in versions:
                with contextlib.suppress(UnknownBot):  # removed while we looked
                    found.append(self.look(name, version))
        return found

    def _folder(self, name: str) -> Path:
        check_bot_name(name)
        return self.bots / name

    def _current(self, name: str) -> str | None:
        """The version that the name means, NO_VERSION if what says so is damaged; None if there is no such bot."""
        try:
            text = (self._folder(name) / "current").read_bytes().decode("ascii", "replace").strip()
        except (FileNotFoundError, NotADirectoryError, UsageError):
            return None
        return text if text.isalnum() and text.isascii() else NO_VERSION

    def _read(self, name: str, version: str, current: str) -> Snapshot:
        folder = self.bots / name / version
        damage = None
        try:
            about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
            language, games, submitted = about["language"], about["games"], about["submitted"]
            games = None if games is None else tuple(map(str, games))
        except (OSError, ValueError, KeyError, TypeError) as error:
            language, games, submitted, damage = "?", None, "?", _why(error)
        return Snapshot(
            name=name,
            version=version,
            folder=folder / FILES,
            current=version == current,
            language=str(language),
            games=games,
            submitted=str(submitted),
            check=self._check_of(name, version),
            damage=damage,
        )

    def _check_of(self, name: str, version: str) -> dict[str, Any] | None:
        """What its last check found, if that is known: it plays without."""
        try:
            return dict(json.loads((self.bots / name / f"{version}.check").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    # --- changing ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def staged(self) -> Iterator[Path]:
        """An empty folder for a submission on its way in; gone at the end, or taken by `add`."""
        with self._changing():
            parent = self.home / "staging"
            parent.mkdir(exist_ok=True)
            entry = Path(tempfile.mkdtemp(dir=parent))
            owner = os.open(entry, os.O_RDONLY)
            fcntl.flock(owner, fcntl.LOCK_EX)  # let go by the kernel when we end, however we end
        try:
            files = entry / FILES
            files.mkdir()
            yield files
        finally:
            delete_tree(entry)
            os.close(owner)

    def add(
        self,
        name: str,
        files: Path,
        language: str,
        games: tuple[str, ...] | None,
        check: dict[str, Any] | None = None,
    ) -> Snapshot:
        """Take a staged folder as a version of this bot and make it the current one.

        One that is there already stays, unless it is damaged.
        """
        folder = self._folder(name)
        version = content_version(files)
        about = {"format": FORMAT, "language": language, "games": games, "submitted": now()}
        write_whole(files.parent / "about.json", json.dumps(about))
        make_read_only(files)
        with self._changing():
            folder.mkdir(parents=True, exist_ok=True)
            if not self._read(name, version, version).is_intact():
                if (folder / version).exists():
                    self._discard(folder / version)
                files.parent.chmod(0o755)
                os.rename(files.parent, folder / version)
            if check is not None:
                write_whole(folder / f"{version}.check", json.dumps(check))
            os.utime(folder / version)  # the latest submission is the latest by its time
            sync(folder)
            write_whole(folder / "current", version)
            sync(self.bots)
        return self.find(name, version)

    def note_check(self, name: str, version: str, check: dict[str, Any]) -> None:
        """Keep what a check of this version found, in place of what the check before found."""
        with self._changing():
            if (self._folder(name) / version).is_dir():  # not removed meanwhile
                write_whole(self._folder(name) / f"{version}.check", json.dumps(check))

    def remove(self, name: str, version: str | None = None) -> list[Snapshot]:
        """Remove a bot, or one version of it; what was removed. The latest that is left becomes current."""
        with self._changing():
            gone = self.look(name, version)
            there = self.versions(name)
            left = [v for v in there if v != gone.version]
            if version is None or not left:
                removed = [self.look(name, v) for v in there] or [gone]
                self._discard(self._folder(name))
                return removed
            if self._current(name) not in left:
                write_whole(self._folder(name) / "current", left[-1])
            self._discard(gone.folder.parent)
            (self._folder(name) / f"{gone.version}.check").unlink(missing_ok=True)
            return [gone]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the store's lock, and begin by sweeping away what killed processes have left."""
        make_folder(self.bots)
        with locked(self.home / "lock"):
            self._sweep()
            yield

    def _sweep(self) -> None:
        for entry in _entries(self.home / "trash"):
            delete_tree(entry)
        for entry in _entries(self.home / "staging"):
            if _is_abandoned(entry):
                delete_tree(entry)
        for folder in _entries(self.bots):
            for entry in folder.glob(f"{UNFINISHED}*"):
                entry.unlink()
            if not (folder / "current").exists():  # its first submission was cut off
                self._discard(folder)

    def _discard(self, folder: Path) -> None:
        """Take a folder out of sight in one step, then delete it."""
        trash = self.home / "trash"
        trash.mkdir(exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=trash))
        os.rename(folder, place / folder.name)
        delete_tree(place)


# --- files --------------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make a folder of the home, if it is not there; UsageError names the way out."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = error.strerror or str(error)
        raise UsageError(f"cannot keep bots in {folder}: {what} (ARENA_HOME sets another folder)") from None


def copy_bot(source: Path, target: Path) -> None:
    """Copy a bot's files, those that its version is made of; UsageError for what no snapshot can hold."""
    left = MAX_TOTAL_BYTES
    root = source.resolve()
    for link in stray_links(source):
        raise UsageError(
            f"{link.relative_to(source)} is a link that leads out of the bot's folder, or in a circle: put the "
            "files themselves there"
        )
    for number, file in enumerate(bot_files(source), start=1):
        inside = file.relative_to(source)
        if not file.resolve().is_relative_to(root):
            raise UsageError(
                f"{inside} is a link that leads out of the bot's folder: put the file itself there"
            )
        left -= file.stat().st_size
        if left < 0 or number > MAX_FILES:
            raise UsageError(
                f"the folder {source} is too large: at most {MAX_FILES:,} files and "
                f"{MAX_TOTAL_BYTES // 2**20} MB are taken"
            )
        place = target / inside
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
        os.chmod(place, 0o755 if is_program(file) else 0o644)


def delete_tree(folder: Path) -> None:
    """Delete a folder, read-only ones in it included; nothing happens if it is gone."""
    for place, _, _ in os.walk(folder):
        with contextlib.suppress(OSError):
            os.chmod(place, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of this file, waiting for it; the kernel lets it go if this process is killed."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def locked_if_free(path: Path) -> Iterator[bool]:
    """Hold the lock of this file, if nobody else does: whether it is held now."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield _lock_now(fd)
    finally:
        os.close(fd)


def _lock_now(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def now() -> str:
    """The time, as records write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _why(error: Exception) -> str:
    """What is wrong with an about.json, without its path."""
    what = (
        error.strerror
        if isinstance(error, OSError)
        else repr(error)
        if isinstance(error, KeyError)
        else error
    )
    return f"about.json: {what}"


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_abandoned(entry: Path) -> bool:
    """Whether the process that made this staging folder is gone: then its lock is free."""
    try:
        fd = os.open(entry, os.O_RDONLY)
    except OSError:
        return False
    try:
        return _lock_now(fd)
    finally:
        os.close(fd)


def make_read_only(folder: Path) -> None:
    """Make every file and folder below read-only and see them to the disk; what links lead to is left alone."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            path = Path(place, name)
            if not stat.S_ISREG(path.lstat().st_mode):
                continue
            path.chmod(0o555 if is_program(path) else 0o444)
            sync(path)
        sync(Path(place))
        os.chmod(place, 0o555)
