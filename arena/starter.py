"""A starter: the folder of files that a new bot begins with, copied from a template in `arena/starters`.

Owns the languages there are and the copying. Starts no process. Raises UsageError
for a language without a template, a name that no bot may have, and a folder that cannot be made or is in use.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import bots
from arena.errors import UsageError
from arena.names import check_bot_name

TEMPLATES = Path(__file__).parent / "starters"
PLACEHOLDER = "{{name}}"

TOOLS = {
    "python": ("python3",),
    "c": ("cc",),
    "cpp": ("c++",),
    "java": ("javac", "java"),
    "js": ("node",),
    "rust": ("rustc",),
    "go": ("go",),
    "bash": ("bash",),
}
"""Every language, in the order in which people are told of them, and the programs that its starter needs."""


ALIASES = {"py": "python", "python3": "python", "c++": "cpp", "javascript": "js", "node": "js", "rs": "rust",
           "golang": "go", "sh": "bash", "shell": "bash"}  # fmt: skip
"""What languages are called as well."""


@dataclass(frozen=True)
class Starter:
    """A starter that was made: where, of which files, and which programs it needs that are not installed."""

    name: str
    language: str
    folder: Path
    files: tuple[str, ...]
    missing_tools: tuple[str, ...]


def make_starter(name: str, language: str, parent: Path) -> Starter:
    """Make the folder `name` in `parent` with a bot that plays already."""
    check_bot_name(name)
    if (bundled := bots.bundled_like(name)) is not None:
        raise UsageError(
            f"{bundled!r} is the name of a bundled bot, and yours could not be submitted: choose another"
        )
    language = ALIASES.get(language.lower(), language.lower())
    _check_language(language)
    folder = parent / name
    template = TEMPLATES / language
    files = tuple(sorted(path.name for path in template.iterdir() if path.is_file()))
    if not parent.is_dir():
        raise UsageError(f"there is no folder {parent}: make it first, or choose another")
    try:
        _check_free(folder)
        folder.mkdir(exist_ok=True)
        for file in files:
            text = (template / file).read_text(encoding="utf-8")
            (folder / file).write_text(text.replace(PLACEHOLDER, name), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None
    return Starter(name, language, folder, files, missing_tools(language))


def missing_tools(language: str) -> tuple[str, ...]:
    """The programs that a bot in this language needs and that are not on this machine's search path."""
    return tuple(tool for tool in TOOLS[language] if shutil.which(tool) is None)


def _check_language(language: str) -> None:
    if language not in TOOLS:
        raise UsageError(f"there is no starter in {language!r}; there is one in each of {', '.join(TOOLS)}")


def _check_free(folder: Path) -> None:
    """A folder of that name is fine as long as nothing in it could be overwritten."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{str(folder)!r} is there already and is not a folder: choose another name")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"the folder {str(folder)!r} is there already and is not empty: choose another name")
