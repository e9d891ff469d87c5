"""The sandbox's choices: which mode, what is shown, what is hidden, what the environment holds."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from arena import sandbox
from arena.errors import UsageError
from arena.limits import Limits
from arena.process import run_quietly


def test_without_bubblewrap_auto_warns_once_and_bwrap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap_trouble", lambda: "bubblewrap is not installed")
    mode, warning = sandbox.choose("auto")
    assert mode == "none"
    assert warning is not None
    assert "bubblewrap is not installed" in warning
    with pytest.raises(UsageError, match="--sandbox bwrap: bubblewrap is not installed"):
        sandbox.choose("bwrap")
    assert sandbox.choose("none") == ("none", None)


def test_with_bubblewrap_it_is_used_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap_trouble", lambda: None)
    assert sandbox.choose("auto") == sandbox.choose("bwrap") == ("bwrap", None)


def test_an_unknown_mode_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="auto, bwrap, none"):
        sandbox.choose("docker")


def test_a_machine_without_the_program_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    trouble = sandbox.bubblewrap_trouble.__wrapped__()
    assert trouble is not None
    assert "apt install bubblewrap" in trouble


def test_a_bubblewrap_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.process.run_quietly", lambda *_, **__: (1, "bwrap: No permissions\n"))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert sandbox.bubblewrap_trouble.__wrapped__() == "bubblewrap does not work here: bwrap: No permissions"


def test_the_environment_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    environment = sandbox.environment("/arena")
    assert environment["HOME"] == environment["TMPDIR"] == "/arena"
    assert set(environment) == {"PATH", "LANG", "HOME", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"}


def test_the_kernels_limits_follow_the_limits() -> None:
    assert (
        sandbox.resource_limits(Limits(memory_mb=100))["RLIMIT_DATA"]
        == (100 << 20) + sandbox.SPARE_ADDRESS_BYTES
    )
    assert sandbox.resource_limits(Limits())["RLIMIT_CORE"] == 0


def test_a_program_outside_the_system_is_shown_with_its_home(tmp_path: Path) -> None:
    installed = tmp_path / "node-20" / "bin" / "node"
    installed.parent.mkdir(parents=True)
    installed.touch()
    assert sandbox.programs_home(str(installed)) == [str(tmp_path / "node-20")]
    alone = tmp_path / "bot"
    alone.touch()
    assert sandbox.programs_home(str(alone)) == [str(alone)]
    assert sandbox.programs_home("/usr/bin/env") == []


def test_the_home_folder_itself_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = tmp_path / "bin" / "bot"
    program.parent.mkdir()
    program.touch()
    assert sandbox.programs_home(str(program)) == [str(program)]
    local = tmp_path / ".local" / "bin" / "bot"
    local.parent.mkdir(parents=True)
    local.touch()
    assert sandbox.programs_home(str(local)) == [str(local.parent)]


def test_inside_bubblewrap_only_what_is_shown_can_be_seen_and_nothing_but_the_scratch_be_written(
    tmp_path: Path,
) -> None:
    if (trouble := sandbox.bubblewrap_trouble()) is not None:
        pytest.skip(trouble)
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    shown.write_text("shown")
    hidden.write_text("hidden")
    script = (
        f"cat {shown}; cat {hidden} 2>/dev/null && echo seen; cat /etc/shadow 2>/dev/null && echo shadow;"
        f"(echo x > {shown} && echo wrote) 2>/dev/null; (echo x > /usr/x && echo wrote) 2>/dev/null;"
        "echo x > mine && cat mine; echo x > /tmp/mine && pwd; ls /home /root 2>/dev/null; env | sort | cut -d= -f1"
    )
    environment = sandbox.environment(sandbox.INSIDE)
    words = [*sandbox.command([str(shown)], environment), "/bin/sh", "-c", script]
    status, output = run_quietly(words, env={})
    lines = output.splitlines()
    assert status == 0
    assert lines[:2] == ["shownx", "/arena"]
    assert not {"seen", "shadow", "wrote"} & set(lines)
    assert set(lines[2:]) <= {*environment, "PWD", "OLDPWD", "_"}


def test_this_python_runs_inside_bubblewrap() -> None:
    if (trouble := sandbox.bubblewrap_trouble()) is not None:
        pytest.skip(trouble)
    visible = sandbox.programs_home(sys.executable)
    words = [
        *sandbox.command(visible, sandbox.environment("/arena")),
        sys.executable,
        "-c",
        "print(1 + 1)",
    ]
    assert run_quietly(words, env={"PATH": os.environ["PATH"]}) == (0, "2\n")
