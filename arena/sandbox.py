"""What a bot's process may see: bubblewrap's command line, the environment and the resource limits.

`none` does not mean nothing: every bot gets a clean environment, a private working folder, resource limits, and where
the kernel allows it a process table of its own. `bwrap` adds: no network, a read-only file system that shows only the
system's programs and the bot's own files, and a private temporary folder. Raises UsageError when
bubblewrap is demanded and does not work.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from arena.errors import UsageError
from arena.limits import Limits

MODES = ("auto", "bwrap", "none")
SYSTEM_FOLDERS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
)
HIDDEN_FILES = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers")
INSIDE = "/arena"
"""The private working folder, as a bot in bubblewrap sees it; /tmp is its own, too."""
SCRATCH_BYTES = 64 * 2**20
SPARE_ADDRESS_BYTES = 1536 * 2**20
"""How much more a bot may reserve than use: Java and Go reserve far more memory than they touch."""


def choose(mode: str) -> tuple[str, str | None]:
    """The mode to use, `bwrap` or `none`, and a warning if `auto` had to do without bubblewrap."""
    if mode not in MODES:
        raise UsageError(f"no sandbox {mode!r}: it is one of {', '.join(MODES)}")
    if mode == "none":
        return "none", None
    trouble = bubblewrap_trouble()
    if trouble is None:
        return "bwrap", None
    if mode == "bwrap":
        raise UsageError(f"--sandbox bwrap: {trouble}")
    return "none", f"bots run without a sandbox, with limits only: {trouble}"


@lru_cache(maxsize=1)
def bubblewrap_trouble() -> str | None:
    """Why bubblewrap cannot be used here, or None if it works (tried once, with a program that does nothing)."""
    from arena.process import run_quietly

    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    status, output = run_quietly([*command([], {}), shutil.which("true") or "/bin/true"])
    if status == 0:
        return None
    return f"bubblewrap does not work here: {output.strip().splitlines()[-1] if output.strip() else status}"


def command(visible: Sequence[str], env: dict[str, str], linked: Sequence[str] = ()) -> list[str]:
    """bubblewrap's command line, up to the bot's own.

    `visible` files and folders are shown, read-only; `linked` ones have links in its working folder.
    """
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
    words += ["--cap-drop", "ALL", "--clearenv"]
    for name, value in env.items():
        words += ["--setenv", name, value]
    for folder in SYSTEM_FOLDERS:
        if os.path.islink(folder):
            words += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            words += ["--ro-bind", folder, folder]
    for path in HIDDEN_FILES:
        if os.path.exists(path):
            words += ["--ro-bind", "/dev/null", path]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH_BYTES), "--tmpfs", "/tmp"]
    words += ["--size", str(SCRATCH_BYTES), "--tmpfs", INSIDE]
    for path in visible:
        words += ["--ro-bind", path, path]
    for path in linked:
        words += ["--symlink", path, f"{INSIDE}/{os.path.basename(path)}"]
    # Last: mount points made above need a writable root and /dev.
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", INSIDE, "--"]
    return words


def environment(folder: str) -> dict[str, str]:
    """The whole environment of a bot: nothing of the user's but the search path for programs."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # so that a bot in Python that iterates over a set plays the same again
    }


def resource_limits(limits: Limits) -> dict[str, int]:
    """Limits for the kernel: the backstop behind the referee's own watch over memory and processes."""
    return {
        "RLIMIT_CORE": 0,
        "RLIMIT_DATA": limits.memory_mb * 2**20 + SPARE_ADDRESS_BYTES,
        "RLIMIT_FSIZE": SCRATCH_BYTES,
        "RLIMIT_NOFILE": 1024,
        "RLIMIT_MEMLOCK": 64 * 2**10,
    }


def programs_home(program: str) -> list[str]:
    """The folders outside the system's own that a program needs to be shown: where it is installed."""
    shown: list[str] = []
    for path in {program, os.path.realpath(program)}:
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder)
        if _is_system(path):
            continue
        if os.path.basename(folder) not in ("bin", "sbin", "shims") or prefix in ("/", str(Path.home())):
            shown.append(path)
        elif os.path.basename(prefix) == ".local":  # the user's own data is in there too
            shown += [f for f in (folder, os.path.join(prefix, "lib")) if os.path.isdir(f)]
        else:
            shown.append(prefix)
    if os.path.realpath(program) == os.path.realpath(sys.executable):
        shown += [p for p in {sys.prefix, sys.base_prefix} if not _is_system(p)]
    return sorted(set(shown))


def _is_system(path: str) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in SYSTEM_FOLDERS)
