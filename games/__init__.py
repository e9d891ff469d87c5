"""The rules of the bundled games, one file a game, and the interface that every game follows.

Nothing here imports the harness, does input or output, or reads a clock.
"""

from games.interface import (
    Game,
    GameOptions,
    MalformedMove,
    OptionError,
    Outcome,
    Refusal,
    Seat,
    read_number,
)

__all__ = ["Game", "GameOptions", "MalformedMove", "OptionError", "Outcome", "Refusal", "Seat", "read_number"]
