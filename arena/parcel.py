"""A parcel: a bot's files packed for the way to another machine, under the hash that is the bot's version.

    arena-home/parcels/VERSION/about.json     what the parcel says of itself
    arena-home/parcels/VERSION/files/N/...    its files; N is the place of a command line's word, 0 for the bot itself

What travels is what the version is made of: a bot's sources, never what a build made of them. Nothing that arrives is
believed: it is unpacked as any stranger's archive is, its version is worked out anew, and only if that is the one that
was asked for it is kept. What is kept is looked at as closely each time that it is wanted; what was damaged meanwhile
counts as not there, and the next parcel of that version replaces it.

Programs of the system do not travel, whether they are named by a word (`node`) or by their path (`/usr/bin/node`): they
must be there. Of those with a path the version is part of the bot's, so the parcel says which it was where the run
began: another build of the same program plays under the version that the organiser knows.

Raises UsageError for what cannot be packed or is not what it says, UnknownBot (BuildFailed among them) for a bot that
arrived but cannot be started here.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import stat
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from arena import archive, sandbox
from arena.bot import BotSpec, command_files, command_version, from_folder, resolve
from arena.contents import VERSION_CHARS, bot_files, content_version, is_program
from arena.errors import UnknownBot, UsageError
from arena.files import named, write_whole
from arena.store import MAX_FILES, delete_tree, home_folder, locked

MAX_BYTES = 256 * 2**20
KEPT_DAYS = 30
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file knows: the same files make the same parcel, whenever they were written."""
ALLOWED = archive.Allowance(MAX_BYTES * 2, MAX_BYTES, MAX_BYTES, MAX_FILES)


@dataclass(frozen=True, slots=True)
class About:
    """What a parcel holds: `words` of a command line, or none for a folder or script; `places` of its files."""

    version: str
    words: tuple[str, ...]
    places: tuple[tuple[int, str], ...]
    program: tuple[str, str] | None = None
    """A program of the system that is named by its path: that path, and its version where the run began."""

    def located(self, files: Path) -> dict[int, Path]:
        """Where the files are, unpacked below `files`, for each word that is a file."""
        return {index: files / str(index) / name for index, name in self.places}


@dataclass(frozen=True, slots=True)
class Parcel:
    """A bot on its way: what it holds, and the files as a zip archive."""

    about: About
    data: bytes


# --- packing ------------------------------------------------------------------------------------


def pack(spec: BotSpec, word: str, folder: Path) -> Parcel:
    """The parcel of a bot that `word` means, with `folder` as the current one; UsageError if it cannot travel."""
    for place in _candidates(spec, word, folder):
        if content_version(place) == spec.version:
            return _packed(About(spec.version, (), ((0, place.name),)), {0: place})
    words, files = _command(word, folder)
    if command_version(words, files) != spec.version:
        raise UsageError(
            f"the files of {spec.name} are not what they were when the run began: start it again"
        )
    program = None
    if 0 in files and _is_the_systems(files[0], folder):
        path = files.pop(0)
        program = os.path.normpath(path), content_version(path)
    places = tuple((index, path.name) for index, path in files.items())
    return _packed(About(spec.version, tuple(words), places, program), files)


def _candidates(spec: BotSpec, word: str, folder: Path) -> Iterator[Path]:
    """Where the files of a bot that is no command line may be. The version tells which are the right ones."""
    import bots

    if word in (bundled := bots.bundled()):
        yield bundled[word].resolve()
    yield from (home_folder() / "bots").glob(f"*/{spec.version}/files")
    if (path := named(word, folder)) is not None:
        yield path.resolve()


def _command(word: str, folder: Path) -> tuple[list[str], dict[int, Path]]:
    """The words of a command line, and the files among them: 0 is the program, if it is named by its path."""
    words = shlex.split(word)
    if len(words) == 1 and "/" not in words[0]:
        words = [shutil.which(words[0]) or words[0]]
    return words, command_files(words, folder)


def _is_the_systems(program: Path, folder: Path) -> bool:
    """Whether a program is one of this system: not if it lies with the tournament, wherever that is (in /opt, say)."""
    path = Path(os.path.normpath(program))
    return not path.is_relative_to(folder.absolute()) and any(
        map(path.is_relative_to, sandbox.SYSTEM_FOLDERS)
    )


def _packed(about: About, files: Mapping[int, Path]) -> Parcel:
    """Pack these files and folders: the same files make the same bytes."""
    buffer = BytesIO()
    left = MAX_BYTES
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for index, path in sorted(files.items()):
            for file in bot_files(path) if path.is_dir() else [path]:
                inside = file.relative_to(path.parent).as_posix()
                left -= file.stat().st_size
                if left < 0:
                    raise UsageError(
                        f"{path} is too large to travel: at most {MAX_BYTES // 2**20} MB are taken"
                    )
                info = zipfile.ZipInfo(f"{index}/{inside}", EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (stat.S_IFREG | (0o755 if is_program(file) else 0o644)) << 16
                packed.writestr(info, file.read_bytes())
    return Parcel(about, buffer.getvalue())


# --- unpacking ----------------------------------------------------------------------------------


def find(version: str) -> BotSpec | None:
    """The bot of this version as it can be started here; None if its files are not here.

    UnknownBot if they are, and it cannot be built or started for want of a program.
    """
    if (bundled := _bundled().get(version)) is not None:
        return from_folder(Path(bundled))
    home = _parcels() / version
    about = _whole(home)
    if about is None:
        return None
    with contextlib.suppress(OSError):
        os.utime(home)
    return _spec(about, home / "files")


def keep(parcel: Parcel) -> None:
    """Unpack a parcel and keep it, if it is what it says; UsageError if it is not. A damaged one is replaced."""
    version = parcel.about.version
    if len(version) != VERSION_CHARS or not version.isalnum():
        raise UsageError(f"{version!r} is no version of a bot")
    parcels = _parcels()
    parcels.mkdir(parents=True, exist_ok=True)
    with locked(parcels / f"lock-{version[:2]}"):
        _sweep(parcels, version[:2])
        if _whole(parcels / version) is None:
            _unpack(parcel, parcels / version)


def _unpack(parcel: Parcel, target: Path) -> None:
    """Unpack beside the target, look, and rename."""
    place = Path(tempfile.mkdtemp(prefix=f".new-{target.name[:2]}-", dir=target.parent))
    try:
        new = place / "new"
        files = new / "files"
        files.mkdir(parents=True)
        if parcel.about.places:
            (place / "parcel.zip").write_bytes(parcel.data)
            archive.extract(place / "parcel.zip", files, ALLOWED)
        found = _version_here(parcel.about, files)
        if found != target.name:
            raise UsageError(f"what arrived as version {target.name} is version {found}: it is not kept")
        write_whole(new / "about.json", json.dumps(asdict(parcel.about)))
        if target.exists():  # damaged; another worker may be about to start it: it is gone for a moment only
            os.rename(target, place / "damaged")
        os.rename(new, target)
    finally:
        delete_tree(place)


def _whole(home: Path) -> About | None:
    """What is kept here, if it is all there and as it arrived."""
    try:
        about = _read_about(home)
        return about if _version_here(about, home / "files") == home.name else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read_about(home: Path) -> About:
    table = json.loads((home / "about.json").read_text(encoding="utf-8"))
    places = tuple((int(index), str(name)) for index, name in table["places"])
    program = None
    if table["program"] is not None:
        path, version = table["program"]
        program = str(path), str(version)
    return About(str(table["version"]), tuple(map(str, table["words"])), places, program)


def _version_here(about: About, files: Path) -> str:
    """The version of what was unpacked here, by its files alone; OSError or KeyError if one of them is missing."""
    located = about.located(files)
    if not about.words:
        return content_version(located[0])
    return command_version(about.words, located, about.program and about.program[1])


def _spec(about: About, files: Path) -> BotSpec:
    """How the unpacked bot is started here."""
    located = about.located(files)
    if not about.words:
        place = located[0]
        return from_folder(place) if place.is_dir() else resolve(str(place))
    visible = [str(path) for index, path in located.items() if index]
    first = about.words[0]
    if 0 in located:
        program = str(located[0])
    else:
        program = _installed(about.program[0] if about.program else first)
    if "/" in first:
        visible.append(program)
    argv = [program, *(str(located.get(at, word)) for at, word in enumerate(about.words) if at)]
    return BotSpec(os.path.basename(first), about.version, tuple(argv), visible=tuple(visible))


def _installed(program: str) -> str:
    """The path of a program of this system, by its name or path; UnknownBot if it has none such."""
    if program in ("python", "python3"):
        return sys.executable
    found = shutil.which(program)
    if found is None:
        raise UnknownBot(f"the program {program!r} is not installed")
    return found


def _parcels() -> Path:
    return home_folder() / "parcels"


@lru_cache(maxsize=1)
def _bundled() -> dict[str, str]:
    """The bundled bots here, by version: these need not travel."""
    import bots

    return {content_version(path.resolve()): str(path) for path in bots.bundled().values()}


def _sweep(parcels: Path, prefix: str) -> None:
    """Remove what was left half unpacked below this lock, and what nobody has used for long."""
    oldest = time.time() - KEPT_DAYS * 86_400
    for entry in parcels.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if entry.stat().st_mtime < oldest:
                delete_tree(entry)
    for entry in parcels.glob(f".new-{prefix}-*"):
        delete_tree(entry)
