"""The argument RUN, the same for every command that reads a run."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion

Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's folder, its name in ./runs, the tournament file, or a file of records.",
        autocompletion=completion.runs,
    ),
]
