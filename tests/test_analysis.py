"""The analysis of matches: every judgement, the decisive move, accuracy, and effort within bounds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from test_solver import HoldingNim, MisereNim, TicTacToe

from arena import analysis
from arena.accuracy import Tables, columns, count
from arena.analysis import Accuracy, Analyst, Judgement, MatchAnalysis
from arena.catalogue import get_game
from arena.record import MatchRecord, RecordError, parse_record, record_line
from arena.solver import Solver
from arena.standings import Standings
from arena.tables import render
from games.interface import Game


def recorded(
    game: Game[Any, Any],
    moves: Sequence[str],
    *,
    options: dict[str, Any] | None = None,
    opening: Sequence[str] = (),
    ending: str = "completed",
    at_fault: int | None = None,
    winner: int | None = None,
    seed: int = 0,
) -> MatchRecord:
    """A record of these moves; the winner by the rules, if the game ended."""
    given = game.options(options)
    state = game.start(given, seed)
    made = []
    for at, text in enumerate([*opening, *moves]):
        if at >= len(opening):
            made.append((game.to_move(state), text, 1.0, ()))
        state = game.apply(state, game.read_move(text))
    over = game.outcome(state)
    if over is not None and ending == "completed":
        winner = over.winner
    line = record_line(
        id="m", game=game.id, options=given.model_dump(), seed=seed, opening=opening,
        bots=[("alice", "1"), ("bob", "2")], moves=made, winner=winner, ending=ending, at_fault=at_fault,
        detail="", started="2026-01-31T12:00:00.000Z", wall_ms=100.0,
    )  # fmt: skip
    return parse_record(line)


def squares(moves: str, total: int, **more: Any) -> MatchRecord:
    return recorded(get_game("squares"), moves.split(), options={"total": total}, **more)


def judgements(found: MatchAnalysis) -> list[str]:
    return [note.judgement.value for note in found.notes]


# Lost to the player to move are, from 0 up: 0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34.


def test_a_move_that_keeps_the_win_a_blunder_and_a_lost_one_are_told_apart() -> None:
    found = Analyst().analyse(squares("4 1 1 1 1", 8))
    assert judgements(found) == ["blunder", "blunder", "kept", "lost", "kept"]
    assert found.solved


def test_the_moves_that_would_have_won_are_listed_in_the_games_order() -> None:
    note = Analyst().analyse(squares("1 1 9 4 4 4 1 1 1", 26)).notes[0]
    assert (note.index, note.seat, note.move, note.best, note.missed) == (0, 1, "1", ("4", "9", "16"), "win")


def test_a_lost_position_has_no_best_move() -> None:
    note = Analyst().analyse(squares("4 1 1 1 1", 8)).notes[3]
    assert (note.judgement, note.best, note.missed) == (Judgement.LOST, (), "loss")


def test_the_decisive_move_is_the_last_blunder() -> None:
    assert Analyst().analyse(squares("4 1 1 1 1", 8)).decisive == "move 2: 4 was winning, took 1"


def test_a_decisive_move_with_several_better_ones_names_three_of_them() -> None:
    def decisive(moves: str, total: int) -> str | None:
        found = Analyst().analyse(squares(moves, total, ending="timeout", at_fault=1, winner=2))
        return found.decisive

    assert decisive("25", 26) == "move 1: 4, 9 and 16 were winning, took 25"
    assert decisive("1", 71) == "move 1: 4, 9, 49 and 1 more were winning, took 1"


def test_a_match_without_a_blunder_has_no_decisive_move() -> None:
    assert Analyst().analyse(squares("1 1", 2)).decisive is None


def test_moves_are_numbered_without_the_opening() -> None:
    found = Analyst().analyse(squares("4 1 1 1 1", 9, opening=["1"]))
    assert [note.index for note in found.notes] == [0, 1, 2, 3, 4]
    assert found.decisive == "move 2: 4 was winning, took 1"


def test_a_timeout_in_a_won_position_is_not_blamed_on_an_earlier_blunder() -> None:
    found = Analyst().analyse(squares("4", 8, ending="timeout", at_fault=2, winner=1))
    assert judgements(found) == ["blunder"]
    assert found.decisive is None


def test_a_timeout_in_a_lost_position_leaves_the_blunder_decisive() -> None:
    found = Analyst().analyse(squares("4 1 1", 8, ending="timeout", at_fault=2, winner=1))
    assert found.decisive == "move 2: 4 was winning, took 1"


def test_a_void_match_has_no_decisive_move() -> None:
    assert Analyst().analyse(squares("4 1 1", 8, ending="void")).decisive is None


def test_a_record_whose_moves_the_rules_refuse_is_named() -> None:
    record = squares("4 1 1 1 1", 8).model_copy(update={"options": {"total": 3}})
    with pytest.raises(RecordError, match="match m: move 1 is not legal: 4 is greater than the total"):
        Analyst().analyse(record)


# --- draws -----------------------------------------------------------------------------------------


@pytest.fixture
def tic_tac_toe(monkeypatch: pytest.MonkeyPatch) -> Game[Any, Any]:
    game = TicTacToe()
    monkeypatch.setattr("arena.positions.get_game", lambda _: game)
    return game


def test_a_draw_that_is_the_best_there_was_is_held(tic_tac_toe: Game[Any, Any]) -> None:
    found = Analyst().analyse(recorded(tic_tac_toe, ["0", "4", "8", "1", "7", "6", "2", "5", "3"]))
    assert set(judgements(found)) == {"held"}
    assert found.notes[1].best == ("4",)
    assert found.notes[1].missed == "draw"
    assert found.decisive is None


def test_a_draw_turned_into_a_loss_is_a_blunder_and_decisive(tic_tac_toe: Game[Any, Any]) -> None:
    found = Analyst().analyse(recorded(tic_tac_toe, ["0", "1", "4", "8", "3", "5", "6"]))
    assert judgements(found) == ["held", "blunder", "kept", "lost", "kept", "lost", "kept"]
    assert found.decisive is not None
    assert found.decisive.startswith("move 2: 4 was drawing, took 1")


# --- all games, against the solver -----------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["squares", "primes", "sum-to-zero", "grid", "linked"])
def test_every_judgement_agrees_with_the_exact_solver(game_id: str) -> None:
    game = get_game(game_id)
    small = {"squares": {"total": 30}, "sum-to-zero": {"limit": 4}, "grid": {"size": 3, "score": 12}}
    rng, solver, analyst = random.Random(3), Solver(game), Analyst()
    for seed in range(10):
        options = small.get(game_id, {})
        moves, states = playout(game, options, seed, rng)
        record = recorded(game, moves, options=options, seed=seed)
        for note, state in zip(analyst.analyse(record).notes, states, strict=True):
            solution = solver.solve(state)
            assert note.judgement.value == WORDS[solver.judge(state, game.read_move(note.move)).value]
            assert note.best == tuple(map(game.write_move, solution.winning_moves))[: analysis.BEST_LISTED]


WORDS = {"kept-win": "kept", "kept-draw": "held", "blunder": "blunder", "lost-anyway": "lost"}


def playout(
    game: Game[Any, Any], options: dict[str, Any], seed: int, rng: random.Random
) -> tuple[list[str], list[Any]]:
    state, moves, states = game.start(game.options(options), seed), [], []
    while game.outcome(state) is None:
        move = rng.choice(list(game.legal_moves(state)))
        moves.append(game.write_move(move))
        states.append(state)
        state = game.apply(state, move)
    return moves, states


@pytest.mark.parametrize("game", [HoldingNim(), MisereNim(), TicTacToe()], ids=lambda game: game.id)
def test_a_search_for_the_winner_alone_finds_the_same_winners(game: Game[Any, Any]) -> None:
    quick, exact, rng = Solver(game, winner_only=True), Solver(game), random.Random(1)
    for seed in range(20):
        for state in playout(game, {}, seed, rng)[1]:
            solution = exact.solve(state)
            assert quick.winner(state) == solution.winner
            if solution.winner == solution.to_move:
                assert tuple(quick.keeping(state, 50)) == solution.winning_moves
    assert quick.known <= exact.known


# --- bounds ----------------------------------------------------------------------------------------


def test_what_is_too_large_is_marked_and_the_end_is_judged_all_the_same() -> None:
    game = get_game("sum-to-zero")
    moves, _ = playout(game, {"limit": 30}, 0, random.Random(1))
    found = Analyst(max_positions=300).analyse(recorded(game, moves, options={"limit": 30}))
    assert not found.solved
    unknown = [note for note in found.notes if note.judgement is Judgement.UNKNOWN]
    assert unknown
    assert all(note.best == () for note in unknown)
    assert found.notes[-1].judgement is Judgement.KEPT


def test_effort_spent_in_vain_is_bounded_over_many_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    visited = []
    entered = Solver._enter

    def counted(self: Solver[Any, Any], state: Any, key: Any) -> Any:
        visited.append(1)
        return entered(self, state, key)

    monkeypatch.setattr(Solver, "_enter", counted)
    game, rng = get_game("sum-to-zero"), random.Random(2)
    analyst, per_match = Analyst(max_positions=5_000), []
    for _ in range(12):
        moves, _ = playout(game, {"limit": 60}, 0, rng)
        analyst.analyse(recorded(game, moves[:6], options={"limit": 60}, ending="void"))
        per_match.append(len(visited))
        visited.clear()
    assert sum(per_match) < 4 * 5_000 + 12 * 14 * 201
    assert per_match[-1] < 14 * 201


def test_a_number_with_millions_of_moves_is_given_up_at_once() -> None:
    game = get_game("linked")
    record = recorded(game, ["7"], options={"n": 10**9}, ending="timeout", at_fault=2, winner=1)
    assert judgements(Analyst(max_positions=2_000).analyse(record)) == ["unknown"]


def test_a_second_match_rests_on_what_the_first_one_solved() -> None:
    analyst = Analyst()
    analyst.analyse(squares("4 1 1 1 1", 8))
    known = analyst._solvers["squares"].known
    analyst.analyse(squares("4 1 1 1 1", 8))
    assert analyst._solvers["squares"].known == known > 0


# --- bots ------------------------------------------------------------------------------------------


def test_accuracy_is_the_share_of_chances_that_were_kept() -> None:
    tables = Tables()
    for record in (squares("4 1 1 1 1", 8), squares("1 1", 2)):
        count(tables, record, Analyst().analyse(record))
    table = tables["all"]
    assert table["alice"] == Accuracy(matches=2, moves=4, blunders=1, chances=3)
    assert table["bob"] == Accuracy(matches=2, moves=3, blunders=1, chances=2)
    assert (table["bob"].accuracy, table["bob"].blunders_a_match) == (0.5, 0.5)


def test_a_bot_that_never_had_a_chance_has_no_accuracy() -> None:
    record = squares("1", 2, ending="timeout", at_fault=2, winner=1)
    tables = Tables()
    count(tables, record, Analyst().analyse(record))
    assert tables["squares"]["alice"].accuracy is None
    assert Accuracy().blunders_a_match is None


def test_every_judgement_says_what_it_means() -> None:
    assert all(judgement.sentence.endswith(".") for judgement in Judgement)


def test_columns_for_the_tables_are_counted_by_game_and_over_all() -> None:
    primes = recorded(get_game("primes"), ["2", "3"], options={"n": 5})
    seen: list[int] = []
    found = columns([squares("4 1 1 1 1", 8), primes, squares("1", 4, ending="void")], progress=seen.append)
    assert list(found) == ["all", "squares", "primes"]
    assert found["squares"]["bob"] == {"accuracy": 0.0, "blunders_a_match": 1.0, "unknown": 0.0}
    assert found["primes"]["alice"] == {"accuracy": 0.0, "blunders_a_match": 1.0, "unknown": 0.0}
    assert found["all"]["alice"] == {"accuracy": 0.5, "blunders_a_match": 1.0, "unknown": 0.0}
    assert seen == [1, 2, 3]


def test_columns_fit_into_the_tables() -> None:
    records = [squares("4 1 1 1 1", 8), squares("1 1", 2)]
    text = render(Standings.from_records(records), extra=columns(records))
    assert "accuracy" in text
