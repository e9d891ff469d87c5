"""Where the kernel gives nobody a process table of his own: the same verdicts, and still nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from zoo_bars import MakeSpec

import arena
from arena import keeper, process
from arena.bot_process import BotProcess
from arena.limits import Limits
from arena.player import ScriptedBot
from arena.record import Ending
from arena.referee import Fixture, Referee
from games.squares import Squares

PLAIN_KEEPER = """
import sys
sys.path.insert(0, {root!r})
from arena import keeper
keeper.new_pid_namespace = lambda **_: False
keeper.main(int(sys.argv[1]))
"""


@pytest.fixture(autouse=True)
def plain_keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> Iterator[None]:
    """A keeper that cannot make namespaces, in place of this process's own; `mark` looks after it."""
    program = tmp_path / "keeper.py"
    program.write_text(PLAIN_KEEPER.format(root=str(Path(arena.__file__).parents[1])))
    process.close_keeper()
    monkeypatch.setattr(keeper, "__file__", str(program))
    yield
    process.close_keeper()


@pytest.mark.parametrize(
    ("program", "name", "ending", "detail"),
    [
        ("clocks.py", "half-a-line", Ending.TIMEOUT, "no newline after 1 byte"),
        ("clocks.py", "spins-off-turn", Ending.COMPLETED, ""),
        ("lives.py", "leaves-quietly", Ending.CRASHED, "exited with status 0"),
        ("lives.py", "segmentation-fault", Ending.CRASHED, "killed by SIGSEGV"),
        ("lives.py", "child-holds-output", Ending.CRASHED, "exited with status 0"),
        ("lives.py", "leaves-a-daemon", Ending.COMPLETED, ""),
        ("lives.py", "stays", Ending.COMPLETED, ""),
        ("lives.py", "kills-its-parent", Ending.CRASHED, "did it do that itself?"),
        ("lives.py", "stops-its-parent", Ending.COMPLETED, ""),
        ("lives.py", "kills-its-group", Ending.CRASHED, "killed by SIGKILL"),
        ("greed.py", "eats-in-a-child", Ending.MEMORY, "its limit is 80 MB"),
        ("greed.py", "forks", Ending.CRASHED, "more than 64 processes"),
        ("greed.py", "forks-in-forks", Ending.CRASHED, "more than 64 processes"),
        ("leaves_helpers.sh", "", Ending.COMPLETED, ""),
    ],
)
def test_an_animal_without_a_process_table_of_its_own(
    program: str, name: str, ending: Ending, detail: str, animal: MakeSpec
) -> None:
    limits = Limits(move_ms=250 if ending is Ending.TIMEOUT else 10_000, memory_mb=80)
    bot = BotProcess(animal(program, name), limits)
    visitor = ScriptedBot("visitor", lambda turn: turn.legal[0])
    total = 6 if ending is Ending.COMPLETED else 100_000  # long enough for a death to be noticed
    match = Fixture("m", "squares", {"total": total}, 1)
    try:
        verdict = Referee(Squares(), limits).play(match, (bot, visitor)).verdict
        assert verdict.ending is ending, verdict.detail
        assert detail in verdict.detail
        if bot._child is not None:
            bot._child.listen()
            assert not bot._child.isolated
    finally:
        bot.stop()
