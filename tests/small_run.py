"""A small run as `arena run` leaves it, made in a moment: all is real but the bots, which are functions."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.bot import BotSpec
from arena.catalogue import get_game
from arena.journal import Journal
from arena.limits import Limits
from arena.player import ScriptedBot, Turn
from arena.referee import Referee
from arena.run_folder import Plan, RunFolder
from arena.tournament import Tournament

TOML = """\
name = "small"
seed = 7
rounds = 2

[[games]]
id = "squares"
options = { total = [30, 60] }
opening_plies = 2

[[games]]
id = "grid"

[[bots]]
name = "alice"
run = "alice"

[[bots]]
name = "bob"
run = "bob"

[[bots]]
name = "carol"
run = "carol"
"""

VERSIONS = {"alice": "aaaaaaaaaaaa", "bob": "bbbbbbbbbbbb", "carol": "cccccccccccc"}
Change = Callable[[dict[str, Any]], None]


def player(name: str) -> ScriptedBot:
    """A bot that plays at random; carol now and then takes what is not there, and loses by it."""
    rng = random.Random(name)

    def answer(turn: Turn) -> str:
        if name == "carol" and rng.random() < 0.15:
            return "9999"
        return f"info thinking\n{rng.choice(turn.legal)}"

    return ScriptedBot(name, answer, version=VERSIONS[name])


def make_run(root: Path, *, batch: int = 5) -> Path:
    """The folder of a run in which every match has been played, sealed after each batch."""
    tournament = Tournament.model_validate(tomllib.loads(TOML))
    specs = [BotSpec(name, version, ("/bin/true",)) for name, version in VERSIONS.items()]
    plan = Plan.of(tournament, specs)
    folder = RunFolder(root / "runs" / "small")
    folder.save(plan, TOML)
    schedule = plan.schedule()
    bots = {name: player(name) for name in VERSIONS}
    with Journal.open(folder.path) as journal:
        lines = []
        for match_id in schedule.ids():
            match = schedule.match_of(match_id)
            referee = Referee(get_game(match.game), Limits(reprompts=0))
            lines.append(referee.play(match, (bots[match.bots[0]], bots[match.bots[1]])).line)
            if len(lines) == batch:
                journal.append(lines)
                journal.sync()
                lines = []
        journal.append(lines)
    return folder.path


def lines_of(run: Path) -> list[str]:
    return (run / "matches.jsonl").read_text(encoding="ascii").splitlines()


def write_lines(run: Path, lines: list[str]) -> None:
    (run / "matches.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def tamper(run: Path, number: int, change: Change, *, reseal: bool) -> None:
    """Change one record, and with `reseal` make the seals anew, as a forger with access to all files would."""
    lines = lines_of(run)
    record = json.loads(lines[number - 1])
    change(record)
    lines[number - 1] = json.dumps(record)
    write_lines(run, lines)
    if reseal:
        unseal(run)


def unseal(run: Path) -> None:
    (run / "seals.jsonl").unlink()
