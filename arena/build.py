"""Building a bot: its `build` command run once in a copy of its folder, kept under the hash of its files.

    arena-home/builds/VERSION/     the copy, built, read-only; made elsewhere and renamed when all went well
    arena-home/builds/VERSION.sum  a hash of all that is in it
    arena-home/builds/.new-XXXX/   one being made
    arena-home/builds/lock-XX      held by whoever builds a version that begins so

Two builds of one version at once: the second waits and finds it done. One that is no longer what was built is built
again: what plays is what was made of the files that the version names. The build runs in bubblewrap where that
works (no network, the system read-only, nothing writable but the copy and a home of its own), else with
limits only. Raises BuildFailed, with the end of what the build printed, and UnknownBot where it cannot be kept.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from arena import sandbox
from arena.contents import content_now
from arena.errors import UnknownBot
from arena.files import UNFINISHED, write_whole
from arena.printable import printable
from arena.process import run_quietly
from arena.store import (
    copy_bot,
    delete_tree,
    home_folder,
    locked,
    locked_if_free,
    make_folder,
    make_read_only,
)

BUILD_SECONDS = 120.0
MAX_FILE_BYTES = 512 * 2**20
MAX_MEMORY_BYTES = 4 * 2**30
"""Of each process. There is no limit on their number: the kernel counts all of a user's, those of others too."""
SHOWN_LINES = 40
KEPT_DAYS = 30
TIMED_OUT = 124


class BuildFailed(UnknownBot):
    """A `build` command that did not succeed: one line that says so, then what it printed."""

    def __init__(self, told: str, name: str = "", version: str = "") -> None:
        super().__init__(told)
        self.name, self.version = name, version


def built(source: Path, command: str, version: str, name: str, seconds: float = BUILD_SECONDS) -> Path:
    """The folder with this version of a bot, built: at once if it was built before and nobody has changed it."""
    builds = home_folder() / "builds"
    target = builds / version
    if not _is_intact(target):
        make_folder(builds)
        try:
            with locked(builds / f"lock-{version[:2]}"):
                if not _is_intact(target):
                    _sweep(builds, version[:2])
                    _drop(target)
                    _build(source, command, target, name, seconds)
        except PermissionError as error:
            raise UnknownBot(
                f"{name} must be built (anew, if it was), and {builds} cannot be written to: "
                f"{error.strerror} (ARENA_HOME sets another folder)"
            ) from None
    with contextlib.suppress(OSError):  # a home that we may only read is fine
        os.utime(target)
    return target


def forget(version: str) -> None:
    """Drop the built files of a version, if there are any: they can be built again."""
    builds = home_folder() / "builds"
    if (builds / version).is_dir():
        with locked(builds / f"lock-{version[:2]}"):
            _drop(builds / version)


def _is_intact(target: Path) -> bool:
    """Whether this version is there as it was built."""
    try:
        return target.is_dir() and _sum_file(target).read_text("ascii") == _sum(target)
    except (OSError, UnicodeDecodeError):
        return False


def _sum_file(target: Path) -> Path:
    return target.with_name(f"{target.name}.sum")


def _sum(folder: Path) -> str:
    return content_now([str(folder)], whole=True)


def _drop(target: Path) -> None:
    _sum_file(target).unlink(missing_ok=True)
    delete_tree(target)


def _build(source: Path, command: str, target: Path, name: str, seconds: float) -> None:
    """Copy, run the command in the copy, and put the copy in place."""
    place = Path(tempfile.mkdtemp(prefix=f"{UNFINISHED}{target.name[:2]}-", dir=target.parent))
    copy, home = place / "bot", place / "home"
    try:
        copy.mkdir()
        home.mkdir()
        copy_bot(source, copy)
        status, output = _run(command, copy, home, seconds)
        if status != 0:
            told = _explained(command, name, status, output, seconds)
            raise BuildFailed(told, name, target.name)
        make_read_only(copy)
        write_whole(_sum_file(target), _sum(copy))
        copy.chmod(0o755)  # to be moved
        os.rename(copy, target)
        target.chmod(0o555)
    finally:
        delete_tree(place)


def _run(command: str, copy: Path, home: Path, seconds: float) -> tuple[int, str]:
    """Run the build command, in the sandbox if there is one; its exit status and output."""
    env = _environment(home)
    shell = [shutil.which("sh") or "/bin/sh", "-c", command]
    limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": MAX_FILE_BYTES, "RLIMIT_DATA": MAX_MEMORY_BYTES}
    mode, _ = sandbox.choose("auto")
    if mode == "bwrap":
        shell = [*_sandboxed(copy, home, env), *shell]
    return run_quietly(shell, cwd=str(copy), env=env, rlimits=limits, seconds=seconds)


def _environment(home: Path) -> dict[str, str]:
    """A clean environment, in which compilers that live in the user's home are still found."""
    env = sandbox.environment(str(home))
    rustup = _rustup()
    if rustup.is_dir():
        env["RUSTUP_HOME"] = str(rustup)
    return env


def _sandboxed(copy: Path, home: Path, env: dict[str, str]) -> list[str]:
    """bubblewrap's command line for a build: as for a bot, but it starts in the copy and can write there."""
    words = sandbox.command(_toolchains(), env)
    at = words.index("--remount-ro")
    words[at:at] = ["--bind", str(copy), str(copy), "--bind", str(home), str(home)]
    words[words.index("--chdir") + 1] = str(copy)
    return words


def _toolchains() -> list[str]:
    """Folders outside the system's own that hold programs and their libraries: those on the search path."""
    shown = {sys.prefix, sys.base_prefix, str(_rustup())}
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(entry):
            shown |= {entry, os.path.join(os.path.dirname(entry.rstrip("/")), "lib")}
    seen = {os.path.realpath(path): path for path in sorted(shown) if os.path.isdir(path)}
    return [path for path in sorted(seen.values()) if not path.startswith(sandbox.SYSTEM_FOLDERS)]


def _rustup() -> Path:
    return Path(os.environ.get("RUSTUP_HOME") or "~/.rustup").expanduser()


def _explained(command: str, name: str, status: int, output: str, seconds: float) -> str:
    """What went wrong, in one line, and below it the end of what the build printed."""
    if status == TIMED_OUT:
        what = f"was stopped after {seconds:g} s"
    elif status == 127:
        what = "failed: a program that it needs is not installed"
    else:
        what = f"failed with status {status}"
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    shown = [printable(line.expandtabs()) for line in lines[-SHOWN_LINES:]]
    left_out = [f"  ... ({len(lines) - SHOWN_LINES} lines before)"] if len(lines) > SHOWN_LINES else []
    told = "\n".join([*left_out, *(f"  {line}" for line in shown)]) or "  (it printed nothing)"
    return f"the build of {name} ({printable(command)}) {what}; it printed:\n{told}"


def _sweep(builds: Path, prefix: str) -> None:
    """Remove what killed builds have left, and copies below this lock that nobody used for long.

    Those of submitted bots stay: what plays is what was examined.
    """
    submitted = {path.name for path in (builds.parent / "bots").glob("*/*") if path.is_dir()}
    oldest = time.time() - KEPT_DAYS * 86_400
    for entry in [entry for entry in builds.iterdir() if entry.is_dir()]:
        with contextlib.suppress(OSError):
            old = entry.stat().st_mtime < oldest and entry.name not in submitted
            if entry.name.startswith(prefix) and old:
                _drop(entry)
            elif entry.name.startswith(UNFINISHED):
                _sweep_unfinished(entry, entry.name.removeprefix(UNFINISHED)[:2], prefix)


def _sweep_unfinished(entry: Path, its_prefix: str, ours: str) -> None:
    """Remove what a build has left, unless that build goes on: then its lock is held."""
    if its_prefix == ours:
        delete_tree(entry)
        return
    with locked_if_free(entry.with_name(f"lock-{its_prefix}")) as free:
        if free:
            delete_tree(entry)
