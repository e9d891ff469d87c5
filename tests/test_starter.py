"""Making a starter: what is made, what is refused, and what `arena new` says about it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from arena.cli import new
from arena.errors import UsageError
from arena.starter import PLACEHOLDER, TEMPLATES, TOOLS, make_starter, missing_tools

each_language = pytest.mark.parametrize("language", TOOLS)


@each_language
def test_a_starter_has_a_manifest_a_readme_and_one_source_file(language: str, tmp_path: Path) -> None:
    made = make_starter("alice", language, tmp_path)
    assert made.folder == tmp_path / "alice"
    assert sorted(path.name for path in made.folder.iterdir()) == list(made.files)
    assert {"README.md", "bot.toml"} < set(made.files)
    assert len(made.files) == 3


def test_the_name_of_a_bundled_bot_is_refused(tmp_path: Path) -> None:
    for name in ("random", "Random"):
        with pytest.raises(UsageError, match="'random' is the name of a bundled bot"):
            make_starter(name, "python", tmp_path)
    assert list(tmp_path.iterdir()) == []


@each_language
def test_a_starter_carries_its_name_and_no_placeholder(language: str, tmp_path: Path) -> None:
    made = make_starter("al.ice-_9", language, tmp_path)
    said = tomllib.loads((made.folder / "bot.toml").read_text(encoding="utf-8"))
    assert said["name"] == "al.ice-_9"
    assert set(said) <= {"name", "run", "build"}
    for file in made.files:
        assert PLACEHOLDER not in (made.folder / file).read_text(encoding="utf-8")


@each_language
def test_a_starter_says_where_the_idea_goes_and_how_to_try_it(language: str, tmp_path: Path) -> None:
    made = make_starter("alice", language, tmp_path)
    texts = {file: (made.folder / file).read_text(encoding="utf-8") for file in made.files}
    source = next(file for file in texts if file not in ("README.md", "bot.toml"))
    assert texts[source].count("PUT YOUR IDEA HERE") == 1
    for words in ("arena check .", "arena match squares . random", "arena submit .", source, "bot.toml"):
        assert words in texts["README.md"]
    assert len(texts["README.md"].splitlines()) <= 40, "a README of one screen"


def test_every_template_is_a_language_and_the_other_way_round() -> None:
    assert {path.name for path in TEMPLATES.iterdir() if path.is_dir()} == set(TOOLS)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        ".hidden",
        "-rf",
        "a/b",
        "../a",
        "/a",
        "a b",
        "a\n",
        "a\x1b[1m",
        "é",
        "x" * 41,
        "a|b",
        "a\\b",
    ],
)
def test_a_name_that_escapes_hides_or_forges_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be a bot's name: use 1 to 40") as refused:
        make_starter(name, "python", tmp_path)
    assert str(refused.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_the_longest_name_is_accepted(tmp_path: Path) -> None:
    assert make_starter("x" * 40, "python", tmp_path).folder.is_dir()


@pytest.mark.parametrize("language", ["cobol", "", "../starters/python"])
def test_an_unknown_language_is_answered_with_those_that_there_are(language: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="python, c, cpp, java, js, rust, go, bash"):
        make_starter("alice", language, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "alice" / "bot.py"
    kept.parent.mkdir()
    kept.write_text("my work", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        make_starter("alice", "python", tmp_path)
    assert [path.name for path in kept.parent.iterdir()] == ["bot.py"]
    assert kept.read_text(encoding="utf-8") == "my work"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    assert make_starter("alice", "python", tmp_path).files


@pytest.mark.parametrize("link", [True, False])
def test_a_file_or_a_link_in_the_way_is_refused(link: bool, tmp_path: Path) -> None:
    way = tmp_path / "alice"
    if link:
        way.symlink_to(tmp_path / "elsewhere")
    else:
        way.write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a folder"):
        make_starter("alice", "python", tmp_path)


def test_a_parent_that_is_no_folder_is_told_in_one_line_and_not_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for parent in (tmp_path / "file", tmp_path / "nowhere"):
        with pytest.raises(UsageError, match=r"there is no folder .*: make it first"):
            make_starter("alice", "python", parent)
    assert not (tmp_path / "nowhere").exists()


def test_missing_tools_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_tools("java") == ("javac", "java")
    assert make_starter("alice", "java", tmp_path).missing_tools == ("javac", "java")


def test_new_says_what_it_made_and_the_next_three_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    new.command("alice", "bash", Path())
    assert capsys.readouterr().out.splitlines() == [
        "Made alice/ with README.md, bot.sh, bot.toml.",
        "Next:",
        "  arena check ./alice",
        "  arena match squares ./alice random total=87",
        "  arena submit ./alice",
    ]


def test_new_says_which_toolchain_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    new.command("alice", "java", tmp_path)
    assert "It needs javac and java, which this machine does not have" in capsys.readouterr().out


def test_new_tells_programs_the_same_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my bots").mkdir()
    new.command("alice", "python", tmp_path / "my bots", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == ["README.md", "bot.py", "bot.toml"]
    assert told["folder"] == str(tmp_path / "my bots" / "alice")
    assert told["next"][0] == f"arena check '{tmp_path}/my bots/alice'"
    assert (told["name"], told["language"], told["missing_tools"]) == ("alice", "python", [])


@pytest.mark.parametrize(("word", "language"), [("py", "python"), ("c++", "cpp"), ("JavaScript", "js")])
def test_a_language_may_be_called_by_its_other_names(word: str, language: str, tmp_path: Path) -> None:
    assert make_starter("alice", word, tmp_path).language == language
