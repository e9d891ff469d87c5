"""What a report counts, packs and leaves out."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from report_runs import FIELD, HOSTILE_NAMES, STDERR, run_lines

from arena.accuracy import Tables, count
from arena.analysis import Analyst
from arena.record import MatchRecord, parse_record
from arena.report import data as data_module
from arena.report import matches
from arena.report.data import MOST_CROSSED, ReportData, build
from arena.report.figures import rank_labels
from arena.report.matches import MatchColumns, packed, plain, replay, without_folders
from arena.report.page import render
from arena.standings import Standings


@pytest.fixture(scope="module")
def data(records: list[MatchRecord]) -> ReportData:
    return build("cup", records)


def changed(record: MatchRecord, **values: Any) -> MatchRecord:
    return record.model_copy(update=values)


def column(records: list[MatchRecord], name: str) -> list[Any]:
    columns = MatchColumns()
    for record in records:
        columns.add(record, (0, 1), 0, None)
    return columns.columns[name]


def test_standings_are_those_of_the_command(data: ReportData, records: list[MatchRecord]) -> None:
    expected = Standings.from_records(records).tables()
    assert [panel.game for panel in data.panels] == [table.game for table in expected]
    assert [[line.row for line in panel.lines] for panel in data.panels] == [table.rows for table in expected]


def test_accuracy_is_that_of_the_analysis(data: ReportData, records: list[MatchRecord]) -> None:
    analyst, expected = Analyst(), Tables()
    for record in records:
        count(expected, record, analyst.analyse(record))
    for panel in data.panels:
        assert {line.row.bot: line.accuracy for line in panel.lines} == expected[panel.game]


def test_without_analysis_there_are_no_marks(records: list[MatchRecord]) -> None:
    plain_report = build("cup", records[:20], analyse=False)
    assert set(plain_report.packed["columns"]["marks"]) == {""}
    assert plain_report.panels[0].scatter is None


def test_a_game_too_large_to_solve_is_given_up_and_the_page_says_so(
    records: list[MatchRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_module, "Analyst", lambda: Analyst(max_positions=1))
    monkeypatch.setattr("arena.analysis.MOST_UNSOLVED", 5)
    report = build("cup", [record for record in records if record.game == "sum-to-zero"])
    assert report.panels[0].not_judged > 0
    assert "matches were not judged" in render(report)


def test_every_match_is_packed_once_and_by_its_id(data: ReportData, records: list[MatchRecord]) -> None:
    columns = data.packed["columns"]
    assert columns["id"] == [record.id for record in records]
    assert {len(values) for values in columns.values()} == {len(records)}
    assert columns["moves"] == [" ".join(move.move for move in record.moves) for record in records]


def test_marks_stand_for_the_moves_of_bots_alone(data: ReportData, records: list[MatchRecord]) -> None:
    for marks, record in zip(data.packed["columns"]["marks"], records, strict=True):
        assert len(marks) in (0, len(record.moves))


def test_a_blunder_names_what_would_have_won(data: ReportData) -> None:
    found = [best for best in data.packed["columns"]["best"] if best]
    assert found
    assert all(text.endswith(("was winning", "were winning")) for best in found for text in best[1::2])


def test_stderr_is_kept_with_the_match(data: ReportData, records: list[MatchRecord]) -> None:
    texts = data.packed["texts"]
    for number, record in zip(data.packed["columns"]["stderr"], records, strict=True):
        assert texts[number] == (STDERR if record.result.at_fault else "")


def test_a_stderr_that_is_the_last_line_of_the_verdict_is_not_kept_twice(records: list[MatchRecord]) -> None:
    failed = next(record for record in records if record.stderr)
    result = failed.result.model_copy(update={"detail": "exited; its last line on stderr: boom"})
    one, more = (changed(failed, result=result, stderr=text) for text in ("boom\n", "where\nboom\n"))
    numbers = column([one, more], "stderr")
    assert (numbers[0], numbers[1] > 0) == (0, True)


def test_void_matches_are_listed_and_not_counted(records: list[MatchRecord]) -> None:
    result = records[0].result.model_copy(
        update={"winner": None, "scores": (0.0, 0.0), "ending": "void", "at_fault": None}
    )
    report = build("cup", [changed(records[0], result=result), records[1]])
    assert (report.played, report.void) == (1, 1)
    assert report.packed["columns"]["winner"][0] == -1


def test_no_records_make_an_empty_report() -> None:
    report = build("cup", [], scheduled=12)
    assert (report.played, report.panels, report.bots) == (0, [], [])


def test_a_name_with_hidden_characters_is_shown_with_escapes(records: list[MatchRecord]) -> None:
    bots = (records[0].bots[0].model_copy(update={"name": HOSTILE_NAMES[2]}), records[0].bots[1])
    assert build("cup", [changed(records[0], bots=bots)]).bots[0] == "a\\u202eb\\u2028c"


def test_a_game_that_is_not_installed_is_listed_without_pictures(records: list[MatchRecord]) -> None:
    report = build("cup", [changed(records[0], game="chess-960")])
    note = report.packed["texts"][report.packed["columns"]["note"][0]]
    assert note.startswith("The position cannot be drawn: no game 'chess-960'")
    assert report.panels[1].title == "chess-960"


def test_a_record_that_breaks_the_rules_is_shown_up_to_there(records: list[MatchRecord]) -> None:
    record = next(record for record in records if record.game == "squares" and len(record.moves) > 3)
    moves = (*record.moves[:2], record.moves[2].model_copy(update={"move": "7"}), *record.moves[3:])
    played = replay(changed(record, moves=moves))
    assert played.moves == len(record.opening) + 2
    assert "7 is not a perfect square" in played.complaint
    assert column([changed(record, moves=moves)], "moves") == [" ".join(move.move for move in moves[:2])]


@pytest.mark.parametrize("text", ["four", "9" * 50, "٤"])
def test_a_malformed_move_in_a_record_is_no_accident_of_ours(records: list[MatchRecord], text: str) -> None:
    moves = (records[0].moves[0].model_copy(update={"move": text}),)
    assert "breaks the rules" in replay(changed(records[0], moves=moves)).complaint


def test_texts_of_bots_are_cut_and_then_left_out(
    records: list[MatchRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "BUDGET_BYTES", 1_000)
    columns = MatchColumns()
    for number, letter in enumerate("äöü"):
        moves = (records[0].moves[0].model_copy(update={"info": (letter * 5_000,)}),)
        columns.add(changed(records[0], id=str(number), moves=moves), (0, 1), 0, None)
    kept = [text for text in columns.to_json()["texts"] if "[…]" in text]
    assert kept == []
    assert columns.to_json()["left_out"] >= 3


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('File "/home/ann/cup/bots/x.py", line 3', 'File "…/x.py", line 3'),
        ("at turn (/srv/cup/x.js:3:9)", "at turn (…/x.js:3:9)"),
        ("file:///root/x.mjs:3", "file://~/x.mjs:3"),
        ("/tmp/arena-1/a b/x.py", "…/a b/x.py"),
        ("cannot enter /home/ann", "cannot enter ~"),
        ('File "/usr/lib/python3/json/decoder.py"', 'File "/usr/lib/python3/json/decoder.py"'),
        (
            "src/main.rs, 3/4/5, https://example.org/a/b </script>",
            "src/main.rs, 3/4/5, https://example.org/a/b </script>",
        ),
    ],
)
def test_the_page_does_not_tell_where_the_organiser_keeps_files(
    records: list[MatchRecord], text: str, shown: str
) -> None:
    assert without_folders(text) == shown
    failed = next(record for record in records if record.stderr)
    assert shown in build("run", [changed(failed, stderr=text)]).packed["texts"]


def test_a_long_stderr_keeps_its_end(records: list[MatchRecord]) -> None:
    columns = MatchColumns()
    columns.add(changed(records[0], stderr="x" * 9_000 + "the reason"), (0, 1), 0, None)
    kept = columns.to_json()["texts"][columns.columns["stderr"][0]]
    assert kept.startswith("[…] x")
    assert kept.endswith("the reason")


def test_packing_is_safe_in_markup_and_comes_back_whole() -> None:
    data = {"name": "</script><!--\u2028\u2029&amp;é\U0001f600"}
    text = packed(data)
    assert text.replace("=", "").replace("+", "").replace("/", "").isalnum()
    assert json.loads(zlib.decompress(base64.b64decode(text))) == data


def test_control_characters_become_escapes_but_lines_stay() -> None:
    assert plain("a\r\nb\tc\x1b[31m\u202e\u2066") == "a\nb\tc\\x1b[31m\\u202e\\u2066"


def test_bots_of_equal_rank_have_numbers_of_their_own(data: ReportData) -> None:
    assert rank_labels([1, 2, 2, 4]) == ["1", "2a", "2b", "4"]
    assert len(set(rank_labels([1] * 200))) == 200
    for panel in data.panels:
        assert panel.scatter is not None
        labels = [point.label for point in panel.scatter.points]
        assert len(set(labels)) == len(labels)


def test_a_large_field_is_cut_to_what_can_be_read() -> None:
    from report_runs import Player

    field = [Player(f"bot-{number:03}", 0.0, 1.0) for number in range(45)]
    lines = run_lines([*field, *FIELD[:1]], games=["squares"], rounds=1)
    report = build("cup", map(parse_record, lines), analyse=False)
    assert len(report.panels[0].crosstable) == MOST_CROSSED
    assert report.panels[0].bots == len(report.panels[0].lines) == 46
