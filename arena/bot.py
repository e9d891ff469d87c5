"""What BOT means: a bundled or submitted bot's name, a script, a folder with a `bot.toml`, a command line.

`resolve` turns the word into a BotSpec: its name, its version (a hash of its files), and how it is started. A
name goes before a file of the same name: `./alice` is always the file. Raises UnknownBot with what would be
right.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.contents import VERSION_CHARS, Content, content_version
from arena.errors import UnknownBot, UsageError
from arena.files import named
from arena.names import display_mistake
from games.interface import ID

SCRIPTS = {".py": "python", ".js": "node", ".sh": "bash"}
KEYS = ("name", "run", "build", "games")
INTERPRETERS = frozenset({"python", "python3", "node", "java", "bash", "sh", "ruby", "perl", "lua"})
"""Programs that play nothing by themselves: somebody has forgotten the quotes around a command line."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that can be started: `argv[0]` is an absolute path, `folder` its own files, if it has one."""

    name: str
    version: str
    argv: tuple[str, ...]
    folder: str | None = None
    visible: tuple[str, ...] = ()
    games: tuple[str, ...] | None = None
    content: Content | None = None
    """Its files when it was found: what is started later must be the same."""

    def renamed(self, name: str) -> BotSpec:
        """The same bot under another name."""
        return replace(self, name=name)


def resolve(word: str) -> BotSpec:
    """The bot that this word means; UnknownBot if it means none."""
    try:
        return _resolve(word)
    except PermissionError as error:
        raise UnknownBot(f"{error.filename or word} cannot be read: permission denied") from None


def _resolve(word: str) -> BotSpec:
    import bots

    if not word.strip():
        raise UnknownBot("a bot's name is empty: give a bot's name, a script, a folder or a command line")
    bundled = bots.bundled()
    if word in bundled:
        return from_folder(bundled[word])
    if (submitted := _from_store(word)) is not None:
        return submitted
    path = named(word)
    if path is not None and path.is_dir():
        return from_folder(path)
    if path is not None and path.is_file():
        return _from_file(path)
    words = _split(word)
    if len(words) > 1:
        return _from_command(words, word)
    if word in INTERPRETERS:
        raise UnknownBot(
            f"{word} alone plays nothing: put its command line in quotes, such as '{word} mybot'"
        )
    if (program := shutil.which(word)) is not None:
        return _from_command([program], word)
    raise UnknownBot(_nothing_like(word, list(bundled)))


def _nothing_like(word: str, bundled: list[str]) -> str:
    """What to say of a word that means no bot."""
    from arena.store import Store

    if "/" in word or word.endswith(tuple(SCRIPTS)):
        return f"there is no file {word}"
    submitted = Store().names()
    near = get_close_matches(word, [*bundled, *submitted], n=1)
    if near:
        return f"no bot {word!r}: did you mean {near[0]!r}? ('arena bots' lists all)"
    return (
        f"no bot {word!r}: a bot is the name of a bundled bot ({', '.join(sorted(bundled))}) or of a "
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
    if not found.is_intact():  # looked at first: its build, too, must be what was examined
        raise UnknownBot(
            f"the snapshot {name}@{found.version} was changed since it was submitted: submit it again"
        )
    return from_folder(found.folder, called=name).renamed(name)


def from_folder(folder: Path, called: str | None = None) -> BotSpec:
    """A folder with a bot.toml; what its `build` makes is made first, once (see arena.build)."""
    table = read_manifest(folder, called)
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
        content=Content.of(str(home), whole="build" in table),
    )


def read_manifest(folder: Path, called: str | None = None, *, shown: str | None = None) -> dict[str, Any]:
    """What the folder's bot.toml says, with a `name` in any case; UnknownBot names the first mistake.

    Without a name of its own a bot is `called` so, or as its folder is; `shown` is the file in a mistake's words.
    """
    path = folder / "bot.toml"
    file = shown or str(path)
    if not path.is_file():
        raise UnknownBot(f"the folder {folder} has no bot.toml (it needs the lines name = ... and run = ...)")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UnknownBot(f"{file}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        from arena.toml_words import plain_words

        raise UnknownBot(f"{file} is not TOML: {plain_words(error)}") from None
    table.setdefault("name", called or os.path.basename(os.path.abspath(folder)))
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
    for key, text in (("run", run), ("build", build or "")):
        if not text.replace("\n", "").replace("\t", "").isprintable():
            return f"{key} has characters that cannot be seen: {text!r}"
    if games is not None and not (isinstance(games, list) and games and all(map(_may_be_game, games))):
        return 'games must be a list of game ids, such as games = ["squares"]'
    return None


def _may_be_game(game: Any) -> bool:
    """Whether this could be a game's id, of one that is installed elsewhere perhaps."""
    return isinstance(game, str) and ID.fullmatch(game) is not None


def folder_word(folder: Path) -> str:
    """A folder as a word that is taken for one: `./alice`."""
    word = str(folder)
    return word if word.startswith(("/", ".", "~")) else f"./{word}"


def _from_file(path: Path) -> BotSpec:
    """A script, started by its language's interpreter, or anything executable."""
    full = path.resolve()
    if full.name == "bot.toml":
        raise UnknownBot(f"{path} only describes a bot: give its folder, {folder_word(path.parent)}")
    interpreter = SCRIPTS.get(full.suffix)
    if interpreter is not None:
        argv = [_interpreter(interpreter, path), str(full)]
    elif os.access(full, os.X_OK):
        argv = [str(full)]
    else:
        raise UnknownBot(f"{path} is not executable: chmod +x it, or give a .py, .js or .sh script")
    return BotSpec(
        _plain(Path(os.path.abspath(path)).stem),  # a link is called as it is, not as what it leads to
        content_version(full),
        tuple(argv),
        visible=(str(full),),
        content=Content.of(str(full)),
    )


def _from_command(words: list[str], text: str) -> BotSpec:
    """A command line: words that name files are made absolute, for the bot runs in a folder of its own."""
    try:
        program = _program(words, Path.cwd())[0]
    except UnknownBot:
        raise UnknownBot(f"the command line {text!r} cannot be started: no program {words[0]!r}") from None
    files = command_files(words, Path.cwd())
    argv = [program, *(str(files.get(at, word)) for at, word in enumerate(words) if at)]
    name = " ".join(os.path.basename(word) for word in words)
    visible = tuple(map(str, files.values()))
    version = command_version(words, files)
    return BotSpec(_plain(name), version, tuple(argv), visible=visible, content=Content.of(*visible))


def command_files(words: Sequence[str], folder: Path) -> dict[int, Path]:
    """The files among the words of a command line, by their places; the program, if it has a path, is the last."""
    files = {
        at: (folder / word).resolve() for at, word in enumerate(words) if at and os.path.exists(folder / word)
    }
    return files if _on_path(words[0]) else files | {0: (folder / words[0]).absolute()}


def command_version(words: Sequence[str], files: Mapping[int, Path], program: str | None = None) -> str:
    """The version of a command line: a hash of its words, then of its files, then of its program.

    `program`: the program's version, where it is one of another machine's and its file is not here.
    """
    versions = {at: content_version(path) for at, path in files.items()}
    if program is not None:
        versions[0] = program
    digest = hashlib.sha256("\0".join(words).encode(errors="surrogateescape"))
    for at in sorted(versions, key=lambda at: (at == 0, at)):
        digest.update(versions[at].encode())
    return digest.hexdigest()[:VERSION_CHARS]


def _program(words: list[str], folder: Path) -> list[str]:
    """The words with the program's absolute path first: `./bot` is the folder's, `node` the search path's."""
    first = words[0]
    if "/" in first:
        path = (folder / first).absolute()
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            what = "is not executable" if os.path.isfile(path) else "does not exist"
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
    """A name of one line, of what can be seen, with single spaces, of a length a table can bear."""
    seen = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(seen.split())[:60].strip() or "bot"
