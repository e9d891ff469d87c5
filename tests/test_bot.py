"""What BOT means: names before files, and a clear line for all that means nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bots
from arena.bot import BotSpec, distinct, resolve
from arena.contents import content_version
from arena.errors import UnknownBot, UsageError
from arena.store import Store, copy_bot


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: Path, text: str = "", *, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def bot_folder(folder: Path, toml: str = 'name = "alice"\nrun = "python3 bot.py"\n') -> Path:
    write(folder / "bot.py", "# a bot\n")
    write(folder / "bot.toml", toml)
    return folder


def submit(name: str, folder: Path) -> str:
    store = Store()
    with store.staged() as files:
        copy_bot(folder, files)
        return store.add(name, files, "python", None).version


def test_a_bundled_bot_is_known_by_its_name() -> None:
    assert resolve("random").folder == str(bots.bundled()["random"])


def test_a_bundled_name_goes_before_a_file_of_that_name(here: Path) -> None:
    bot_folder(here / "random")
    assert resolve("random").folder == str(bots.bundled()["random"])
    assert resolve("./random").folder == str(here / "random")


def test_a_submitted_name_goes_before_a_file_of_that_name(here: Path) -> None:
    version = submit("alice", bot_folder(here / "alice"))
    write(here / "alice" / "bot.py", "# edited\n")
    assert resolve("alice").version == version
    assert resolve("./alice").version != version


def test_a_submitted_bot_is_called_as_it_was_submitted(here: Path) -> None:
    version = submit("carol", bot_folder(here / "alice"))
    for word in ("carol", f"carol@{version}", f"carol@{version[:6]}"):
        assert (resolve(word).name, resolve(word).version) == ("carol", version)
    with pytest.raises(UnknownBot, match="carol has no version 'ffffff'"):
        resolve("carol@ffffff")


def test_a_script_is_started_by_its_interpreter(here: Path) -> None:
    spec = resolve(str(write(here / "my bot.py")))
    assert (spec.name, spec.argv) == ("my bot", (sys.executable, str(here / "my bot.py")))


def test_a_file_with_an_odd_name_is_called_by_what_can_be_seen_of_it(here: Path) -> None:
    assert resolve(str(write(here / "a\x9b2J  b.py"))).name == "a 2J b"


def test_an_executable_is_started_itself_and_another_file_is_refused(here: Path) -> None:
    assert resolve(str(write(here / "bot", "#!/bin/sh\n", mode=0o755))).argv == (str(here / "bot"),)
    with pytest.raises(UnknownBot, match="not executable"):
        resolve(str(write(here / "data")))


def test_a_command_line_is_named_after_its_program_and_arguments(here: Path) -> None:
    write(here / "bot.py")
    spec = resolve("python3 bot.py --fast")
    assert (spec.name, spec.argv[1:]) == ("python3 bot.py --fast", (str(here / "bot.py"), "--fast"))


def test_the_version_follows_the_content_and_not_the_place(here: Path) -> None:
    one, two = bot_folder(here / "a"), bot_folder(here / "b")
    assert content_version(one) == content_version(two)
    write(two / "bot.py", "# other\n")
    assert content_version(one) != content_version(two)


def test_moving_a_byte_from_one_file_to_the_next_is_another_version(here: Path) -> None:
    write(here / "a" / "x", "1")
    write(here / "a" / "y", "23")
    write(here / "b" / "x", "12")
    write(here / "b" / "y", "3")
    assert content_version(here / "a") != content_version(here / "b")


def test_what_cargo_builds_is_no_part_of_a_bot_but_another_target_is(here: Path) -> None:
    write(here / "a" / "target" / "x", "1")
    before = content_version(here / "a")
    write(here / "a" / "target" / "x", "2")
    assert content_version(here / "a") != before
    write(here / "a" / "Cargo.toml")
    before = content_version(here / "a")
    write(here / "a" / "target" / "x", "3")
    assert content_version(here / "a") == before


def test_a_command_line_may_be_longer_than_any_file_name(here: Path) -> None:
    word = f"python3 {write(here / 'bot.py')} {'x' * 300} {'y/' * 3000}"
    spec = resolve(word)
    assert (spec.argv[1], len(spec.argv)) == (str(here / "bot.py"), 4)
    assert spec.visible == (str(here / "bot.py"),)


def test_two_bots_of_one_name_become_distinct() -> None:
    spec = BotSpec("a", "0", ("/bin/true",))
    assert [bot.name for bot in distinct([spec, spec, spec.renamed("a-2")])] == ["a", "a-2", "a-2-2"]


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("name = ", "this is no value"),
        ('name = "alice"\n', "it needs name"),
        ('name = 7\nrun = "x"\n', "it needs name"),
        ('name = "alice"\nrun = ""\n', "it needs name"),
        ('name = "a\\u001bb"\nrun = "python3 bot.py"\n', "cannot be seen"),
        ('name = "alice"\nrun = "python3 bot.py"\nbuidl = "make"\n', "did you mean 'build'"),
        ('name = "alice"\nrun = "python3 bot.py"\nbuild = ["make"]\n', "build must be a command"),
        ('name = "alice"\nrun = "python3 bot.py"\ngames = "squares"\n', "games must be a list"),
        ('name = "alice"\nrun = "python3 bot.py"\ngames = []\n', "games must be a list"),
        ('name = "alice"\nrun = "python3 bot.py"\ngames = ["\\u001b[2J"]\n', "games must be a list"),
        ('name = "alice"\nrun = "python3 bot.py \\u001b[2J"\n', "run has characters that cannot be seen"),
        (
            'name = "alice"\nrun = "./bot"\nbuild = "true \\u009b2J"\n',
            "build has characters that cannot be seen",
        ),
        ('name = "alice"\nrun = "./missing"\n', "does not exist: build it first"),
        ('name = "alice"\nrun = "no-such-program x"\n', "is not installed"),
    ],
)
def test_a_mistake_in_a_manifest_is_named_in_one_line(toml: str, words: str, here: Path) -> None:
    with pytest.raises(UnknownBot, match=words) as refused:
        resolve(str(bot_folder(here / "alice", toml)))
    assert str(refused.value).isprintable()


def test_an_author_may_add_keys_of_their_own(here: Path) -> None:
    folder = bot_folder(here / "a", 'name = "alice"\nrun = "python3 bot.py"\nauthor = "A"\n')
    assert resolve(str(folder)).name == "alice"


@pytest.mark.parametrize(
    "word",
    [
        "",
        "  ",
        "no-such-bot",
        "no/such/path",
        "alice@1234",
        "no-such-program x",
        "@",
        "..@..",
        "~no-such-user/x",
        "x" * 300,
        "./" + "x" * 300,
        f"/{'x' * 300} y",
        "a\0b",
    ],
)
def test_what_means_no_bot_is_told_in_one_line(word: str) -> None:
    with pytest.raises(UnknownBot) as refused:
        resolve(word)
    assert str(refused.value).isprintable()


def test_a_slip_of_the_keys_is_answered_with_the_nearest_name(here: Path) -> None:
    submit("carolina", bot_folder(here / "a"))
    with pytest.raises(UnknownBot, match="did you mean 'carolina'"):
        resolve("carolna")
    with pytest.raises(UnknownBot, match="did you mean 'greedy'"):
        resolve("gredy")


def test_a_quote_that_is_not_closed_is_told() -> None:
    with pytest.raises(UsageError, match="No closing quotation"):
        resolve("python3 'x")


def test_a_manifest_that_is_no_toml_is_told_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = q\nrun = "./bot"\n')
    with pytest.raises(UnknownBot, match="this is no value: a text stands in quotes"):
        resolve(str(tmp_path))


@pytest.mark.parametrize("word", ["./nosuch", "nosuch.py", "some/where", "x.js", "x.sh"])
def test_what_looks_like_a_file_and_is_none_is_told_so(word: str) -> None:
    with pytest.raises(UnknownBot, match=f"^there is no file {word}$"):
        resolve(word)


def test_an_interpreter_alone_is_answered_with_the_quotes() -> None:
    with pytest.raises(UnknownBot, match="python3 alone plays nothing: put its command line in quotes"):
        resolve("python3")


def test_a_link_to_a_bot_is_called_by_its_own_name(here: Path) -> None:
    write(here / "bot.py")
    (here / "carol.py").symlink_to("bot.py")
    assert resolve("./carol.py").name == "carol"
    bot_folder(here / "alice", 'run = "python3 bot.py"\n')
    (here / "dave").symlink_to("alice")
    assert resolve("./dave").name == "dave"


@pytest.mark.parametrize("word", ["./bot.py", "./alice", "python3 bot.py"])
def test_a_file_that_may_not_be_read_is_told_in_one_line(
    word: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    write(here / "bot.py")
    bot_folder(here / "alice")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(UnknownBot, match=r"bot\.py cannot be read: permission denied$"):
        resolve(word)
