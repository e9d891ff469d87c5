"""An archive: a .zip or .tar.gz that a bot arrives in, unpacked without trusting it.

Owns what an archive may hold: plain files and folders, all inside, within limits of size and number that
are counted while reading, so that nothing the archive says about itself is believed. Nothing but plain
files and folders is ever made, so no member can lead out of the target folder. Raises UsageError, which
names the member and the rule.
"""

from __future__ import annotations

import gzip
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, Self

from arena.errors import UsageError

SUFFIXES = (".zip", ".tar.gz", ".tgz")
CHUNK = 64 * 1024
MAX_DEPTH = 20
MAX_PART_BYTES = 200
MAX_NAMES_BYTES = 2**20
"""What a tar file may say about one member besides its content."""
NAME_TYPES = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip
NOISE = ("__MACOSX", ".DS_Store")
"""What some systems put into every archive, of no use to a bot: left out without a word."""
BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError, OverflowError,
)  # fmt: skip


@dataclass(frozen=True)
class Allowance:
    """How much an archive may hold. The defaults are far above what a bot needs."""

    archive_bytes: int = 64 * 2**20
    total_bytes: int = 128 * 2**20
    member_bytes: int = 64 * 2**20
    members: int = 5_000


class Member(NamedTuple):
    """One file of an archive: where it goes, whether it is a program, and its bytes (None for a folder)."""

    parts: tuple[str, ...]
    executable: bool
    content: IO[bytes] | None


def is_archive(path: Path) -> bool:
    """Whether this file is taken for an archive, by its name."""
    return path.name.lower().endswith(SUFFIXES) and path.is_file()


def stem(path: Path) -> str:
    """The archive's name without its ending."""
    ending = next(suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix))
    return path.name[: -len(ending)]


def extract(path: Path, target: Path, allowance: Allowance | None = None) -> None:
    """Unpack the archive into `target`, a folder that is there and empty."""
    allowed = allowance or Allowance()
    size = path.stat().st_size
    if size > allowed.archive_bytes:
        raise UsageError(
            f"{path.name} is too large: {_mb(size)}, and at most {_mb(allowed.archive_bytes)} are taken"
        )
    members = _zip_members if path.name.lower().endswith(".zip") else _tar_members
    try:
        _write(members(path, allowed), target, allowed)
    except UsageError as error:
        raise UsageError(f"{path.name}: {error}") from None
    except gzip.BadGzipFile as error:
        raise UsageError(f"{path.name} cannot be unpacked: {error}") from None
    except BROKEN as error:
        what = str(error) or type(error).__name__
        raise UsageError(f"{path.name} cannot be unpacked: {what}") from None


def bot_folder(folder: Path) -> Path:
    """The folder with the bot.toml: the unpacked one itself, or the only folder in it."""
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not (folder / "bot.toml").exists():
        return inside[0]
    return folder


# --- members ------------------------------------------------------------------------------------


def _zip_members(path: Path, allowed: Allowance) -> Iterator[Member]:
    """The members of a zip file, in its order."""
    _check_directory(path, allowed)
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            parts = _parts(info.filename)
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.flag_bits & 0x1:
                raise UsageError(f"{info.filename!r} is encrypted: pack it without a password")
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _not_plain(info.filename, stat.S_ISLNK(kind))
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise UsageError(f"{info.filename!r} is packed in an unusual way: use plain zip (deflate)")
            if info.is_dir():
                yield Member(parts, False, None)
            else:
                with archive.open(info) as content:
                    yield Member(parts, bool(info.external_attr >> 16 & 0o100), content)


def _check_directory(path: Path, allowed: Allowance) -> None:
    """Look at a zip's table of contents before the library reads all of it into memory."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 66_000))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise UsageError("it is not a zip file")
    count = int.from_bytes(tail[at + 10 : at + 12], "little")
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    if (
        b"PK\x06\x07" in tail[max(0, at - 20) : at]
        or count > allowed.members
        or length > allowed.members * 500
    ):
        raise UsageError(f"it has too many members: at most {allowed.members:,} are taken")


def _tar_members(path: Path, allowed: Allowance) -> Iterator[Member]:
    """The members of a gzipped tar file, in its order, from a stream that is cut off in time."""
    overhead = allowed.members * 2048 + tarfile.RECORDSIZE
    with gzip.open(path) as plain:
        counted = _Counted(plain, allowed.total_bytes + overhead)
        with tarfile.open(fileobj=counted, mode="r|", tarinfo=_Modest) as archive:  # type: ignore[call-overload]
            for info in archive:
                parts = _parts(info.name)
                if info.isdir():
                    yield Member(parts, False, None)
                elif info.isreg() and not info.issparse():
                    yield Member(parts, bool(info.mode & 0o100), archive.extractfile(info))
                else:
                    raise _not_plain(info.name, info.issym() or info.islnk())


class _Modest(tarfile.TarInfo):
    """A member whose names are of a length for names: the library reads them into memory at once."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """A member's head; UsageError if what it announces is no name and no file."""
        info = super().frombuf(buf, encoding, errors)
        if info.type in NAME_TYPES and info.size > MAX_NAMES_BYTES:
            raise UsageError(
                f"it has a head of {_mb(info.size)}, and at most {_mb(MAX_NAMES_BYTES)} are taken"
            )
        return info


class _Counted:
    """A stream that ends with an error once more than so many bytes were read from it."""

    def __init__(self, stream: gzip.GzipFile, most: int) -> None:
        self._stream, self._left, self._most = stream, most, most

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, CHUNK))
        self._left -= len(data)
        if self._left < 0:
            raise UsageError(f"it unpacks to more than {_mb(self._most)}")
        return data


def _parts(name: str) -> tuple[str, ...]:
    """Where a member goes, below the target; UsageError for a name that could lead elsewhere."""
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or "\\" in name or ".." in parts or (len(name) > 1 and name[1] == ":"):
        raise UsageError(f"{_shown(name)} lies outside the archive's own folder: pack the folder from within")
    if len(parts) > MAX_DEPTH or any(len(part.encode(errors="replace")) > MAX_PART_BYTES for part in parts):
        raise UsageError(f"{_shown(name)} is too long a name, or too many folders deep")
    if not name.isprintable():
        raise UsageError(f"{_shown(name)} has characters in its name that cannot be printed")
    return parts


def _not_plain(name: str, link: bool) -> UsageError:
    what = "a link" if link else "a device, pipe or other special file"
    return UsageError(f"{_shown(name)} is {what}: only plain files and folders are taken")


# --- writing ------------------------------------------------------------------------------------


def _write(members: Iterator[Member], target: Path, allowed: Allowance) -> None:
    """Make the files, counting as they are read; two members of one name are refused."""
    left, seen = allowed.total_bytes, dict[tuple[str, ...], str]()
    for number, member in enumerate(members, start=1):
        if number > allowed.members:
            raise UsageError(f"it has too many members: at most {allowed.members:,} are taken")
        if not member.parts or set(NOISE) & set(member.parts):
            continue
        place = target.joinpath(*member.parts)
        if member.content is None:
            _make_folder(place)
            continue
        key = tuple(part.casefold() for part in member.parts)
        name = "/".join(member.parts)
        if seen.get(key, name) != name:
            raise UsageError(
                f"{name!r} differs from {seen[key]!r} by capitals only, which some systems take for one"
            )
        if key in seen or place.exists():
            raise UsageError(f"{name!r} is in it twice")
        seen[key] = name
        _make_folder(place.parent)
        size = _copy(member, place, min(left, allowed.member_bytes))
        if size is None:
            most = f"{_mb(allowed.member_bytes)} a file and {_mb(allowed.total_bytes)} in all"
            raise UsageError(f"{name!r} is too large, or all files together are: at most {most} are taken")
        left -= size
    if not seen:
        raise UsageError("it has no file in it")


def _make_folder(place: Path) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError(f"{place.name!r} is in it as a file and as a folder") from None


def _copy(member: Member, place: Path, most: int) -> int | None:
    """Write one file of at most so many bytes; how many it had, or None if it has more."""
    size = 0
    source = member.content
    with place.open("xb") as file:
        while source is not None and (data := source.read(CHUNK)):
            size += len(data)
            if size > most:
                return None
            file.write(data)
    os.chmod(place, 0o755 if member.executable else 0o644)
    return size


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:80] + "...")


def _mb(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
