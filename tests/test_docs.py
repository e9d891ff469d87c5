"""The documentation is true: its commands run, its links lead somewhere, its reference pages are those of the code.

Shell blocks (```sh) of a page run in order, in one folder that holds what the pages speak of: the bots alice and bob,
and the played tournament spring-cup. A ```text block after one is compared with what was printed: each of its lines
has to be there, apart from numbers and spacing (of `arena solve` the numbers, too); a line `...` stands for any.
`# exit status N` at the end of a command says how it ends. A block is left out only with a reason, in a comment
`<!-- not run: REASON -->` above it. What needs other machines, or an administrator, is in ```console blocks.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from toolchains import works

from arena.catalogue import get_game
from arena.cli import COMMANDS, _app
from arena.limits import Limits
from arena.player import ScriptedBot
from arena.referee import Fixture, Referee
from arena.tournament import Tournament

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN_ELSEWHERE = {"docs/add-a-game.md": "tests/test_plugin.py installs the package and runs the commands"}
NEEDS = {"run-a-class-tournament.md": "node", "tutorial.md": "cc"}  # for the bot that is not in Python
BLOCK = re.compile(
    r"^(<!-- not run: (?P<why>.+?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
STATUS = re.compile(r"^(?P<command>.*?)\s+# exit status (?P<status>\d+)$", re.MULTILINE)

CUP = """\
name = "spring-cup"
seed = 7
rounds = 3

[[games]]
id = "squares"
options = { total = [50, 200] }
opening_plies = 2

[[games]]
id = "linked"

[[bots]]
name = "alice"
path = "alice.py"

[[bots]]
name = "bob"
path = "bob.py"

[[bots]]
name = "perfect"
"""


@dataclass(frozen=True)
class Block:
    """A block of a page that stands between fences."""

    kind: str
    text: str
    why_not_run: str | None


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["kind"], match["text"], match["why"]) for match in found]


def has_commands(page: Path) -> bool:
    runs = any(block.kind == "sh" and not block.why_not_run for block in blocks(page))
    return runs and name_of(page) not in RUN_ELSEWHERE


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the pages take it for granted, and the commands `arena` and `python` beside it."""
    world = tmp_path_factory.mktemp("docs")
    place, commands = world / "place", world / "bin"
    place.mkdir()
    commands.mkdir()
    for name, words in {"arena": "-m arena", "python": ""}.items():
        (commands / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
        (commands / name).chmod(0o755)
    bot = next(block.text for block in blocks(ROOT / "docs" / "write-a-bot.md") if "sys.stdin" in block.text)
    for name in ("alice", "bob", "bot", "mybot"):
        (place / f"{name}.py").write_text(
            bot.replace("random.choice(legal)", f"legal[{len(name)} % len(legal)]")
        )
    (place / "alice").mkdir()
    (place / "alice" / "bot.toml").write_text('name = "alice"\nrun = "python3 bot.py"\n')
    shutil.copy(place / "alice.py", place / "alice" / "bot.py")
    shutil.copytree(place / "alice", world / "bob")
    (world / "bob" / "bot.toml").write_text('name = "bob"\nrun = "python3 bot.py"\n')
    shutil.make_archive(str(place / "bob"), "zip", world / "bob")
    make_class(place)
    (place / "spring-cup.toml").write_text(CUP)
    done = shell(world, place, "arena run -q spring-cup.toml")
    assert done.returncode == 0, done.stdout
    return world


def make_class(place: Path) -> None:
    """What the organiser of a class tournament was handed, and the file of that page."""
    bots = ROOT / "bots"
    for handed_in, ours in {
        "anna.py": "random/bot.py",
        "ben.js": "js-snatch/bot.js",
        "cleo.sh": "sh-middle/bot.sh",
    }.items():
        shutil.copy(bots / ours, place / handed_in)
    shutil.copytree(place / "alice", place / "dora")
    page = ROOT / "docs" / "run-a-class-tournament.md"
    (place / "class.toml").write_text(next(block.text for block in blocks(page) if block.kind == "toml"))


def shell(world: Path, folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as somebody would who has pasted it; whoever reads from the terminal reads `quit`."""
    home = folder.parent / f"{folder.name}-home"
    home.mkdir(exist_ok=True)
    typed = world / "typed"
    typed.write_text("quit\n" * 100_000)
    settings = {
        "HOME": str(home),
        "ARENA_HOME": str(home / "arena"),
        "PATH": f"{world / 'bin'}:{os.environ['PATH']}",
    }
    with typed.open() as stdin:
        return subprocess.run(
            ["bash", "-euc", script],
            cwd=folder,
            env={**os.environ, **settings},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def as_script(text: str) -> str:
    """The commands, each held to the exit status that the page names."""
    expect = r"{ \g<command>; status=0; } || status=$?; [ $status = \g<status> ]"
    return STATUS.sub(expect, text)


def shape(line: str) -> str:
    """A line without its numbers and spacing, which differ from run to run."""
    return " ".join(re.sub(r"[+-]?\d[\d.,]*", "#", line).split())


def missing(expected: str, printed: str, *, exact: bool = False) -> list[str]:
    """The lines of an expected output that were not printed; the numbers in them count if they are `exact`."""
    form = str.strip if exact else shape
    there = [form(line) for line in printed.splitlines()]
    wanted = [form(line) for line in expected.splitlines() if line.strip() not in ("", "...")]
    return [line for line in wanted if not any(line in other for other in there)]


@pytest.mark.parametrize("page", [page for page in PAGES if has_commands(page)], ids=name_of)
def test_every_command_of_a_page_works_as_it_says(page: Path, world: Path, tmp_path: Path) -> None:
    if page.name in NEEDS and not works(NEEDS[page.name]):
        pytest.skip(f"{NEEDS[page.name]} is not installed")
    folder = tmp_path / "place"
    shutil.copytree(world / "place", folder)
    if page.name in ("README.md", "tutorial.md", "write-a-bot.md"):  # their reader makes everything
        shutil.rmtree(folder / "alice")
    printed, exact = "", False
    for block in blocks(page):
        if block.why_not_run:
            printed = ""
        elif block.kind == "sh":
            done = shell(world, folder, as_script(block.text))
            assert done.returncode == 0, f"{block.text}\n{done.stdout}"
            assert "Traceback" not in done.stdout
            printed = done.stdout
            exact = all(line.startswith("arena solve ") for line in block.text.splitlines())
        elif block.kind == "text" and printed:
            assert not missing(block.text, printed, exact=exact), printed
            printed = ""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_command_stands_where_it_is_not_run(page: Path) -> None:
    """Indented blocks have no language, so nobody would know that they are to be run."""
    outside = BLOCK.sub("", page.read_text(encoding="utf-8"))
    assert not re.findall(r"^ {4,}\$? ?arena .*$", outside, re.MULTILINE)
    for block in blocks(page):
        if block.kind == "console":
            words = {line.split()[0] for line in block.text.splitlines() if line.strip()}
            assert "arena" not in words or "--cluster" in block.text, "what can be run here is an sh block"


@pytest.mark.parametrize("name", ["python-api.md", "solve.md"])
def test_the_python_of_a_page_runs(name: str, world: Path, tmp_path: Path) -> None:
    page = ROOT / "docs" / name
    code = "\n".join(block.text for block in blocks(page) if block.kind == "python")
    folder = tmp_path / "place"
    shutil.copytree(world / "place", folder)
    for block in blocks(page):
        if block.kind == "toml":
            (folder / f"{tomllib.loads(block.text)['name']}.toml").write_text(block.text)
    (folder / "page.py").write_text(code)
    done = shell(world, folder, "python -W error page.py")
    assert done.returncode == 0, done.stdout
    shown = [
        block.text
        for before, block in pairwise(blocks(page))
        if (before.kind, block.kind) == ("python", "text")
    ]
    assert not missing("\n".join(shown), done.stdout, exact=True), done.stdout


def test_the_python_of_the_pages_passes_a_strict_type_checker_that_knows_nothing_of_pydantic(
    tmp_path: Path,
) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    for name in ("python-api", "solve"):
        code = (block.text for block in blocks(ROOT / "docs" / f"{name}.md") if block.kind == "python")
        (tmp_path / f"{name.replace('-', '_')}.py").write_text("\n".join(code))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={tmp_path}/cache",
        ".",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_of_commands_is_made_from_the_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import commands_page; print(commands_page.page(), end='')"],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        check=True,
    )
    shown = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert shown == done.stdout, "run: python tools/commands_page.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_in_the_help_of_a_command_are_calls_that_it_takes(name: str) -> None:
    command = _app([name]).commands[name]
    examples = (command.callback.__doc__ or "").partition("Examples:\n")[2].strip().splitlines()
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" > ")[0], comments=True)
        assert words[:2] == ["arena", name]
        command.make_context(name, words[2:])  # raises for an option or argument that there is not


INLINE = re.compile(r"`arena ([a-z]+)([^`\n]*)`")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_within_sentences_have_names_and_options_that_exist(page: Path) -> None:
    commands = _app([]).commands
    for name, rest in INLINE.findall(page.read_text(encoding="utf-8")):
        assert name in commands, f"arena {name}{rest}"
        known = {flag for param in commands[name].params for flag in (*param.opts, *param.secondary_opts)}
        for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest.partition('"')[0]):
            assert flag in known | {"--help", "-h"}, f"arena {name}{rest}"


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_every_page_can_be_found_from_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", index))
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"} <= listed


def test_the_two_commands_of_the_readme_come_first_and_bring_their_own_environment() -> None:
    shown = [
        line for block in blocks(ROOT / "README.md") if block.kind == "sh" for line in block.text.splitlines()
    ]
    assert shown[0].startswith("python3 -m venv .venv && ")
    assert shown[0].endswith(".venv/bin/arena demo")
    assert shown[1].startswith("python3 -m venv .venv && ")
    assert "pytest" in shown[1]


def test_the_readme_has_two_screens_and_real_pictures() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
    for picture in (ROOT / "docs" / "images").iterdir():
        assert picture.stat().st_size < 300_000


def test_the_record_on_its_page_is_a_true_one(arena, tmp_path: Path) -> None:
    [shown] = [block.text for block in blocks(ROOT / "docs" / "record.md") if block.kind == "json"]
    file = tmp_path / "shown.jsonl"
    file.write_text(json.dumps(json.loads(shown)) + "\n")
    done = arena("verify", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_of_the_project_that_a_page_names_are_there(page: Path) -> None:
    named = re.findall(
        r"`((?:arena|games|tests|tools|benchmarks|bots)/[\w/.-]+)`", page.read_text(encoding="utf-8")
    )
    assert not [name for name in named if "NAME" not in name and not (ROOT / name).exists()]


def test_the_session_on_the_page_of_the_protocol_is_what_a_bot_hears() -> None:
    page = ROOT / "docs" / "protocol.md"
    [shown] = [block.text for block in blocks(page) if block.text.startswith("< arena 1\n")]
    heard = [line[2:] for line in shown.splitlines() if line.startswith("<")]
    said = [line[2:] for line in shown.splitlines() if line.startswith(">")]
    bot = ScriptedBot("bot", ["\n".join(said[1:3]), said[3]])
    opponent = ScriptedBot("opponent", ["9", "1"])
    fixture = Fixture("x", "squares", {"total": 20}, seed=1)
    played = Referee(get_game("squares"), Limits()).play(fixture, (opponent, bot))
    assert played.verdict.winner == 2
    assert ["arena 1", *map(without_seed, bot.heard), "quit"] == [without_seed(line) for line in heard]


def without_seed(line: str) -> str:
    return re.sub(r"seed=\d+", "seed=K", line)


def test_the_tournament_file_on_its_page_is_a_good_one() -> None:
    shown = next(block.text for block in blocks(ROOT / "docs" / "tournament-file.md") if block.kind == "toml")
    tournament = Tournament.model_validate(tomllib.loads(shown))
    assert [bot.name for bot in tournament.bots] == ["alice", "bob", "perfect"]


def test_no_page_names_a_place_on_somebodys_machine() -> None:
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        assert not re.search(r"/(home|root|work|Users)/", page.read_text(encoding="utf-8")), name_of(page)
