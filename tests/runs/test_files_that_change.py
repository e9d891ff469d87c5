"""Fields that cannot play, and files that change between two runs: played, refused or explained."""

from __future__ import annotations

from typing import Any


def refused(field: Any, file: Any) -> str:
    """What is said of a file with which nothing is begun."""
    done = field.here("run", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return str(done.stderr)


def test_an_empty_field_and_a_single_bot_are_refused_before_anything_starts(field: Any) -> None:
    assert "bots" in refused(field, field.cup({}))
    assert "at least 2" in refused(field, field.cup(field.bots(1)))
    assert not (field.folder / "runs").exists()


def test_two_bots_of_the_same_name_are_refused_with_their_lines(field: Any) -> None:
    file = field.cup(field.bots(2))
    file.write_text(file.read_text().replace('name = "bot2"', 'name = "bot1"'))
    assert "bot1" in refused(field, file)
    assert not (field.folder / "runs").exists()


def test_every_missing_file_is_named_at_once(field: Any) -> None:
    said = refused(field, field.cup({"bot1": field.bot("bot1"), "gone": "gone.py", "lost": "lost.py"}))
    assert "'gone.py' is not there" in said
    assert "'lost.py' is not there" in said
    assert not (field.folder / "runs").exists()


def test_missing_files_and_missing_programs_are_named_together(field: Any) -> None:
    file = field.cup({"bot1": field.bot("bot1"), "gone": "gone.py"})
    with file.open("a") as more:
        more.write('[[bots]]\nname = "odd"\nrun = "no-such-program --fast"\n')
    said = refused(field, file)
    assert "'gone.py' is not there" in said
    assert "no-such-program" in said


def test_every_missing_program_is_named_at_once(field: Any) -> None:
    file = field.cup(field.bots(1))
    with file.open("a") as more:
        more.write('[[bots]]\nname = "odd"\nrun = "no-such-program --fast"\n')
        more.write('[[bots]]\nname = "even"\nrun = "nor-this-one"\n')
    said = refused(field, file)
    assert "no-such-program" in said
    assert "nor-this-one" in said
    assert not (field.folder / "runs").exists()


def test_a_bot_that_is_added_plays_just_what_is_missing(field: Any) -> None:
    bots = field.bots(3)
    assert field.here("run", field.cup(bots), "-j2", "-q").returncode == 0
    before = field.matches().read_bytes()
    file = field.cup({"newcomer": field.bot("newcomer"), **bots})
    done = field.here("run", file, "-j2", "-q")
    assert "24 of 24 matches recorded, 12 now" in done.stdout
    assert field.matches().read_bytes().startswith(before)
    new = set(field.records()) - {
        line.split('"id": "')[1].split('"')[0] for line in before.decode().splitlines()
    }
    assert len(new) == 12
    assert all("newcomer" in match_id for match_id in new)


def test_a_round_that_is_added_plays_just_what_is_missing(field: Any) -> None:
    bots = field.bots(3)
    assert field.here("run", field.cup(bots, rounds=1), "-q").returncode == 0
    done = field.here("run", field.cup(bots, rounds=2), "-q")
    assert "12 of 12 matches recorded, 6 now" in done.stdout


def test_a_bot_that_is_gone_another_seed_and_a_changed_bot_are_refused_with_the_difference(
    field: Any,
) -> None:
    bots = field.bots(3)
    assert field.here("run", field.cup(bots), "-q").returncode == 0
    before = field.matches().read_bytes()
    assert "the bot 'bot3' is gone, and has played 8 matches" in refused(field, field.cup(field.bots(2)))
    assert "seed is 8, and was 7" in refused(field, field.cup(bots, seed=8))
    field.bot("bot2", on_go="pass  # better now")
    assert "the bot 'bot2' has changed" in refused(field, field.cup(bots))
    assert field.matches().read_bytes() == before


def test_limits_given_as_flags_stand_for_the_whole_run(field: Any) -> None:
    file = field.cup(field.bots(2))
    assert field.here("run", file, "-q", "--move-ms", "900").returncode == 0
    done = field.here("run", file)
    assert done.returncode == 2
    assert "limits.move_ms is 1000, and was 900" in done.stderr
    assert field.here("run", file, "-q", "--move-ms", "900").returncode == 0


def test_a_bot_that_is_changed_during_a_run_is_left_out_and_named_with_what_to_do(
    field: Any, wait_until: Any
) -> None:
    bots = field.bots(2) | {"quits": field.bot("quits", on_go="sys.exit(1)")}
    file = field.cup(bots, rounds=30)
    run = field.start("run", file, "-j2", "-q")
    wait_until(lambda: field.size() > 0 and b"quits" in field.matches().read_bytes(), lambda: "no progress")
    script = field.folder / "quits.py"
    before = script.read_bytes()
    script.write_bytes(before + b"# mended\n")
    _, stderr = run.communicate()
    assert run.returncode == 3
    assert f"quits was left out: its files were changed during the run ({script}); restore them" in stderr
    assert "void" not in stderr
    lines = field.matches().read_text().splitlines()
    assert sum('"ending": "void"' in line for line in lines) < 60
    script.write_bytes(before)
    assert field.here("run", file, "-j2", "-q").returncode == 0
