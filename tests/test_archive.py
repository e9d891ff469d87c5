"""Unpacking archives: what is taken, and every hostile thing that is not, each with the rule it breaks."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.archive import Allowance, bot_folder, extract, is_archive
from arena.errors import UsageError

SMALL = Allowance(archive_bytes=1 << 20, total_bytes=10_000, member_bytes=6_000, members=10)


def make_zip(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def make_tar(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def tar_info(name: str, **fields: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def zip_info(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def pack(kind: str, folder: Path, *names: str) -> Path:
    """An archive of this kind with files of these names, each with one byte in it."""
    if kind == "zip":
        return make_zip(folder / "bot.zip", *((name, b"x") for name in names))
    return make_tar(folder / f"bot.{kind}", *((tar_info(name), b"x") for name in names))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


each_kind = pytest.mark.parametrize("kind", ["zip", "tar.gz", "tgz"])


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@each_kind
def test_plain_files_and_folders_are_unpacked(kind: str, tmp_path: Path, target: Path) -> None:
    path = pack(kind, tmp_path, "bot.toml", "./src/bot.py", "a/b/c.txt")
    assert is_archive(path)
    extract(path, target)
    assert files_in(target) == ["a/b/c.txt", "bot.toml", "src/bot.py"]


def test_the_mark_of_a_program_is_kept_and_no_other_mode(tmp_path: Path, target: Path) -> None:
    extract(
        make_tar(tmp_path / "a.tar.gz", (tar_info("run", mode=0o4777), b""), (tar_info("data", mode=0), b"")),
        target,
    )
    assert [stat.S_IMODE((target / name).stat().st_mode) for name in ("run", "data")] == [0o755, 0o644]


def test_what_other_systems_add_is_left_out(tmp_path: Path, target: Path) -> None:
    extract(pack("zip", tmp_path, "bot.toml", "__MACOSX/._bot.toml", "a/.DS_Store"), target)
    assert files_in(target) == ["bot.toml"]


def test_an_archive_of_one_folder_is_that_folder(tmp_path: Path, target: Path) -> None:
    extract(pack("zip", tmp_path, "alice/bot.toml", "alice/bot.py"), target)
    assert bot_folder(target) == target / "alice"


def test_an_archive_with_the_manifest_on_top_is_itself(tmp_path: Path, target: Path) -> None:
    extract(pack("zip", tmp_path, "bot.toml"), target)
    assert bot_folder(target) == target


OUTSIDE = ["../evil", "a/../../evil", "/etc/evil", "..", "..\\evil", "C:/evil", "a\\b"]


@each_kind
@pytest.mark.parametrize("name", OUTSIDE)
def test_a_member_outside_its_folder_is_refused(kind: str, name: str, tmp_path: Path, target: Path) -> None:
    with pytest.raises(UsageError, match="lies outside"):
        extract(pack(kind, tmp_path, name), target)
    assert not (tmp_path / "evil").exists()


@each_kind
@pytest.mark.parametrize(
    "name", ["a\x1b[1m", "a\nb", "a\u202eb", "x" * 250, "/".join("abcdefghijklmnopqrstuvw")]
)
def test_a_name_that_forges_or_is_endless_is_refused_in_one_line(
    kind: str, name: str, tmp_path: Path, target: Path
) -> None:
    with pytest.raises(UsageError) as refused:
        extract(pack(kind, tmp_path, name), target)
    assert str(refused.value).isprintable()


@each_kind
@pytest.mark.parametrize("names", [("a", "a"), ("a", "./a"), ("a", "A"), ("a", "a/b"), ("a/b", "a")])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(
    kind: str, names: tuple[str, ...], tmp_path: Path, target: Path
) -> None:
    with pytest.raises(UsageError, match=r"twice|by capitals only|as a file and as a folder"):
        extract(pack(kind, tmp_path, *names), target)


SPECIAL = {
    "symbolic link": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    "hard link": {"type": tarfile.LNKTYPE, "linkname": "bot.toml"},
    "character device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3},
    "block device": {"type": tarfile.BLKTYPE},
    "pipe": {"type": tarfile.FIFOTYPE},
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_a_tar_with_a_link_or_device_is_refused(kind: str, tmp_path: Path, target: Path) -> None:
    path = make_tar(
        tmp_path / "a.tar.gz", (tar_info("bot.toml"), b"x"), (tar_info("evil", **SPECIAL[kind]), b"")
    )
    with pytest.raises(UsageError, match="link" if "link" in kind else "device, pipe"):
        extract(path, target)
    assert files_in(target) == ["bot.toml"]


@pytest.mark.parametrize(
    ("mode", "words"), [(stat.S_IFLNK, "a link"), (stat.S_IFIFO, "pipe"), (stat.S_IFCHR, "device")]
)
def test_a_zip_with_a_link_or_device_is_refused(mode: int, words: str, tmp_path: Path, target: Path) -> None:
    with pytest.raises(UsageError, match=words):
        extract(make_zip(tmp_path / "a.zip", (zip_info("evil", mode | 0o777), b"/etc/passwd")), target)


def test_a_link_does_not_lead_the_next_member_out(tmp_path: Path, target: Path) -> None:
    link = tar_info("out", type=tarfile.SYMTYPE, linkname=str(tmp_path))
    with pytest.raises(UsageError, match="a link"):
        extract(make_tar(tmp_path / "a.tar.gz", (link, b""), (tar_info("out/evil"), b"x")), target)
    assert not (tmp_path / "evil").exists()


def test_an_encrypted_member_is_refused(tmp_path: Path, target: Path) -> None:
    path = make_zip(tmp_path / "a.zip", ("secret", b"x"))
    data = bytearray(path.read_bytes())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(UsageError, match="encrypted"):
        extract(path, target)


def test_an_unusual_compression_is_refused(tmp_path: Path, target: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("bomb", b"\0" * 100_000)
    with pytest.raises(UsageError, match="unusual"):
        extract(tmp_path / "a.zip", target)


Maker = Callable[[Path, list[tuple[str, bytes]]], Path]
MAKERS: dict[str, Maker] = {
    "zip": lambda folder, members: make_zip(folder / "a.zip", *members),
    "tar": lambda folder, members: make_tar(folder / "a.tgz", *((tar_info(n), c) for n, c in members)),
}
each_maker = pytest.mark.parametrize("maker", MAKERS.values(), ids=list(MAKERS))


@each_maker
@pytest.mark.parametrize(
    "members",
    [[("big", b"\0" * 6_001)], [("a", b"\0" * 5_000), ("b", b"\0" * 5_001)]],
    ids=["one too large", "too large together"],
)
def test_a_bomb_is_stopped_while_it_is_unpacked(
    maker: Maker, members: list[tuple[str, bytes]], tmp_path: Path, target: Path
) -> None:
    with pytest.raises(UsageError, match="too large"):
        extract(maker(tmp_path, members), target, SMALL)
    assert sum(path.stat().st_size for path in target.iterdir()) <= 10_000


@each_maker
def test_too_many_members_are_refused(maker: Maker, tmp_path: Path, target: Path) -> None:
    with pytest.raises(UsageError, match="too many members: at most 10"):
        extract(maker(tmp_path, [(str(number), b"") for number in range(11)]), target, SMALL)


@each_maker
def test_an_archive_that_is_too_large_itself_is_not_opened(
    maker: Maker, tmp_path: Path, target: Path
) -> None:
    path = maker(tmp_path, [("a", b"x")])
    with pytest.raises(UsageError, match="too large"):
        extract(path, target, Allowance(archive_bytes=10))


def test_a_header_that_goes_on_for_ever_is_cut_off(tmp_path: Path, target: Path) -> None:
    info = tar_info("a", pax_headers={"comment": "x" * 200_000})
    with tarfile.open(tmp_path / "a.tgz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO())
    with pytest.raises(UsageError, match="unpacks to more than"):
        extract(tmp_path / "a.tgz", target, SMALL)


def test_a_zip_that_lies_about_its_sizes_is_refused(tmp_path: Path, target: Path) -> None:
    path = make_zip(tmp_path / "a.zip", ("a", b"\0" * 5_000))
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(UsageError, match="cannot be unpacked"):
        extract(path, target)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
@pytest.mark.parametrize(
    "content", [b"", b"not an archive", b"PK\x05\x06", b"PK\x05\x06" + b"\xff" * 18, b"\x1f\x8b"]
)
def test_what_is_no_archive_is_told_in_one_line(
    name: str, content: bytes, tmp_path: Path, target: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError) as refused:
        extract(tmp_path / name, target)
    assert str(refused.value).startswith(name)
    assert str(refused.value).isprintable()


@each_kind
def test_an_archive_cut_off_at_any_byte_is_told_in_one_line(kind: str, tmp_path: Path) -> None:
    whole = pack(kind, tmp_path, "bot.toml", "bot.py")
    data = whole.read_bytes()
    for end in range(0, len(data) - 30, 7):
        whole.write_bytes(data[:end])
        folder = tmp_path / f"to-{end}"
        folder.mkdir()
        with pytest.raises(UsageError):
            extract(whole, folder)


@each_kind
def test_an_empty_archive_is_refused(kind: str, tmp_path: Path, target: Path) -> None:
    with pytest.raises(UsageError, match="no file in it"):
        extract(pack(kind, tmp_path), target)


def test_what_is_too_large_is_refused_with_the_limits(tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", ("a", b"x" * 3_000_000))
    with pytest.raises(UsageError, match=r"at most 1\.0 MB a file and 2\.0 MB in all are taken"):
        extract(archive, target, Allowance(member_bytes=2**20, total_bytes=2**21))


def test_a_tar_file_with_a_huge_head_is_refused_before_it_is_read(tmp_path: Path, target: Path) -> None:
    info = tar_info("bot.toml", pax_headers={"comment": "x" * (2 << 20)})
    with pytest.raises(UsageError, match=r"it has a head of 2\.0 MB, and at most 1\.0 MB are taken"):
        extract(make_tar(tmp_path / "a.tar.gz", (info, b"")), target)
