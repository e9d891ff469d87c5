"""`arena new`: makes the folder of a new bot. Raises UsageError for what `arena.starter` cannot make."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.starter import TOOLS, Starter, make_starter


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name, and the name of its folder.")],
    lang: Annotated[
        str,
        typer.Option(
            "--lang", "-l", help=f"One of {', '.join(TOOLS)}.", autocompletion=completion.one_of(TOOLS)
        ),
    ] = "python",
    parent: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Where to make the folder.", show_default="here")
    ] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Make a starter bot, for you to improve.

    It is a folder with a bot that plays already.

    \b
    Examples:
      arena new alice
      arena new bob --lang rust
      arena new carol --lang java --dir ~/bots
    """
    made = make_starter(name, lang, parent)
    print(json.dumps(_told(made), indent=2) if as_json else _text(made))


def next_commands(made: Starter) -> list[str]:
    """What to type next, in order."""
    where = shlex.quote(str(made.folder if made.folder.is_absolute() else Path() / made.folder))
    path = where if "/" in where else f"./{where}"
    return [f"arena check {path}", f"arena match squares {path} random total=87", f"arena submit {path}"]


def _told(made: Starter) -> dict[str, object]:
    return {
        "name": made.name,
        "language": made.language,
        "folder": str(made.folder),
        "files": list(made.files),
        "missing_tools": list(made.missing_tools),
        "next": next_commands(made),
    }


def _text(made: Starter) -> str:
    lines = [f"Made {made.folder}/ with {', '.join(made.files)}."]
    if made.missing_tools:
        tools = " and ".join(made.missing_tools)
        lines.append(f"It needs {tools}, which this machine does not have: install that first.")
    lines.append("Next:")
    lines += [f"  {command}" for command in next_commands(made)]
    return "\n".join(lines)
