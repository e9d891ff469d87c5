"""The page: puts a report's data into the template, with style and program inside, and a policy that allows no more.

Owns the rendering and the writing of the file. Untrusted text reaches the markup only through autoescaping or
packed in base64; the Content-Security-Policy names the one style and the one program by their hashes, so that
nothing else could run even if it got in. Raises UsageError for a file that cannot be written.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

from arena import __version__
from arena.errors import UsageError
from arena.files import write_whole
from arena.report.data import MOST_CROSSED, MOST_ROWS, ReportData
from arena.report.figures import DISC, time_label
from arena.report.matches import packed

_FOLDER = files("arena.report")


def render(data: ReportData) -> str:
    """The whole page."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        elo=_elo, percent=_percent, sure=_sure, time=time_label, points=_points, day=_day
    )
    style, program = _text("style.css"), _text("app.js")
    return environment.from_string(_text("page.html.j2")).render(
        report=data,
        policy=_policy(style, program),
        # Both are ours, and are named by their hashes: escaping would break them.
        style=Markup(style),
        program=Markup(program),
        packed=packed(data.packed),
        version=__version__,
        most_rows=MOST_ROWS,
        most_crossed=MOST_CROSSED,
        disc=DISC,
    )


def check_target(target: Path) -> None:
    """UsageError unless a page can be put there: asked before the work, not after it."""
    if target.name == "-":
        raise UsageError("-o names the page to write, such as -o report.html")
    try:
        if target.is_dir():
            raise UsageError(
                f"{target} is a folder: name the page to write, such as {target / 'report.html'}"
            )
        if target.exists() and not target.is_file():
            raise UsageError(f"{target} is no file: name the page to write, such as report.html")
        if not target.parent.is_dir():
            raise UsageError(
                f"there is no folder {target.parent}: make it first, or write the page elsewhere"
            )
    except OSError as error:
        raise _not_written(target, error) from None


def write(page: str, target: Path) -> int:
    """Write the page so that a reader finds the old file or the new one, never a part; its size in bytes."""
    check_target(target)
    content = page.encode("utf-8", "replace")
    try:
        write_whole(target.resolve(), content)  # what a link leads to, not the link
    except OSError as error:
        raise _not_written(target, error) from None
    return len(content)


def _not_written(target: Path, error: OSError) -> UsageError:
    return UsageError(f"{target} cannot be written: {error.strerror or error}")


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _policy(style: str, program: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(program)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


# --- how numbers are written -----------------------------------------------------------------------


def _elo(rating: float) -> str:
    return f"{round(rating):d}".replace("-", "−")


def _percent(share: Any, digits: int = 0) -> str:
    return f"{100 * float(share):.{digits}f}"


def _sure(share: float | None) -> str:
    """A probability; never 0% or 100%: nothing is that sure."""
    if share is None:
        return ""
    return "<1%" if share < 0.01 else ">99%" if share > 0.99 else f"{share:.0%}"


def _points(points: float) -> str:
    return f"{points:,.1f}".removesuffix(".0")


def _day(started: str) -> str:
    return f"{started[:10]} {started[11:16]}"
