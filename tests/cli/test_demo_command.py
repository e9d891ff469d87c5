"""`arena demo`: a real tournament of the bundled bots, its table, its report, and what to try next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena import demo
from arena.cli import main
from arena.cli.terminal import program


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which the demo was run, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "arena", "demo"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr  # nobody watches: no bars, no colours
    return folder, done.stdout


def test_every_match_is_played_and_no_bundled_bot_fails(shown: tuple[Path, str]) -> None:
    records = list(arena.read_records(shown[0] / "arena-demo" / "demo.toml"))
    assert {record.game for record in records} == {"squares", "primes", "sum-to-zero", "grid", "linked"}
    assert {record.result.ending for record in records} <= {"completed", "void"}


def test_the_table_has_the_bots_in_several_languages(shown: tuple[Path, str]) -> None:
    assert "perfect" in shown[1]
    assert sum(name in shown[1] for name in demo.BOTS) >= 4


def test_the_report_is_written_and_named_with_the_three_commands_to_try(shown: tuple[Path, str]) -> None:
    folder, printed = shown
    assert "Open arena-demo/report.html in a browser." in printed
    assert (folder / "arena-demo" / "report.html").stat().st_size > 50_000
    tail = printed.partition("Three commands to try next:\n")[2].splitlines()
    assert [line.split()[:2] for line in tail] == [["arena", "play"], ["arena", "new"], ["arena", "replay"]]


def test_what_it_suggests_works(shown: tuple[Path, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "replay", "arena-demo/runs/demo"],
        cwd=shown[0],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "squares.first.perfect.1a" in done.stdout


@pytest.fixture
def small_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Java, and a file that is played in a moment."""
    text = 'name = "demo"\ngames = [{ id = "squares" }]\nbots = [{ name = "first" }, { name = "greedy" }]\n'

    def prepare(parent: Path) -> demo.Demo:
        folder = parent / demo.FOLDER
        folder.mkdir()
        (folder / "demo.toml").write_text(text)
        return demo.Demo(folder / "demo.toml", (("java-random", "the program 'java' is not installed"),))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.cli.demo.prepare", prepare)


@pytest.mark.usefixtures("small_demo")
def test_bots_that_cannot_take_part_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["demo"])
    out, err = capsys.readouterr()
    assert left.value.code == 0
    assert "Without java-random: the program 'java' is not installed\n" in err
    assert "2 of 2 matches recorded" in out


@pytest.mark.usefixtures("small_demo")
def test_a_run_that_fails_is_not_followed_by_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.run.command", lambda file, quiet: 3)
    with pytest.raises(SystemExit) as left:
        main(["demo", "-q"])
    assert left.value.code == 3
    assert not Path(demo.FOLDER, "report.html").exists()


def test_a_bot_that_cannot_be_built_is_named_with_the_reason(
    small_demo: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    why = "the build of c-bot (cc bot.c) failed with status 1; it printed:\n  bot.c: error: no stdio.h\n  1 stopped"
    prepared = demo.prepare(Path())
    monkeypatch.setattr("arena.cli.demo.prepare", lambda parent: demo.Demo(prepared.file, (("c-bot", why),)))
    with pytest.raises(SystemExit):
        main(["demo"])
    told = "Without c-bot: the build of c-bot (cc bot.c) failed with status 1: bot.c: error: no stdio.h\n"
    assert told in capsys.readouterr().err


def test_commands_to_try_are_printed_as_they_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = Path(".venv/bin/arena")
    typed.parent.mkdir(parents=True)
    typed.write_text("#!/bin/sh\n")
    typed.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(typed)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert program() == ".venv/bin/arena"
    monkeypatch.setenv("PATH", str(typed.parent.absolute()))
    assert program() == "arena"
    monkeypatch.setattr(sys, "argv", ["/site-packages/arena/__main__.py"])
    assert program() == "arena"
