"""Submitting bots: what is taken, what is refused at each stage, and that a refusal changes nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from arena.bot import BotSpec, resolve
from arena.build import BuildFailed
from arena.doctor import Report
from arena.errors import UnknownBot, UsageError
from arena.store import Store
from arena.submission import Submitted, submit

BOT = 'name = "alice"\nrun = "python3 bot.py"\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def healthy(spec: BotSpec) -> Report:
    return Report.of(spec)


def ill(spec: BotSpec) -> Report:
    report = Report.of(spec)
    report.find("timeout", "it thinks for ever")
    return report


def write_bot(folder: Path, toml: str = BOT, source: str = "# one\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(toml, encoding="utf-8")
    (folder / "bot.py").write_text(source, encoding="utf-8")
    return folder


def take(path: Path, name: str | None = None) -> Submitted:
    return submit(path, name, healthy)


def test_a_folder_is_taken_under_the_name_in_its_manifest(tmp_path: Path) -> None:
    done = take(write_bot(tmp_path / "a"))
    assert (done.name, done.outcome) == ("alice", "taken")
    assert resolve("alice").version == done.version == resolve(str(tmp_path / "a")).version


def test_another_name_may_be_given(tmp_path: Path) -> None:
    take(write_bot(tmp_path / "a"), "carol")
    assert Store().names() == ["carol"]


def test_the_same_content_again_is_not_even_examined(tmp_path: Path) -> None:
    take(write_bot(tmp_path / "a"))
    again = submit(tmp_path / "a", None, ill)
    assert (again.outcome, again.report) == ("unchanged", None)


def test_what_was_examined_is_what_is_taken_even_if_the_author_edits_meanwhile(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")

    def examine(spec: BotSpec) -> Report:
        write_bot(folder, source="# edited\n")
        return Report.of(spec)

    done = submit(folder, None, examine)
    assert done.snapshot is not None
    assert (done.snapshot.folder / "bot.py").read_text(encoding="utf-8") == "# one\n"


def test_a_copy_that_changes_while_it_is_examined_is_not_taken(tmp_path: Path) -> None:
    def examine(spec: BotSpec) -> Report:
        assert spec.folder is not None
        (Path(spec.folder) / "bot.py").write_text("# evil\n", encoding="utf-8")
        return Report.of(spec)

    with pytest.raises(UsageError, match="was changed while it was examined"):
        submit(write_bot(tmp_path / "a"), None, examine)
    assert Store().names() == []


def test_a_failed_examination_keeps_the_old_version(tmp_path: Path) -> None:
    old = take(write_bot(tmp_path / "a"))
    refused = submit(write_bot(tmp_path / "a", source="# two\n"), None, ill)
    assert refused.outcome == "refused"
    assert refused.version != old.version
    assert Store().versions("alice") == [old.version]


@pytest.mark.parametrize(
    ("toml", "error", "words"),
    [
        ("name = ", UnknownBot, "this is no value"),
        (BOT + "games = 3\n", UnknownBot, "games must be a list"),
        (BOT + "build = 'exit 3'\n", BuildFailed, "failed with status 3"),
        ('name = "alice"\nrun = "./bot"\nbuild = "true"\n', UnknownBot, "does not exist"),
        ('name = "a b"\nrun = "python3 bot.py"\n', UsageError, "cannot be a bot's name"),
        ('name = "random"\nrun = "python3 bot.py"\n', UsageError, "the name of a bundled bot"),
    ],
    ids=["manifest", "games", "build", "program", "name", "bundled name"],
)
def test_a_bot_that_fails_at_any_stage_leaves_the_store_as_it_was(
    toml: str, error: type[Exception], words: str, tmp_path: Path, home: Path
) -> None:
    old = take(write_bot(tmp_path / "a"))
    with pytest.raises(error, match=words):
        take(write_bot(tmp_path / "b", toml))
    assert [(bot.name, bot.version) for bot in Store().snapshots()] == [("alice", old.version)]
    assert list((home / "staging").iterdir()) == []


def test_a_script_becomes_a_folder_of_its_own(tmp_path: Path) -> None:
    script = tmp_path / "carol.py"
    script.write_text("# a bot\n", encoding="utf-8")
    done = take(script)
    assert (done.name, done.snapshot and done.snapshot.language) == ("carol", "python")
    assert resolve("carol").argv[1:] == ("bot.py",)


def test_a_program_is_taken_and_a_plain_file_is_not(tmp_path: Path) -> None:
    program = tmp_path / "dora"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not executable"):
        take(program)
    program.chmod(0o755)
    assert take(program).outcome == "taken"


def test_a_script_with_a_name_that_will_not_do_needs_another(tmp_path: Path) -> None:
    script = tmp_path / "my bot.py"
    script.write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be a bot's name"):
        take(script)
    assert take(script, "my-bot").name == "my-bot"


@pytest.mark.parametrize("inside", ["", "alice/"])
def test_an_archive_is_the_same_as_its_folder(inside: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"{inside}{path.name}")
    done = take(tmp_path / "alice.zip")
    assert done.version == resolve(str(folder)).version


def test_a_hostile_archive_leaves_nothing(tmp_path: Path, home: Path) -> None:
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        archive.writestr("bot.toml", BOT)
        archive.writestr("../../evil", "x")
    with pytest.raises(UsageError, match="lies outside"):
        take(tmp_path / "alice.zip")
    assert Store().names() == []
    assert list((home / "staging").iterdir()) == []
    assert list(tmp_path.rglob("evil")) == []


def test_an_archive_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        archive.writestr("bot.py", "")
    with pytest.raises(UsageError, match=r"has no bot\.toml"):
        take(tmp_path / "alice.zip")


@pytest.mark.parametrize("name", ["missing", "missing.zip", "missing.py"])
def test_a_path_that_is_not_there_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist: submit a folder"):
        take(tmp_path / name)


LANGUAGES = {
    "python3 bot.py": (None, "python"),
    "node bot.js": (None, "js"),
    "./bot": ("cp bot.py bot && chmod +x bot # c++", "python"),
}


@pytest.mark.parametrize("run", LANGUAGES)
def test_the_language_is_told_from_the_manifest_or_the_files(run: str, tmp_path: Path) -> None:
    build, language = LANGUAGES[run]
    toml = f'name = "alice"\nrun = "{run}"\n' + (f'build = "{build}"\n' if build else "")
    done = take(write_bot(tmp_path / "a", toml))
    assert done.snapshot is not None
    assert done.snapshot.language == language


SUBMITTER = """
import sys
from pathlib import Path
from arena.doctor import Report
from arena.submission import submit
print(submit(Path(sys.argv[1]), None, Report.of).outcome)
"""


def test_a_dozen_submits_at_once_with_a_build_leave_every_bot_playable(tmp_path: Path) -> None:
    folders = []
    for number in range(12):
        toml = f'name = "bot-{number % 5}"\nrun = "./bot"\nbuild = "cp bot.py bot && chmod +x bot"\n'
        folders.append(write_bot(tmp_path / str(number), toml, f"# {number % 10}\n"))
    running = [
        subprocess.Popen([sys.executable, "-c", SUBMITTER, str(folder)], stdout=subprocess.PIPE, text=True)
        for folder in folders
    ]
    outcomes = [process.communicate(timeout=120)[0].strip() for process in running]
    assert [process.returncode for process in running] == [0] * 12
    assert set(outcomes) <= {"taken", "unchanged"}
    assert len(Store().snapshots()) == 10
    for snapshot in Store().snapshots():
        assert resolve(f"{snapshot.name}@{snapshot.version}").version == snapshot.version


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("my bot.py", "--name NAME gives it another"),
        ("bötchen.py", "--name NAME gives it another"),
        ("x.7z", "pack it as .zip or .tar.gz"),
        ("x.tar.bz2", "pack it as .zip or .tar.gz"),
    ],
)
def test_a_file_that_cannot_be_taken_as_it_is_is_refused_with_what_would_do(
    tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / name).write_text("# a bot\n")
    with pytest.raises(UsageError, match=says):
        take(tmp_path / name)


def test_the_file_that_describes_a_bot_is_answered_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(tmp_path / "alice")
    monkeypatch.chdir(tmp_path)
    for taken in (lambda: take(Path("alice/bot.toml")), lambda: resolve("alice/bot.toml")):
        with pytest.raises(UsageError, match=r"give its folder, \./alice$"):
            taken()


def test_without_a_name_of_its_own_a_bot_is_called_as_its_folder_or_archive(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "carol", 'run = "python3 bot.py"\n')
    assert take(folder).name == "carol"
    (tmp_path / "dave").symlink_to(folder)
    assert take(tmp_path / "dave").name == "dave"
    for ending in ("zip", "tar.gz"):
        packed = shutil.make_archive(str(tmp_path / "erin-2"), "zip" if ending == "zip" else "gztar", folder)
        assert take(Path(packed)).name == "erin-2"
    assert Store().names() == ["carol", "dave", "erin-2"]
    assert resolve("carol").name == "carol"


def test_a_folder_with_an_impossible_name_can_be_given_another(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / ("x" * 60), 'run = "python3 bot.py"\n')
    assert take(folder, "carol").name == "carol"


def test_a_mistake_in_an_archives_manifest_is_told_with_the_archives_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "alice.zip", "w") as archive:
        archive.writestr("bot.toml", "name = 'alice'\nrunn = './bot'\n")
    with pytest.raises(
        UsageError, match=r"^the bot.toml in alice.zip: it says 'runn': did you mean 'run'\?$"
    ):
        take(tmp_path / "alice.zip")


def test_a_name_that_differs_from_a_bundled_one_by_capitals_only_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'perfect' is the name of a bundled bot"):
        take(write_bot(tmp_path / "a"), "Perfect")


def test_the_same_content_again_mends_a_changed_snapshot(tmp_path: Path) -> None:
    done = take(write_bot(tmp_path / "a"))
    assert done.snapshot is not None
    (done.snapshot.folder / "bot.py").chmod(0o644)
    (done.snapshot.folder / "bot.py").write_text("# evil\n", encoding="utf-8")
    with pytest.raises(UnknownBot, match="submit it again"):
        resolve("alice")
    assert take(tmp_path / "a").outcome == "taken"
    assert resolve("alice").version == done.version


def test_the_changed_build_of_a_submitted_bot_is_never_played(tmp_path: Path, home: Path) -> None:
    toml = 'name = "alice"\nrun = "./bot"\nbuild = "cp bot.py bot && chmod +x bot"\n'
    done = take(write_bot(tmp_path / "a", toml))
    program = home / "builds" / done.version / "bot"
    program.chmod(0o755)
    program.write_text("evil", encoding="utf-8")
    assert resolve("alice").argv == (str(program),)
    assert program.read_text(encoding="utf-8") == "# one\n"
