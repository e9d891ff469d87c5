"""The architecture as a test: who may import whom, who prints, who starts processes, what start-up costs."""

from __future__ import annotations

import ast
import functools
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STARTERS = ROOT / "arena" / "starters"  # templates of bots in several languages, not part of the program
HARNESS = sorted(path for path in (ROOT / "arena").rglob("*.py") if STARTERS not in path.parents)
GAMES = sorted((ROOT / "games").rglob("*.py"))
MODULES = [*HARNESS, *GAMES]

MAY_PRINT = "arena/cli/"
PRINTS_AS_A_COMMAND = {"games/conformance.py": "_main"}  # `python -m games.conformance`
MAY_START_PROCESSES = {"arena/keeper.py", "arena/process.py"}

PROCESS_MODULES = {"subprocess", "multiprocessing", "pty"}
PROCESS_CALLS = ("fork", "posix_spawn", "system", "popen", "exec", "spawn", "create_subprocess")

SLOW = {"numpy", "rich", "jinja2", "typer", "distributed", "dask", "tabulate", "playwright"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(path)))


def targets(node: ast.AST) -> list[str]:
    """The dotted names that an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute here, so that they can be searched for"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def imports(path: Path) -> set[str]:
    return {name for node in nodes(path) for name in targets(node)}


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def imports_on_load(path: Path) -> set[str]:
    """What is imported as soon as the module is: not within functions, not for type checkers alone."""
    found: set[str] = set()
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        found.update(targets(node))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not is_type_checking(
            node
        ):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def tops(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def prints(node: ast.AST) -> bool:
    """A call of print, or of a method of sys.stdout or sys.stderr."""
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    return called in {"print", "pprint", "input"} or called.startswith(
        ("sys.stdout.", "sys.stderr.", "sys.__std")
    )


def starts_a_process(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = ast.unparse(node.func.value)
    return owner in {"os", "posix", "asyncio"} and node.func.attr.startswith(PROCESS_CALLS)


def offences(paths: Iterable[Path], look: Callable[[Path], Iterable[str]]) -> dict[str, list[str]]:
    """What was found in these modules that must not be there, by module."""
    found = {name_of(path): sorted(look(path)) for path in paths}
    return {name: what for name, what in found.items() if what}


def test_games_know_nothing_of_the_harness_and_touch_nothing_outside() -> None:
    outside = {"arena", "bots", "os", "io", "time", "datetime", "socket", "pathlib", "threading", "secrets"}
    assert offences(GAMES, lambda path: tops(imports(path)) & outside) == {}


def test_games_use_no_global_random_numbers() -> None:
    allowed = {
        "random.Random",
        "random.getstate",
    }  # the examination looks whether a game moved the global state

    def used(path: Path) -> Iterator[str]:
        names = {ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Attribute)}
        return (name for name in names - allowed if name.startswith("random."))

    assert offences(GAMES, used) == {}


def test_games_open_no_files() -> None:
    def opened(path: Path) -> Iterator[str]:
        calls = (node for node in nodes(path) if isinstance(node, ast.Call))
        return (ast.unparse(call) for call in calls if ast.unparse(call.func) == "open")

    assert offences(GAMES, opened) == {}


def test_nothing_below_the_command_line_imports_it() -> None:
    below = [
        path
        for path in HARNESS
        if not name_of(path).startswith("arena/cli/") and name_of(path) != "arena/__main__.py"
    ]
    assert (
        offences(below, lambda path: (name for name in imports(path) if f"{name}.".startswith("arena.cli.")))
        == {}
    )


def test_only_the_command_line_prints() -> None:
    def printed(path: Path) -> Iterator[str]:
        exempt: set[ast.AST] = set()
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and node.name == PRINTS_AS_A_COMMAND.get(name_of(path)):
                exempt.update(ast.walk(node))
        return (ast.unparse(node) for node in nodes(path) if prints(node) and node not in exempt)

    assert offences((path for path in MODULES if not name_of(path).startswith(MAY_PRINT)), printed) == {}


def test_only_two_modules_start_processes() -> None:
    others = [path for path in MODULES if name_of(path) not in MAY_START_PROCESSES]
    assert offences(others, lambda path: tops(imports(path)) & PROCESS_MODULES) == {}
    assert (
        offences(others, lambda path: (ast.unparse(node) for node in nodes(path) if starts_a_process(node)))
        == {}
    )


def test_worker_processes_and_clusters_have_one_home_each() -> None:
    not_the_crew = [path for path in MODULES if name_of(path) != "arena/crew.py"]
    assert offences(not_the_crew, lambda path: tops(imports(path)) & {"multiprocess"}) == {}
    not_the_cluster = [path for path in MODULES if not name_of(path).startswith("arena/cluster/")]
    assert offences(not_the_cluster, lambda path: tops(imports(path)) & {"distributed", "dask"}) == {}


def test_the_keeper_needs_nothing_but_the_standard_library() -> None:
    assert tops(imports(ROOT / "arena" / "keeper.py")) <= sys.stdlib_module_names


WRITES = re.compile(r"""['"][rwabxt+]*[wax+][rwabxt+]*['"]|O_WRONLY|O_RDWR|O_APPEND|O_CREAT""")

WRITERS = {
    "arena/archive.py": "what an archive holds, into the folder it is unpacked to",
    "arena/build.py": "the sums of built bots",
    "arena/cli/__init__.py": "the null device, in the place of an output that is gone",
    "arena/cli/progress.py": "the null device, in the place of an output that is gone",
    "arena/cli/run.py": "the file of --events",
    "arena/demo.py": "the demo's tournament file",
    "arena/files.py": "whole files, for those named here",
    "arena/journal.py": "matches.jsonl, what was torn off it, its seals and its lock",
    "arena/keeper.py": "the maps of a user namespace, in /proc",
    "arena/parcel.py": "bots that came from another machine",
    "arena/report/page.py": "the page",
    "arena/run_folder.py": "the plan of a run and the copy of its file",
    "arena/starter.py": "the files of a new bot",
    "arena/store.py": "submitted bots",
    "arena/submission.py": "the bot.toml of a script that has none",
}
"""Who writes which files. A new name here is a decision: records, above all, have a single writer."""


def opens_to_write(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    if called == "write_whole" or called.endswith((".write_text", ".write_bytes")):
        return True
    return called.rpartition(".")[2] in ("open", "fdopen") and bool(WRITES.search(ast.unparse(node)))


def writes(path: Path) -> list[str]:
    """The calls by which a module opens files to write them."""
    return [ast.unparse(node) for node in nodes(path) if opens_to_write(node)]


def test_only_those_who_are_listed_write_files() -> None:
    assert offences((path for path in HARNESS if name_of(path) not in WRITERS), writes) == {}


def test_the_journal_is_the_only_writer_of_records() -> None:
    """Whoever else names the file opens it to read."""
    others = [path for path in HARNESS if name_of(path) != "arena/journal.py"]
    names = re.compile(r"MATCHES|JOURNAL|\.matches|\.jsonl")
    assert offences(others, lambda path: filter(names.search, writes(path))) == {}


PURE = ("referee", "player", "record", "standings", "ratings", "tables", "solver", "analysis", "proof", "seal",
        "names", "seeds", "match_ids", "session", "explain", "looks", "spent",
        "schedule", "printable")  # fmt: skip


def reached_on_load(module: str) -> set[str]:
    """The modules of the harness that are in memory once this one is imported."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = ROOT / "arena" / f"{name}.py"
        if name in found or not path.exists():
            continue
        found.add(name)
        for target in imports_on_load(path):
            parts = target.split(".")
            if parts[0] == "arena":
                waiting.append(parts[1])
    return found


@pytest.mark.parametrize("module", PURE)
def test_the_conversation_the_records_and_the_tables_know_nothing_of_processes(module: str) -> None:
    assert (ROOT / "arena" / f"{module}.py").exists()
    assert not reached_on_load(module) & {
        "process",
        "keeper",
        "bot_process",
        "crew",
        "worker",
        "watch",
        "sandbox",
    }


def test_the_runner_does_not_know_who_plays() -> None:
    assert not {name for path in HARNESS if path.name in ("runner.py", "organiser.py", "worker.py", "journal.py")
                for name in imports(path) if name.startswith("arena.cluster")}  # fmt: skip


def test_slow_libraries_are_imported_only_where_they_are_used() -> None:
    def too_early(path: Path) -> set[str]:
        is_command = name_of(path).startswith("arena/cli/") and path.name != "__init__.py"
        allowed = (
            {"typer", "tabulate", "rich"} if is_command else set()
        )  # it is loaded for that command alone
        return tops(imports_on_load(path)) & SLOW - allowed

    assert offences(MODULES, too_early) == {}


def test_every_module_says_what_it_is() -> None:
    assert [name_of(path) for path in MODULES if not ast.get_docstring(parsed(path))] == []


def test_the_design_names_every_module_and_none_that_is_gone() -> None:
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = page[page.index("| module | owns |") : page.index("## Decisions")]
    told = set(re.findall(r"`([a-z_/]+?)(?:\.py|/)?`", table))
    told = {name.rpartition("/")[2] for name in told}
    for top in ("arena", "games"):
        there = {path.stem for path in (ROOT / top).glob("*.py")} - {"__init__", "__main__"}
        there |= {path.parent.name for path in (ROOT / top).glob("*/__init__.py")}
        assert not there - told
        paths = re.findall(rf"`({top}/[a-z_/.]*)`", table)
        assert not [path for path in paths if not (ROOT / path).exists()]


def test_no_rule_is_enforced_by_assert() -> None:
    assert (
        offences(
            MODULES,
            lambda path: (ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Assert)),
        )
        == {}
    )


def loaded_by(*args: str) -> set[str]:
    """The top-level modules in memory at the end of an `arena` command."""
    script = (
        "import atexit, json, sys\n"
        "tops = lambda: sorted({name.partition('.')[0] for name in sys.modules})\n"
        "atexit.register(lambda: print(json.dumps(tops()), file=sys.stderr))\n"
        "from arena.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *args], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr))


def test_the_version_costs_nothing() -> None:
    assert not loaded_by("--version") & {*SLOW, "pydantic", "click", "multiprocess", "games"}


@pytest.mark.parametrize("args", [("games", "--json"), ("rules", "squares")])
def test_small_commands_do_not_load_what_they_do_not_use(args: tuple[str, ...]) -> None:
    assert not loaded_by(*args) & {"numpy", "jinja2", "distributed", "dask", "multiprocess", "hypothesis"}
