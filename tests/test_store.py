"""The store: snapshots that never change, many submitters at once, and kill -9 at any moment."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import store as store_module
from arena.bot import resolve
from arena.contents import content_version
from arena.errors import UnknownBot, UsageError
from arena.store import Snapshot, Store, copy_bot, home_folder


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    return Store()


def write_bot(folder: Path, text: str = "one") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text('name = "any"\nrun = "python3 bot.py"\n', encoding="utf-8")
    (folder / "bot.py").write_text(f"# {text}\n", encoding="utf-8")
    return folder


def add(store: Store, name: str, folder: Path, text: str) -> Snapshot:
    with store.staged() as files:
        copy_bot(write_bot(folder, text), files)
        return store.add(name, files, "python", ("squares",), {"ok": True})


def leftovers(store: Store) -> list[str]:
    """All that is in the home besides bots: there should be nothing but the lock."""
    found = [path for part in ("staging", "trash") for path in (store.home / part).glob("*")]
    return [str(path) for path in [*found, *store.bots.glob("*/.new-*")]]


def test_the_home_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_HOME", "/somewhere/else")
    assert home_folder() == Path("/somewhere/else")
    monkeypatch.delenv("ARENA_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home_folder() == Path("/data/arena")
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/people/alice")
    assert home_folder() == Path("/people/alice/.local/share/arena")


def test_a_snapshot_is_found_by_name_and_by_version(store: Store, tmp_path: Path) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    assert store.find("alice") == made
    assert store.find("alice", made.version) == made
    assert store.find("alice", made.version[:4]) == made
    assert (made.language, made.games, made.check, made.current) == (
        "python",
        ("squares",),
        {"ok": True},
        True,
    )
    assert made.version == content_version(tmp_path / "a") == resolve("alice").version
    assert leftovers(store) == []


def test_files_of_a_snapshot_are_read_only_and_programs_stay_programs(store: Store, tmp_path: Path) -> None:
    (write_bot(tmp_path / "a") / "tool").write_text("", encoding="utf-8")
    (tmp_path / "a" / "tool").chmod(0o755)
    made = add(store, "alice", tmp_path / "a", "one")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in made.folder.iterdir()}
    assert modes == {"bot.py": 0o444, "bot.toml": 0o444, "tool": 0o555}


def test_new_content_is_a_new_version_and_the_old_one_stays(store: Store, tmp_path: Path) -> None:
    old, new = (add(store, "alice", tmp_path / "a", text) for text in ("one", "two"))
    assert store.find("alice").version == new.version != old.version
    assert store.versions("alice") == [old.version, new.version]
    assert resolve(f"alice@{old.version}").version == old.version
    assert (store.find("alice", old.version).folder / "bot.py").read_text(encoding="utf-8") == "# one\n"


def test_the_same_content_again_is_the_same_snapshot(store: Store, tmp_path: Path) -> None:
    first = add(store, "alice", tmp_path / "a", "one")
    inode = first.folder.stat().st_ino
    again = add(store, "alice", tmp_path / "b", "one")
    assert (again.version, again.submitted) == (first.version, first.submitted)
    assert again.folder.stat().st_ino == inode
    assert leftovers(store) == []


def test_an_old_version_submitted_again_is_the_current_one(store: Store, tmp_path: Path) -> None:
    for text in ("one", "two", "one"):
        made = add(store, "alice", tmp_path / "a", text)
    assert store.find("alice").version == made.version
    assert len(store.versions("alice")) == 2


def test_a_changed_snapshot_is_not_played(store: Store, tmp_path: Path) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    (made.folder / "bot.py").chmod(0o644)
    (made.folder / "bot.py").write_text("# evil\n", encoding="utf-8")
    with pytest.raises(UnknownBot, match="was changed since it was submitted"):
        resolve("alice")


def test_what_is_not_there_is_told(store: Store, tmp_path: Path) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    with pytest.raises(UnknownBot, match="no bot 'bob' was submitted"):
        store.find("bob")
    with pytest.raises(UnknownBot, match=f"alice has no version 'ffff'; there are {made.version}"):
        store.find("alice", "ffff")
    with pytest.raises(UnknownBot, match="has no version ''"):
        store.find("alice", "")


def test_removing_a_bot_removes_all_its_versions(store: Store, tmp_path: Path) -> None:
    made = {add(store, "alice", tmp_path / "a", text).version for text in ("one", "two")}
    add(store, "bob", tmp_path / "a", "one")
    assert {gone.version for gone in store.remove("alice")} == made
    assert store.names() == ["bob"]
    assert leftovers(store) == []


def test_removing_the_current_version_makes_the_latest_other_one_current(
    store: Store, tmp_path: Path
) -> None:
    one, two, three = (add(store, "alice", tmp_path / "a", text) for text in ("one", "two", "three"))
    store.remove("alice", three.version)
    assert store.find("alice").version == two.version
    store.remove("alice", one.version)
    assert store.find("alice").version == two.version
    store.remove("alice", two.version)
    assert store.names() == []


@pytest.mark.parametrize("name", ["..", "../evil", ".hidden", "a/b", "", "a b", "é", "x" * 41, "a\n"])
def test_a_name_that_escapes_or_hides_is_refused(name: str, store: Store, tmp_path: Path) -> None:
    with store.staged() as files:
        copy_bot(write_bot(tmp_path / "a"), files)
        with pytest.raises(UsageError, match="cannot be a bot's name"):
            store.add(name, files, "python", None)
    assert store.names() == []
    assert leftovers(store) == []


def test_a_link_out_of_the_folder_is_refused_and_one_within_is_a_file(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    (folder / "inside").symlink_to("bot.py")
    target = tmp_path / "to"
    copy_bot(folder, target)
    assert not (target / "inside").is_symlink()
    (folder / "outside").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match="outside is a link that leads out"):
        copy_bot(folder, target)


def test_a_link_to_a_folder_within_is_copied_with_what_is_in_it(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    (folder / "shared").mkdir()
    (folder / "shared" / "book").write_text("4", encoding="utf-8")
    (folder / "lib").symlink_to("shared")
    target = tmp_path / "to"
    copy_bot(folder, target)
    assert (target / "lib" / "book").read_text(encoding="utf-8") == "4"
    assert not (target / "lib").is_symlink()
    assert content_version(folder) == content_version(target)


@pytest.mark.parametrize("leads_to", ["..", "/etc", ".", "deep/.."])
def test_a_link_to_a_folder_outside_or_in_a_circle_is_refused(leads_to: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    (folder / "deep").mkdir()
    (folder / "deep" / "x").write_text("", encoding="utf-8")
    (folder / "link").symlink_to(leads_to)
    with pytest.raises(UsageError, match="link is a link that leads out of the bot's folder, or in a circle"):
        copy_bot(folder, tmp_path / "to")


def test_links_that_lead_to_each_other_are_refused(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    for name, other in (("one", "two"), ("two", "one")):
        (folder / name).mkdir()
        (folder / name / "next").symlink_to(f"../{other}")
    with pytest.raises(UsageError, match="in a circle"):
        copy_bot(folder, tmp_path / "to")


def test_a_folder_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_TOTAL_BYTES", 2**20)
    with (write_bot(tmp_path / "a") / "big").open("wb") as file:
        file.truncate(2**20)
    with pytest.raises(UsageError, match="too large: at most 20,000 files and 1 MB"):
        copy_bot(tmp_path / "a", tmp_path / "to")


def test_what_tools_leave_behind_is_not_part_of_a_bot(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a")
    before = content_version(folder)
    for place in ("__pycache__", ".git", ".venv"):
        (folder / place).mkdir()
        (folder / place / "x").write_text("x", encoding="utf-8")
    assert content_version(folder) == before
    (folder / "bot.py").chmod(0o755)
    assert content_version(folder) != before


# --- many at once, and killed ------------------------------------------------------------------

SUBMITTER = """
import os, signal, sys
from pathlib import Path
from arena.store import Store, copy_bot
name, text, killed_at = sys.argv[1], sys.argv[2], int(sys.argv[3])
count = 0
def step(event, args):
    global count
    if event == "open" or event.startswith(("os.", "shutil.")):
        count += 1
        if count == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
source = Path(sys.argv[4])
if killed_at:
    sys.addaudithook(step)
store = Store()
with store.staged() as files:
    copy_bot(source, files)
    store.add(name, files, "python", None, {"ok": True})
"""


def submitter(name: str, source: Path, killed_at: int = 0) -> subprocess.Popen[bytes]:
    """A process that submits this folder; it kills itself at that step (a call that touches files)."""
    return subprocess.Popen([sys.executable, "-c", SUBMITTER, name, "", str(killed_at), str(source)])


def test_a_dozen_submits_at_once_all_arrive(store: Store, tmp_path: Path) -> None:
    sources = [write_bot(tmp_path / str(number), str(number % 10)) for number in range(12)]
    running = [submitter(f"bot-{number % 4}", source) for number, source in enumerate(sources)]
    assert [process.wait(timeout=120) for process in running] == [0] * 12
    wanted: dict[str, set[str]] = {}
    for number, source in enumerate(sources):
        wanted.setdefault(f"bot-{number % 4}", set()).add(content_version(source))
    assert {name: set(store.versions(name)) for name in store.names()} == wanted
    for snapshot in store.snapshots():
        assert content_version(snapshot.folder) == snapshot.version
    assert leftovers(store) == []


def test_a_dozen_submits_of_one_content_make_one_snapshot(store: Store, tmp_path: Path) -> None:
    source = write_bot(tmp_path / "a")
    running = [submitter("alice", source) for _ in range(12)]
    assert [process.wait(timeout=120) for process in running] == [0] * 12
    assert store.versions("alice") == [content_version(source)]
    assert leftovers(store) == []


@pytest.mark.parametrize("first", [True, False], ids=["first submission", "new version"])
def test_a_submit_killed_at_any_step_leaves_the_old_or_the_new(
    first: bool, store: Store, tmp_path: Path
) -> None:
    old = None if first else add(store, "alice", tmp_path / "a", "old").version
    source = write_bot(tmp_path / "a", "new")
    step, finished = 1, False
    while not finished:
        status = submitter("alice", source, killed_at=step).wait(timeout=60)
        finished = status == 0
        assert status in (0, -signal.SIGKILL)
        there = store.find("alice").version if "alice" in store.names() else None
        assert there in (old, content_version(source))
        if there is not None:
            assert content_version(store.find("alice").folder) == there
        add(store, "bob", tmp_path / "b", str(step))  # the next change sweeps up
        assert leftovers(store) == []
        assert {path.name for path in store.bots.iterdir()} == set(store.names())
        if there == content_version(source):
            _go_back(store, old)
        step += 3
    assert step > 20, "it was killed at several steps before it could finish"


def _go_back(store: Store, old: str | None) -> None:
    """Undo a submission, so that the next one has the same work to do."""
    if old is None:
        store.remove("alice")
    else:
        store.remove("alice", store.find("alice").version)
        assert store.find("alice").version == old


def test_a_submission_in_progress_is_not_swept_away(store: Store, tmp_path: Path) -> None:
    with store.staged() as files:
        copy_bot(write_bot(tmp_path / "a"), files)
        add(store, "bob", tmp_path / "b", "one")
        assert (files / "bot.toml").is_file()
        store.add("alice", files, "python", None)
    assert store.names() == ["alice", "bob"]


def test_a_home_that_cannot_be_is_told_with_the_way_out(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "file"))
    assert Store().names() == []
    with pytest.raises(UsageError, match="ARENA_HOME sets another folder"), Store().staged():
        pass


def test_a_damaged_snapshot_is_told_in_one_line(store: Store, tmp_path: Path) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    about = made.folder.parent / "about.json"
    about.write_text(json.dumps({"format": 1}), encoding="utf-8")
    with pytest.raises(UnknownBot, match=f"alice@{made.version} is damaged"):
        store.find("alice")
    os.unlink(about)
    with pytest.raises(UnknownBot, match="is damaged"):
        store.find("alice")
    assert [(found.name, found.damage is None) for found in store.snapshots()] == [("alice", False)]


def damage_about(store: Store, made: Snapshot) -> None:
    (made.folder.parent / "about.json").write_text("{", encoding="utf-8")


def damage_check(store: Store, made: Snapshot) -> None:
    (store.bots / made.name / f"{made.version}.check").write_text("{", encoding="utf-8")


def damage_current(store: Store, made: Snapshot) -> None:
    (store.bots / made.name / "current").write_bytes(b"\xe9\n")


def damage_files(store: Store, made: Snapshot) -> None:
    (made.folder / "bot.py").chmod(0o644)
    (made.folder / "bot.py").write_text("# evil\n", encoding="utf-8")


def damage_all(store: Store, made: Snapshot) -> None:
    made.folder.parent.chmod(0o755)
    store_module.delete_tree(made.folder.parent)


each_damage = pytest.mark.parametrize(
    "damage", [damage_about, damage_check, damage_current, damage_files, damage_all]
)


@each_damage
def test_a_damaged_bot_is_mended_by_adding_the_same_content(
    damage: Callable[[Store, Snapshot], None], store: Store, tmp_path: Path
) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    damage(store, made)
    again = add(store, "alice", tmp_path / "a", "one")
    assert again.is_intact()
    assert again.check == {"ok": True}
    assert resolve("alice").version == made.version
    assert leftovers(store) == []


@each_damage
def test_a_damaged_bot_hides_no_other_and_can_be_removed(
    damage: Callable[[Store, Snapshot], None], store: Store, tmp_path: Path
) -> None:
    damage(store, add(store, "alice", tmp_path / "a", "one"))
    bob = add(store, "bob", tmp_path / "b", "two")
    assert [found.name for found in store.snapshots() if found.current or found.damage] == ["alice", "bob"]
    assert bob in store.snapshots()
    assert {gone.name for gone in store.remove("alice")} == {"alice"}
    assert store.names() == ["bob"]


@each_damage
def test_one_damaged_version_can_be_removed_and_another_is_current(
    damage: Callable[[Store, Snapshot], None], store: Store, tmp_path: Path
) -> None:
    old, new = (add(store, "alice", tmp_path / "a", text) for text in ("one", "two"))
    damage(store, new)
    if damage is not damage_all:
        store.remove("alice", new.version)
        assert resolve("alice").version == old.version
    else:
        assert resolve(f"alice@{old.version}").version == old.version


def test_a_check_that_cannot_be_read_does_not_keep_a_bot_from_playing(store: Store, tmp_path: Path) -> None:
    made = add(store, "alice", tmp_path / "a", "one")
    damage_check(store, made)
    assert (resolve("alice").version, store.find("alice").check) == (made.version, None)
