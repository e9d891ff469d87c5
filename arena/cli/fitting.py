"""Tables that fit the terminal: the one column that can be folded is, where the window is too narrow."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from tabulate import tabulate

NARROWEST = 16


def fitted(rows: Sequence[Sequence[str]], headers: Sequence[str], folding: int) -> str:
    """A table as text; on a terminal, not in a pipe, with the column `folding` as narrow as it must be."""
    table = tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True)
    if not sys.stdout.isatty():
        return table
    too_wide = max(map(len, table.splitlines())) - shutil.get_terminal_size().columns
    if too_wide <= 0:
        return table
    widths: list[int | None] = [None] * len(headers)
    widths[folding] = max(NARROWEST, max(len(row[folding]) for row in rows) - too_wide)
    return tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True, maxcolwidths=widths)
