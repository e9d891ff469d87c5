"""The solver against plain brute force, and where it has to give up."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import pytest

from arena.catalogue import get_game
from arena.errors import AnswerIsNo, TooLarge
from arena.solver import Effect, Solution, Solver, Worth
from games.interface import Game, GameOptions, Outcome, Refusal, read_number

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Toy(Game[Any, int]):
    """What the games below share: no options, numbers as moves."""

    options_type = GameOptions

    def refusal(self, state: Any, move: int) -> Refusal | None:
        return None if move in self.legal_moves(state) else Refusal("not listed")

    def view(self, state: Any, seat: int) -> str:
        return f"state={state}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def picture(self, state: Any) -> str:
        return str(state)


class Heap(NamedTuple):
    left: int
    mover: int


class HoldingNim(Toy):
    """Take 1 to 3, and move again after taking 2; whoever takes the last one wins. Turns do not alternate."""

    id = "holding-nim"

    def start(self, options: Any, seed: int) -> Heap:
        return Heap(12, 1)

    def to_move(self, state: Heap) -> int:
        if not state.left:
            raise AssertionError("to_move was asked of a finished game")
        return state.mover

    def legal_moves(self, state: Heap) -> range:
        return range(1, min(3, state.left) + 1)

    def apply(self, state: Heap, move: int) -> Heap:
        if move in (2, state.left):  # after the last one, `mover` is the player who took it
            return Heap(state.left - move, state.mover)
        return Heap(state.left - move, 3 - state.mover)

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.left else Outcome(state.mover, "{winner} took the last one")

    def canonical(self, state: Heap) -> Hashable:
        return state.left


class MisereNim(HoldingNim):
    """The same, but whoever takes the last one loses."""

    id = "misere-nim"

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.left else Outcome(3 - state.mover, "{loser} took the last one")


class TicTacToe(Toy):
    """A game with draws; a state is a text of nine cells, and how many are empty says whose turn it is."""

    id = "tic-tac-toe"
    draws = True

    def start(self, options: Any, seed: int) -> str:
        return "." * 9

    def to_move(self, state: str) -> int:
        return 2 - state.count(".") % 2

    def legal_moves(self, state: str) -> list[int]:
        return [cell for cell in range(9) if state[cell] == "."]

    def apply(self, state: str, move: int) -> str:
        return state[:move] + "XO"[self.to_move(state) - 1] + state[move + 1 :]

    def outcome(self, state: str) -> Outcome | None:
        for a, b, c in LINES:
            if state[a] != "." and state[a] == state[b] == state[c]:
                return Outcome("XO".index(state[a]) + 1, "{winner} has three in a row")
        return None if "." in state else Outcome(0, "the board is full")


class Chain(HoldingNim):
    """One move in each position: as deep as its heap is high."""

    id = "chain"

    def legal_moves(self, state: Heap) -> range:
        return range(1, 2)


class Circle(HoldingNim):
    """Positions repeat: the heap goes round from 1 to 3."""

    id = "circle"

    def apply(self, state: Heap, move: int) -> Heap:
        return Heap(1 + state.left % 3, 3 - state.mover)


class Stuck(HoldingNim):
    """A game with a fault: no moves and no outcome at 1."""

    id = "stuck"

    def legal_moves(self, state: Heap) -> range:
        return range(1, min(2, state.left))


class Crowd(HoldingNim):
    """Few positions, with very many moves in each."""

    id = "crowd"

    def legal_moves(self, state: Heap) -> range:
        return range(1000)

    def apply(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - 1, 3 - state.mover)


# --- brute force ---------------------------------------------------------------------------------


def brute_force(game: Game[Any, Any], state: Any, memo: dict[Any, Worth]) -> Worth:
    """The worth by plain recursion over whole states, straight from the definition of best play."""
    if state not in memo:
        memo[state] = _brute_force(game, state, memo)
    return memo[state]


def _brute_force(game: Game[Any, Any], state: Any, memo: dict[Any, Worth]) -> Worth:
    over = game.outcome(state)
    if over is not None:
        return Worth(over.winner, 0)
    mover = game.to_move(state)
    after = [brute_force(game, game.apply(state, move), memo) for move in game.legal_moves(state)]
    for winner, choose in ((mover, min), (0, min), (3 - mover, max)):
        lengths = [then.plies for then in after if then.winner == winner]
        if lengths:
            return Worth(winner, 1 + choose(lengths))
    raise AssertionError(f"no move and no outcome: {state}")


def solution_by_brute_force(game: Game[Any, Any], state: Any, memo: dict[Any, Worth]) -> Solution[Any]:
    worth = brute_force(game, state, memo)
    if game.outcome(state) is not None:
        return Solution(None, worth.winner, 0, (), (), 0)
    mover = game.to_move(state)
    after = [(move, memo[game.apply(state, move)]) for move in game.legal_moves(state)]
    winning = tuple(move for move, then in after if then.winner == mover)
    best = tuple(move for move, then in after if then == (worth.winner, worth.plies - 1))
    return Solution(mover, worth.winner, worth.plies, winning, best, 0)


def reachable(game: Game[Any, Any], start: Any) -> list[Any]:
    """Every position that can come up, each once, the start first."""
    seen, waiting = {start: None}, [start]
    while waiting:
        state = waiting.pop()
        if game.outcome(state) is None:
            for move in game.legal_moves(state):
                after = game.apply(state, move)
                if after not in seen:
                    seen[after] = None
                    waiting.append(after)
    return list(seen)


def same_answer(found: Solution[Any], expected: Solution[Any]) -> bool:
    """Equal but for the count of positions, which brute force does not have."""
    names = ("to_move", "winner", "plies", "winning_moves", "best_moves")
    return all(getattr(found, name) == getattr(expected, name) for name in names)


BUNDLED: list[tuple[str, dict[str, Any]]] = [
    ("squares", {"total": 60}),
    ("primes", {"n": 60}),
    ("sum-to-zero", {"limit": 1}),
    ("sum-to-zero", {"limit": 4}),
    ("grid", {"score": 9, "size": 3}),
    ("grid", {"score": 40, "size": 2}),
    ("linked", {"n": 24, "allow_one": True}),
    ("linked", {"n": 24, "allow_one": False}),
]


TOYS = [HoldingNim(), MisereNim(), TicTacToe()]


def assert_solved_as_by_brute_force(game: Game[Any, Any], start: Any) -> None:
    memo: dict[Any, Worth] = {}
    shared = Solver(game)
    for state in reachable(game, start):
        expected = solution_by_brute_force(game, state, memo)
        assert same_answer(shared.solve(state), expected), state
        assert shared.value(state) == (expected.winner, expected.plies), state


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.id)
def test_every_position_of_a_toy_game_is_solved_as_by_brute_force(toy: Toy) -> None:
    assert_solved_as_by_brute_force(toy, toy.start(None, 0))


@pytest.mark.parametrize(("game_id", "options"), BUNDLED, ids=str)
def test_every_position_of_a_bundled_game_is_solved_as_by_brute_force(
    game_id: str, options: dict[str, Any]
) -> None:
    game = get_game(game_id)
    assert_solved_as_by_brute_force(game, game.start(game.options(options), seed=5))


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.id)
def test_a_fresh_solver_and_one_that_was_asked_before_agree(toy: Toy) -> None:
    shared = Solver(toy)
    for state in reversed(reachable(toy, toy.start(None, 0))[:300]):
        assert same_answer(shared.solve(state), Solver(toy).solve(state)), state


# --- definitions ---------------------------------------------------------------------------------


def test_tic_tac_toe_is_a_draw_with_no_winning_move() -> None:
    found = Solver(TicTacToe()).solve("." * 9)
    assert (found.to_move, found.winner, found.plies, found.winning_moves) == (1, 0, 9, ())
    assert found.best_moves == tuple(range(9))


def test_a_slower_win_is_a_winning_move_but_not_a_best_move() -> None:
    found = Solver(TicTacToe()).solve(".O...X.OX")
    assert (found.winner, found.plies, found.best_moves) == (1, 1, (2,))
    assert found.winning_moves == (2, 4)


def test_a_finished_position_has_nobody_to_move_and_no_plies() -> None:
    assert Solver(TicTacToe()).solve("XXXOO....") == Solution(None, 1, 0, (), (), 0)
    assert Solver(TicTacToe()).value("XXOOOXXXO") == (0, 0)


@pytest.mark.parametrize(
    ("state", "move", "verdict"),
    [
        (".O...X.OX", 2, Effect.KEPT_WIN),
        (".O...X.OX", 4, Effect.KEPT_WIN),
        (".O...X.OX", 0, Effect.BLUNDER),
        ("X........", 4, Effect.KEPT_DRAW),
        ("X........", 1, Effect.BLUNDER),
        ("X....OXOX", 1, Effect.LOST_ANYWAY),
    ],
)
def test_a_move_is_judged_by_what_it_leaves_to_the_player_who_made_it(
    state: str, move: int, verdict: Effect
) -> None:
    assert Solver(TicTacToe()).judge(state, move) is verdict


def test_the_second_question_about_a_position_visits_nothing() -> None:
    solver = Solver(HoldingNim())
    assert solver.solve(Heap(12, 1)).positions == solver.known == 12
    assert solver.solve(Heap(12, 2)).positions == 0


# --- limits --------------------------------------------------------------------------------------


def test_a_game_of_200_000_positions_in_a_row_does_not_overflow() -> None:
    assert Solver(Chain()).value(Heap(200_000, 1)) == (2, 200_000)


def test_past_the_limit_the_answer_is_too_large_and_says_how_much_was_visited() -> None:
    with pytest.raises(TooLarge, match=r"chain is too large .* 1,000 positions were visited") as caught:
        Solver(Chain(), max_positions=1000).value(Heap(1001, 1))
    assert caught.value.exit_status == 1


def test_a_position_of_exactly_the_limit_is_solved() -> None:
    assert Solver(Chain(), max_positions=1000).value(Heap(1000, 1)) == (2, 1000)


def test_few_positions_with_very_many_moves_are_too_large_as_well() -> None:
    with pytest.raises(TooLarge, match="moves followed"):
        Solver(Crowd(), max_positions=1000).value(Heap(30, 1))


def test_positions_that_fill_the_memory_are_too_large() -> None:
    with pytest.raises(TooLarge, match="MB of memory"):
        Solver(Chain(), max_memory_mb=-(1 << 30)).value(Heap(5000, 1))


def test_a_question_that_takes_too_long_is_too_large_and_the_solver_can_be_asked_on() -> None:
    solver = Solver(Chain(), max_seconds=0)
    with pytest.raises(TooLarge, match=r"positions were visited in 0 s of the processor's time$"):
        solver.value(Heap(5000, 1))
    solver.max_seconds = 3600
    assert solver.value(Heap(5000, 1)) == (2, 5000)


def test_who_watches_is_told_how_many_positions_were_visited() -> None:
    told: list[int] = []
    Solver(Chain(), watch=told.append).value(Heap(20_000, 1))
    assert told == sorted(set(told))
    assert len(told) >= 4
    assert 0 < told[0] < told[-1] <= 20_000


def test_a_solver_that_gave_up_still_answers_what_it_can() -> None:
    toy = TicTacToe()
    solver, memo = Solver(toy, max_positions=500), dict[Any, Worth]()
    with pytest.raises(TooLarge):
        solver.solve("." * 9)
    assert solver.known < 500
    for state in ("XO.......", "XX.OO....", "XOXO....."):
        try:
            found = solver.solve(state)
        except TooLarge:
            continue
        assert same_answer(found, solution_by_brute_force(toy, state, memo)), state
    assert solver.value("XX.OO....") == (1, 1)


def test_the_memo_is_forgotten_before_it_grows_past_two_questions() -> None:
    solver = Solver(Chain(), max_positions=100)
    for height in (80, 160):
        solver.value(Heap(height, 1))
    assert solver.known == 160
    assert solver.value(Heap(90, 1)) == (2, 90)
    assert solver.known == 90


def test_positions_that_repeat_end_with_a_clear_line() -> None:
    with pytest.raises(AnswerIsNo, match="circle cannot be solved by this search: its positions repeat"):
        Solver(Circle()).solve(Heap(1, 1))


def test_a_position_with_neither_move_nor_outcome_is_named_as_the_rules_fault() -> None:
    with pytest.raises(AnswerIsNo, match=r"stuck .* no legal move and no outcome"):
        Solver(Stuck()).solve(Heap(5, 1))
