"""The Python interface: what `import arena` offers, and what the command line itself uses.

    import arena

    for played in arena.play_matches("squares", "greedy", "my_bot.py", count=10, options={"total": 87}):
        print(played.record().result.detail)

    outcome = arena.run_tournament("spring-cup.toml")
    table = arena.read_standings("spring-cup").table()

Bots and runs are named as on the command line. Raises the errors of `arena.errors`, one line each, for whatever a
caller did wrong.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from arena import sandbox as sandboxes
from arena.bot import resolve
from arena.catalogue import get_game
from arena.evidence import gather
from arena.limits import Limits
from arena.record import MatchRecord
from arena.referee import Played
from arena.seeds import SEED_BITS
from arena.series import make_series, play_series
from arena.standings import Standings

Run = str | os.PathLike[str]
"""A run's folder, its name in ./runs, its tournament file, or a file of records."""


def play_matches(
    game: str,
    bot_1: str,
    bot_2: str,
    *,
    options: Mapping[str, Any] | None = None,
    count: int = 1,
    seed: int | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    sandbox: str = "auto",
    restart: bool = False,
    ponder: bool = False,
) -> Iterator[Played]:
    """Play two bots against each other, seats swapped in turn; matches come as they end.

    game: the id of a game, as `game_ids` lists them.
    bot_1, bot_2: named as on the command line: a name, a script, a folder, or a command line.
    options: the game's start options; those that are not given have their defaults.
    count: how many matches; each start is played twice, once with each bot in the first seat.
    seed: where starts and the bots' seeds come from; a new one if not given.
    limits: `Limits(move_ms=100)`, or a mapping; those that are not named are the usual ones.
    sandbox: "auto" (bubblewrap where it works), "bwrap" or "none".
    restart: start bots afresh for each match, instead of only after a fault.
    ponder: let bots think in the other's turn.

    The bots are ended when the last match is over or the iterator is closed.
    """
    rules = get_game(game)
    used = secrets.randbelow(2**SEED_BITS) if seed is None else seed
    series = make_series(rules, [resolve(bot_1), resolve(bot_2)], options or {}, count, used)
    mode, _ = sandboxes.choose(sandbox)
    used_limits = Limits().changed(limits or {})
    return play_series(series, used_limits, sandbox_mode=mode, restart=restart, ponder=ponder)


def read_records(run: Run) -> Iterator[MatchRecord]:
    """The records of a run, one at a time, as far as whole lines are written; RecordError for a line that is none."""
    return gather(os.fspath(run)).records()


def read_standings(run: Run) -> Standings:
    """The standings of a run, as far as it is played: `.table()` over all games, `.table("squares")` of one."""
    return gather(os.fspath(run)).standings()
