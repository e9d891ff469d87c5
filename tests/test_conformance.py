"""The examination passes games that keep the interface's promises, and names each broken promise."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from pydantic import Field

from arena.catalogue import game_ids, get_game
from games.conformance import ConformanceError, check_game
from games.interface import Game, GameOptions, MalformedMove, Outcome, Refusal, read_number


class Heap(NamedTuple):
    left: int
    to_move: int


class HeapOptions(GameOptions):
    heap: int = Field(9, ge=1, le=1_000, description="how many counters lie there at the start")


class Nim(Game[Heap, int]):
    """Take 1 to 3 counters; who takes the last one wins. Right in every respect."""

    id: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim"
    summary: ClassVar[str] = "Take 1 to 3 counters; who takes the last one wins."
    rules: ClassVar[str] = "Take 1 to 3 counters.\nWho takes the last one wins."
    options_type: ClassVar[type[GameOptions]] = HeapOptions

    def start(self, options: Any, seed: int) -> Heap:
        return Heap(options.heap, 1)

    def to_move(self, state: Heap) -> int:
        return state.to_move

    def legal_moves(self, state: Heap) -> Iterator[int]:
        return iter(range(1, min(3, state.left) + 1))

    def refusal(self, state: Heap, move: int) -> Refusal | None:
        return None if 1 <= move <= min(3, state.left) else Refusal(f"{move} cannot be taken")

    def apply(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - move, 3 - state.to_move)

    def outcome(self, state: Heap) -> Outcome | None:
        return Outcome(3 - state.to_move, "{winner} took the last one") if state.left == 0 else None

    def view(self, state: Heap, seat: int) -> str:
        return f"left={state.left}"

    def read_move(self, text: str) -> int:
        return read_number(text)

    def picture(self, state: Heap) -> str:
        return f"{state.left} counters"


class Tally:
    """A mutable position that equals another by its value."""

    def __init__(self, left: int, to_move: int) -> None:
        self.left, self.to_move = left, to_move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return 1


class Plain:
    """A position that equals only itself."""

    left, to_move = 9, 1


class NoDefault(GameOptions):
    heap: int = Field(description="a size")


class NoDescription(GameOptions):
    heap: int = 9


class BadDefault(GameOptions):
    heap: int = Field(9, ge=10, description="a size")


class Lenient(GameOptions, extra="allow"):
    heap: int = Field(9, description="a size")


def read_leniently(self: Any, text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise MalformedMove("no number") from error


def read_without_care(self: Any, text: str) -> int:
    return int(text)


def read_and_repeat(self: Any, text: str) -> int:
    if len(text) > 20 or not text.isascii() or not text.isdigit() or text != str(int(text)):
        raise MalformedMove(f"{text} is no number")
    return int(text)


def read_any_length(self: Any, text: str) -> Any:
    if not text or text.strip("9"):
        raise MalformedMove("no nines")
    return text


def take_in_place(self: Any, state: Tally, move: int) -> Tally:
    state.left, state.to_move = state.left - move, 3 - state.to_move
    return Tally(state.left, state.to_move)


def start_by_global_dice(self: Any, options: Any, seed: int) -> Heap:
    return Heap(random.randint(5, 9), 1)


def start_by_counting(self: Any, options: Any, seed: int) -> Heap:
    self.calls = getattr(self, "calls", 4) + 1
    return Heap(self.calls, 1)


def outcome_by_global_dice(self: Any, state: Heap) -> Outcome | None:
    return None if state.left else Outcome(random.choice([1, 2]), "{winner} is lucky")


def outcome_by_counting(self: Any, state: Heap) -> Outcome | None:
    self.calls = getattr(self, "calls", 0) + 1
    return None if state.left else Outcome(1 + self.calls % 2, "{winner} is next")


def start_and_keep_the_turn(self: Any, options: Any, seed: int) -> Heap:
    self.turn = 1
    return Heap(options.heap, 1)


def take_and_keep_the_turn(self: Any, state: Heap, move: int) -> Heap:
    self.turn = 3 - self.turn
    return Heap(state.left - move, 3 - state.to_move)


def start_and_keep_the_most(self: Any, options: Any, seed: int) -> Heap:
    self.most = 3
    return Heap(options.heap, 1)


def take_and_print(self: Any, state: Heap, move: int) -> Heap:
    print("taken:", move)
    return Heap(state.left - move, 3 - state.to_move)


def picture_by_global_dice(self: Any, state: Heap) -> str:
    return "*" * random.randint(1, 1000)


ONLY = Plain()
ONE_BY_ONE = {
    "legal_moves": lambda _, state: [1] if state.left else [],
    "refusal": lambda _, state, move: None if move == 1 and state.left else Refusal("only 1 can be taken"),
}
DRAWN = Outcome(0, "nothing left")
BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "an id with a space": ({"id": "my nim"}, "lower-case letters"),
    "an empty title": ({"title": " "}, "title must be a text"),
    "a summary of two lines": ({"summary": "a\nb"}, "summary must be one line"),
    "rules that are no text": ({"rules": None}, "rules must be a text"),
    "draws that is no truth value": ({"draws": "no"}, "draws must be True or False"),
    "options of another kind": ({"options_type": dict}, "subclass of games.interface.GameOptions"),
    "an option without default": ({"options_type": NoDefault}, "heap has no default"),
    "an option without description": ({"options_type": NoDescription}, "heap has no description"),
    "a default out of range": ({"options_type": BadDefault}, "is itself refused"),
    "unknown options accepted": ({"options_type": Lenient}, "unknown option is accepted"),
    "a start from global random": ({"start": start_by_global_dice}, "global random numbers"),
    "a start that differs": ({"start": start_by_counting}, "two different positions"),
    "a start that is decided": ({"start": lambda *_: Heap(0, 1)}, "already decided"),
    "a state that is a list": ({"start": lambda *_: [9, 1], "outcome": lambda *_: None}, "must be hashable"),
    "a state without equality": ({"start": lambda *_: Plain()}, "two different positions"),
    "a state that does not equal its copy": (
        {"start": lambda *_: ONLY, "outcome": lambda *_: None},
        "must equal its pickled copy",
    ),
    "an old state that changes": (
        {"start": lambda *_: Tally(9, 1), "apply": take_in_place},
        "apply changed the old state",
    ),
    "a third seat": ({"to_move": lambda *_: 0}, "to_move in Heap.* must be 1 or 2"),
    "a listed move refused": ({"refusal": lambda *_: Refusal("no")}, "listed as legal in .* but refused"),
    "an unlisted move allowed": ({"refusal": lambda *_: None}, "is not in legal_moves"),
    "a refusal that is a text": (
        {"refusal": lambda self, state, move: None if 0 < move <= min(3, state.left) else "no"},
        "must be a Refusal with a reason",
    ),
    "a move listed twice": ({"legal_moves": lambda *_: [1, 1]}, "lists a move twice"),
    "no move and no outcome": ({"outcome": lambda *_: None}, "no legal move, so outcome must say"),
    "lenient numbers": ({"read_move": read_leniently}, "exactly one text"),
    "a ValueError for nonsense": (
        {"read_move": read_without_care},
        "must raise MalformedMove, not ValueError",
    ),
    "a message as long as the text": ({"read_move": read_and_repeat}, "repeats the whole text"),
    "a move of 100,000 digits": (
        {"read_move": read_any_length, "write_move": lambda _, move: move},
        "must refuse a text of 100000 characters",
    ),
    "a move of two words": ({"write_move": lambda _, move: f"take {move}"}, "is written|one word"),
    "a view of prose": ({"view": lambda *_: "9 are left"}, "KEY=VALUE"),
    "a view of two lines": ({"view": lambda *_: "a=1\nb=2"}, "KEY=VALUE"),
    "an empty picture": ({"picture": lambda *_: ""}, "picture of .* must not be empty"),
    "an announcement of None": ({"announce_turn": lambda *_: None}, "announce_turn must give a text"),
    "a draw unannounced": ({"outcome": lambda _, s: None if s.left else DRAWN}, "draws = False"),
    "a third winner": ({"outcome": lambda _, s: None if s.left else Outcome(3, "x")}, "winner is 1, 2, or 0"),
    "a winner that is True": (
        {"outcome": lambda _, s: None if s.left else Outcome(s.to_move == 2, "x")},
        "winner is 1, 2, or 0 for a draw, not Outcome.winner=(True|False)",
    ),
    "a mover that is True": ({"to_move": lambda _, s: s.to_move == 1 or 2}, "to_move .* 1 or 2, not True"),
    "an outcome that is a tuple": (
        {"outcome": lambda _, s: None if s.left else (1, "x")},
        r"the outcome of Heap.* must be an Outcome whose winner .* not \(1, 'x'\)",
    ),
    "an outcome from global random": ({"outcome": outcome_by_global_dice}, "two answers|global random"),
    "an outcome that changes": ({"outcome": outcome_by_counting}, "outcome gives two answers for Heap"),
    "a picture from global random": ({"picture": picture_by_global_dice}, "picture uses the global random"),
    "the turn kept in the object": (
        {
            "start": start_and_keep_the_turn,
            "apply": take_and_keep_the_turn,
            "to_move": lambda self, _: self.turn,
        },
        "to_move of Heap.* gives [12], and later [12]: a game object keeps nothing",
    ),
    "an option kept in the object": (
        {
            "start": start_and_keep_the_most,
            "legal_moves": lambda self, s: range(1, min(self.most, s.left) + 1),
        },
        "needs the object that started it .*'most'.*: a game object keeps nothing",
    ),
    "a game that prints": (
        {"apply": take_and_print},
        r"take_and_print prints 'taken:' .*test_conformance.py, line \d+.: a game does no input or output",
    ),
    "a game that leaves": ({"apply": lambda *_: sys.exit(0)}, "raised SystemExit: 0 "),
    "no move and no outcome at the cap": (
        {**ONE_BY_ONE, "draws": True, "outcome": lambda *_: None, "max_moves": lambda *_: 9},
        "no legal move, so outcome must say",
    ),
    "a game that always reaches its cap": (
        {"draws": True, "max_moves": lambda *_: 2},
        "none of 20 random games came to an outcome within 2 moves",
    ),
    "a game that never ends": (
        {
            "max_moves": lambda *_: 10**9,
            "apply": lambda _, state, move: Heap(state.left, 3 - state.to_move),
        },
        "none of 20 random games came to an outcome within 5,000 moves",
    ),
    "an outcome without reason": ({"outcome": lambda _, s: None if s.left else Outcome(1, "")}, "one line"),
    "a winner named in a draw": (
        {"draws": True, "outcome": lambda _, s: None if s.left else Outcome(0, "{winner} won")},
        r"has \{winner\} in its reason",
    ),
    "a cap too low": ({"max_moves": lambda *_: 2}, "undecided after max_moves = 2"),
    "a cap of nothing": ({"max_moves": lambda *_: 0}, "at least 1"),
    "one key for all": ({"canonical": lambda *_: 0}, "only in one of them"),
    "a key that is a list": ({"canonical": lambda _, state: list(state)}, "canonical of .* must be hashable"),
    "successors in another order": (
        {"successors": lambda self, s: reversed([(m, self.apply(s, m)) for m in self.legal_moves(s)])},
        "successors of .* must be legal_moves",
    ),
}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_installed_game_conforms(game_id: str) -> None:
    check_game(get_game(game_id))


def test_a_game_that_keeps_its_promises_passes() -> None:
    check_game(Nim())
    check_game(Nim(), options={"heap": 40}, playouts=5, seed=3)


@pytest.mark.parametrize("fault", BROKEN)
def test_each_broken_promise_is_named(fault: str) -> None:
    changes, message = BROKEN[fault]
    broken = type("Broken", (Nim,), changes)
    with pytest.raises(ConformanceError, match=message) as caught:
        check_game(broken())
    assert str(caught.value).startswith("Broken: ")


def test_a_game_that_raises_is_told_with_method_file_and_line() -> None:
    def apply(self: Any, state: Heap, move: int) -> Heap:
        raise KeyError("gone")

    broken = type("Broken", (Nim,), {"apply": apply})
    with pytest.raises(
        ConformanceError, match=r"apply raised KeyError: 'gone' \(.*test_conformance.py, line \d+\)"
    ):
        check_game(broken())


def test_a_game_that_may_be_drawn_may_reach_its_cap() -> None:
    check_game(type("Capped", (Nim,), {"draws": True, "max_moves": lambda *_: 4})())


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(ConformanceError, match="must be an instance of a subclass"):
        check_game(object())  # type: ignore[arg-type]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    """The conformance command in the folder of the tests, without asserts, as an author might run it."""
    return subprocess.run(
        [sys.executable, "-O", "-m", "games.conformance", *args],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_says_yes_with_status_0() -> None:
    done = run("test_conformance:Nim")
    assert (done.returncode, done.stdout, done.stderr) == (0, "nim conforms\n", "")


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        ((), 2, "usage: "),
        (("no_such_module:Game",), 2, "cannot load 'no_such_module:Game'"),
        (("test_conformance:Missing",), 2, "cannot load "),
        (("test_conformance:Heap",), 2, "cannot load "),
        (("test_conformance:HeapOptions",), 1, "HeapOptions: it must be an instance"),
    ],
)
def test_the_command_says_no_in_one_line(args: tuple[str, ...], status: int, message: str) -> None:
    done = run(*args)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
