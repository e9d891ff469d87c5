"""Parcels: what arrives is what was sent, under the same version, and nothing else is kept."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

from arena import parcel
from arena.bot import BotSpec, resolve
from arena.contents import content_version
from arena.errors import UnknownBot, UsageError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The other machine's home; `there` is where the bots come from."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    (tmp_path / "there").mkdir()
    return tmp_path / "home"


def sent(spec: BotSpec, word: str, folder: Path) -> BotSpec:
    """Pack it, forget where it came from, unpack it, and look it up."""
    packed = parcel.pack(spec, word, folder)
    shutil.rmtree(folder)
    assert parcel.find(spec.version) is None
    parcel.keep(packed)
    found = parcel.find(spec.version)
    assert found is not None
    assert found.version == spec.version
    return found


def test_a_script_travels_and_is_started_by_this_machines_interpreter(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    found = sent(resolve(str(script)), "alice.py", script.parent)
    assert found.argv[0] == sys.executable
    assert Path(found.argv[1]).read_text(encoding="utf-8") == "print('hello')\n"
    assert Path(found.argv[1]).is_relative_to(home)


def test_a_folder_travels_as_sources_and_is_built_where_it_arrives(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "there" / "bob"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "bob"\nrun = "./made"\nbuild = "cp source made"\n', encoding="utf-8"
    )
    (folder / "source").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "source").chmod(0o755)
    spec = resolve(str(folder))
    packed = parcel.pack(spec, "bob", folder.parent)
    shutil.rmtree(folder)
    shutil.rmtree(home)  # what was built for the sender
    parcel.keep(packed)
    found = parcel.find(spec.version)
    assert found is not None
    assert os.access(found.argv[0], os.X_OK)
    assert sorted(os.listdir(home / "parcels" / spec.version / "files" / "0" / "bob")) == [
        "bot.toml",
        "source",
    ]


def test_a_command_lines_files_travel_and_its_program_is_this_machines(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    (folder / "bot.sh").write_text("echo hi\n", encoding="utf-8")
    (folder / "book").mkdir()
    (folder / "book" / "openings.txt").write_text("4 9\n", encoding="utf-8")
    with chdir(folder):
        spec = resolve("sh bot.sh book --level 3")
    found = sent(spec, "sh bot.sh book --level 3", folder)
    assert found.argv[0] == shutil.which("sh")
    assert Path(found.argv[1]).read_text(encoding="utf-8") == "echo hi\n"
    assert (Path(found.argv[2]) / "openings.txt").is_file()
    assert found.argv[3:] == ("--level", "3")
    assert set(found.visible) == {found.argv[1], found.argv[2]}


def test_a_program_of_ones_own_travels_with_its_command_line(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    (folder / "engine").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "engine").chmod(0o755)
    with chdir(folder):
        spec = resolve("./engine --fast")
    found = sent(spec, "./engine --fast", folder)
    assert Path(found.argv[0]).is_relative_to(home)
    assert os.access(found.argv[0], os.X_OK)


def test_a_bundled_bot_need_not_travel(home: Path) -> None:
    spec = resolve("first")
    found = parcel.find(spec.version)
    assert found is not None
    assert found.argv == spec.argv


def test_a_program_that_is_not_installed_is_named(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "there"
    (folder / "bot.sh").write_text("echo hi\n", encoding="utf-8")
    with chdir(folder):
        spec = resolve("sh bot.sh")
    parcel.keep(parcel.pack(spec, "sh bot.sh", folder))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnknownBot, match="the program 'sh' is not installed"):
        parcel.find(spec.version)


def test_the_same_files_make_the_same_parcel_whenever_they_were_written(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    spec = resolve(str(script))
    first = parcel.pack(spec, "alice.py", script.parent)
    os.utime(script, (1, 1))
    assert parcel.pack(spec, "alice.py", script.parent) == first


def test_what_is_not_what_it_says_is_not_kept(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    packed = parcel.pack(resolve(str(script)), "alice.py", script.parent)
    other = replace(packed, about=replace(packed.about, version="0123456789ab"))
    with pytest.raises(UsageError, match="what arrived as version 0123456789ab is version"):
        parcel.keep(other)
    assert parcel.find("0123456789ab") is None
    assert not [path for path in (home / "parcels").iterdir() if not path.name.startswith("lock-")]


def test_files_changed_after_they_arrived_are_fetched_again(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    packed = parcel.pack(resolve(str(script)), "alice.py", script.parent)
    version = packed.about.version
    parcel.keep(packed)
    (home / "parcels" / version / "files" / "0" / "alice.py").write_text("print('ha')\n", encoding="utf-8")
    assert parcel.find(version) is None
    parcel.keep(packed)
    assert parcel.find(version) is not None


@pytest.mark.parametrize("damage", ["missing", "cut", "another shape"])
def test_a_damaged_entry_counts_as_not_there_and_the_next_parcel_replaces_it(
    home: Path, tmp_path: Path, damage: str
) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    packed = parcel.pack(resolve(str(script)), "alice.py", script.parent)
    parcel.keep(packed)
    about = home / "parcels" / packed.about.version / "about.json"
    if damage == "missing":
        about.unlink()
    else:
        about.write_text("" if damage == "cut" else "[]", encoding="utf-8")
    assert parcel.find(packed.about.version) is None
    parcel.keep(packed)
    assert parcel.find(packed.about.version) is not None
    names = [path.name for path in (home / "parcels").iterdir() if not path.name.startswith("lock-")]
    assert names == [packed.about.version]


def a_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build: str) -> Path:
    """A folder that counts as the system's, with this build of the program `node` in it."""
    folder = tmp_path / "usr"
    folder.mkdir(exist_ok=True)
    (folder / "node").write_text(f"#!/bin/sh\n# {build}\n", encoding="utf-8")
    (folder / "node").chmod(0o755)
    monkeypatch.setattr("arena.sandbox.SYSTEM_FOLDERS", (str(folder),))
    return folder / "node"


def test_a_program_of_the_system_named_by_its_path_may_be_another_build_here(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = a_system(tmp_path, monkeypatch, "one build")
    (tmp_path / "there" / "bot.js").write_text("// hi\n", encoding="utf-8")
    with chdir(tmp_path / "there"):
        spec = resolve(f"{node} bot.js")
    packed = parcel.pack(spec, f"{node} bot.js", tmp_path / "there")
    a_system(tmp_path, monkeypatch, "another build")
    parcel.keep(packed)
    found = parcel.find(spec.version)
    assert found is not None
    assert (found.version, found.argv[0]) == (spec.version, str(node))
    assert Path(found.argv[1]).is_relative_to(home)


def test_a_program_of_the_system_named_by_its_path_must_be_there(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = a_system(tmp_path, monkeypatch, "one build")
    (tmp_path / "there" / "bot.js").write_text("// hi\n", encoding="utf-8")
    with chdir(tmp_path / "there"):
        spec = resolve(f"{node} bot.js")
    packed = parcel.pack(spec, f"{node} bot.js", tmp_path / "there")
    node.unlink()
    parcel.keep(packed)
    with pytest.raises(UnknownBot, match=f"the program '{node}' is not installed"):
        parcel.find(spec.version)


def test_a_program_beside_the_tournament_travels_wherever_that_is(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = a_system(tmp_path, monkeypatch, "mine")
    with chdir(node.parent):
        spec = resolve("./node --fast")
    found = sent(spec, "./node --fast", node.parent)
    assert Path(found.argv[0]).is_relative_to(home)


def test_files_changed_since_the_run_began_are_not_sent(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("print('hello')\n", encoding="utf-8")
    spec = resolve(str(script))
    script.write_text("print('changed')\n", encoding="utf-8")
    assert content_version(script) != spec.version
    with pytest.raises(UsageError, match="not what they were when the run began"):
        parcel.pack(spec, "alice.py", script.parent)


def test_a_bot_too_large_to_travel_is_refused(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "there" / "alice.py"
    script.write_text("#" * 2000, encoding="utf-8")
    monkeypatch.setattr(parcel, "MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="too large to travel"):
        parcel.pack(resolve(str(script)), "alice.py", script.parent)
