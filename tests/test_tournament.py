"""The tournament file: the contract's example, and every mistake with its line and what would be right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.limits import Limits
from arena.tournament import Tournament, TournamentFile, json_schema, load, parse, resolve_bots

CONTRACT = """\
name = "spring-cup"
seed = 7
format = "round-robin"        # or "gauntlet", with heroes = ["alice"]
rounds = 4                    # pairs of matches for each two bots and game: one start, both seatings

[[games]]
id = "squares"
options = { total = [50, 200] }   # a value, or a range to draw from
opening_plies = 2                 # random legal plies, the same for both matches of a pair

[[games]]
id = "linked"

[limits]
move_ms = 1000
bank_ms = 0          # a whole-game time bank, with increment_ms a move; 0: none
increment_ms = 0
start_ms = 10000
memory_mb = 512
output_kb = 64       # per move
reprompts = 2

[[bots]]
name = "alice"
path = "alice.py"    # or run = "java -jar bob.jar", or just a submitted bot's name

[[bots]]
name = "perfect"
"""
SHORT = """\
name = "x"
games = [{ id = "squares" }]
bots = [{ name = "perfect" }, { name = "greedy", run = "true" }]
"""


def read(text: str, folder: Path = Path()) -> TournamentFile:
    return parse(text, folder / "cup.toml")


def mistakes(text: str, folder: Path = Path()) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(text, folder)
    return str(caught.value).splitlines()


def test_the_contracts_example_is_read(tmp_path: Path) -> None:
    (tmp_path / "alice.py").touch()
    (tmp_path / "cup.toml").write_text(CONTRACT)
    cup = load(tmp_path / "cup.toml").tournament
    assert (cup.name, cup.seed, cup.format, cup.rounds) == ("spring-cup", 7, "round-robin", 4)
    assert cup.games[0].choices() == {"total": (50, 200)}
    assert cup.games[1].choices() == {"n": 50, "allow_one": True}
    assert cup.limits == Limits()
    assert [(bot.name, bot.path) for bot in cup.bots] == [("alice", "alice.py"), ("perfect", None)]


def test_what_is_left_out_has_its_default() -> None:
    cup = read(SHORT).tournament
    assert (cup.seed, cup.rounds, cup.format, cup.limits) == (0, 1, "round-robin", Limits())
    assert cup.games[0].opening_plies == 0


def test_every_mistake_is_told_at_once_with_its_line() -> None:
    text = (
        CONTRACT.replace("seed = 7", 'sede = "7"')
        .replace("[50, 200]", "[200, 50]")
        .replace("move_ms = 1000", "move_ms = 0")
        .replace('"linked"', '"lynked"')
        .replace('name = "perfect"', 'name = "alice"')
    )
    assert mistakes(text) == [
        "cup.toml line 2: sede: unknown key 'sede'; did you mean 'seed'?",
        "cup.toml line 8: [[games]] 1, options.total: a range is [least, greatest], two whole numbers in order, "
        "not [200, 50]",
        "cup.toml line 12: [[games]] 2, id: no game 'lynked': did you mean 'linked'?",
        "cup.toml line 15: limits.move_ms: must be 1 or more, not 0",
        f"cup.toml line 25: [[bots]] 1, path: 'alice.py' is not there (looked in {Path().resolve().name}/)",
        "cup.toml line 28: [[bots]] 2, name: 'alice' is the name of [[bots]] 1 already; give each bot its own",
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "x"', "", "cup.toml: name: is missing; it says the run's name"),
        ('name = "x"', 'name = "a/b"', "line 1: name: 'a/b' cannot be a run's name"),
        ('name = "x"', "name = 3", "line 1: name: must be a text in quotes, not 3"),
        ('name = "x"', 'name = "x"\nseed = -1', "line 2: seed: must be 0 or more, not -1"),
        ('name = "x"', 'name = "x"\nseed = 1.0', "line 2: seed: must be a whole number, not 1.0"),
        ('name = "x"', 'name = "x"\nrounds = 0', "rounds: must be 1 or more, not 0"),
        ('name = "x"', 'name = "x"\nrounds = "4"', "rounds: must be a whole number, not '4'"),
        ('name = "x"', 'name = "x"\nrounds = true', "rounds: must be a whole number, not true"),
        ('name = "x"', 'name = "x"\nformat = "swiss"', "must be 'round-robin' or 'gauntlet', not 'swiss'"),
        ('name = "x"', 'name = "x"\nlimits = { move_ms = "5" }', "limits.move_ms: must be a whole number"),
        ('name = "x"', 'name = "x"\nlimits = 3', "limits: must be a table, not 3"),
        ('name = "x"', 'name = "x"\nlimits.mvoe_ms = 3', "line 2: limits.mvoe_ms: unknown key 'mvoe_ms'; did you"),
        ('{ id = "squares" }', "", "a tournament needs at least 1 of [[games]], not 0"),
        ('{ id = "squares" }', "3", "[[games]] 1: must be a table, not 3"),
        ('id = "squares"', 'id = "squares", options = { sum = 3 }', "unknown key 'sum'; there are total (options"),
        ('id = "squares"', 'id = "squares", options = { total = 0 }', "options.total: must be a whole number from 1"),
        ('id = "squares"', 'id = "squares", options = { total = [0, 9] }', "from 1 to"),
        ('id = "squares"', 'id = "squares", options = { total = [1, 9, 10] }', "a range is [least, greatest]"),
        ('id = "squares"', 'id = "squares", options = { total = [1.0, 2] }', "a range is [least, greatest]"),
        ('id = "squares"', 'id = "squares", options = 3', "options: must be a table in { }, not 3"),
        ('id = "squares"', 'id = "linked", options = { allow_one = [1, 2] }', "options.allow_one: "),
        ('id = "squares"', 'id = "squares", opening_plies = -1', "opening_plies: must be 0 or more, not -1"),
        (', { name = "greedy", run = "true" }', "", "a tournament needs at least 2 of [[bots]], not 1"),
        ('{ name = "perfect" }, { name = "greedy", run = "true" }', "", "at least 2 of [[bots]], not 0"),
        ('run = "true"', 'run = ""', "run: the command line is empty"),
        ('run = "true"', "run = \"a 'b\"", "cannot be read: No closing quotation"),
        ('run = "true"', 'run = "true", path = "."', "give path or run, not both"),
        ('run = "true"', 'pth = "."', "unknown key 'pth'; did you mean 'path'?"),
        ('name = "greedy", ', "", "name: is missing"),
        ('"greedy"', '"gre\\u200bedy"', "name: the character U+200B in it cannot be seen"),
        ('"greedy"', '"perfect"', "'perfect' is the name of [[bots]] 1 already"),
        ('name = "x"', 'name = "x"\nformat = "gauntlet"', 'line 2: format: a gauntlet needs heroes = ["NAME", ...]'),
        ('name = "x"', 'name = "x"\nheroes = ["perfect"]', "line 2: heroes: heroes are for format = 'gauntlet' only"),
        ('name = "x"', 'name = "x"\nformat = "gauntlet"\nheroes = ["prefect"]', "called 'prefect'; did you mean"),
        ('name = "x"', 'name = "x"\nformat = "gauntlet"\nheroes = ["perfect", "greedy"]', "nobody is left"),
        ('name = "x"', 'name = "x', "cup.toml is not TOML: a text lacks the quote at its end (at line 1"),
        ('"squares" }]', '"squares" }]\n[[games]]\n', "TOML: 'games = ...' stands above already: write all"),
        ('name = "x"', 'name = "x"\nname = "y"', "TOML: this is there already: leave one of the two out (at line 2"),
        ('name = "x"', "name = x", "TOML: this is no value: a text stands in quotes"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_what_would_be_right(old: str, new: str, says: str) -> None:
    assert old in SHORT
    told = mistakes(SHORT.replace(old, new))
    assert len(told) == 1
    assert says in told[0]


def test_an_unknown_bot_is_told_with_the_mistakes_of_other_keys(tmp_path: Path) -> None:
    text = SHORT.replace('"perfect"', '"prefect"').replace('name = "x"', 'name = "x"\nrounds = 0')
    told = mistakes(text)
    assert len(told) == 2
    assert told[0].startswith("cup.toml line 2: rounds: must be 1 or more")
    assert "no bot 'prefect': did you mean 'perfect'?" in told[1]


def test_keys_of_long_texts_and_of_tables_are_found_by_their_lines() -> None:
    text = 'name = """\nseed = 1\n"""\n' + SHORT.partition("\n")[2] + '[limits]\n"move_ms" = 0\n'
    told = mistakes(text)
    assert told[0].startswith("cup.toml line 1: name: ")
    assert told[1].startswith("cup.toml line 7: limits.move_ms: ")
    assert len(told) == 2


def test_the_ending_of_the_file_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(SHORT, encoding="utf-8")
    assert load(tmp_path / "cup").path == tmp_path / "cup.toml"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(ConfigError, match="is not UTF-8 text: byte 9 is wrong"):
        load(tmp_path / "latin.toml")


@pytest.mark.parametrize("name", ["a b", "囲碁", "a/b", "..", "<b>"])
def test_bots_may_have_any_name_that_shows(name: str) -> None:
    cup = read(SHORT.replace('"greedy"', json.dumps(name, ensure_ascii=False))).tournament
    assert cup.bots[1].name == name


# --- the bots themselves ---------------------------------------------------------------------------


def with_bot(entry: str, folder: Path) -> TournamentFile:
    return read(SHORT.replace('{ name = "greedy", run = "true" }', entry), folder)


def test_bots_are_found_beside_the_file_and_play_under_their_name_in_it(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print()")
    specs = resolve_bots(with_bot('{ name = "A B", path = "bot.py" }', tmp_path))
    assert [spec.name for spec in specs] == ["perfect", "A B"]
    assert specs[1].argv[-1] == str((tmp_path / "bot.py").resolve())
    ran = resolve_bots(with_bot('{ name = "ran", run = "python bot.py" }', tmp_path))[1]
    assert ran.argv[-1] == str((tmp_path / "bot.py").resolve())


def test_all_bots_that_cannot_be_played_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "bot.toml").write_text('name = "only"\nrun = "true"\ngames = ["grid"]\n')
    entries = (
        '{ name = "only", path = "only" }, { name = "gone", run = "no-such-program --x" }, { name = "prefect" }, '
        '{ name = "true" }'
    )
    with pytest.raises(ConfigError) as caught:
        resolve_bots(with_bot(entries, tmp_path))
    told = str(caught.value)
    assert len(told.splitlines()) == 4
    assert "[[bots]] 2: 'only' plays only grid, none of the games here" in told
    assert "[[bots]] 3, run: " in told
    assert "no-such-program" in told
    assert "did you mean 'perfect'?" in told
    assert "[[bots]] 5, name: no bot is called 'true'; if the program is meant, write run = 'true'" in told


# --- the schema ------------------------------------------------------------------------------------


def test_the_published_schema_is_that_of_the_code() -> None:
    published = Path(__file__).parent.parent / "docs" / "tournament.schema.json"
    assert json.loads(published.read_text()) == json_schema()


def test_the_schema_names_every_key_of_the_contract() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(Tournament.model_fields)
    assert set(schema["$defs"]["Limits"]["properties"]) == set(Limits.model_fields)
    assert not schema["additionalProperties"]


def test_the_documentation_shows_a_file_that_is_read_and_names_every_key(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "docs" / "tournament-file.md").read_text(encoding="utf-8")
    (tmp_path / "alice.py").touch()
    (tmp_path / "bob.jar").touch()
    example = text.partition("```toml\n")[2].partition("```")[0]
    assert parse(example, tmp_path / "cup.toml").tournament.name == "spring-cup"
    for key in (*Tournament.model_fields, *Limits.model_fields, "path", "run", "options", "opening_plies"):
        assert f"`{key}`" in text or f"[{key}]" in text


def test_a_game_given_by_its_name_alone_is_answered_with_the_entry() -> None:
    text = 'name = "x"\ngames = ["squares"]\nbots = ["first", "random"]\n'
    with pytest.raises(ConfigError) as caught:
        parse(text, Path("x.toml"))
    assert """must be a table such as { id = "squares" }, not 'squares'""" in str(caught.value)
    assert """must be a table such as { name = "first" }, not 'first'""" in str(caught.value)


def test_no_option_hides_another() -> None:
    grid = SHORT.replace('"squares" }', '"grid", options = { score = [5, 3], size = [4, 2], foo = 1 } }')
    told = mistakes(grid)
    assert [
        name for name in ("score", "size", "foo") if any(f"options.{name}:" in line for line in told)
    ] == [
        "score",
        "size",
        "foo",
    ]
    assert len(told) == 3


def test_an_entry_of_the_wrong_shape_hides_no_other(tmp_path: Path) -> None:
    bots = '[{ name = "" }, { nme = "x" }, { name = "a", run = "no-such-program x" }, { name = "nobdy" }]'
    told = "\n".join(mistakes(f'name = "x"\ngames = [{{ id = "squares" }}]\nbots = {bots}\n', tmp_path))
    for part in ("[[bots]] 1, name:", "unknown key 'nme'", "no program 'no-such-program'", "no bot 'nobdy'"):
        assert part in told


@pytest.mark.parametrize(
    ("run", "absent"),
    [
        ("python3 missing.py", "missing.py"),
        ("java -jar build/bot.jar", "build/bot.jar"),
        ("python3 -u there.py", None),
        ("java -cp lib/a.jar:b.jar Bot", None),
        ("bash -c 'exec ./missing.sh'", None),
        ("true --log=out.py", None),
    ],
)
def test_a_program_in_a_command_line_that_is_not_there_is_a_mistake(
    tmp_path: Path, run: str, absent: str | None
) -> None:
    (tmp_path / "there.py").touch()
    text = SHORT.replace('run = "true"', f'run = "{run}"')
    if absent is None:
        assert read(text, tmp_path).tournament.bots[1].run == run
    else:
        assert f"[[bots]] 2, run: '{absent}' in the command line is not there" in mistakes(text, tmp_path)[0]


def test_what_has_no_effect_is_a_mistake() -> None:
    heroes = SHORT.replace('"x"', '"x"\nformat = "gauntlet"\nheroes = ["perfect", "perfect"]')
    assert mistakes(heroes) == ["cup.toml line 3: heroes: 'perfect' is listed 2 times; once is enough"]
    limits = SHORT + "[limits]\nincrement_ms = 50\n"
    assert mistakes(limits) == [
        "cup.toml line 5: limits.increment_ms: it is added to the bank, and there is none: set bank_ms as well, or "
        "leave it out"
    ]
    assert read(limits + "bank_ms = 1000\n").tournament.limits.increment_ms == 50


def test_the_schema_takes_the_names_of_runs_that_the_code_takes() -> None:
    pattern = json_schema()["properties"]["name"]["pattern"]
    assert re.search(pattern, "spring-cup.2")
    assert not any(re.search(pattern, name) for name in ("sp ace", ".x", "-x", "", "x" * 41))
