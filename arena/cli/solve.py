"""`arena solve`: who wins with best play from a position, and how. Owns how that is told.

Raises UsageError for moves that cannot be played; what the solver raises passes through.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from arena.catalogue import get_game, parse_options
from arena.cli import completion
from arena.errors import UsageError
from arena.solver import MAX_MEMORY_MB, MAX_POSITIONS, MOVES_PER_POSITION, Solution, Solver
from games.interface import Game, MalformedMove

MAX_SECONDS = 30.0
"""How much of the processor's time a question may take, where positions are expensive: longer nobody waits."""
PROGRESS_SECONDS = 0.5
"""How often somebody who waits at a terminal is told how far it is."""
_BOUNDS = (
    f"Give up after this many positions, or {MOVES_PER_POSITION} times as many moves, or {MAX_MEMORY_MB} MB."
)


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="The game's id (see 'arena games').", autocompletion=completion.games
        ),
    ],
    options: Annotated[
        list[str] | None, typer.Argument(metavar="OPTION=VALUE", help="Start options of the game.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="K", help="Seed of what is shuffled at the start.")
    ] = 0,
    moves: Annotated[
        str, typer.Option("--moves", metavar='"M M ..."', help="Moves to play from the start first.")
    ] = "",
    max_positions: Annotated[
        int, typer.Option("--max-positions", metavar="N", min=1, help=_BOUNDS)
    ] = MAX_POSITIONS,
    max_seconds: Annotated[
        float,
        typer.Option(
            "--max-seconds", metavar="S", min=0, help="Give up after this much of the processor's time."
        ),
    ] = MAX_SECONDS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Say who wins with best play, and by which moves.

    It says, too, how long that takes: the winner hurries and the loser delays. A position that is too large to
    solve exactly ends with exit status 1, after half a minute at most unless --max-seconds says otherwise.

    \b
    Examples:
      arena solve squares total=87
      arena solve sum-to-zero --moves "9 -4"
      arena solve linked n=200 allow_one=false --json
    """
    chosen = get_game(game)
    start = chosen.start(parse_options(chosen, options or []), seed)
    state = _played(chosen, start, moves.split())
    with _progress() as watch:
        solution = Solver(chosen, max_positions, max_seconds=max_seconds, watch=watch).solve(state)
    if as_json:
        print(json.dumps(_facts(chosen, solution)))
    else:
        print("\n".join(_words(chosen, state, solution)))


@contextmanager
def _progress() -> Iterator[Callable[[int], None] | None]:
    """Who tells at a terminal how many positions were visited, on a line of stderr that goes when it is over."""
    if sys.stderr is None or not sys.stderr.isatty():  # None: the caller closed it
        yield None
        return
    due, shown = time.monotonic() + PROGRESS_SECONDS, ""

    def watch(visited: int) -> None:
        nonlocal due, shown
        if time.monotonic() >= due:
            due = time.monotonic() + PROGRESS_SECONDS
            shown = f"{_counted(visited, 'position')} looked at so far ..."
            print(f"\r{shown}", end="", file=sys.stderr, flush=True)

    try:
        yield watch
    finally:
        if shown:
            print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)


def _played(game: Game[Any, Any], state: Any, texts: Iterable[str]) -> Any:
    """The position after these moves; UsageError names the first that cannot be played, by its number."""
    for number, text in enumerate(texts, start=1):
        over = game.outcome(state)
        if over is not None:
            raise UsageError(f"move {number} comes after the end of the game: {over.sentence()}")
        try:
            move = game.read_move(text)
        except MalformedMove as error:
            raise UsageError(f"move {number} is no move of {game.id}: {error}") from None
        refusal = game.refusal(state, move)
        if refusal is not None:
            raise UsageError(f"move {number} is not legal: {refusal.reason}")
        state = game.apply(state, move)
    return state


def _facts(game: Game[Any, Any], solution: Solution[Any]) -> dict[str, Any]:
    """What programs are told."""
    return {
        "game": game.id,
        "to_move": solution.to_move,
        "winner": solution.winner,
        "winning_moves": [game.write_move(move) for move in solution.winning_moves],
        "plies": solution.plies,
    }


def _words(game: Game[Any, Any], state: Any, solution: Solution[Any]) -> list[str]:
    """What people are told, line by line."""
    lines = [game.picture(state)]
    if solution.to_move is None:
        over = game.outcome(state)
        return [*lines, f"The game is over: {over.sentence()}." if over else "The game is over."]
    lines.append(f"Player {solution.to_move} is to move.")
    length = _counted(solution.plies, "more move")
    if not solution.winner:
        lines.append(f"With best play it is a draw, after {length} at the soonest.")
        lines.append(f"No move wins. The shortest way to the draw: {_listed(game, solution.best_moves)}")
    else:
        lines.append(f"With best play Player {solution.winner} wins, after {length}.")
        lines += _ways(game, solution)
    lines.append(f"{_counted(solution.positions, 'position')} looked at.")
    return lines


def _ways(game: Game[Any, Any], solution: Solution[Any]) -> list[str]:
    """The moves that win and the quickest of them; or those by which a lost game lasts longest."""
    best = _listed(game, solution.best_moves)
    if solution.winner != solution.to_move:
        return [f"No move wins. The longest defence: {best}"]
    winning = [f"Winning moves: {_listed(game, solution.winning_moves)}"]
    return winning if solution.best_moves == solution.winning_moves else [*winning, f"Quickest: {best}"]


def _listed(game: Game[Any, Any], moves: Iterable[Any]) -> str:
    return ", ".join(map(game.write_move, moves))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
