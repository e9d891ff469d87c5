"""The demo: a small tournament of the bundled bots over all five games, made ready in a folder of its own.

Owns the choice of bots and matches: every bundled bot that can be started here and is quick, so that it takes seconds.
Raises UsageError when the folder may not be made, and HarnessFailure when it cannot be.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from arena.bot import resolve
from arena.errors import ArenaError
from arena.files import disk_error
from arena.run_folder import RUNS

FOLDER = "arena-demo"
NAME = "demo"
BOTS = ("perfect", "greedy", "random", "first", "c-greedy", "cpp-mirror", "rust-careful", "js-snatch", "java-random",
        "sh-middle")  # fmt: skip
"""The bundled bots of the demo, in several languages; not the searching bot, which uses all the time it has."""

HEAD = """\
# Made by `arena demo`: change it and run it again with `arena run`.
name = "demo"
seed = 2026
rounds = 2

[[games]]
id = "squares"
options = { total = [50, 200] }
opening_plies = 2

[[games]]
id = "primes"
options = { n = [20, 120] }
opening_plies = 1

[[games]]
id = "sum-to-zero"
options = { limit = 6 }
opening_plies = 2

[[games]]
id = "grid"
options = { score = [15, 30] }
opening_plies = 2

[[games]]
id = "linked"
options = { n = [40, 90] }
opening_plies = 1

[limits]
move_ms = 500
"""


@dataclass(frozen=True)
class Demo:
    """A demo that can be run: its file, and which bots cannot take part here, with the reason."""

    file: Path
    missing: tuple[tuple[str, str], ...]


def prepare(parent: Path) -> Demo:
    """Write the demo's tournament file; what an earlier demo has left there is removed first."""
    playable, missing = [], []
    for name in BOTS:
        try:
            resolve(name)
            playable.append(name)
        except ArenaError as error:
            missing.append((name, str(error)))
    folder = parent / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        shutil.rmtree(folder / RUNS / NAME, ignore_errors=True)
        file = folder / "demo.toml"
        file.write_text(
            HEAD + "".join(f'\n[[bots]]\nname = "{name}"\n' for name in playable), encoding="utf-8"
        )
    except OSError as error:
        raise disk_error(f"the demo cannot be written to {folder}", error) from None
    return Demo(file, tuple(missing))
