"""A submission: a bot on its way from an author's folder, script or archive into the store.

Unpacked, copied, built, examined, and only then taken: what plays later is exactly what was examined. Owns the order
of these steps and what a bot is called. Raises UsageError for what cannot be submitted, BuildFailed when its
build fails, and nothing when the examination finds faults: that is in what `submit` returns.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bots
from arena import archive
from arena.bot import SCRIPTS, BotSpec, folder_word, from_folder, read_manifest
from arena.contents import content_version
from arena.doctor import Report
from arena.errors import UnknownBot, UsageError
from arena.files import named
from arena.names import check_bot_name
from arena.store import Snapshot, Store, copy_bot, now

WANTED = "submit a folder with a bot.toml, a script, or a .zip or .tar.gz of a folder"
Examine = Callable[[BotSpec], Report]

RUNNERS = {
    "python": "python", "python3": "python", "node": "js", "java": "java", "bash": "bash", "sh": "sh", "ruby": "ruby",
    "perl": "perl", "lua": "lua",
}  # fmt: skip
COMPILERS = {
    "cc": "c", "gcc": "c", "clang": "c", "c++": "cpp", "g++": "cpp", "clang++": "cpp", "rustc": "rust",
    "cargo": "rust", "go": "go", "javac": "java",
}  # fmt: skip
ENDINGS = {
    ".c": "c",
    ".cpp": "cpp",
    ".cc": "cpp",
    ".rs": "rust",
    ".go": "go",
    ".java": "java",
    ".py": "python",
}


OTHER_ARCHIVES = frozenset({".7z", ".bz2", ".gz", ".rar", ".tar", ".tbz2", ".txz", ".xz", ".zst"})


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of a submission: taken, unchanged (it was there already), or refused by its examination."""

    name: str
    version: str
    outcome: str
    report: Report | None
    snapshot: Snapshot | None


def submit(path: Path, name: str | None, examine: Examine, store: Store | None = None) -> Submitted:
    """Take in a bot from a folder, a script or an archive."""
    chosen = store or Store()
    if name is not None:
        _check_name(name)
    with chosen.staged() as files:
        called = _fill(path, files, name)
        manifest = read_manifest(files, called)
        if name is None:
            name = str(manifest["name"])
            _check_own_name(name)
        _check_name(name)
        there = _current(chosen, name)
        if there is not None and there.version == content_version(files) and there.is_intact():
            return Submitted(name, there.version, "unchanged", None, there)
        spec = from_folder(files, name).renamed(name)
        report = examine(spec)
        if not report.ok:
            return Submitted(name, spec.version, "refused", report, there)
        if content_version(files) != spec.version:
            raise UsageError("the copy of the bot was changed while it was examined: submit it again")
        language = language_of(manifest, files)
        games = spec.games
        taken = chosen.add(name, files, language, games, check_note(report))
        return Submitted(name, taken.version, "taken", report, taken)


def check_note(report: Report) -> dict[str, Any]:
    """What is kept of an examination: when, whether it went well, and which findings there were."""
    codes = sorted({finding.code for finding in report.findings})
    return {"when": now(), "ok": report.ok, "findings": codes, "games": report.games}


def language_of(manifest: dict[str, Any], folder: Path) -> str:
    """The language that a bot is written in, as far as its bot.toml and its files tell; '?' if they do not."""
    runner = os.path.basename(str(manifest["run"]).split()[0])
    if runner in RUNNERS:
        return RUNNERS[runner]
    compiler = os.path.basename(str(manifest.get("build", "?")).split()[0])
    if compiler in COMPILERS:
        return COMPILERS[compiler]
    found = {ENDINGS[file.suffix] for file in folder.iterdir() if file.suffix in ENDINGS}
    return found.pop() if len(found) == 1 else "?"


def _check_name(name: str) -> None:
    check_bot_name(name)
    if (bundled := bots.bundled_like(name)) is not None:
        raise UsageError(
            f"{bundled!r} is the name of a bundled bot: submit yours under another (--name NAME)"
        )


def _check_own_name(name: str) -> None:
    """Refuse a name that comes from the bot's own files, with the flag that gives it another."""
    try:
        check_bot_name(name)
    except UsageError as error:
        raise UsageError(f"{error}; --name NAME gives it another") from None


def _current(store: Store, name: str) -> Snapshot | None:
    with contextlib.suppress(UnknownBot):
        return store.find(name)
    return None


# --- where it comes from ------------------------------------------------------------------------


def _fill(source: Path, files: Path, name: str | None) -> str:
    """Copy what is submitted into the staging folder; what it is called if its bot.toml does not say."""
    path = named(str(source))
    if path is None:
        raise UsageError(f"{source} does not exist: {WANTED}")
    if path.is_dir():
        called = name or os.path.basename(os.path.abspath(path))
        read_manifest(path, called)  # its mistakes are told with the author's own path
        copy_bot(path, files)
    elif archive.is_archive(path):
        called = name or archive.stem(path)
        with _unpacked(path) as folder:
            if not (folder / "bot.toml").is_file():
                raise UsageError(f"{path.name} has no bot.toml at its top, nor in the one folder in it")
            read_manifest(folder, called, shown=f"the bot.toml in {path.name}")
            copy_bot(folder, files)
    elif path.is_file():
        called = name or path.stem
        _wrap(path, files, name)
    else:
        raise UsageError(f"{path} is neither a file nor a folder: {WANTED}")
    return called


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        archive.extract(path, Path(folder))
        yield archive.bot_folder(Path(folder))


def _wrap(path: Path, files: Path, name: str | None) -> None:
    """Make a bot's folder of a single script or program."""
    if path.name == "bot.toml":
        raise UsageError(f"{path} only describes a bot: give its folder, {folder_word(path.parent)}")
    if path.suffix.lower() in OTHER_ARCHIVES:
        raise UsageError(f"{path.name} is an archive of a kind that is not taken: pack it as .zip or .tar.gz")
    if name is None:
        name = path.stem
        _check_own_name(name)
    runner = SCRIPTS.get(path.suffix)
    if runner is None and not os.access(path, os.X_OK):
        raise UsageError(
            f"{path} is not executable: chmod +x it, or submit a .py, .js or .sh script or a folder"
        )
    file = f"bot{path.suffix if runner else ''}"
    place = files / file
    shutil.copyfile(path, place)
    place.chmod(0o644 if runner else 0o755)
    run = f"{runner} {file}" if runner else f"./{file}"
    text = f"name = {json.dumps(name)}\nrun = {json.dumps(run)}\n"
    (files / "bot.toml").write_text(text, encoding="utf-8")
