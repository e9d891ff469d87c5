"""The proof of one record: all that the rules of its game, and the record itself, say about its fields.

Owns what is checked in a single record, in the order in which its fields stand; the first that does not follow is
the finding. What ties records to each other and to their tournament is `arena.audit`'s.

It relies on what the referee promises: a fault is told in the turn of the bot that failed, or before the first
move if it failed to start; the detail of an ending that the rules decide is the rules' own sentence; and moves are
written as the game writes them.

Raises nothing: whatever is wrong with a line is a Finding.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from arena.catalogue import get_game
from arena.errors import UnknownGame
from arena.record import Ending, MatchRecord
from games.interface import Game, MalformedMove, OptionError, Outcome

AT_START = frozenset({Ending.NO_START, Ending.FLOODED, Ending.MEMORY})
"""The faults that a bot can commit before its first turn, while it starts."""
ROUNDING_MS = 0.001
"""Times are rounded to microseconds when a record is written."""


class Finding(NamedTuple):
    """The first field of a record that is not as it should be, and why, in one sentence."""

    field: str
    sentence: str


def read(line: bytes) -> MatchRecord | Finding:
    """The record of a line; a Finding if it is none, or has a key twice, which readers take differently."""
    try:
        json.loads(line, object_pairs_hook=_each_key_once)
        return MatchRecord.model_validate_json(line)
    except _Twice as error:
        return Finding(error.key, f"the key {error.key!r} stands twice in one object")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return Finding(place or "line", first["msg"].removeprefix("Value error, "))
    except (ValueError, RecursionError) as error:
        return Finding("line", f"is no JSON: {error}")


class _Twice(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _each_key_once(pairs: list[tuple[str, Any]]) -> None:
    """Called for each object of a line; nothing is kept of it."""
    seen = set()
    for key, _ in pairs:
        if key in seen:
            raise _Twice(key)
        seen.add(key)


def prove(record: MatchRecord) -> Finding | None:
    """Play a record again through the rules: the first field that does not follow, or None."""
    try:
        game = get_game(record.game)
    except UnknownGame as error:
        return Finding("game", str(error))
    try:
        options = game.options(record.options)
    except OptionError as error:
        return Finding("options", str(error))
    whole = options.model_dump(mode="json")
    if json.dumps(record.options, sort_keys=True) != json.dumps(whole, sort_keys=True):
        return _options_differ(record.options, whole)
    try:
        return _prove_play(game, options, record)
    except (
        Exception
    ) as error:  # a plug-in is anyone's code: what it raises is told, and the next record proved
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return Finding("game", f"the rules of {record.game!r} failed on this record: {what}")


def _options_differ(found: dict[str, Any], whole: dict[str, Any]) -> Finding:
    """The first option that is missing, or is not written as the game writes it."""
    name = next(name for name in whole if json.dumps(found.get(name)) != json.dumps(whole[name]))
    what = f"is {found[name]!r}" if name in found else "is missing"
    return Finding(f"options.{name}", f"{what}, should be {whole[name]!r}")


def _prove_play(game: Game[Any, Any], options: Any, record: MatchRecord) -> Finding | None:
    """Play the opening and the moves, then look at the result."""
    state = game.start(options, record.seed)
    for index, text in enumerate(record.opening):
        state, wrong = _step(game, state, text, None)
        if wrong:
            return Finding(f"opening.{index}", wrong.sentence)
    for index, played in enumerate(record.moves):
        state, wrong = _step(game, state, played.move, played.seat)
        if wrong:
            return Finding(f"moves.{index}.{wrong.field}", wrong.sentence)
    return _prove_result(game, options, state, record)


def _step(game: Game[Any, Any], state: Any, text: str, seat: int | None) -> tuple[Any, Finding | None]:
    """The position after a move, or why the move cannot have been made by this seat."""
    over = game.outcome(state)
    if over is not None:
        return state, Finding("move", f"{text!r} comes after the end of the game: {over.sentence()}")
    if seat is not None and seat != (mover := game.to_move(state)):
        return state, Finding("seat", f"is {seat}, but seat {mover} was to move")
    try:
        move = game.read_move(text)
    except MalformedMove as error:
        return state, Finding("move", str(error))
    refused = game.refusal(state, move)
    if refused is not None:
        return state, Finding("move", f"{text} is not legal: {refused.reason}")
    if game.write_move(move) != text:
        return state, Finding("move", f"{text!r} is not how the game writes {game.write_move(move)!r}")
    return game.apply(state, move), None


# --- the result ------------------------------------------------------------------------------------


def _prove_result(game: Game[Any, Any], options: Any, state: Any, record: MatchRecord) -> Finding | None:
    """Whether ending, winner, seat at fault, detail and times follow from the last position."""
    ending, over = record.result.ending, game.outcome(state)
    if ending == Ending.VOID:  # the machine may fail at any moment
        return _prove_times(record)
    if ending == Ending.COMPLETED:
        finding = _prove_completed(record, over)
    elif over is not None:
        finding = Finding("result.ending", f"is {ending.value!r}, but the game was over: {over.sentence()}")
    elif ending == Ending.TURN_LIMIT:
        finding = _prove_turn_limit(record, game.max_moves(options))
    else:
        finding = _prove_fault(record, game.to_move(state))
    return finding or _prove_times(record)


def _prove_completed(record: MatchRecord, over: Outcome | None) -> Finding | None:
    result = record.result
    if over is None:
        return Finding("result.ending", "is 'completed', but the game is not over in the last position")
    sentence = over.sentence((record.bots[0].name, record.bots[1].name))
    if result.winner != over.winner:
        return Finding("result.winner", f"is {result.winner}, by the rules {over.winner}: {sentence}")
    return _prove_detail(record, sentence)


def _prove_turn_limit(record: MatchRecord, cap: int) -> Finding | None:
    made = len(record.opening) + len(record.moves)
    if made < cap or (made > cap and record.moves):
        return Finding("result.ending", f"is 'turn-limit' after {made} moves, but the limit is {cap}")
    return _prove_detail(record, f"the limit of {cap} moves is reached")


def _prove_detail(record: MatchRecord, right: str) -> Finding | None:
    """The words of an ending that the rules decide are known; what a failed bot did is not."""
    if record.result.detail == right:
        return None
    return Finding("result.detail", f"is {record.result.detail!r}, should be {right!r}")


def _prove_fault(record: MatchRecord, mover: int) -> Finding | None:
    """A bot fails in its turn; only before the first move may the other one have failed, by not starting."""
    ending, at_fault = record.result.ending, record.result.at_fault
    if ending == Ending.NO_START and record.moves:
        return Finding("result.ending", "is 'no-start', but moves were made")
    if at_fault != mover and (record.moves or ending not in AT_START):
        return Finding("result.at_fault", f"is seat {at_fault}, but seat {mover} was to move")
    return None


def _prove_times(record: MatchRecord) -> Finding | None:
    used = sum([move.ms for move in record.moves])
    if used > record.wall_ms + ROUNDING_MS * (len(record.moves) + 1):
        return Finding("wall_ms", f"is {record.wall_ms}, less than the {used:.3f} ms of the moves together")
    return None
