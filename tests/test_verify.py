"""The proof of a run: every kind of tampering is found, and what is no fault is called none."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_run import Change, lines_of, make_run, tamper, unseal, write_lines

from arena.audit import Auditor
from arena.catalogue import get_game
from arena.errors import UsageError
from arena.journal import Journal
from arena.proof import Finding, prove, read
from arena.record import parse_record
from arena.run_folder import RunFolder
from arena.schedule import Pairing, Schedule
from arena.seal import SEALS, Seal, check, read_seals
from arena.standings import Standings
from arena.verify import Problem, Verification, verify


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("original"))


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    """A copy of the run to do anything with."""
    return Path(shutil.copytree(original, tmp_path / "small"))


def number_of(run: Path, game: str, ending: str = "completed", least: int = 3) -> int:
    """The line of a match of this game that ended so, with at least so many moves."""
    for number, line in enumerate(lines_of(run), 1):
        record = json.loads(line)
        fits = record["result"]["ending"] == ending and len(record["moves"]) >= least
        if fits and game in ("any", record["game"]):
            return number
    raise LookupError((game, ending))


def only(found: Verification) -> Problem:
    assert len(found.problems) == 1, found.problems
    return found.problems[0]


def test_an_untouched_run_is_proved(original: Path) -> None:
    found = verify(str(original), complete=True)
    assert found.ok, found.problems
    assert found.notes == []
    assert (found.run, found.played, found.scheduled, found.records) == ("small", 24, 24, 24)
    assert found.sealed == 24
    assert found.moves > 100


def test_the_digest_is_that_of_the_files_bytes(original: Path) -> None:
    from hashlib import sha256

    assert verify(str(original)).digest == sha256((original / "matches.jsonl").read_bytes()).hexdigest()


# --- one record, changed ---------------------------------------------------------------------------


def other_seat(record: dict[str, Any]) -> None:
    record["moves"][1]["seat"] = 3 - record["moves"][1]["seat"]


def other_winner(record: dict[str, Any]) -> None:
    result = record["result"]
    result["winner"] = 3 - result["winner"]
    result["scores"].reverse()


def other_fault(record: dict[str, Any]) -> None:
    other_winner(record)
    record["result"]["at_fault"] = 3 - record["result"]["at_fault"]


def swapped_bots(record: dict[str, Any]) -> None:
    record["bots"].reverse()


def renamed(record: dict[str, Any]) -> None:
    record["bots"][0]["name"] = "dave"


def as_completed(record: dict[str, Any]) -> None:
    record["result"].update(ending="completed", at_fault=None)


def as_timeout(record: dict[str, Any]) -> None:
    record["result"].update(ending="timeout", at_fault=3 - record["result"]["winner"])


def as_draw(record: dict[str, Any]) -> None:
    record["result"].update(ending="turn-limit", at_fault=None, winner=0, scores=[0.5, 0.5])


def without_last_move(record: dict[str, Any]) -> None:
    del record["moves"][-1]


def with_one_move_more(record: dict[str, Any]) -> None:
    last = record["moves"][-1]
    record["moves"].append({**last, "seat": 3 - last["seat"], "move": "1"})


def moved(to: str) -> Change:
    return lambda record: record["moves"][1].update(move=to)


def put(*path: str, to: Any) -> Change:
    def change(record: dict[str, Any]) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = to

    return change


CHANGES = [
    ("squares", "completed", other_seat, "moves.1.seat"),
    ("squares", "completed", moved("3"), "moves.1.move"),
    ("squares", "completed", moved("04"), "moves.1.move"),
    ("squares", "completed", moved("x"), "moves.1.move"),
    ("squares", "completed", other_winner, "result.winner"),
    ("squares", "completed", as_timeout, "result.ending"),
    ("squares", "completed", as_draw, "result.ending"),
    ("squares", "completed", without_last_move, "result.ending"),
    ("squares", "completed", with_one_move_more, "moves.*.move"),
    ("squares", "completed", swapped_bots, "bots.0.name"),
    ("squares", "completed", renamed, "bots.0.name"),
    ("squares", "completed", put("seed", to=1), "seed"),
    ("squares", "completed", put("options", "total", to=61), "options.total"),
    ("squares", "completed", put("options", "total", to="40"), "options.total"),
    ("squares", "completed", put("options", to={}), "options.total"),
    ("squares", "completed", put("options", "x", to=None), "options.x"),
    ("squares", "completed", put("options", "total", to={}), "options.total"),
    ("squares", "completed", put("options", "total", to=None), "options.total"),
    ("squares", "completed", put("opening", to=["1", "1"]), "opening"),
    ("squares", "completed", put("opening", to=[]), "opening"),
    ("squares", "completed", put("game", to="primes"), "game"),
    ("squares", "completed", put("id", to="squares.alice.bob.9a"), "id"),
    ("squares", "completed", put("id", to="squares.alice.dave.1a"), "id"),
    ("squares", "completed", put("id", to="anything"), "id"),
    ("squares", "completed", put("result", "scores", to=[1.0, 1.0]), "result"),
    ("squares", "completed", put("result", "winner", to=0), "result"),
    ("squares", "completed", put("result", "at_fault", to=1), "result"),
    ("squares", "completed", put("result", "detail", to="carol was lucky"), "result.detail"),
    ("squares", "completed", put("wall_ms", to=0.0), "wall_ms"),
    ("squares", "completed", put("format", to=2), "format"),
    ("squares", "completed", put("started", to="yesterday"), "started"),
    ("grid", "completed", put("seed", to=1), "seed"),
    ("grid", "completed", put("options", "score", to=21), "options.score"),
    ("any", "illegal", other_fault, "result.at_fault"),
    ("any", "illegal", as_completed, "result.ending"),
    ("any", "illegal", put("result", "ending", to="no-start"), "result.ending"),
]


@pytest.mark.parametrize(("game", "ending", "change", "field"), CHANGES)
def test_a_change_that_the_rules_or_the_schedule_contradict_is_found_without_seals(
    run: Path, game: str, ending: str, change: Change, field: str
) -> None:
    number = number_of(run, game, ending, least=2)
    tamper(run, number, _slow(change) if field == "wall_ms" else change, reseal=True)
    problem = verify(str(run)).problems[0]
    assert problem.line == number
    left, star, right = field.partition("*")
    assert problem.field == field or (
        star and problem.field.startswith(left) and problem.field.endswith(right)
    )


def _slow(change: Change) -> Change:
    """Scripted bots take no time: give one move some, for a wall time that is too short for it."""

    def both(record: dict[str, Any]) -> None:
        record["moves"][0]["ms"] = 5.0
        change(record)

    return both


@pytest.mark.parametrize(("last", "field"), [("1a", "id"), ("2b", "bots.0.name")])
def test_an_id_changed_to_another_scheduled_one_is_named_with_the_right_one(
    run: Path, last: str, field: str
) -> None:
    right = "grid.alice.bob.2a"
    number = [json.loads(line)["id"] for line in lines_of(run)].index(right) + 1
    tamper(run, number, put("id", to=right[:-2] + last), reseal=True)
    problem = only(verify(str(run)))
    assert (problem.line, problem.field) == (number, field)
    assert f"it is the match {right}" in problem.sentence or f"this is the match {right}" in problem.sentence


def test_many_records_that_fit_nowhere_do_not_make_every_start_again(
    original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = RunFolder(original).plan()
    assert plan is not None
    schedule = Schedule(plan.tournament.model_copy(update={"rounds": 300}))
    made: list[Pairing] = []
    start = Schedule.start
    monkeypatch.setattr(Schedule, "start", lambda self, pairing: made.append(pairing) or start(self, pairing))
    auditor = Auditor(schedule)
    for number, line in enumerate(lines_of(original), 1):
        record = json.loads(line)
        auditor.take(number, json.dumps(record | {"seed": record["seed"] + 1}).encode())
    assert {problem.field for problem in auditor.found.problems} == {"seed"}
    assert len(made) == auditor.found.records == len(auditor.found.problems)


def single_changes(record: dict[str, Any]) -> list[tuple[str, Change]]:
    """Every single change of a winner, a seed, an option, a seat or an id, and of each move to each near one."""
    changes: list[tuple[str, Change]] = [("winner", other_winner)]
    changes += [("seed", put("seed", to=record["seed"] + step)) for step in (-1, 1)]
    changes += [
        (f"options.{name}", put("options", name, to=value + step))
        for name, value in record["options"].items()
        for step in (-1, 1)
    ]
    changes += [
        ("id", put("id", to=record["id"][:-1] + last)) for last in ("a", "b", "c") if record["id"][-1] != last
    ]
    changes += [("bots", swapped_bots)]
    for index, move in enumerate(record["moves"]):
        changes.append((f"moves.{index}.seat", put_move(index, seat=3 - move["seat"])))
    return changes


def put_move(index: int, **values: Any) -> Change:
    return lambda record: record["moves"][index].update(values)


def test_every_single_change_of_what_was_scheduled_or_decided_is_found_in_every_record(
    original: Path,
) -> None:
    """Without any seal: by the rules and the schedule alone."""
    plan = RunFolder(original).plan()
    assert plan is not None
    schedule, checked = plan.schedule(), 0
    for line in lines_of(original):
        for name, change in single_changes(json.loads(line)):
            record = json.loads(line)
            change(record)
            auditor = Auditor(schedule)
            auditor.take(1, json.dumps(record).encode())
            assert auditor.found.problems, (name, record["id"])
            checked += 1
    assert checked > 200


def test_a_changed_move_is_found_by_the_rules_unless_all_that_follows_still_fits(original: Path) -> None:
    found = passed = 0
    for line in lines_of(original):
        for index in range(len(json.loads(line)["moves"])):
            record = json.loads(line)
            record["moves"][index]["move"] = "1" if record["moves"][index]["move"] != "1" else "4"
            if prove(parse_record(json.dumps(record))) is None:
                passed += 1  # such a change only the seals can show, and they show every one
            else:
                found += 1
    assert found > passed


HIDDEN = [
    put("started", to="2026-01-01T00:00:00.000Z"),
    put("wall_ms", to=99999.0),
    put("worker", to="elsewhere"),
    lambda record: record["moves"][0].update(ms=0.001),
    lambda record: record["moves"][0].update(info=[]),
]


@pytest.mark.parametrize("change", HIDDEN)
def test_what_neither_rules_nor_schedule_can_show_the_seals_do(run: Path, change: Change) -> None:
    tamper(run, 7, change, reseal=False)
    problem = only(verify(str(run)))
    assert (problem.field, problem.line) == ("seal", None)
    assert "lines 6 to 10 were changed after being sealed" in problem.sentence


def test_a_legal_move_in_place_of_another_that_leads_on_as_well_is_found_by_the_seals(run: Path) -> None:
    """16 and 9 then 9 and 16, say: every move legal, the same end; only the bytes are others."""
    for number, line in enumerate(lines_of(run), 1):
        record = json.loads(line)
        if swap_two_moves(record):
            lines = lines_of(run)
            lines[number - 1] = json.dumps(record)
            write_lines(run, lines)
            assert prove(parse_record(lines[number - 1])) is None
            assert only(verify(str(run))).field == "seal"
            return
    raise LookupError("no record has two moves of one seat that can change places")


def swap_two_moves(record: dict[str, Any]) -> bool:
    moves = record["moves"]
    for first in range(len(moves) - 2):
        one, two = moves[first], moves[first + 2]
        if one["move"] != two["move"]:
            one["move"], two["move"] = two["move"], one["move"]
            if prove(parse_record(json.dumps(record))) is None:
                return True
            one["move"], two["move"] = two["move"], one["move"]
    return False


def test_every_single_byte_counts_for_the_seals(run: Path) -> None:
    journal = run / "matches.jsonl"
    data, rng = journal.read_bytes(), random.Random(1)
    for _ in range(40):
        at = rng.randrange(len(data))
        journal.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert check(journal).problem


# --- the lines of the file -------------------------------------------------------------------------


def test_a_match_that_is_there_twice_is_found(run: Path) -> None:
    lines = lines_of(run)
    write_lines(run, [*lines, lines[3]])
    problem = only(verify(str(run)))
    assert (problem.line, problem.field) == (25, "id")
    assert "twice: it has a result in line 4" in problem.sentence


def test_a_missing_match_is_a_note_and_with_complete_a_problem(run: Path) -> None:
    lines = lines_of(run)
    missing = json.loads(lines[-1])["id"]
    write_lines(run, lines[:-1])
    unseal(run)
    found = verify(str(run))
    assert found.ok
    assert f"23 of 24 matches played; to be played: {missing}" in found.notes
    assert only(verify(str(run), complete=True)).field == "matches"


def test_a_line_taken_out_of_the_sealed_part_is_found(run: Path) -> None:
    lines = lines_of(run)
    write_lines(run, lines[:11] + lines[12:])
    assert "changed after being sealed" in only(verify(str(run))).sentence


def test_a_file_cut_after_a_whole_line_is_found_by_its_seals(run: Path) -> None:
    write_lines(run, lines_of(run)[:12])
    assert "it was cut: 24 lines were sealed, 12 whole ones are left" in only(verify(str(run))).sentence


def test_a_record_made_shorter_is_no_cut_file(run: Path) -> None:
    tamper(run, 24, put("wall_ms", to=0), reseal=False)
    assert "lines 21 to 24 were changed after being sealed" in only(verify(str(run))).sentence


def test_a_torn_last_line_is_explained_and_no_fault(run: Path) -> None:
    with open(run / "matches.jsonl", "ab") as file:
        file.write(b'{"format": 1, "id": "squ')
    found = verify(str(run))
    assert found.ok
    assert "is cut after 24 bytes" in found.notes[0]


def test_another_order_of_lines_is_explained(run: Path) -> None:
    write_lines(run, lines_of(run)[::-1])
    assert "in another order: no result is changed by that" in only(verify(str(run))).sentence


def test_another_order_of_lines_without_seals_is_no_fault(run: Path) -> None:
    write_lines(run, lines_of(run)[::-1])
    unseal(run)
    found = verify(str(run), complete=True)
    assert found.ok
    assert "not sealed" in found.notes[0]


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", "[" * 100_000, '{"format": 1}'])
def test_a_line_that_is_no_record_is_named(run: Path, text: str) -> None:
    write_lines(run, [*lines_of(run), text])
    assert only(verify(str(run))).line == 25


def test_a_key_that_stands_twice_is_found(run: Path) -> None:
    lines = lines_of(run)
    lines[0] = lines[0].replace('{"format": 1,', '{"format": 1, "seed": 5,')
    write_lines(run, lines)
    unseal(run)
    assert only(verify(str(run))).field == "seed"


def test_a_void_record_may_stand_beside_the_replay_of_its_match(run: Path) -> None:
    lines = lines_of(run)
    void = json.loads(lines[0])
    void["result"] = {
        "winner": None,
        "scores": [0.0, 0.0],
        "ending": "void",
        "at_fault": None,
        "detail": "late",
    }
    void["moves"] = void["moves"][:1]
    write_lines(run, [json.dumps(void), *lines])
    unseal(run)
    found = verify(str(run), complete=True)
    assert found.ok, found.problems
    assert (found.void, found.played) == (1, 24)


def test_a_void_record_alone_leaves_its_match_to_be_played(run: Path) -> None:
    tamper(
        run, 1, put("result", to={"winner": None, "scores": [0.0, 0.0], "ending": "void", "at_fault": None,
                                  "detail": "late"}), reseal=True,
    )  # fmt: skip
    assert only(verify(str(run), complete=True)).field == "matches"


def test_a_version_that_is_not_the_runs_is_found(run: Path) -> None:
    tamper(run, 2, lambda record: record["bots"][0].update(version="0" * 12), reseal=True)
    problem = only(verify(str(run)))
    assert (problem.line, problem.field) == (2, "bots.version")


# --- the files around it ---------------------------------------------------------------------------


def test_a_tournament_file_that_contradicts_the_plan_is_found(run: Path) -> None:
    path = run / "tournament.toml"
    path.write_text(path.read_text().replace("seed = 7", "seed = 8"))
    problem = only(verify(str(run)))
    assert (problem.field, problem.sentence) == ("tournament.toml", "seed is another than in the run's plan")


def test_another_seed_in_plan_and_file_contradicts_every_record(run: Path) -> None:
    for name, old in (("tournament.toml", "seed = 7"), ("run.json", '"seed":7')):
        text = (run / name).read_text()
        assert old in text or '"seed": 7' in text
        (run / name).write_text(text.replace(old, old[:-1] + "8").replace('"seed": 7', '"seed": 8'))
    assert len(verify(str(run)).problems) == 24


def test_a_seal_that_is_none_is_found(run: Path) -> None:
    with open(run / SEALS, "a") as file:
        file.write('{"upto": -1}\n')
    assert "is no seal" in only(verify(str(run))).sentence


def test_a_digest_that_was_published_is_compared(run: Path) -> None:
    digest = verify(str(run)).digest
    assert verify(str(run), digest=digest).ok
    assert only(verify(str(run), digest="0" * 64)).field == "digest"


def test_a_forger_who_rewrites_the_seals_too_is_caught_by_a_published_digest(run: Path) -> None:
    digest = verify(str(run)).digest
    tamper(run, 3, put("wall_ms", to=1234.0), reseal=True)
    forged = Seal.of(run / "matches.jsonl")
    (run / SEALS).write_text(forged.line() + "\n")
    assert verify(str(run)).ok
    assert only(verify(str(run), digest=digest)).field == "digest"


def test_a_digest_of_an_earlier_moment_is_recognised(run: Path) -> None:
    lines = lines_of(run)
    seal = Seal()
    seal.update("".join(f"{line}\n" for line in lines[:10]).encode())
    problem = only(verify(str(run), digest=seal.digest))
    assert problem.sentence == "is that of the first 10 lines; 14 more were added since"


def test_seals_go_on_where_they_stopped(run: Path) -> None:
    journal = run / "matches.jsonl"
    assert Seal.of(journal).stamp == read_seals(run / SEALS)[-1]
    assert Seal.of(run / "missing.jsonl").lines == 0


def test_stored_tables_are_compared_with_the_records(run: Path, tmp_path: Path) -> None:
    tables = Standings.read(run / "matches.jsonl").to_json("small", 24)
    (run / "standings.json").write_text(json.dumps(tables))
    assert verify(str(run)).ok
    row = tables["tables"][0]["rows"][0]
    row["wins"] += 1
    published = tmp_path / "published.json"
    published.write_text(json.dumps(tables))
    problem = only(verify(str(run), tables=published))
    assert problem.field == "published.json tables.0.rows.0.wins"
    assert problem.sentence == f"is {row['wins']}, by the records {row['wins'] - 1}"


# --- records without a run -------------------------------------------------------------------------


@pytest.fixture
def bare(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(original / "matches.jsonl", tmp_path / "records.jsonl"))


def test_bare_records_are_proved_by_the_rules_and_it_says_what_could_not_be(bare: Path) -> None:
    found = verify(str(bare))
    assert found.ok
    assert found.scheduled is None
    assert "could not be checked" in found.notes[0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (put("seed", to=1), "seed"),
        (swapped_bots, "bots.0.name"),
        (put("id", to="primes.alice.bob.1a"), "game"),
        (other_seat, "moves.1.seat"),
    ],
)
def test_bare_records_are_held_to_their_own_ids_and_pairs(bare: Path, change: Change, field: str) -> None:
    folder = bare.parent
    bare.rename(folder / "matches.jsonl")
    number = number_of(folder, "squares")
    tamper(folder, number, change, reseal=False)
    (folder / "matches.jsonl").rename(bare)
    assert field in [problem.field for problem in verify(str(bare)).problems]


# --- one record ------------------------------------------------------------------------------------


def test_a_turn_limit_is_proved_by_the_games_own_cap() -> None:
    record = {
        "format": 1, "id": "m", "game": "squares", "options": {"total": 5}, "seed": 0, "opening": [],
        "bots": [{"name": "a", "version": "1"}, {"name": "b", "version": "1"}],
        "moves": [{"seat": 1, "move": "1", "ms": 0.0, "info": []}],
        "result": {"winner": 0, "scores": [0.5, 0.5], "ending": "turn-limit", "at_fault": None, "detail": ""},
        "started": "2026-01-31T12:00:00.000Z", "wall_ms": 1.0,
    }  # fmt: skip
    finding = prove(parse_record(json.dumps(record)))
    assert finding == Finding("result.ending", "is 'turn-limit' after 1 moves, but the limit is 5")


@pytest.mark.parametrize(("ending", "seat", "fine"), [("memory", 2, True), ("no-start", 2, True),
                                                      ("timeout", 2, False), ("timeout", 1, True)])  # fmt: skip
def test_only_a_bot_that_fails_to_start_fails_out_of_turn(ending: str, seat: int, fine: bool) -> None:
    winner = 3 - seat
    record = {
        "format": 1, "id": "m", "game": "squares", "options": {"total": 5}, "seed": 0, "opening": [],
        "bots": [{"name": "a", "version": "1"}, {"name": "b", "version": "1"}], "moves": [],
        "result": {"winner": winner, "scores": [float(winner == 1), float(winner == 2)], "ending": ending,
                   "at_fault": seat, "detail": "so"},
        "started": "2026-01-31T12:00:00.000Z", "wall_ms": 1.0,
    }  # fmt: skip
    assert (prove(parse_record(json.dumps(record))) is None) is fine


def test_an_unknown_game_and_wrong_options_are_findings_not_errors(original: Path) -> None:
    record = json.loads(lines_of(original)[0])
    for change, field in ((("game", "chess"), "game"), (("options", {"total": 0}), "options")):
        finding = prove(parse_record(json.dumps(record | dict([change]))))
        assert finding is not None
        assert finding.field == field


def test_a_record_reads_as_itself_and_anything_else_as_a_finding(original: Path) -> None:
    line = lines_of(original)[0].encode()
    assert read(line) == parse_record(line)
    assert isinstance(read(b"\xff"), Finding)


def test_the_run_is_found_by_its_folder_its_records_and_its_name(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run.parent / "runs").mkdir()
    run.rename(run.parent / "runs" / "small")
    monkeypatch.chdir(run.parent)
    assert all(verify(word).ok for word in ("runs/small", "runs/small/matches.jsonl", "small"))
    assert RunFolder(Path("runs/small")).name == "small"


def test_a_game_that_fails_on_a_record_is_a_finding_too(
    original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: Any, move: Any) -> Any:
        raise ZeroDivisionError("oops")

    record = parse_record(lines_of(original)[0])
    monkeypatch.setattr(get_game(record.game), "apply", broken)
    finding = prove(record)
    assert finding is not None
    assert "failed on this record: ZeroDivisionError: oops" in finding.sentence


@pytest.mark.parametrize("text", ["name = ", "name = 'small'", "\udcff"])
def test_a_tournament_file_that_cannot_be_read_is_found(run: Path, text: str) -> None:
    (run / "tournament.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert only(verify(str(run))).field == "tournament.toml"


def test_a_run_that_has_not_begun_is_refused(run: Path) -> None:
    (run / "matches.jsonl").unlink()
    with pytest.raises(UsageError, match="the run 'small' has no records yet"):
        verify(str(run))


@pytest.mark.parametrize("text", ["{}", "[]", "x"])
def test_a_file_that_holds_no_tables_is_refused(run: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(UsageError, match=r"t.json (has no tables|is no JSON)"):
        verify(str(run), tables=tmp_path / "t.json")
    with pytest.raises(UsageError, match="cannot be read"):
        verify(str(run), tables=tmp_path / "missing.json")


def test_lines_that_were_sealed_late_and_seals_of_lost_lines_are_told(run: Path) -> None:
    lines = lines_of(run)
    unseal(run)
    Journal.open(run).close()
    (note,) = verify(str(run)).notes
    assert note.startswith("lines 1 to 24 were not sealed when they were written")
    write_lines(run, lines[:20])
    with Journal.open(run) as journal:
        journal.append(lines[20:])
    found = verify(str(run))
    assert found.problems == []
    assert any("sealed lines up to line 24 were lost once" in note for note in found.notes)


@pytest.mark.parametrize("name", ["seals.jsonl", "tournament.toml"])
def test_a_file_beside_the_records_that_is_nested_without_end_is_a_problem_not_an_error(
    run: Path, name: str
) -> None:
    (run / name).write_text(("x = " if name.endswith("toml") else "") + "[" * 100_000 + "\n")
    assert not verify(str(run)).ok


def test_a_table_that_is_nested_without_end_is_no_table(run: Path) -> None:
    (run / "standings.json").write_text("[" * 100_000)
    with pytest.raises(UsageError, match="is no JSON"):
        verify(str(run))
