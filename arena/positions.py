"""The positions of a recorded match, one after another, by the rules of its game.

Owns the way from a record to its positions, for those who look at a match: replay, analysis, the report. It
trusts nothing and explains little: `arena verify` tells at length what is wrong with a record.

Raises RecordError for a record whose moves its game does not allow, and UnknownGame for a game that is not
installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.catalogue import get_game
from arena.record import MatchRecord, RecordError
from games.interface import Game, MalformedMove, OptionError


@dataclass(frozen=True, slots=True)
class Positions:
    """A match as its game has it: `states[0]` is the start, and each move leads to the next state.

    `opening` and `moves` are the moves of the record as the game reads them; `states` has one more than both
    together.
    """

    game: Game[Any, Any]
    options: Any
    opening: tuple[Any, ...]
    moves: tuple[Any, ...]
    states: tuple[Any, ...]

    def before(self, index: int) -> Any:
        """The position in which the bots' move of this index was made."""
        return self.states[len(self.opening) + index]


def positions(record: MatchRecord) -> Positions:
    """All positions of a match, from its start to its last; RecordError if a move is not legal."""
    game = get_game(record.game)
    try:
        options = game.options(record.options)
    except OptionError as error:
        raise RecordError(f"match {record.id}: {error}") from None
    states = [game.start(options, record.seed)]
    opening = _play(game, states, record.opening, record.id)
    moves = _play(game, states, [move.move for move in record.moves], record.id)
    return Positions(game, options, tuple(opening), tuple(moves), tuple(states))


def _play(game: Game[Any, Any], states: list[Any], texts: Sequence[str], match: str) -> list[Any]:
    """Play these moves from the last state, adding a state for each; the moves as the game has them."""
    moves = []
    for text in texts:
        state = states[-1]
        wrong = "the game is over there" if game.outcome(state) is not None else None
        try:
            move = game.read_move(text)
            refused = None if wrong else game.refusal(state, move)
        except MalformedMove as error:
            wrong = str(error)
        else:
            wrong = refused.reason if refused else wrong
        if wrong:
            raise RecordError(f"match {match}: move {len(states)} is not legal: {wrong} (see arena verify)")
        moves.append(move)
        states.append(game.apply(state, move))
    return moves
