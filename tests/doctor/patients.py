"""Bots that are ill in exactly one way each, made from one healthy bot by changing a few words of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

HEALTHY = """\
import os, socket, subprocess, sys, time
games = turns = 0
legal, held = [], b""
START
for line in sys.stdin:
    word, *rest = line.split()
    if word == "game":
        games += 1
        options = dict(part.split("=") for part in rest[1:])
        GAME
        print("ready", flush=True)
    elif word == "state":
        legal = []
        left = int(rest[0].partition("=")[2])
    elif word == "legal":
        legal = rest
    elif word == "go":
        turns += 1
        move = legal[0] if legal else "1"
        GO
        print(move, flush=True)
    elif word == "quit":
        QUIT
    else:
        OTHER
END
"""
USUAL = {"START": "", "GAME": "pass", "GO": "pass", "QUIT": "break", "OTHER": "pass", "END": ""}


@dataclass(frozen=True)
class Ill:
    """One ill bot: the words that are changed, the finding, and whether matches are lost by it."""

    code: str
    changes: dict[str, str]
    loses: bool = True
    needs_sandbox: bool = False
    limits: dict[str, int] = field(default_factory=dict)
    games: str = '["squares"]'


ZOO = {
    "exits at once": Ill("no-start", {"START": "sys.exit('no dictionary here')"}),
    "never says ready": Ill(
        "no-start", {'print("ready", flush=True)': "time.sleep(1000)"}, limits={"start_ms": 300}
    ),
    "never says ready and reads on": Ill(
        "no-start", {'print("ready", flush=True)': "pass"}, limits={"start_ms": 300}
    ),
    "does not flush ready": Ill("no-flush", {'"ready", flush=True': '"ready"'}, limits={"start_ms": 300}),
    "does not flush moves": Ill("no-flush", {"move, flush=True": "move"}, limits={"move_ms": 200}),
    "prints no newline": Ill("no-newline", {"move, flush": 'move, end="", flush'}, limits={"move_ms": 200}),
    "thinks for ever": Ill("timeout", {"GO": "while left < 60: pass"}, limits={"move_ms": 200}),
    "plays an illegal move": Ill("illegal", {"GO": "move = '2'"}),
    "plays an illegal move late in the game": Ill("illegal", {"GO": "if left < 9: move = '16'"}),
    "plays above what is left": Ill("illegal", {"GO": "if left == 1: move = '4'"}),
    "writes a move in its own way": Ill("malformed", {"GO": "move = '+' + move"}),
    "prints what it thinks": Ill("malformed", {"GO": "if left < 50: print('hmm', flush=True)"}),
    "answers twice": Ill("surplus", {"GO": "if left < 90: move += '\\n1'"}),
    "answers the end of a game": Ill(
        "crashed", {"OTHER": "if word == 'played' and rest[0] == '2': raise ValueError"}
    ),
    "floods": Ill("flooded", {"GO": "if left < 90: print('info ' + 'x' * 100_000)"}),
    "eats memory": Ill(
        "memory",
        {"GO": "if left < 90: held = b'x' * (200 << 20); time.sleep(0.2)"},
        limits={"memory_mb": 100},
    ),
    "does not forget the last game": Ill("leftovers", {"GO": "if games > 1: move = '2'"}),
    "plays on with the numbers of the last game": Ill(
        "leftovers", {"GO": "if games == 1 and legal: move = legal[-1]"}, loses=False
    ),
    "plays by chance": Ill(
        "unseeded",
        {"GO": "move = legal[os.urandom(4)[0] % len(legal)] if legal else move"},
        loses=False,
    ),
    "dies of an unknown word": Ill(
        "unknown-word", {"OTHER": "assert word in ('arena', 'played', 'illegal', 'over'), word"}
    ),
    "answers an unknown word": Ill(
        "unknown-word", {"OTHER": "if word.startswith('a-'): print('what?', flush=True)"}
    ),
    "dies of an unknown option": Ill(
        "unknown-option", {"GAME": "assert set(options) <= {'seat', 'seed', 'move_ms', 'total'}"}
    ),
    "needs the network": Ill(
        "network", {"START": "socket.create_connection(('127.0.0.1', PORT))"}, needs_sandbox=True
    ),
    "tries the network": Ill(
        "network",
        {
            "START": "try: socket.create_connection(('127.0.0.1', PORT))\n"
            "except OSError as error: print(error, file=sys.stderr, flush=True)"
        },
        loses=False,
        needs_sandbox=True,
    ),
    "needs a file elsewhere": Ill(
        "forbidden-path", {"START": "open('ELSEWHERE').read()"}, needs_sandbox=True
    ),
    "writes a file elsewhere": Ill(
        "forbidden-path", {"START": "open('ELSEWHERE', 'a').close()"}, needs_sandbox=True
    ),
    "tries a file elsewhere": Ill(
        "forbidden-path",
        {
            "START": "try: open('ELSEWHERE').close()\n"
            "except OSError as error: print(error, file=sys.stderr, flush=True)"
        },
        loses=False,
        needs_sandbox=True,
    ),
    "needs the list of moves": Ill("no-list", {' if legal else "1"': ""}, loses=False),
    "starts at leisure": Ill(
        "slow-start",
        {"GAME": "if games == 1 and options['seed'] == '20': time.sleep(1.8)"},
        loses=False,
        limits={"start_ms": 2500},
    ),
    "takes most of its time": Ill("slow", {"GO": "if 6 < turns < 9: time.sleep(0.8)"}, loses=False),
    "uses most of its memory": Ill(
        "much-memory", {"START": "held = b'x' * (90 << 20)"}, loses=False, limits={"memory_mb": 100}
    ),
    "does not quit": Ill("no-quit", {"QUIT": "pass"}, loses=False),
    "stays when its input ends": Ill(
        "no-eof", {"QUIT": "sys.exit()", "END": "time.sleep(1000)"}, loses=False
    ),
    "leaves a process": Ill(
        "leaves-process", {"START": "subprocess.Popen(['sleep', '1000'])"}, loses=False, needs_sandbox=True
    ),
    "leaves a file": Ill(
        "leaves-file", {"START": "open('notes.txt', 'w').close()"}, loses=False, needs_sandbox=True
    ),
    "leaves a folder": Ill("leaves-file", {"START": "os.mkdir('cache')"}, loses=False, needs_sandbox=True),
    "leaves a file after a while": Ill(
        "leaves-file",
        {"GO": "if turns == 20: open('late.txt', 'w').close()"},
        loses=False,
        needs_sandbox=True,
    ),
    "tells all it thinks on stderr": Ill(
        "much-stderr", {"GO": "sys.stderr.write('hmm ' * 6000)"}, loses=False
    ),
    "writes to its own files": Ill(
        "forbidden-path", {"START": "open('bot.toml', 'a').close()"}, needs_sandbox=True
    ),
    "claims a game that is not there": Ill("unknown-game", {}, loses=False, games='["squares", "chess"]'),
}
"""Every ill bot by what it does."""


def make_bot(folder: Path, changes: dict[str, str], games: str = '["squares"]', **words: str) -> Path:
    """A folder with the healthy bot, changed in these places; `words` are filled in last."""
    text = HEALTHY
    for old, new in (
        *changes.items(),
        *((old, new) for old, new in USUAL.items() if old not in changes),
        *words.items(),
    ):
        assert old in text or old in words, f"{old!r} is not in the healthy bot"
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(text, encoding="utf-8")
    (folder / "bot.toml").write_text(
        f'name = "patient"\nrun = "python3 bot.py"\ngames = {games}\n', encoding="utf-8"
    )
    return folder
