"""Every animal of the zoo, in both seats and in both sandboxes: the right verdict, soon, and nothing left."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from combinations import paired
from zoo_bars import MakeSpec, has_own_mounts, skip_without
from zoo_species import ZOO, Species

from arena.bot_process import BotProcess
from arena.limits import Limits
from arena.player import Player, ScriptedBot
from arena.record import Ending
from arena.referee import VOID_TRIES, Fixture, Played, Referee
from games.linked import Linked
from games.squares import Squares

LIMITS = Limits(move_ms=250, start_ms=10_000, output_kb=64, memory_mb=512)
BUSY = re.compile("to wait .* for a processor|referee was held up|waits in the kernel")
"""What is said where the machine was late, and not the bot: it is played again, as a match of a run would be."""
CASES = [(species, mode, seat) for species in ZOO for mode, seat in paired(species.sandboxes, (1, 2))]


class WideSquares(Squares):
    """The game of squares, with a position that is a line of 300 kB: more than a pipe holds."""

    id = "wide-squares"

    def view(self, state: int, seat: int) -> str:
        return f"{super().view(state, seat)} padding={'x' * 300_000}"


GAMES = {"squares": Squares(), "linked": Linked(), "wide-squares": WideSquares()}


def play(animal: Player, seat: int, species: Species, limits: Limits) -> Played:
    """One match of an animal with a well-behaved opponent."""
    visitor = ScriptedBot("visitor", lambda turn: turn.legal[0])
    players = (animal, visitor) if seat == 1 else (visitor, animal)
    match = Fixture("zoo", species.game, species.options, 7)
    return Referee(GAMES[species.game], limits).play(match, players)


@pytest.mark.parametrize(
    ("species", "mode", "seat"), CASES, ids=[f"{s.id}-{mode}-{seat}" for s, mode, seat in CASES]
)
def test_every_animal_gets_its_verdict_and_leaves_nothing(
    species: Species, mode: str, seat: int, animal: MakeSpec, tmp_path: Path
) -> None:
    skip_without(mode)
    if mode == "none" and species.needs_mounts and not has_own_mounts():
        pytest.skip("this kernel does not give a plain process mounts of its own")
    patient = {} if species.ending is Ending.TIMEOUT else {"move_ms": 10_000}
    limits = LIMITS.model_copy(update={**patient, **species.limits})
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        for _ in range(1 + VOID_TRIES):
            bot = BotProcess(
                animal(species.program, species.name, str(tmp_path), port), limits, sandbox_mode=mode
            )
            try:
                played = play(bot, seat, species, limits)
            finally:
                bot.stop()
            if not BUSY.search(played.verdict.detail):
                break
        else:
            pytest.skip(f"this machine is too busy: {played.verdict.detail}")
    assert played.verdict.ending is species.ending, played.verdict.detail
    assert species.detail in played.verdict.detail
    if species.ending is not Ending.COMPLETED:
        assert played.verdict.at_fault == seat
        assert played.verdict.winner == 3 - seat
    assert len(played.verdict.detail) < 600
    assert "\n" not in played.verdict.detail
