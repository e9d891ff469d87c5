"""A program that plays match after match until somebody ends it: `python host.py SANDBOX MARK`.

Both bots have descendants in sessions of their own. It prints a line for each match.
"""

import signal
import sys
from pathlib import Path

from arena.bot import BotSpec
from arena.bot_process import BotProcess
from arena.limits import Limits
from arena.referee import Fixture, Referee
from games.squares import Squares

BOTS = Path(__file__).parent / "bots"


def main(mode: str, mark: str) -> None:
    limits = Limits(move_ms=5000)
    players = []
    for program, name in (("lives.py", "leaves-a-daemon"), ("clocks.py", "dawdles")):
        spec = BotSpec(name, "1", (sys.executable, str(BOTS / program), name, mark), visible=(str(BOTS),))
        players.append(BotProcess(spec, limits, sandbox_mode=mode))
    referee = Referee(Squares(), limits, restart=True)
    for number in range(1000):
        played = referee.play(Fixture(str(number), "squares", {"total": 3}, 1), (players[0], players[1]))
        print(played.verdict.ending, flush=True)


if __name__ == "__main__":
    # Whoever runs the tests in the background (nohup, `&` in a script) has these ignored for all below.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(*sys.argv[1:])
