"""Replay and rerun: every step is told, the right match is found, and the lines are those of the referee."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_run import make_run

from arena.analysis import Analyst
from arena.catalogue import get_game
from arena.errors import UsageError
from arena.limits import Limits
from arena.player import Fault, ScriptedBot
from arena.record import MatchRecord, parse_record, read_records, record_line
from arena.referee import Fixture, Referee
from arena.replay import Filters, Replay, find, loser, verdict
from arena.rerun import Rerun, default_seat, patient
from arena.walk import Walk

EVIL = "\x1b[2Jevil\r\n\u202ename"


def match(**changes: Any) -> MatchRecord:
    """A match of squares from 9, the opening 1, in which bob loses after two moves."""
    values: dict[str, Any] = {
        "id": "squares.alice.bob.3a", "game": "squares", "options": {"total": 9}, "seed": 5, "opening": ["1"],
        "bots": [("alice", "aaaa"), ("bob", "bbbb")],
        "moves": [(2, "4", 1.5, ["hm"]), (1, "4", 2.25, [])],
        "winner": 1, "ending": "completed", "at_fault": None, "detail": "alice reached 0",
        "started": "2026-01-31T12:00:00.000Z", "wall_ms": 100.0,
    }  # fmt: skip
    return parse_record(record_line(**(values | changes)))


def crashed(**changes: Any) -> MatchRecord:
    more = {"moves": [(2, "4", 1.5, [])], "winner": 2, "ending": "crashed", "at_fault": 1,
            "detail": "exited with status 1", "stderr": "Traceback:\n\n  boom\x1b[31m\n"}  # fmt: skip
    return match(**(more | changes))


def shown(record: MatchRecord) -> str:
    return "\n".join(Replay(record, Analyst().analyse(record)).pages())


# --- what is shown ---------------------------------------------------------------------------------


def test_a_replay_shows_start_opening_moves_clocks_info_and_verdict() -> None:
    assert (
        "\n\n".join(Replay(match(), Analyst().analyse(match())).pages())
        == """\
squares.alice.bob.3a: squares total=9, seed 5
seat 1 alice (aaaa), seat 2 bob (bbbb)

Start
Total: 9
Time used: alice 0.000 ms, bob 0.000 ms

Opening 1 of 1: 1, made by the referee
Total: 8
Time used: alice 0.000 ms, bob 0.000 ms

Move 1 of 2: bob (seat 2) played 4 in 1.500 ms
Total: 4
Time used: alice 0.000 ms, bob 1.500 ms
info: hm
?? BLUNDER: threw away a win; winning moves: 1

Move 2 of 2: alice (seat 1) played 4 in 2.250 ms
Total: 0
Time used: alice 2.250 ms, bob 1.500 ms
   kept the win (winning moves: 4)

Result: alice (seat 1) won, completed: alice reached 0
Decisive: move 1: 1 was winning, took 4"""
    )


def test_a_fault_is_told_with_its_detail_and_stderr() -> None:
    text = shown(crashed())
    assert "bob (seat 2) won; alice (seat 1) lost by crashed: exited with status 1" in text
    assert "stderr:\n  Traceback:\n\n    boom\\x1b[31m" in text


def test_a_stderr_that_the_verdict_tells_already_is_not_told_again() -> None:
    detail = "exited with status 1; its last line on stderr: KeyError: 3"
    assert shown(crashed(detail=detail, stderr="KeyError: 3\n")).count("KeyError: 3") == 1
    assert "stderr:\n  Traceback\n  KeyError: 3" in shown(
        crashed(detail=detail, stderr="Traceback\nKeyError: 3")
    )


def test_options_are_shown_as_they_are_typed() -> None:
    linked = match(game="linked", options={"n": 10, "allow_one": True}, opening=[], moves=[])
    assert ": linked n=10 allow_one=true, seed 5\n" in Replay(linked).heading()


def test_no_text_of_a_bot_reaches_the_terminal_as_a_command() -> None:
    evil = match(
        bots=[(EVIL, EVIL), ("bob", "b")], moves=[(2, "4", 1.0, [EVIL]), (1, "4", 1.0, [])],
        detail=EVIL, id=EVIL, stderr=EVIL,
    )  # fmt: skip
    text = shown(evil) + verdict(evil) + Walk(Replay(evil)).page()
    assert not [char for char in text if char != "\n" and not char.isprintable()]


def test_a_draw_and_a_void_match_have_their_own_words() -> None:
    draw = match(winner=0, ending="turn-limit", detail="the limit of 9 moves is reached")
    assert verdict(draw) == "draw, turn-limit: the limit of 9 moves is reached"
    assert verdict(match(winner=None, ending="void", detail="late")) == "void: late"
    assert loser(draw) is None


# --- which match -----------------------------------------------------------------------------------


def test_a_part_of_an_id_finds_the_only_match_that_has_it() -> None:
    records = [match(), match(id="squares.alice.bob.3b"), match(id="squares.alice.bob.13a")]
    assert find(records, "b.3b").id == "squares.alice.bob.3b"
    assert find(records, "squares.alice.bob.3a").id == "squares.alice.bob.3a"


def test_names_may_be_written_as_they_are() -> None:
    records = [match(id="squares.Anna%202.Cl%C3%A9o.3a"), match(id="squares.Anna%202.Ben.3a")]
    assert find(records, "squares.Anna 2.Ben.3a").id == "squares.Anna%202.Ben.3a"
    assert find(records, "Cléo").id == find(records, "Cl%C3%A9o").id == "squares.Anna%202.Cl%C3%A9o.3a"


def test_bots_in_the_other_order_are_answered_with_the_order_of_the_id() -> None:
    for part in ("squares.bob.alice.3a", "bob.alice.3a"):
        with pytest.raises(UsageError, match=r"in its id: did you mean 'squares.alice.bob.3a'"):
            find([match()], part)


def test_an_ambiguous_part_lists_the_candidates() -> None:
    records = [match(id=f"m{number}") for number in range(12)]
    with pytest.raises(UsageError, match=r"'m' is in the ids of 12 matches: m0, m1, .* and 2 more"):
        find(records, "m")


def test_a_part_that_no_id_has_is_refused() -> None:
    with pytest.raises(UsageError, match="no match has 'x' in its id"):
        find([match(id="m")], "x")


def test_of_a_void_match_and_its_replay_the_replay_is_shown() -> None:
    void = match(winner=None, ending="void")
    assert find([void, match()], "3a").result.winner == 1
    assert find([match(), void], "3a").result.winner == 1


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        (Filters(), True),
        (Filters(bot="alice"), True),
        (Filters(bot="carol"), False),
        (Filters(game="grid"), False),
        (Filters(ending="completed"), True),
        (Filters(ending="timeout"), False),
        (Filters(lost_by="bob"), True),
        (Filters(lost_by="alice"), False),
        (Filters(bot="alice", game="squares", lost_by="bob"), True),
    ],
)
def test_filters_take_what_fits_all_of_them(filters: Filters, fits: bool) -> None:
    assert filters.take(match()) is fits


def test_an_ending_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="no ending 'tiemout': there are completed, timeout"):
        Filters(ending="tiemout")


# --- once more, for one bot ------------------------------------------------------------------------


def test_the_lines_are_those_that_the_referee_sent(tmp_path: Path) -> None:
    """Play matches of all kinds, and compare what each bot heard with what a rerun would send it."""
    limits = Limits(move_ms=700, bank_ms=5000, increment_ms=10)
    for game_id, opening in (("squares", ["4", "9"]), ("grid", []), ("sum-to-zero", ["3"]), ("linked", [])):
        game = get_game(game_id)
        bots = (
            ScriptedBot("a", lambda turn: turn.legal[0], ms=3),
            ScriptedBot("b", lambda turn: turn.legal[-1]),
        )
        fixture = Fixture("m", game_id, game.options({}).model_dump(), 12, opening)
        record = parse_record(Referee(game, limits).play(fixture, bots).line)
        for seat, bot in enumerate(bots, 1):
            rerun = Rerun(record, seat, limits)
            sent = rerun.greeting() + b"".join(ask.block for ask in rerun.asks())
            assert sent.decode().splitlines() == bot.heard[:-1]  # the last is `over`


def test_a_bot_that_answers_the_same_is_led_to_the_end() -> None:
    rerun = Rerun(match(), 2)
    answers = list(rerun.play(ScriptedBot("bob", ["info again\n4"])))
    assert [(answer.given, answer.same, answer.info) for answer in answers] == [("4", True, ("again",))]


def test_a_rerun_stops_at_the_first_answer_that_differs() -> None:
    long = match(
        options={"total": 6}, moves=[(2, "1", 1, []), (1, "1", 1, []), (2, "1", 1, []), (1, "1", 1, []),
                                     (2, "1", 1, [])], winner=2,
    )  # fmt: skip
    bot = ScriptedBot("bob", ["1", "4", "1"])
    answers = list(Rerun(long, 2).play(bot))
    assert [answer.same for answer in answers] == [True, False]
    assert answers[1].refused == "4 is greater than the total, 3"


def test_the_turn_in_which_a_bot_failed_is_asked_again() -> None:
    asks = list(Rerun(crashed(), 1).asks())
    assert [(ask.number, ask.recorded) for ask in asks] == [(2, None)]
    with pytest.raises(Fault):
        list(Rerun(crashed(), 1).play(ScriptedBot("alice", [])))


def test_the_seat_is_the_bots_own_or_that_of_whoever_failed_or_lost() -> None:
    assert default_seat(match(), "bob") == 2
    assert default_seat(match(), "bob-fixed") == 2
    assert default_seat(crashed(), "anyone") == 1
    assert default_seat(match(winner=0, ending="turn-limit"), "anyone") == 1


def test_without_limits_on_time_all_others_stay() -> None:
    limits = patient(Limits(memory_mb=77, move_ms=5))
    assert limits.memory_mb == 77
    assert limits.move_ms == limits.start_ms == 86_400_000


def test_every_match_of_a_run_can_be_shown(tmp_path: Path) -> None:
    analyst = Analyst()
    for record in read_records(make_run(tmp_path) / "matches.jsonl"):
        assert "Result: " in list(Replay(record, analyst.analyse(record)).pages())[-1]
