"""The flags for limits that several commands share, and the limits that they make."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.errors import UsageError
from arena.limits import Limits

PANEL = "Limits"


def _flag(name: str) -> typer.models.OptionInfo:
    field = Limits.model_fields[name]
    unit = {"ms": "MS", "mb": "MB", "kb": "KB"}.get(name.rpartition("_")[2], "N")
    text = f"{field.description} (default: {field.default})"
    flag: typer.models.OptionInfo = typer.Option(
        f"--{name.replace('_', '-')}", metavar=unit, help=text[:1].upper() + text[1:], rich_help_panel=PANEL
    )
    return flag


MoveMs = Annotated[int | None, _flag("move_ms")]
BankMs = Annotated[int | None, _flag("bank_ms")]
IncrementMs = Annotated[int | None, _flag("increment_ms")]
StartMs = Annotated[int | None, _flag("start_ms")]
MemoryMb = Annotated[int | None, _flag("memory_mb")]
OutputKb = Annotated[int | None, _flag("output_kb")]
Reprompts = Annotated[int | None, _flag("reprompts")]
Sandbox = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="auto|bwrap|none",
        help="How bots are shut in; auto: bubblewrap if it works.",
        autocompletion=completion.one_of(("auto", "bwrap", "none")),
    ),
]


def limits_from(base: Limits, **flags: int | None) -> Limits:
    """These limits, with those that were given as flags in their place; UsageError for one out of its range."""
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return base.changed(given)
    except UsageError as error:
        name, _, rest = str(error).partition(" ")
        raise UsageError(f"--{name.replace('_', '-')} {rest}") from None


def given_limits(**flags: int | None) -> dict[str, int]:
    """The limits that were given as flags, checked."""
    limits_from(Limits(bank_ms=1), **flags)  # a bank for the increment may be in the file
    return {name: value for name, value in flags.items() if value is not None}
