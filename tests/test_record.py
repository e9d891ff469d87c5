"""The match record: written quickly, read with every check, and the same both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import HarnessFailure
from arena.record import (
    FAULTS,
    Ending,
    MatchRecord,
    RecordError,
    parse_head,
    parse_record,
    read_heads,
    read_records,
    record_line,
)
from arena.record_scan import scan

CONTRACT = """{"format": 1, "id": "squares.alice.bob.3a", "game": "squares", "options": {"total": 87},
 "seed": 1234, "opening": ["4", "9"],
 "bots": [{"name": "alice", "version": "9f2c51e0a7d3"}, {"name": "bob", "version": "77a01be4c9f8"}],
 "moves": [{"seat": 1, "move": "36", "ms": 0.412, "info": ["total 74 is lost"]}],
 "result": {"winner": 2, "scores": [0.0, 1.0], "ending": "completed", "at_fault": null,
  "detail": "bob reached 0"},
 "started": "2026-01-31T12:00:00.000Z", "wall_ms": 9.31}"""


def values(**changes: Any) -> dict[str, Any]:
    """The contract's example as arguments of `record_line`."""
    return {
        "id": "squares.alice.bob.3a", "game": "squares", "options": {"total": 87}, "seed": 1234,
        "opening": ["4", "9"], "bots": [("alice", "9f2c51e0a7d3"), ("bob", "77a01be4c9f8")],
        "moves": [(1, "36", 0.412, ["total 74 is lost"])], "winner": 2, "ending": "completed",
        "at_fault": None, "detail": "bob reached 0", "started": "2026-01-31T12:00:00.000Z", "wall_ms": 9.31,
    } | changes  # fmt: skip


def changed(path: str, value: object) -> str:
    """The contract's example with one field changed, or taken out where the value is `...`."""
    record = json.loads(CONTRACT)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = record
    for step in way:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(record)


def test_the_writer_writes_the_contracts_example_key_by_key() -> None:
    written = json.loads(record_line(**values()))
    assert written == json.loads(CONTRACT)
    assert list(written) == list(json.loads(CONTRACT))


def test_the_contracts_example_is_read() -> None:
    record = parse_record(CONTRACT.replace("\n", ""))
    assert record.bots[1].name == "bob"
    assert record.result.ending is Ending.COMPLETED
    assert record.moves[0].info == ("total 74 is lost",)


texts = st.text(max_size=20)
times = st.integers(0, 10**9).map(lambda us: us / 1000)
moves = st.lists(st.tuples(st.sampled_from([1, 2]), texts, times, st.lists(texts, max_size=2)), max_size=6)


@given(
    names=st.lists(texts, min_size=2, max_size=2, unique=True),
    version=texts,
    moves=moves,
    opening=st.lists(texts, max_size=3),
    options=st.dictionaries(texts, st.integers(-(2**70), 2**70) | st.booleans() | texts, max_size=3),
    seed=st.integers(0, 2**64),
    ending=st.sampled_from(Ending),
    wall_ms=times,
    worker=st.none() | texts,
    stderr=st.none() | texts,
)
def test_what_is_written_is_read_back_equal(
    names: list[str], version: str, moves: list[Any], ending: Ending, **rest: Any
) -> None:
    winner = None if ending is Ending.VOID else 0 if ending is Ending.TURN_LIMIT else 2
    at_fault = 1 if ending in FAULTS else None
    bots = [(names[0], version), (names[1], "")]
    given = values(
        bots=bots, moves=moves, ending=ending, winner=winner, at_fault=at_fault, detail=version, **rest
    )
    line = record_line(**given)
    assert line.isascii()
    assert "\n" not in line
    record = MatchRecord.model_validate_json(line)
    assert [(bot.name, bot.version) for bot in record.bots] == bots
    assert [(m.seat, m.move, m.ms, list(m.info)) for m in record.moves] == moves
    assert (record.result.winner, record.result.ending, record.result.at_fault) == (winner, ending, at_fault)
    assert list(record.opening) == rest["opening"]
    assert (record.worker, record.stderr) == (rest["worker"], rest["stderr"])
    assert (record.options, record.seed, record.wall_ms) == (rest["options"], rest["seed"], rest["wall_ms"])

    assert parse_head(line.encode()) == parse_head(line + "\n") == record.head()


def test_lines_as_the_writer_writes_them_are_scanned_and_not_read_whole() -> None:
    for changes in (
        {},
        {"moves": []},
        {"worker": "w", "stderr": 'a "b\\'},
        {"bots": [("囲碁", "1"), ('q"', "2")]},
    ):
        assert scan(record_line(**values(**changes)).encode()) is not None


def test_texts_cannot_mislead_the_scan() -> None:
    nasty = '], "result": {"winner": 1, {"seat": 1, "move": "4", "ms": 9.000, "info": [\\'
    line = record_line(**values(
        detail=nasty, stderr=nasty, worker=nasty, moves=[(1, nasty, 1.0, [nasty, nasty]), (2, "4", 2.0, ())],
        bots=[(nasty, nasty), ("bob", "")], opening=[nasty], id=nasty, game=nasty, options={nasty: nasty},
    ))  # fmt: skip
    head = parse_head(line.encode())
    assert head == parse_record(line).head()
    assert (list(head.think_1), list(head.think_2), head.winner) == ([1.0], [2.0], 2)


@given(st.data())
def test_a_line_with_one_byte_changed_is_read_as_the_whole_reader_reads_it_or_refused(
    data: st.DataObject,
) -> None:
    line = bytearray(record_line(**values()).encode())
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 127))
    try:
        whole = parse_record(bytes(line)).head()
    except RecordError:
        return  # what the tables do not look at may be broken: `arena verify` tells
    assert parse_head(bytes(line)) == whole


def test_a_lone_surrogate_is_written_as_the_replacement_character() -> None:
    line = record_line(**values(detail="bad \udc80 byte, \U0001f600 and \\udc80"))
    assert parse_record(line).result.detail == "bad \ufffd byte, \U0001f600 and \\udc80"


@pytest.mark.parametrize("ms", [float("nan"), float("inf")])
def test_a_time_that_is_no_number_is_never_written(ms: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        record_line(**values(wall_ms=ms))


def test_unknown_keys_are_left_out_and_no_mistake() -> None:
    assert parse_record(changed("later", {"x": 1})) == parse_record(CONTRACT)


def test_what_the_bot_at_fault_said_on_stderr_is_kept_and_cut_to_its_end() -> None:
    line = record_line(**values(worker="w1", stderr="x" + "é" * 40_000))
    assert line.endswith('"}')
    assert (parse_record(line).worker, parse_record(line).stderr) == ("w1", "é" * 32_768)
    assert "stderr" not in json.loads(record_line(**values()))


def test_a_text_with_a_lone_surrogate_is_written_in_stderr_too() -> None:
    assert parse_record(record_line(**values(stderr="\udcff!"))).stderr == "\ufffd!"


def test_info_may_be_missing() -> None:
    assert parse_record(changed("moves.0.info", ...)).moves[0].info == ()


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("format", 2, "format"),
        ("format", True, "format"),
        ("seed", "1", "seed"),
        ("seed", True, "seed"),
        ("bots", [], "bots"),
        ("bots.1.name", "alice", "both bots are called 'alice'"),
        ("moves.0.seat", 3, "moves.0.seat"),
        ("moves.0.seat", True, "moves.0.seat"),
        ("moves.0.ms", -1, "moves.0.ms"),
        ("moves.0.ms", "1", "moves.0.ms"),
        ("started", "yesterday", "started"),
        ("wall_ms", ..., "wall_ms: Field required"),
        ("result.winner", 3, "result.winner"),
        ("result.winner", True, "result.winner"),
        ("result.winner", 1, "scores [0.0, 1.0] do not fit winner 1: should be [1.0, 0.0]"),
        ("result.ending", "tired", "result.ending"),
        ("result.ending", "timeout", "needs at_fault"),
        ("result.ending", "void", "null for the ending 'void'"),
        ("result.ending", "turn-limit", "is a draw"),
        ("result.at_fault", 1, "nobody is at fault"),
        ("stderr", 3, "stderr"),
    ],
)
def test_a_wrong_field_is_named(path: str, value: object, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(changed(path, value), "matches.jsonl line 7")
    assert str(caught.value).startswith("matches.jsonl line 7: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"null", b"\xff", b'{"a": NaN}', b"[" * 100_000])
def test_a_line_that_is_no_record_is_one_clear_error(line: bytes) -> None:
    with pytest.raises(RecordError, match=r"^record: .+$"):
        parse_head(line)


@pytest.mark.parametrize("winner", [True, False, 1.0, 3, "1", None])
def test_what_is_no_seat_is_never_written_as_the_winner(winner: object) -> None:
    with pytest.raises(
        HarnessFailure, match=rf"^squares has a fault: the winner .* not {winner!r} "
    ) as caught:
        record_line(**values(winner=winner, ending=Ending.COMPLETED, at_fault=None))
    assert "\n" not in str(caught.value)


def test_a_seat_of_a_move_is_written_as_a_number_whatever_kind_it_is() -> None:
    assert parse_record(record_line(**values(moves=[(True, "4", 0.5, ())]))).moves[0].seat == 1


def test_the_head_has_what_the_tables_need() -> None:
    head = parse_head(record_line(**values(moves=[(1, "4", 0.5, ()), (2, "9", 1.5, ()), (1, "1", 0.25, ())])))
    assert (head.names, head.winner, head.scores) == (("alice", "bob"), 2, (0.0, 1.0))
    assert (list(head.think_1), list(head.think_2)) == ([0.5, 0.25], [1.5])


def test_a_last_line_that_is_still_being_written_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    one, two = (record_line(**{**values(), "id": f"squares.a.b.{number}a"}) for number in (1, 2))
    path.write_text(f"{one}\n\n{two}\n{one[:50]}")
    assert len(list(read_heads(path))) == 2
    assert len(list(read_records(path))) == 2


def test_a_match_that_stands_in_a_file_twice_counts_once_and_a_void_one_does_not_count(
    tmp_path: Path,
) -> None:
    path = tmp_path / "matches.jsonl"
    line = record_line(**values())
    void = record_line(**{**values(), "winner": None, "ending": Ending.VOID, "at_fault": None})
    path.write_text(f"{void}\n{line}\n{line}\n")
    assert [head.void for head in read_heads(path)] == [True, False]
    assert [record.void for record in read_records(path)] == [True, False]


@pytest.mark.parametrize("started", ["9999-99-99T99:99:99Z", "٢026-01-31T12:00:00Z", "2026-01-31T24:00:00Z"])
def test_a_moment_that_never_was_is_no_start(started: str) -> None:
    with pytest.raises(RecordError, match="started"):
        parse_record(record_line(**{**values(), "started": started}))


def test_a_bad_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    path.write_text(f"{record_line(**values())}\nnonsense\n")
    with pytest.raises(RecordError, match=r"^matches\.jsonl line 2: "):
        list(read_heads(path))


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(read_heads(tmp_path / "none.jsonl"))


def test_every_ending_has_its_sentence() -> None:
    assert all(ending.sentence.endswith(".") for ending in Ending)
    assert [ending for ending in Ending if not ending.is_fault] == ["completed", "turn-limit", "void"]
