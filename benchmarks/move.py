"""What a move costs: the referee with everything on, against a bare C loop that drives the same bots in the same run.

    python benchmarks/move.py [--seconds 3] [--repeat 5]

Both play the same matches, pinned to the same core. The referee validates, keeps the clock, and writes records to a
journal in a temporary folder (`arena run` at -j1 does the same in a worker). Figures are the median of interleaved
repetitions. "all" divides everything (game, ready, over, record, journal) by the moves; the bare loop's "all" has
the same conversation, its "bare" the exchanges of moves alone.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from arena import cores
from arena.bot import BotSpec, resolve
from arena.bot_process import BotProcess
from arena.catalogue import get_game
from arena.journal import Journal
from arena.limits import Limits
from arena.player import Player
from arena.referee import Fixture, Referee
from arena.seal import bag_of

HERE = Path(__file__).parent
CASES = [("compiled, 8 moves", "first.c", 8), ("compiled, 40 moves", "first.c", 40), ("Python, 8 moves", "first.py", 8),
         ("Python, 40 moves", "first.py", 40)]  # fmt: skip

PYTHON_BOT = """\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        print("ready", flush=True)
    elif word == "legal":
        legal = rest
    elif word == "go":
        print(legal[0], flush=True)
"""


def built(source: str, folder: Path, name: str) -> Path:
    """A compiled program, or a script, in this folder."""
    if source.endswith(".py"):
        path = folder / f"{name}.py"
        path.write_text(PYTHON_BOT)
        return path
    program = folder / name
    subprocess.run([shutil.which("cc") or "gcc", "-O2", "-o", program, HERE / source], check=True)
    return program


class Recorder:
    """A player that notes what it is sent, as a script for the bare loop."""

    def __init__(self, player: BotProcess, seat: int, steps: list[tuple[int, str, bytes]]) -> None:
        self.player, self.seat, self.steps = player, seat, steps

    def __getattr__(self, name: str) -> object:
        return getattr(self.player, name)

    def meet(self, rival: Player) -> None: ...

    def greet(self, block: bytes) -> None:
        self.steps.append((self.seat, "o", block))
        self.player.greet(block)

    def ask(self, block: bytes, limit_ns: int, since_ns: int = 0) -> str:
        self.steps.append((self.seat, "m", block))
        return self.player.ask(block, limit_ns, since_ns)

    def tell(self, block: bytes) -> None:
        self.steps.append((self.seat, "t", block))
        self.player.tell(block)


def script(specs: list[BotSpec], total: int, path: Path) -> None:
    """Play one match and write down the blocks of it."""
    steps: list[tuple[int, str, bytes]] = []
    limits = Limits()
    bots = [BotProcess(spec, limits) for spec in specs]
    recorders = tuple(Recorder(bot, seat, steps) for seat, bot in enumerate(bots, 1))
    Referee(get_game("squares"), limits).play(Fixture("x", "squares", {"total": total}, 1), recorders)  # type: ignore
    for bot in bots:
        bot.stop()
    with path.open("wb") as file:
        for seat, kind, block in steps:
            file.write(b"%d %s %d\n%s" % (seat, kind.encode(), len(block), block))


def bare(loop: Path, path: Path, specs: list[BotSpec], core: int, rounds: int) -> tuple[float, float]:
    """Nanoseconds a move of the bare loop: all, and moves alone."""
    words = [" ".join(spec.argv) for spec in specs]
    output = subprocess.run(
        [loop, path, str(rounds), str(core), *words], check=True, capture_output=True, text=True
    )
    first, second = output.stdout.split()
    return float(first), float(second)


class Bench:
    """The referee with live bots and a journal, ready to play."""

    def __init__(self, specs: list[BotSpec], total: int, core: int, mode: str) -> None:
        limits = Limits()
        self.total = total
        self.core = core
        self.bots = [BotProcess(spec, limits, sandbox_mode=mode, cpus=[core]) for spec in specs]
        self.referee = Referee(get_game("squares"), limits)
        self.folder = tempfile.mkdtemp()
        self.journal = Journal.open(Path(self.folder))
        self.number = 0
        self.play(20)

    def play(self, matches: int) -> float:
        """Nanoseconds a move, everything included."""
        first, second = self.bots
        with cores.pinned([self.core]):
            begin = time.perf_counter_ns()
            lines: list[bytes] = []
            ids: list[str] = []
            for _ in range(matches):
                self.number += 1
                fixture = Fixture(f"squares.a.b.{self.number}a", "squares", {"total": self.total}, 1)
                lines.append(self.referee.play(fixture, (first, second)).line.encode("ascii"))
                ids.append(fixture.id)
                if len(lines) == 500:
                    self.record(lines, ids)
                    lines, ids = [], []
            self.record(lines, ids)
            return (time.perf_counter_ns() - begin) / matches / self.total

    def record(self, lines: list[bytes], ids: list[str]) -> None:
        """As a worker and the runner do it, between them."""
        self.journal.append_block(b"".join([line + b"\n" for line in lines]), ids, bag_of(lines))

    def close(self) -> None:
        for bot in self.bots:
            bot.stop()
        self.journal.close()
        shutil.rmtree(self.folder)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0, help="length of each repetition")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sandbox", default="none")
    arguments = parser.parse_args()
    core = cores.available()[-1]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop = built("loop.c", folder, "loop")
        for title, source, total in CASES:
            specs = [resolve(str(built(source, folder, side))).renamed(side) for side in ("one", "two")]
            script(specs, total, folder / "script")
            bench = Bench(specs, total, core, arguments.sandbox)
            guess = bare(loop, folder / "script", specs, core, 100)[0]
            rounds = max(10, int(arguments.seconds * 1e9 / guess / total))
            samples = []
            for _ in range(arguments.repeat):
                whole, alone = bare(loop, folder / "script", specs, core, rounds)
                samples.append((bench.play(max(5, rounds // 2)), whole, alone))
            bench.close()
            ours, whole, alone = (statistics.median(sample[i] for sample in samples) for i in range(3))
            ratio_all = statistics.median(s[0] / s[1] for s in samples)
            ratio_alone = statistics.median(s[0] / s[2] for s in samples)
            rows.append([title, f"{ours / 1000:.2f}", f"{whole / 1000:.2f}", f"{alone / 1000:.2f}", f"{ratio_all:.2f}",
                         f"{ratio_alone:.2f}"])  # fmt: skip
    headers = ["bots", "arena µs/move", "C loop all", "C loop moves", "ratio to all", "ratio to moves"]
    print(tabulate(rows, headers, disable_numparse=True))
    print(f"Python {sys.version.split()[0]}, core {core}, sandbox {arguments.sandbox}")


if __name__ == "__main__":
    main()
