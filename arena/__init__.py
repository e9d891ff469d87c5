"""Arena: play programs against each other, and prove the result.

`import arena` gives the small surface below; each name is loaded when it is first used, so that the import is instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.api import play_matches, read_records, read_standings
    from arena.catalogue import game_ids, get_game
    from arena.errors import ArenaError
    from arena.limits import Limits
    from arena.organiser import run_tournament
    from arena.player import Fault, ScriptedBot, Turn
    from arena.record import MatchRecord, parse_record
    from arena.referee import Fixture, Played, Referee
    from arena.runner import RunOutcome, Tally
    from arena.solver import Solver
    from arena.standings import Standings
    from arena.worker import Report

__version__ = "0.1.0"

__all__ = [
    "ArenaError",
    "Fault",
    "Fixture",
    "Limits",
    "MatchRecord",
    "Played",
    "Referee",
    "Report",
    "RunOutcome",
    "ScriptedBot",
    "Solver",
    "Standings",
    "Tally",
    "Turn",
    "__version__",
    "game_ids",
    "get_game",
    "parse_record",
    "play_matches",
    "read_records",
    "read_standings",
    "run_tournament",
]

_HOMES = {
    "ArenaError": "errors",
    "Fault": "player",
    "Fixture": "referee",
    "Limits": "limits",
    "MatchRecord": "record",
    "Played": "referee",
    "Referee": "referee",
    "Report": "worker",
    "RunOutcome": "runner",
    "ScriptedBot": "player",
    "Solver": "solver",
    "Standings": "standings",
    "Tally": "runner",
    "Turn": "player",
    "game_ids": "catalogue",
    "get_game": "catalogue",
    "parse_record": "record",
    "play_matches": "api",
    "read_records": "api",
    "read_standings": "api",
    "run_tournament": "organiser",
}


def __getattr__(name: str) -> Any:
    """Load a name of the public surface when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    value = getattr(import_module(f"arena.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
