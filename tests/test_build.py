"""Building bots: once per version, in a sandbox, with the compiler's words when it fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena import sandbox
from arena.bot import resolve
from arena.build import BuildFailed, built, forget
from arena.contents import content_version
from arena.store import locked

needs_bubblewrap = pytest.mark.skipif(
    sandbox.bubblewrap_trouble() is not None, reason=str(sandbox.bubblewrap_trouble())
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def write_bot(folder: Path, build: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f"name = 'alice'\nrun = './bot'\nbuild = '''{build}'''\n", encoding="utf-8"
    )
    (folder / "source").write_text("#!/bin/sh\n", encoding="utf-8")
    return folder


def build(folder: Path, command: str, seconds: float = 60.0) -> Path:
    return built(folder, command, content_version(folder), "alice", seconds)


COPY = "cp source bot && chmod +x bot"


def test_a_bot_is_built_in_a_copy_and_its_own_folder_stays_as_it_was(tmp_path: Path, home: Path) -> None:
    folder = write_bot(tmp_path / "a", COPY)
    spec = resolve(str(folder))
    assert spec.argv == (str(home / "builds" / spec.version / "bot"),)
    assert sorted(path.name for path in folder.iterdir()) == ["bot.toml", "source"]


def test_the_second_time_nothing_is_run(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a", "x")
    first = build(folder, "date +%N > made")
    made = (first / "made").read_text(encoding="utf-8")
    assert build(folder, "false") == first
    assert (first / "made").read_text(encoding="utf-8") == made


def test_a_forgotten_build_is_made_again(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a", "x")
    forget(build(folder, COPY).name)
    assert (build(folder, "touch other") / "other").exists()


def test_a_failed_build_shows_what_it_printed_and_is_not_kept(tmp_path: Path, home: Path) -> None:
    folder = write_bot(tmp_path / "a", "x")
    with pytest.raises(BuildFailed) as failed:
        build(folder, "echo so far so good; echo 'source:7: \x1b[31mtoo many\x1b[0m' >&2; exit 3")
    first, *rest = str(failed.value).splitlines()
    assert "failed with status 3; it printed:" in first
    assert rest == ["  so far so good", "  source:7: \\x1b[31mtoo many\\x1b[0m"]
    assert [path.name for path in (home / "builds").iterdir() if path.is_dir()] == []


def test_of_a_long_output_the_end_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed) as failed:
        build(write_bot(tmp_path / "a", "x"), "seq 1000; false")
    lines = str(failed.value).splitlines()
    assert lines[1] == "  ... (960 lines before)"
    assert lines[-1] == "  1000"


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"is not installed.*\n.*no-such-compiler"):
        build(write_bot(tmp_path / "a", "x"), "no-such-compiler")


def test_a_build_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"was stopped after 0\.3 s"):
        build(write_bot(tmp_path / "a", "x"), "sleep 1000", seconds=0.3)


def test_the_environment_of_a_build_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    made = build(write_bot(tmp_path / "a", "x"), "env > seen; echo $HOME > home")
    assert "hunter2" not in (made / "seen").read_text(encoding="utf-8")
    assert not Path((made / "home").read_text(encoding="utf-8").strip()).exists(), (
        "its home is gone afterwards"
    )


@needs_bubblewrap
@pytest.mark.parametrize(
    "command",
    [
        "cat {outside}/secret",
        "touch /usr/evil",
        f"{sys.executable} -c 'import socket; socket.create_connection((\"127.0.0.1\", {{port}}), 2)'",
    ],
    ids=["read outside", "write to the system", "network"],
)
def test_a_build_in_the_sandbox_touches_nothing_but_its_copy(command: str, tmp_path: Path) -> None:
    import socket

    (tmp_path / "secret").write_text("hunter2", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(BuildFailed) as failed:
            build(write_bot(tmp_path / "a", "x"), command.format(outside=tmp_path, port=port))
    assert "hunter2" not in str(failed.value)


@needs_bubblewrap
def test_what_a_build_in_the_sandbox_writes_elsewhere_is_gone(tmp_path: Path) -> None:
    build(write_bot(tmp_path / "a", COPY), f"{COPY}; touch {tmp_path}/evil /tmp/arena-evil || true")
    assert not (tmp_path / "evil").exists()
    assert not Path("/tmp/arena-evil").exists()


BUILDER = """
import sys
from pathlib import Path
from arena.contents import content_version
from arena.build import built
folder = Path(sys.argv[1])
print(built(folder, sys.argv[2], content_version(folder), "alice"))
"""


def builder(folder: Path, command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILDER, str(folder), command], stdout=subprocess.PIPE, text=True
    )


def test_builds_of_one_version_at_once_run_the_command_once(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a", "x")
    running = [builder(folder, "date +%N > made") for _ in range(6)]
    outputs = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0] * 6
    assert len(outputs) == 1


def test_a_killed_build_leaves_nothing_that_the_next_does_not_sweep(tmp_path: Path, home: Path) -> None:
    folder = write_bot(tmp_path / "a", "x")
    process = builder(folder, "touch begun; sleep 1000")
    deadline = time.monotonic() + 60
    while not list(home.glob("builds/.new-*/bot/begun")):
        assert time.monotonic() < deadline
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    made = build(folder, COPY)
    assert [path.name for path in (home / "builds").iterdir() if path.is_dir()] == [made.name]


def test_a_copy_that_nobody_used_for_long_is_dropped_unless_it_was_submitted(
    tmp_path: Path, home: Path
) -> None:
    builds = home / "builds"
    for name in ("aa00", "aa11"):
        (builds / name).mkdir(parents=True)
        os.utime(builds / name, (0, 0))
    (home / "bots" / "bob" / "aa11").mkdir(parents=True)
    built(write_bot(tmp_path / "a", "x"), COPY, "aa22", "alice")
    assert sorted(path.name for path in builds.iterdir() if path.is_dir()) == ["aa11", "aa22"]


# --- what plays is what was built ---------------------------------------------------------------


def change(path: Path, text: str) -> None:
    path.parent.chmod(0o755)
    if path.exists():
        path.chmod(0o755)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("file", ["bot", "source", "more", "__pycache__/bot.pyc", "target/bot"])
def test_a_build_that_somebody_changed_is_built_again(file: str, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a", f"{COPY}; mkdir __pycache__ target; touch {file}; touch Cargo.toml")
    spec = resolve(str(folder))
    assert spec.folder is not None
    was = (Path(spec.folder) / file).read_text(encoding="utf-8")
    change(Path(spec.folder) / file, "#!/bin/sh\necho evil\n")
    assert spec.content is not None
    assert spec.content.change() == "were changed"
    again = resolve(str(folder))
    assert again == spec
    assert (Path(spec.folder) / file).read_text(encoding="utf-8") == was


def test_a_file_added_to_a_build_is_gone_when_it_is_played_again(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "a", COPY)
    made = Path(str(resolve(str(folder)).folder))
    change(made / "sitecustomize.py", "evil")
    resolve(str(folder))
    assert not (made / "sitecustomize.py").exists()


def test_a_build_is_read_only_and_what_its_links_lead_to_is_left_alone(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("", encoding="utf-8")
    outside.chmod(0o640)
    made = build(write_bot(tmp_path / "a", "x"), f"{COPY}; ln -s {outside} link; ln -s . here; mkfifo pipe")
    modes = {path.name: path.stat().st_mode & 0o777 for path in (made, made / "bot", made / "source")}
    assert modes == {made.name: 0o555, "bot": 0o555, "source": 0o444}
    assert outside.stat().st_mode & 0o777 == 0o640
    assert build(tmp_path / "a", "false") == made


def test_what_a_killed_build_of_another_version_left_is_swept_too(tmp_path: Path, home: Path) -> None:
    (home / "builds" / ".new-zz-left" / "bot").mkdir(parents=True)
    made = build(write_bot(tmp_path / "a", "x"), COPY)
    assert [path.name for path in (home / "builds").iterdir() if path.is_dir()] == [made.name]


def test_a_build_that_goes_on_is_not_swept_by_another(tmp_path: Path, home: Path) -> None:
    going_on = home / "builds" / ".new-zz-busy"
    going_on.mkdir(parents=True)
    with locked(home / "builds" / "lock-zz"):
        build(write_bot(tmp_path / "a", "x"), COPY)
    assert going_on.is_dir()


def test_a_build_cannot_take_all_the_memory(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'bytearray(5 << 30)'"
    with pytest.raises(BuildFailed, match="MemoryError"):
        build(write_bot(tmp_path / "a", "x"), command)
