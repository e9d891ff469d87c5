"""The folder of a run: found by any of its names, and guarded against files that contradict what was played."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from arena.bot import BotSpec
from arena.errors import ConfigError, HarnessFailure, UsageError
from arena.run_folder import Plan, RunFolder, find_run
from arena.tournament import TournamentFile, parse

FILE = """\
name = "cup"
seed = 7
rounds = 2
[[games]]
id = "squares"
options = { total = [50, 200] }
opening_plies = 2
[[games]]
id = "linked"
[limits]
move_ms = 500
[[bots]]
name = "alice"
run = "true"
[[bots]]
name = "b/b"
run = "true"
[[bots]]
name = "carol"
run = "true"
"""
ROUND_ONE = ["squares.alice.b%2Fb.1a", "squares.alice.b%2Fb.1b", "linked.alice.carol.1a"]


def plan(
    text: str = FILE, versions: dict[str, str] | None = None, games: tuple[str, ...] | None = None
) -> Plan:
    tournament = parse(text, Path("cup.toml")).tournament
    specs = [
        BotSpec(
            bot.name,
            (versions or {}).get(bot.name, "v1"),
            ("true",),
            games=games if bot.name == "alice" else None,
        )
        for bot in tournament.bots
    ]
    return Plan.of(tournament, specs)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    found = RunFolder(tmp_path / "runs" / "cup")
    found.save(plan(), FILE)
    return found


def refused(folder: RunFolder, new: Plan, done: Collection[str] = ROUND_ONE) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        folder.check(new, done, "cup.toml")
    first, *lines, last = str(caught.value).splitlines()
    assert first == f"cup.toml contradicts what was played in runs/cup ({len(done)} matches):"
    assert last == "restore that to go on, or change name = ... in the file to begin a new run"
    return [line.strip() for line in lines]


def test_what_is_saved_is_read_back_with_its_schedule(folder: RunFolder) -> None:
    read = folder.plan()
    assert read == plan()
    assert read is not None
    assert read.scheduled == len(read.schedule()) == 24
    assert (folder.path / "tournament.toml").read_text() == FILE
    assert sorted(path.name for path in folder.path.iterdir()) == ["run.json", "tournament.toml"]


def test_a_bot_that_plays_some_games_only_does_so_in_the_plan_too(folder: RunFolder) -> None:
    folder.save(plan(games=("linked",)), FILE)
    read = folder.plan()
    assert read is not None
    assert read.scheduled == 2 * 2 * (1 + 3)


# --- going on --------------------------------------------------------------------------------------

DAVE = '[[bots]]\nname = "dave"\nrun = "true"\n'
ADDED = {
    "the same file": FILE,
    "a bot": FILE + DAVE,
    "a bot in front": FILE.replace("[[bots]]", DAVE + "[[bots]]", 1),
    "a round": FILE.replace("rounds = 2", "rounds = 3"),
    "fewer rounds, but more than were played": FILE.replace("rounds = 2", "rounds = 1"),
    "a game": FILE.replace("[limits]", '[[games]]\nid = "grid"\n[limits]'),
    "the same game again": FILE.replace("[limits]", '[[games]]\nid = "squares"\n[limits]'),
    "a default written out": FILE.replace('id = "linked"', 'id = "linked"\noptions = { n = 50 }'),
    "a limit's default written out": FILE.replace("move_ms = 500", "move_ms = 500\nreprompts = 2"),
    "a gauntlet that was played": FILE.replace(
        "seed = 7", 'seed = 7\nformat = "gauntlet"\nheroes = ["alice"]'
    ),
}


@pytest.mark.parametrize("text", ADDED.values(), ids=ADDED.keys())
def test_a_file_that_keeps_what_was_played_goes_on(folder: RunFolder, text: str) -> None:
    folder.check(plan(text), ROUND_ONE)


REFUSED = [
    ("seed = 7", "seed = 8", "seed is 8, and was 7"),
    ("[50, 200]", "[50, 201]", "option total of squares is [50, 201], and was [50, 200]"),
    ("[50, 200]", "50", "option total of squares is 50, and was [50, 200]"),
    ('id = "linked"', 'id = "linked"\noptions = { allow_one = false }',
     "option allow_one of linked is false, and was true"),
    ("opening_plies = 2", "", "opening_plies of squares is 0, and was 2"),
    ('[[games]]\nid = "linked"\n', "", "the game linked is gone, and 1 matches of it were played"),
    ("move_ms = 500", "move_ms = 900", "limits.move_ms is 900, and was 500"),
    ('[[bots]]\nname = "b/b"\nrun = "true"\n', "", "the bot 'b/b' is gone, and has played 2 matches"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), REFUSED)
def test_a_file_that_contradicts_is_refused_with_the_difference(
    folder: RunFolder, old: str, new: str, says: str
) -> None:
    assert old in FILE
    assert refused(folder, plan(FILE.replace(old, new))) == [says]


def test_all_differences_are_named_at_once(folder: RunFolder) -> None:
    text = FILE
    for old, new, _ in (REFUSED[0], REFUSED[1], REFUSED[4], REFUSED[6], REFUSED[7]):
        text = text.replace(old, new)
    assert sorted(refused(folder, plan(text))) == sorted(REFUSED[at][2] for at in (0, 1, 4, 6, 7))


def test_rounds_that_were_taken_away_are_named_with_the_other_differences(folder: RunFolder) -> None:
    text = FILE.replace("seed = 7", "seed = 8").replace("rounds = 2", "rounds = 1").replace(REFUSED[7][0], "")
    second = ["squares.alice.carol.2a", "squares.alice.b%2Fb.2a"]
    assert refused(folder, plan(text), [*ROUND_ONE, *second]) == [
        "seed is 8, and was 7",
        "the bot 'b/b' is gone, and has played 3 matches",
        "rounds is 1, and was 2",
        "1 matches that were played are no part of it, such as squares.alice.carol.2a",
    ]


def test_a_bot_that_changed_is_refused_with_both_versions(folder: RunFolder) -> None:
    assert refused(folder, plan(versions={"alice": "v2"})) == [
        "the bot 'alice' has changed, from version v1 to v2, and has played 3 matches: add the new one under "
        "another name"
    ]


def test_a_bot_submitted_again_is_refused_with_the_line_that_goes_on(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    kept = tmp_path / "home" / "bots" / "true" / "v1"
    kept.mkdir(parents=True)
    (kept.parent / "current").write_text("v2")
    (kept / "about.json").write_text("{}")
    [told] = refused(folder, plan(versions={"alice": "v2"}))
    assert 'to go on with the one that played, write run = "true@v1" in its entry; ' in told


def test_fewer_rounds_than_were_played_are_refused(folder: RunFolder) -> None:
    told = refused(
        folder, plan(FILE.replace("rounds = 2", "rounds = 1")), [*ROUND_ONE, "linked.alice.carol.2a"]
    )
    assert told == [
        "rounds is 1, and was 2",
        "1 matches that were played are no part of it, such as linked.alice.carol.2a",
    ]


def test_a_gauntlet_that_leaves_out_what_was_played_is_refused(folder: RunFolder) -> None:
    text = FILE.replace("seed = 7", 'seed = 7\nformat = "gauntlet"\nheroes = ["carol"]')
    told = refused(folder, plan(text))
    assert told[:2] == ["format is gauntlet, and was round-robin", "heroes is ['carol'], and was []"]
    assert told[2].startswith("2 matches that were played are no part of it")


@pytest.mark.parametrize(("old", "new", "says"), REFUSED)
def test_before_anything_was_played_everything_may_change(
    folder: RunFolder, old: str, new: str, says: str
) -> None:
    folder.check(plan(FILE.replace(old, new)), [])


def test_what_has_not_been_played_may_change(folder: RunFolder) -> None:
    done = ["squares.alice.b%2Fb.1a"]
    without_carol = FILE[: FILE.rindex("[[bots]]")]
    folder.check(plan(without_carol), done)
    folder.check(plan(versions={"carol": "v2"}), done)
    folder.check(plan(FILE.replace('[[games]]\nid = "linked"\n', "")), done)
    folder.check(plan(FILE.replace('id = "linked"', 'id = "linked"\noptions = { n = 9 }')), done)


def test_matches_without_their_plan_are_not_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has 3 matches but no run\.json"):
        RunFolder(tmp_path).check(plan(), ROUND_ONE)


@pytest.mark.parametrize("text", ["", "{}", '{"tournament": 3}', "\x00"])
def test_a_plan_that_cannot_be_read_is_one_clear_line(folder: RunFolder, text: str) -> None:
    (folder.path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"run\.json is no plan of a run: .*") as caught:
        folder.plan()
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(HarnessFailure, match="cannot be written: "):
        RunFolder(tmp_path / "runs" / "cup").save(plan(), FILE)


# --- finding a run ---------------------------------------------------------------------------------


def test_a_run_is_found_by_folder_name_file_and_records(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder.matches.touch()
    Path("cup.toml").write_text('name = "cup"\nrounds = "a mistake"\n')
    for text in ("cup", "runs/cup", "runs/cup/", "cup.toml", "runs/cup/matches.jsonl", str(folder.path)):
        assert find_run(text).path.resolve() == folder.path
        assert find_run(text).name == "cup"
    monkeypatch.chdir(folder.path)
    assert find_run(".").name == "cup"


def test_the_folder_of_a_file_is_beside_it(tmp_path: Path) -> None:
    file = TournamentFile(tmp_path / "x.toml", FILE, plan().tournament)
    assert RunFolder.of(file).path == tmp_path / "runs" / "cup"


def test_a_run_that_is_not_there_is_refused_with_the_nearest(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("new.toml").write_text('name = "new"')
    Path("bad.toml").write_text("name")
    Path("nameless.toml").write_text("x = 1")
    for text, says in [
        ("cpu", "no run 'cpu': did you mean 'cup'?"),
        ("spring", "no run 'spring': there are cup (a run is"),
        ("runs", "runs is no run: it has no file matches.jsonl"),
        ("new.toml", "new.toml has not been run yet: there is no runs/new beside it"),
        ("bad.toml", "bad.toml is no tournament file: "),
        ("nameless.toml", "nameless.toml is no tournament file: it has no name"),
    ]:
        with pytest.raises(UsageError) as caught:
            find_run(text)
        assert str(caught.value).startswith(says)
