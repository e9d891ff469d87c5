"""The command line: `arena COMMAND`. The only part of the harness that prints.

Each command is one function `command` in one module below, imported only when it is asked for, so that
`arena --version` and `arena match` do not pay for what they do not use.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

COMMANDS = {
    "games": "arena.cli.games",
    "rules": "arena.cli.rules",
    "play": "arena.cli.play",
    "match": "arena.cli.match",
    "solve": "arena.cli.solve",
}
"""Every command and its module, in the order in which `arena --help` lists them."""


def main(argv: list[str] | None = None) -> None:
    """The entry point of the `arena` command: runs it and leaves with its exit status."""
    args = sys.argv[1:] if argv is None else argv
    if args in (["--version"], ["-V"]):  # before anything slow is imported
        from arena import __version__

        print(f"arena {__version__}")
        return
    sys.exit(_run(args))


def _run(args: list[str]) -> int:
    """Run one command line; every mistake of the user's ends as one line on stderr."""
    import typer

    from arena.errors import ArenaError

    try:
        result = _app(args)(args=args, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except ArenaError as error:
        return _fail(str(error), error.exit_status)
    except typer.Exit as error:
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "arena"
        return _fail(f"{error.format_message().rstrip('.')} (see '{where} --help')", 2, where)
    except BrokenPipeError:  # the reader of a pipe has left (`arena games | head -1`): nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _fail(message: str, status: int, where: str = "arena") -> int:
    print(f"{where}: {message}", file=sys.stderr)
    return status


def _app(args: list[str]):  # type: ignore[no-untyped-def]  # typer is imported late
    """The command tree, with only the one command loaded that `args` name, or all of them for the help."""
    import typer

    app = typer.Typer(
        name="arena",
        help="Play bots against each other, and prove the result.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def arena(
        version: bool = typer.Option(False, "--version", "-V", help="Print the version.", is_eager=True),
    ) -> None:
        if version:
            from arena import __version__

            print(f"arena {__version__}")
            raise typer.Exit

    wanted = [args[0]] if args and args[0] in COMMANDS else list(COMMANDS)
    for name in wanted:
        module = import_module(COMMANDS[name])
        settings = getattr(module, "SETTINGS", {})
        app.command(name, **settings)(module.command)
    return typer.main.get_command(app)
