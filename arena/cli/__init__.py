"""The command line: `arena COMMAND`. The only part of the harness that prints.

Each command is one function `command` in one module below, imported only when it is asked for, so that
`arena --version` and `arena match` do not pay for what they do not use.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from importlib import import_module
from io import TextIOWrapper

COMMANDS = {
    "demo": "arena.cli.demo",
    "games": "arena.cli.games",
    "rules": "arena.cli.rules",
    "play": "arena.cli.play",
    "match": "arena.cli.match",
    "solve": "arena.cli.solve",
    "run": "arena.cli.run",
    "standings": "arena.cli.standings",
    "replay": "arena.cli.replay",
    "verify": "arena.cli.verify",
    "report": "arena.cli.report",
    "new": "arena.cli.new",
    "check": "arena.cli.check",
    "submit": "arena.cli.submit",
    "bots": "arena.cli.bots",
    "bench": "arena.cli.bench",
}
"""Every command and its module, in the order in which `arena --help` lists them."""


def main(argv: list[str] | None = None) -> None:
    """The entry point of the `arena` command: runs it and leaves with its exit status."""
    own = argv is None  # nobody called us from a program of theirs: this process is ours
    args = sys.argv[1:] if argv is None else argv
    try:
        if own:
            _hear_ctrl_c_once()
        _mend_streams()
        if args[:1] == ["help"]:  # `arena help match` is what people try
            args = [*args[1:2], "--help"]
        status = _version() if args in (["--version"], ["-V"]) else _run(args or ["--help"])
        sys.stdout.flush()
    except KeyboardInterrupt:  # while a command was still being loaded, or after it was done
        status = _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of a pipe has left (`arena games | head -1`): nothing is wrong
        status = _discard_output(0)
    except OSError as error:  # what is left unwritten would fail once more at the interpreter's end
        what = f"{error.filename}: " if error.filename else "cannot write the output: "
        failed = 2 if isinstance(error, PermissionError) else 3
        status = _discard_output(_fail(f"{what}{error.strerror or error}", failed))
    if own:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the bots' keeper is still to be sent home
    sys.exit(status)


def _hear_ctrl_c_once() -> None:
    """Have only the first Ctrl-C end us: a second would come in the middle of clearing up after the first."""
    if (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):  # under nohup it is ignored, and stays so
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(*_: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _mend_streams() -> None:
    """See to it that reading and printing cannot fail for what the caller did to our standard streams.

    Where one is closed, no file of ours may get its number, and nothing is read or shown. What the terminal has no
    letters for is shown as an escape.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, "w" if descriptor else "r", encoding="utf-8"))  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _version() -> int:
    """Print the version, before anything slow is imported."""
    from arena import __version__

    print(f"arena {__version__}")
    return 0


def _run(args: list[str]) -> int:
    """Run one command line; every mistake of the user's ends as one line on stderr."""
    import typer

    from arena.errors import ArenaError

    try:
        _check_command(args)
        app = _app(args)
        if "_ARENA_COMPLETE" in os.environ:  # the shell asks for completions: typer answers and leaves
            app(args=args, prog_name="arena")
        # not app(): it has its own opinions on Ctrl-C and closed pipes
        with app.make_context("arena", list(args)) as context:
            result = app.invoke(context)
        return result if isinstance(result, int) else 0
    except ArenaError as error:
        return _fail(str(error), error.exit_status)
    except typer.Exit as error:
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("interrupted", 130)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else _named(args)
        if near := getattr(error, "possibilities", None):
            error.possibilities = near[:1]  # type: ignore[attr-defined]  # the others are far from it
        return _fail(f"{_plain(error.format_message())} (see '{where} --help')", 2, where)
    except OSError:  # of the output, as a rule: `main` tells it
        raise
    except Exception as error:
        if os.environ.get("ARENA_TRACEBACK"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return _fail(f"internal error, {what} (ARENA_TRACEBACK=1 shows where; please report it)", 3)


def _named(args: list[str]) -> str:
    """The command that a command line names, as its help is asked for."""
    return f"arena {args[0]}" if args and args[0] in COMMANDS else "arena"


def _plain(message: str) -> str:
    """What is said of a wrong option, in the words that other mistakes are told in."""
    message = re.sub(
        r"Input should be greater than or equal to (\S+)", r"it must be \1 or more", message.rstrip(".")
    )
    return re.sub(r"Input should be a valid (integer|number), .*", _must_be_number, message)


def _must_be_number(said: re.Match[str]) -> str:
    return "it must be a whole number" if said[1] == "integer" else "it must be a number"


def _check_command(args: list[str]) -> None:
    """Refuse an unknown command by the list of names alone: no module is loaded for a slip of the keys."""
    from difflib import get_close_matches

    from arena.errors import UsageError

    if args and not args[0].startswith("-") and args[0] not in COMMANDS:
        near = get_close_matches(args[0], [*COMMANDS, "--version"], n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(COMMANDS)}"
        raise UsageError(f"no command {args[0]!r}: {hint} (see 'arena --help')")


def _fail(message: str, status: int, where: str = "arena") -> int:
    """Tell what is wrong. Words of a bot's or a file's may be in it, so nothing in it may move the cursor."""
    from arena.printable import printable_lines

    print(printable_lines(f"{where}: {message}"), file=sys.stderr)
    return status


def _discard_output(status: int) -> int:
    """Send what is still unwritten nowhere, so that the interpreter's own last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _app(args: list[str]):  # type: ignore[no-untyped-def]  # typer is imported late
    """The command tree, with only the one command loaded that `args` name, or all of them for the help."""
    import typer

    app = typer.Typer(
        name="arena",
        help="Play bots against each other, and prove the result.\n\nNew here? Try 'arena demo'.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def arena(
        version: bool = typer.Option(False, "--version", "-V", help="Print the version.", is_eager=True),
    ) -> None:
        if version:
            raise typer.Exit(_version())

    wanted = [args[0]] if args and args[0] in COMMANDS else list(COMMANDS)
    for name in wanted:
        module = import_module(COMMANDS[name])
        settings = getattr(module, "SETTINGS", {})
        app.command(name, **settings)(module.command)
    return typer.main.get_command(app)
