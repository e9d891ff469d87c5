"""Writes docs/commands.md, the reference of the commands, from the command line itself.

    python tools/commands_page.py

`tests/test_docs.py` holds the page to what this makes: whoever changes a command runs it again.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from arena.cli import COMMANDS, _app

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"

HEAD = """\
# The commands

*Made from the code by `python tools/commands_page.py`: change the command, not this page.*

`arena COMMAND --help` says the same of a command, laid out for the terminal.

The exit status of every command is 0 if it did what was asked, 1 if the answer is no (a check or a verification
failed), 2 if the call or its input was wrong, 3 if Arena or the machine failed, and 130 after Ctrl-C. What is wrong is
said in one line on stderr.

Tables and records go to stdout, progress and warnings to stderr. Bars are drawn only where stderr is a terminal that
can move its cursor (not `TERM=dumb`);
`NO_COLOR=1` takes the colours away, and `-q` the progress.

| variable | means |
|---|---|
| `ARENA_HOME` | the folder of submitted and built bots, instead of `arena` in the user's data folder |
| `ARENA_TRACEBACK` | if set, a bug in Arena shows its traceback |
| `NO_COLOR` | if set, no colours |

`arena --install-completion` sets up completion for your shell (bash, zsh, fish), `arena --show-completion` prints what
it would set up.

"""


def page() -> str:
    """The whole page."""
    commands = _app([]).commands
    parts = [_section(name, commands[name]) for name in COMMANDS]
    listed = "".join(f"- [`arena {name}`](#arena-{name}): {_lead(commands[name])}\n" for name in COMMANDS)
    return HEAD + listed + "\n" + "\n".join(parts)


def _text(command: Any) -> tuple[str, str]:
    """The words and the examples of a command's docstring."""
    words, _, examples = inspect.cleandoc(command.callback.__doc__ or "").partition("\b\nExamples:\n")
    return words.strip(), inspect.cleandoc("\n" + examples).strip()


def _lead(command: Any) -> str:
    first = _text(command)[0].split("\n\n")[0]
    return " ".join(first.split())


def _section(name: str, command: Any) -> str:
    words, examples = _text(command)
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    usage = " ".join(["arena", name, "[OPTION ...]", *map(_usage, arguments)])
    rows = [f"| `{param.metavar or param.name.upper()}` | {_cell(param.help)} |" for param in arguments]
    rows += [f"| `{_flags(param)}` | {_cell(param.help)}{_default(param)} |" for param in options]
    rows.append("| `-h, --help` | Show the help. |")
    table = "| argument or option | means |\n|---|---|\n" + "\n".join(rows)
    shown = f"\nExamples:\n\n```text\n{examples}\n```\n" if examples else ""
    return f"## arena {name}\n\n```text\n{usage}\n```\n\n{words}\n\n{table}\n{shown}"


def _usage(param: Any) -> str:
    name = param.metavar or param.name.upper()
    dots = " ..." if param.nargs == -1 else ""
    return f"{name}{dots}" if param.required else f"[{name}{dots}]"


def _flags(param: Any) -> str:
    """The option as it is typed; the bar of a choice would end the cell of a table."""
    metavar = f" {param.metavar}" if param.metavar and not param.is_flag else ""
    return (", ".join([*param.opts, *param.secondary_opts]) + metavar).replace("|", "\\|")


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


def _default(param: Any) -> str:
    """What holds without the option, where its help does not say it."""
    if param.is_flag or param.default in (None, False) or "default" in (param.help or ""):
        return ""
    return f" Default: `{param.default}`."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
