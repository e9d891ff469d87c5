"""The examination that every game must pass: one line in the author's own test.

    def test_my_game():
        check_game(MyGame())

or, without a test file, `python -m games.conformance MODULE:CLASS`. It plays the game at random and holds
it to everything that `games.interface` promises. `check_game` raises `ConformanceError`, an AssertionError
whose text says what is wrong, where, and what would be right; nothing here depends on the assert statement,
so that `python -O` examines just as strictly.
"""

from __future__ import annotations

import pickle
import random
import re
import sys
import traceback
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any, NoReturn

from games.interface import ID, Game, GameOptions, MalformedMove, OptionError, Outcome, Refusal

MAX_TOKEN_CHARS = 64
LISTED_CAP = 2_000
"""Of a longer list of legal moves only this many are looked at, and unlisted moves are not judged by it."""
EXAMINED_CAP = 400
"""So many positions are examined in full; the playouts go on beyond them."""

BAD_TEXTS = (
    *("", " ", "\n", "\t", "\0", "-", "--", "--4", "+4", "4.0", "4.", "1_0", " 4", "4 ", "4\n", "4\r", "4 5"),
    *("4,5", "٤", "४", "４", "²", "04", "007", "00", "-0", "-04", "+0", "0x4", "0b1", "1e3", "½", "−4"),
    *("inf", "nan", "NaN", "None", "True", "[4]", "4;", "'4'", "\ufeff4", "4\u200b", "\ud800", "{}", "%s"),
)
PROBES = ("0", "1", "2", "3", "4", "5", "7", "9", "10", "100", "1000000007", "-1", "-2", "-9", "a", "pass")
LONG_TEXTS = ("9" * 100_000, "-" + "9" * 100_000, "0" * 100_000, "x" * 100_000, " " * 100_000)


class ConformanceError(AssertionError):
    """A game breaks a promise of the interface; the text tells its author which, where, and what is right."""


def check_game(
    game: Game[Any, Any], *, playouts: int = 20, seed: int = 0, options: Mapping[str, Any] | None = None
) -> None:
    """Examine a game by `playouts` random games from `seed`, with its default options or those given."""
    name = type(game).__name__
    try:
        _check_names(game)
        _check_options(game)
        _Examination(game, game.options(options), seed).run(playouts)
    except ConformanceError as error:
        raise ConformanceError(f"{name}: {error}") from error.__cause__
    except Exception as error:  # the game is anyone's code: whatever it raises is told as a sentence
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{last.filename}, line {last.lineno}"
        what = f"{last.name} raised {type(error).__name__}: {error} ({place})"
        raise ConformanceError(f"{name}: {what}") from error


def _fail(message: str) -> NoReturn:
    raise ConformanceError(message)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


# --- what a game says of itself ----------------------------------------------------------------


def _check_names(game: Game[Any, Any]) -> None:
    if not isinstance(game, Game):
        _fail("it must be an instance of a subclass of games.interface.Game")
    for name in ("id", "title", "summary", "rules"):
        text = getattr(game, name, None)
        if not isinstance(text, str) or not text.strip():
            _fail(f"the class attribute {name} must be a text that is not empty, not {_show(text)}")
        if name != "rules" and "\n" in text:
            _fail(f"the class attribute {name} must be one line")
    if not ID.fullmatch(game.id):
        _fail(f"id {game.id!r} must be lower-case letters, digits and single hyphens, such as 'tic-tac-toe'")
    if not isinstance(game.draws, bool):
        _fail(f"draws must be True or False, not {_show(game.draws)}")


def _check_options(game: Game[Any, Any]) -> None:
    kind = getattr(game, "options_type", None)
    if not (isinstance(kind, type) and issubclass(kind, GameOptions)):
        _fail(f"options_type must be a subclass of games.interface.GameOptions, not {_show(kind)}")
    for name, field in kind.model_fields.items():
        if field.is_required():
            _fail(
                f"option {name} has no default: give it one, so that the game can be played without options"
            )
        if not field.description:
            _fail(f"option {name} has no description: add Field(..., description='...') for `arena rules`")
    defaults = game.options()
    for name, value in defaults.model_dump().items():
        _check_option(game, name, value)
    try:
        game.options({"no_such_option": "1"})
    except OptionError:
        return
    _fail("an unknown option is accepted: options_type must keep GameOptions' extra='forbid'")


def _check_option(game: Game[Any, Any], name: str, value: object) -> None:
    if not re.fullmatch(r"\S+", str(value)):
        _fail(
            f"the default {_show(value)} of option {name} must be one word: the protocol writes {name}=VALUE"
        )
    for given in (value, str(value)):  # a program gives a number, a person types a text
        try:
            read = getattr(game.options({name: given}), name)
        except OptionError as error:
            _fail(f"the default {_show(given)} of option {name} is itself refused: {error}")
        if read != value:
            _fail(f"option {name} given as {_show(given)} becomes {_show(read)} instead of {_show(value)}")


# --- texts -------------------------------------------------------------------------------------


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str):
        _fail(f"{what} must give a text, not {_show(text)}")


def _check_view(what: str, text: object) -> None:
    _check_text(what, text)
    if not re.fullmatch(r"[A-Za-z_]\w*=\S*( [A-Za-z_]\w*=\S*)*", str(text)):
        _fail(f"{what} must give one line of KEY=VALUE words with single spaces between, not {_show(text)}")


def _check_malformed(game: Game[Any, Any], texts: Iterable[str]) -> list[Any]:
    """Every text is refused with MalformedMove, or is exactly how its move is written; gives those moves."""
    moves = []
    for text in texts:
        try:
            move = game.read_move(text)
        except MalformedMove as error:
            if len(str(error)) > 1_000:
                _fail(f"read_move({_show(text)}) repeats the whole text in its message: shorten it")
            continue
        except Exception as error:
            _fail(f"read_move({_show(text)}) must raise MalformedMove, not {type(error).__name__}: {error}")
        if len(text) > MAX_TOKEN_CHARS:
            _fail(
                f"read_move must refuse a text of {len(text)} characters ({_show(text)}) with MalformedMove"
            )
        if game.write_move(move) != text:
            _fail(
                f"read_move({text!r}) gives {_show(move)}, which is written {game.write_move(move)!r}: "
                "a move has exactly one text, all others raise MalformedMove"
            )
        moves.append(move)
    return moves


def _near_misses(text: str) -> list[str]:
    """Texts that a careless reader takes for this one."""
    other_digits = text.translate({ord("0") + digit: ord("٠") + digit for digit in range(10)})
    variants = (
        f"+{text}",
        f" {text}",
        f"{text} ",
        f"{text}\n",
        f"{text}\0",
        f"0{text}",
        f"{text}.0",
        f"{text}_0",
    )
    return [near for near in (*variants, other_digits, f"{text} {text}") if near != text]


def _neighbours(game: Game[Any, Any], move: Any) -> list[Any]:
    """Well-formed moves that may or may not be legal where this one is: known for numbers only."""
    if not isinstance(move, int) or isinstance(move, bool):
        return []
    found = []
    for near in (move - 1, move + 1, -move, 2 * move):
        with suppress(MalformedMove):  # a number that is no move of this game never reaches `refusal`
            found.append(game.read_move(str(near)))
    return found


# --- play --------------------------------------------------------------------------------------


class _Examination:
    """Random playouts of one game, with what was met so far: moves and canonical keys of other positions."""

    def __init__(self, game: Game[Any, Any], options: Any, seed: int) -> None:
        self.game = game
        self.options = options
        self.rng = random.Random(seed)
        self.seen_moves: dict[Any, None] = {}  # a dict keeps the order: the same seed meets the same moves
        self.seen_keys: dict[Hashable, tuple[Any, bool]] = {}
        self.examined = 0

    def run(self, playouts: int) -> None:
        self.seen_moves.update(dict.fromkeys(_check_malformed(self.game, (*PROBES, *BAD_TEXTS, *LONG_TEXTS))))
        for _ in range(playouts):
            self._playout(self.rng.getrandbits(32))

    def _playout(self, seed: int) -> None:
        game, state = self.game, self._start(seed)
        cap = game.max_moves(self.options)
        if not isinstance(cap, int) or cap < 1:
            _fail(f"max_moves must give a whole number of at least 1, not {_show(cap)}")
        for _ in range(cap):
            if (outcome := game.outcome(state)) is not None:
                break
            if self.examined < EXAMINED_CAP:
                self.examined += 1
                self._examine(state)
            state = self._move(state)
        else:
            outcome = game.outcome(state)
        if outcome is not None:
            self._check_end(state, outcome)
        elif not game.draws:
            _fail(
                f"a random game (seed {seed}) is undecided after max_moves = {cap} moves, which is a draw, "
                "but draws is False: raise max_moves or set draws"
            )

    def _start(self, seed: int) -> Any:
        before = random.getstate()
        state, again = (self.game.start(self.options, seed) for _ in range(2))
        if random.getstate() != before:
            _fail("start uses the global random numbers: use random.Random(seed) and nothing else")
        if state != again:
            _fail(f"start gives two different positions for seed {seed}: {_show(state)} and {_show(again)}")
        self._check_value(state)
        _check_text("announce_start", self.game.announce_start(state))
        if self.game.outcome(state) is not None:
            _fail(f"the start position {_show(state)} of the options {self.options!r} is already decided")
        return state

    def _check_value(self, state: Any) -> None:
        try:
            key = hash(state)
        except TypeError as error:
            _fail(f"the state {_show(state)} must be hashable ({error}): use tuples or frozen classes")
        copy = pickle.loads(pickle.dumps(state))
        if copy != state or hash(copy) != key:
            _fail(f"the state {_show(state)} must equal its pickled copy and have the same hash")
        for seat in (1, 2):
            _check_view(f"view of {_show(state)} for seat {seat}", self.game.view(state, seat))
        _check_text("picture", picture := self.game.picture(state))
        if not picture.strip():
            _fail(f"picture of {_show(state)} must not be empty")

    def _examine(self, state: Any) -> None:
        """Everything that is promised of a position in which the game goes on."""
        game, where = self.game, _show(state)
        if (seat := game.to_move(state)) not in (1, 2):
            _fail(f"to_move in {where} must be 1 or 2, not {_show(seat)}")
        self._check_value(state)
        listed = list(islice(game.legal_moves(state), LISTED_CAP + 1))
        if not listed:
            _fail(f"in {where} there is no legal move, so outcome must say who won; it gives None")
        if len(set(listed)) != len(listed):
            _fail(f"legal_moves lists a move twice in {where}")
        if list(islice(game.legal_moves(state), LISTED_CAP + 1)) != listed:
            _fail(f"legal_moves must give the same list each time in {where}")
        self._check_refusals(state, listed)
        for move in listed[:50]:
            self._check_token(move)
        _check_text("announce_turn", game.announce_turn(state))
        self._check_successors(state, listed)
        self.seen_moves.update(dict.fromkeys(listed[:50]))

    def _check_refusals(self, state: Any, listed: list[Any]) -> None:
        for move in listed:
            if (refusal := self.game.refusal(state, move)) is not None:
                _fail(f"{_show(move)} is listed as legal in {_show(state)} but refused: {_show(refusal)}")
        if len(listed) > LISTED_CAP:
            return
        near = [other for move in listed[:50] for other in _neighbours(self.game, move)]
        for move in dict.fromkeys([*self.seen_moves, *near]):
            if move not in listed:
                self._check_refused(state, move)

    def _check_refused(self, state: Any, move: Any) -> None:
        refusal = self.game.refusal(state, move)
        if refusal is None:
            _fail(f"{_show(move)} is not in legal_moves of {_show(state)}, but refusal gives None")
        if not isinstance(refusal, Refusal) or not refusal.reason.strip() or "\n" in refusal.reason:
            _fail(
                f"refusal of {_show(move)} must be a Refusal with a reason of one line, not {_show(refusal)}"
            )

    def _check_token(self, move: Any) -> None:
        text = self.game.write_move(move)
        _check_text(f"write_move({_show(move)})", text)
        if not re.fullmatch(rf"\S{{1,{MAX_TOKEN_CHARS}}}", text) or not text.isprintable():
            right = f"one word of at most {MAX_TOKEN_CHARS} characters"
            _fail(f"write_move({_show(move)}) must give {right}, not {_show(text)}")
        if (back := self.game.read_move(text)) != move:
            _fail(f"{_show(move)} is written {text!r}, but that is read as {_show(back)}")
        if move not in self.seen_moves:
            _check_malformed(self.game, _near_misses(text))

    def _check_successors(self, state: Any, listed: list[Any]) -> None:
        game, snapshot = self.game, pickle.dumps(state)
        pairs = list(islice(game.successors(state), LISTED_CAP + 1))
        applied = [(move, game.apply(state, move)) for move in listed]
        if (old := pickle.loads(snapshot)) != state:
            _fail(f"apply changed the old state {_show(old)} into {_show(state)}: give a new one instead")
        if pairs != applied:
            _fail(
                f"successors of {_show(state)} must be legal_moves, in that order, each with what apply gives"
            )
        seat = game.to_move(state)
        ends = [end for _, after in pairs if (end := game.outcome(after)) is not None]
        self._check_key(state, any(end.winner == seat for end in ends))

    def _check_key(self, state: Any, wins_now: bool) -> None:
        key = self.game.canonical(state)
        try:
            other, other_wins = self.seen_keys.setdefault(key, (state, wins_now))
        except TypeError as error:
            _fail(f"canonical of {_show(state)} must be hashable ({error})")
        if self.game.canonical(pickle.loads(pickle.dumps(state))) != key:
            _fail(f"canonical gives two keys for equal states {_show(state)}")
        if other_wins != wins_now:
            _fail(
                f"canonical gives {_show(state)} and {_show(other)} the same key, but only in one of them "
                "the player to move can win at once"
            )

    def _move(self, state: Any) -> Any:
        """A random legal move made."""
        listed = list(islice(self.game.legal_moves(state), LISTED_CAP))
        if not listed:
            _fail(f"in {_show(state)} there is no legal move, so outcome must say who won; it gives None")
        move = self.rng.choice(listed)
        after = self.game.apply(state, move)
        _check_text("announce_move", self.game.announce_move(state, move, after))
        return after

    def _check_end(self, state: Any, outcome: Outcome) -> None:
        where = f"the outcome of {_show(state)}"
        if not isinstance(outcome, Outcome) or outcome.winner not in (0, 1, 2):
            _fail(f"{where} must be an Outcome whose winner is 1, 2, or 0 for a draw, not {_show(outcome)}")
        if outcome.winner == 0 and not self.game.draws:
            _fail(f"{where} is a draw, but the class says draws = False")
        sentence = outcome.sentence()
        if not sentence.strip() or "\n" in sentence:
            _fail(f"{where} must have a reason of one line, not {_show(outcome.reason)}")
        if left := re.search(r"\{\w*\}", sentence):
            right = "{winner} and {loser}" if outcome.winner else "{1} and {2}"
            _fail(f"{where} has {left[0]} in its reason; the words that stand for players here are {right}")
        self._check_value(state)
        _check_text("announce_end", self.game.announce_end(state, outcome))


def _main(args: list[str]) -> int:
    """`python -m games.conformance MODULE:CLASS`: 0 if it conforms, 1 if not, 2 if there is none."""
    try:
        module, _, name = args[0].partition(":")
        game = getattr(import_module(module), name)()
    except IndexError:
        print("usage: python -m games.conformance MODULE:CLASS", file=sys.stderr)  # noqa: T201 - the command's own
        return 2
    except Exception as error:  # whatever a stranger's module raises is told in one line
        print(f"cannot load {args[0]!r} as MODULE:CLASS: {error}", file=sys.stderr)  # noqa: T201 - as above
        return 2
    try:
        check_game(game)
    except ConformanceError as error:
        print(error, file=sys.stderr)  # noqa: T201 - as above
        return 1
    print(f"{game.id} conforms")  # noqa: T201 - as above
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
