"""What BOT means: a bundled or submitted bot's name, a script, a folder with a `bot.toml`, a command line.

`resolve` turns the word into a BotSpec: its name, its version (a hash of its files), and how it is started. A
name goes before a file of the same name: `./alice` is always the file. Raises UnknownBot with what would be
right.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import UnknownBot, UsageError
from arena.names import display_mistake

SCRIPTS = {".py": "python", ".js": "node", ".sh": "bash"}
VERSION_CHARS = 12
IGNORED = {"__pycache__", ".git", ".venv"}
"""Folders that are no part of a bot; nor is Cargo's `target`."""
KEYS = ("name", "run", "build", "games")


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that can be started: `argv[0]` is an absolute path, `folder` its own files, if it has one."""

    name: str
    version: str
    argv: tuple[str, ...]
    folder: str | None = None
    visible: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None

    def renamed(self, name: str) -> BotSpec:
        """The same bot under another name."""
        return replace(self, name=name)


def resolve(word: str) -> BotSpec:
    """The bot that this word means; UnknownBot if it means none."""
    import bots

    if not word.strip():
        raise UnknownBot("a bot's name is empty: give a bot's name, a script, a folder or a command line")
    path = Path(word).expanduser()
    bundled = bots.bundled()
    if word in bundled:
        return from_folder(bundled[word])
    if (submitted := _from_store(word)) is not None:
        return submitted
    if path.is_dir():
        return from_folder(path)
    if path.is_file():
        return _from_file(path)
    words = _split(word)
    if len(words) > 1:
        return _from_command(words, word)
    if (program := shutil.which(word)) is not None:
        return _from_command([program], word)
    raise UnknownBot(_nothing_like(word, list(bundled)))


def _nothing_like(word: str, bundled: list[str]) -> str:
    """What to say of a word that means no bot."""
    from arena.store import Store

    submitted = Store().names()
    near = get_close_matches(word, [*bundled, *submitted], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"no bot {word!r}: {hint}a bot is the name of a bundled bot ({', '.join(sorted(bundled))}) or of a "
        "submitted one (see 'arena bots'), a script, a folder with a bot.toml, or a command line in quotes"
    )


def distinct(specs: list[BotSpec]) -> list[BotSpec]:
    """The same bots with names of their own: the second `name` becomes `name-2`."""
    taken: set[str] = set()
    result = []
    for spec in specs:
        name, number = spec.name, 1
        while name in taken:
            number += 1
            name = f"{spec.name}-{number}"
        taken.add(name)
        result.append(spec.renamed(name))
    return result


def _from_store(word: str) -> BotSpec | None:
    """The submitted bot NAME or NAME@VERSION, if there is one; its files must be what was submitted."""
    from arena.store import Store

    name, at, version = word.partition("@")
    if at and os.path.exists(word):
        return None
    store = Store()
    if name not in store.names():
        return None
    found = store.find(name, version if at else None)
    spec = from_folder(found.folder)
    if spec.version != found.version:
        raise UnknownBot(
            f"the snapshot {name}@{found.version} was changed since it was submitted: submit it again"
        )
    return spec.renamed(name)


def from_folder(folder: Path) -> BotSpec:
    """A folder with a bot.toml; what its `build` makes is made first, once (see arena.build)."""
    table = read_manifest(folder)
    home = folder.resolve()
    version = content_version(home)
    if "build" in table:
        from arena.build import built

        home = built(home, table["build"], version, table["name"])
    games = table.get("games")
    return BotSpec(
        name=table["name"],
        version=version,
        argv=tuple(_program(_split(table["run"]), home)),
        folder=str(home),
        visible=(str(home),),
        games=tuple(games) if games is not None else None,
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """What the folder's bot.toml says, with a `name` in any case; UnknownBot names the first mistake."""
    file = folder / "bot.toml"
    if not file.is_file():
        raise UnknownBot(f"the folder {folder} has no bot.toml (it needs the lines name = ... and run = ...)")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnknownBot(f"{file}: {error}") from None
    table.setdefault("name", folder.resolve().name)
    mistake = _manifest_mistake(table)
    if mistake:
        raise UnknownBot(f"{file}: {mistake}")
    return table


def _manifest_mistake(table: dict[str, Any]) -> str | None:
    """What is wrong with a bot.toml, and what would be right."""
    name, run, build, games = (table.get(key) for key in KEYS)
    for key in set(table) - set(KEYS):  # other keys are the author's own; a slip of the keys is not
        if near := get_close_matches(key, KEYS, n=1, cutoff=0.7):
            return f"it says {key!r}: did you mean {near[0]!r}?"
    if not isinstance(name, str) or not isinstance(run, str) or not _split(run):
        return 'it needs name = "..." and run = "...", both texts'
    if (wrong := display_mistake(name)) is not None:
        return f"the name {name!r} will not do: {wrong}"
    if "build" in table and (not isinstance(build, str) or not build.strip()):
        return 'build must be a command, such as build = "cc -O2 -o bot bot.c"'
    if games is not None and not (
        games and isinstance(games, list) and all(isinstance(g, str) for g in games)
    ):
        return 'games must be a list of game ids, such as games = ["squares"]'
    return None


def _from_file(path: Path) -> BotSpec:
    """A script, started by its language's interpreter, or anything executable."""
    full = path.resolve()
    interpreter = SCRIPTS.get(full.suffix)
    if interpreter is not None:
        argv = [_interpreter(interpreter, path), str(full)]
    elif os.access(full, os.X_OK):
        argv = [str(full)]
    else:
        raise UnknownBot(f"{path} is not executable: chmod +x it, or give a .py, .js or .sh script")
    return BotSpec(full.stem, content_version(full), tuple(argv), visible=(str(full),))


def _from_command(words: list[str], text: str) -> BotSpec:
    """A command line: words that name files are made absolute, for the bot runs in a folder of its own."""
    files = [str(Path(word).resolve()) if os.path.exists(word) else None for word in words[1:]]
    try:
        program = _program(words, Path.cwd())[0]
    except UnknownBot:
        raise UnknownBot(f"the command line {text!r} cannot be started: no program {words[0]!r}") from None
    argv = [program, *(file or word for file, word in zip(files, words[1:], strict=True))]
    shown = tuple(file for file in files if file is not None)
    digest = hashlib.sha256("\0".join(words).encode())
    for file in shown:
        digest.update(content_version(Path(file)).encode())
    if not _on_path(words[0]):
        digest.update(content_version(Path(program)).encode())
        shown += (program,)
    name = " ".join([os.path.basename(words[0]), *(os.path.basename(word) for word in words[1:])])
    return BotSpec(_plain(name), digest.hexdigest()[:VERSION_CHARS], tuple(argv), visible=shown)


def _program(words: list[str], folder: Path) -> list[str]:
    """The words with the program's absolute path first: `./bot` is the folder's, `node` the search path's."""
    first = words[0]
    if "/" in first:
        path = (folder / first).absolute()
        if not path.is_file() or not os.access(path, os.X_OK):
            what = "is not executable" if path.is_file() else "does not exist"
            raise UnknownBot(f"{path} {what}: build it first, or correct run")
        return [str(path), *words[1:]]
    if first in ("python", "python3"):
        return [sys.executable, *words[1:]]
    found = shutil.which(first)
    if found is None:
        raise UnknownBot(
            f"the program {first!r} is not installed (it is needed by run = {shlex.join(words)!r})"
        )
    return [found, *words[1:]]


def _interpreter(name: str, path: Path) -> str:
    if name == "python":
        return sys.executable
    found = shutil.which(name)
    if found is None:
        raise UnknownBot(f"{path} needs {name}, which is not installed")
    return found


def _on_path(word: str) -> bool:
    return "/" not in word


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"the command line {text!r} cannot be read: {error}") from None


def _plain(name: str) -> str:
    """A name of one line without control characters, of a length a table can bear."""
    return re.sub(r"[\x00-\x1f\x7f]+", " ", name).strip()[:60] or "bot"


def content_version(path: Path) -> str:
    """The version of a file or folder: a hash of its files' names and contents, and of which are programs."""
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else bot_files(path):
        name = file.name if path.is_file() else file.relative_to(path).as_posix()
        content = file.read_bytes()
        digest.update(f"{len(name)} {name} {len(content)} {is_program(file):d} ".encode(errors="replace"))
        digest.update(content)
    return digest.hexdigest()[:VERSION_CHARS]


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
