"""The referee's conversation with scripted bots: what is sent, what time there is, and every ending."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from arena.limits import Limits
from arena.player import Fault, ScriptedBot, Starved, Turn
from arena.record import Ending, MatchRecord
from arena.referee import Fixture, Played, Referee
from arena.seeds import seat_seed
from games.interface import Game
from games.linked import Linked
from games.squares import Squares
from games.sum_to_zero import SumToZero


def first(turn: Turn) -> str:
    return turn.legal[0]


def bots(one: Any = first, two: Any = first, **options: float) -> tuple[ScriptedBot, ScriptedBot]:
    return ScriptedBot("ann", one, **options), ScriptedBot("ben", two, **options)


def play(
    players: tuple[ScriptedBot, ScriptedBot],
    game: Game[Any, Any] | None = None,
    *,
    limits: Limits | None = None,
    opening: Sequence[str] = (),
    **options: Any,
) -> Played:
    game = game or Squares()
    options = options or {"total": 6}
    match = Fixture("m", game.id, options, 99, opening)
    return Referee(game, limits or Limits()).play(match, players)


def result(played: Played) -> dict[str, Any]:
    """The result in the record, which must be one that can be read."""
    MatchRecord.model_validate_json(played.line)
    found: dict[str, Any] = json.loads(played.line)["result"]
    return found


# --- what is sent ------------------------------------------------------------------------------------


def test_the_whole_conversation_of_a_short_match() -> None:
    players = bots(["1"], ["4"])
    play(players, total=5)
    seeds = [seat_seed(99, seat) for seat in (1, 2)]
    assert players[0].heard == [
        f"game squares seat=1 seed={seeds[0]} move_ms=1000 total=5",
        "state total=5",
        "legal 1 4",
        "go 1000",
        "over loss completed",
    ]
    assert players[1].heard == [
        f"game squares seat=2 seed={seeds[1]} move_ms=1000 total=5",
        "played 1 1",
        "state total=4",
        "legal 1 4",
        "go 1000",
        "over win completed",
    ]


def test_each_seat_has_a_seed_of_its_own_and_always_the_same() -> None:
    heard = []
    for _ in range(2):
        players = bots()
        play(players)
        heard.append([player.heard[0] for player in players])
    assert heard[0] == heard[1]
    assert seat_seed(99, 1) != seat_seed(99, 2)


def test_opening_moves_are_played_to_both_before_the_first_state_and_are_no_moves_of_the_record() -> None:
    players = bots()
    played = play(players, opening=["4", "1"], total=9)
    assert players[0].heard[1:4] == ["played 1 4", "played 2 1", "state total=4"]
    assert players[1].heard[1:5] == ["played 1 4", "played 2 1", "played 1 1", "state total=3"]
    record = json.loads(played.line)
    assert record["opening"] == ["4", "1"]
    assert [move["move"] for move in record["moves"]] == ["1", "1", "1", "1"]


def test_every_move_is_told_to_both_ones_own_included() -> None:
    players = bots()
    play(players, total=4)
    assert [line for line in players[0].heard if line.startswith("played")] == ["played 1 1", "played 2 1"]


def test_more_than_a_thousand_legal_moves_are_left_out() -> None:
    few, many = bots(["1"], ["1"]), bots(["1"], ["1"])
    play(few, Linked(), n=1001)
    play(many, Linked(), n=1002)
    assert any(line.startswith("legal") for line in few[0].heard)
    assert not any(line.startswith("legal") for line in many[0].heard[:4])


def test_options_are_sent_as_they_were_given() -> None:
    players = bots()
    play(players, Linked(), n=5, allow_one=True)
    assert players[0].heard[0].endswith("move_ms=1000 n=5 allow_one=true")


# --- the clock ---------------------------------------------------------------------------------------


def test_a_refused_move_is_asked_for_again_on_the_same_clock() -> None:
    players = bots(["5", "four", "4"], first, ms=100)
    played = play(players, total=4)
    assert [line for line in players[0].heard if line.startswith("go")] == ["go 1000", "go 900", "go 800"]
    refusals = [line for line in players[0].heard if line.startswith("illegal ")]
    assert "5" in refusals[0]
    assert "'four'" in refusals[1]
    assert json.loads(played.line)["moves"] == [{"seat": 1, "move": "4", "ms": 300.0, "info": []}]


def test_time_runs_out_over_refusals() -> None:
    played = play(bots(["5", "5", "4"], first, ms=400), total=4)
    assert result(played)["ending"] == "timeout"


def test_a_bank_is_used_up_and_filled_by_increments() -> None:
    players = bots(ms=200)
    limits = Limits(move_ms=500, bank_ms=600, increment_ms=50)
    play(players, limits=limits, total=6)
    assert "move_ms=500 bank_ms=600 increment_ms=50" in players[0].heard[0]
    assert [line for line in players[0].heard if line.startswith("go")] == ["go 500", "go 450", "go 300"]


def test_who_has_used_up_the_bank_loses_on_time() -> None:
    played = play(bots(ms=250), limits=Limits(move_ms=500, bank_ms=600), total=9)
    assert (played.verdict.ending, played.verdict.at_fault) == (Ending.TIMEOUT, 1)
    assert played.moves == 4


# --- how it ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(
    ("answer", "ending"), [("5", Ending.ILLEGAL), ("five", Ending.MALFORMED), ("", Ending.MALFORMED)]
)
def test_reprompts_are_counted_and_the_last_refusal_names_the_ending(
    seat: int, answer: str, ending: Ending
) -> None:
    scripts: list[Any] = [first, first]
    scripts[seat - 1] = lambda turn: answer
    players = bots(*scripts)
    found = result(play(players))
    assert (found["ending"], found["at_fault"], found["winner"]) == (ending, seat, 3 - seat)
    assert found["detail"].endswith("(asked again 2 times)")
    assert sum(line.startswith("illegal") for line in players[seat - 1].heard) == 2
    assert players[seat - 1].heard[-1] == f"over loss {ending}"
    assert players[2 - seat].heard[-1] == f"over win {ending}"


def test_without_reprompts_the_first_refusal_loses() -> None:
    players = bots(["5"], first)
    assert play(players, limits=Limits(reprompts=0)).verdict.ending is Ending.ILLEGAL
    assert not any(line.startswith("illegal") for line in players[0].heard)


def test_in_linked_a_number_above_n_loses_at_once() -> None:
    players = bots(["9"], first)
    played = play(players, Linked(), n=5)
    assert (played.verdict.ending, played.verdict.winner) == (Ending.ILLEGAL, 2)
    assert "asked again" not in played.verdict.detail
    assert not any(line.startswith("illegal") for line in players[0].heard)


def test_the_games_own_cap_on_moves_is_a_draw() -> None:
    class Short(Squares):
        def max_moves(self, options: Any) -> int:
            return 4

    players = bots()
    played = play(players, Short(), opening=["1"], total=50)
    assert (played.verdict.ending, played.verdict.winner) == (Ending.TURN_LIMIT, 0)
    assert played.moves == 3
    assert result(played)["scores"] == [0.5, 0.5]
    assert players[0].heard[-1] == players[1].heard[-1] == "over draw turn-limit"


@pytest.mark.parametrize("ending", [Ending.CRASHED, Ending.FLOODED, Ending.MEMORY, Ending.TIMEOUT])
def test_a_fault_of_a_player_is_data_in_the_record(ending: Ending) -> None:
    def fail(turn: Turn) -> str:
        raise Fault(ending, "as its author would need it")

    found = result(play(bots(first, fail)))
    assert found == {
        "winner": 1,
        "scores": [1.0, 0.0],
        "ending": ending,
        "at_fault": 2,
        "detail": "as its author would need it",
    }


def test_who_does_not_start_loses_whichever_seat_it_has() -> None:
    class Dead(ScriptedBot):
        def await_ready(self) -> None:
            raise Fault(Ending.NO_START, "did not start")

    for seat in (1, 2):
        players: list[ScriptedBot] = list(bots())
        players[seat - 1] = Dead("dead", [])
        found = result(play((players[0], players[1])))
        assert (found["ending"], found["at_fault"], found["winner"]) == ("no-start", seat, 3 - seat)


def test_a_match_in_which_the_machine_was_late_is_played_again() -> None:
    calls = []

    def late_once(turn: Turn) -> str:
        calls.append(turn)
        if len(calls) == 1:
            raise Starved("the machine was late")
        return turn.legal[0]

    players = bots(first, late_once)
    played = play(players)
    assert played.verdict.ending is Ending.COMPLETED
    assert [line.split()[0] for line in players[0].heard].count("game") == 2
    assert "over void void" in players[0].heard


def test_after_three_more_tries_it_stays_void_and_nobody_is_at_fault() -> None:
    def late(turn: Turn) -> str:
        raise Starved("the machine was late")

    players = bots(first, late)
    found = result(play(players))
    assert found == {
        "winner": None,
        "scores": [0.0, 0.0],
        "ending": "void",
        "at_fault": None,
        "detail": "the machine was late",
    }
    assert [line.split()[0] for line in players[0].heard].count("game") == 4


def test_info_of_refused_answers_stays_with_the_move() -> None:
    played = play(bots(["info a\n5", "info b\n4"], first), total=4)
    assert json.loads(played.line)["moves"][0]["info"] == ["a", "b"]


def test_a_negative_move_is_a_move_where_the_game_has_negative_numbers() -> None:
    played = play(bots(["-3"], ["3"]), SumToZero(), limit=4)
    assert (played.verdict.ending, played.verdict.winner) == (Ending.COMPLETED, 2)


def test_the_winner_by_the_rules_is_named_in_the_detail() -> None:
    assert result(play(bots(["4"], []), total=4))["detail"].startswith("ann ")
