"""`arena play`: a game at the terminal, for two people or against a bot. Owns that terminal."""

from __future__ import annotations

import secrets
import sys
from contextlib import nullcontext
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from arena.catalogue import get_game, parse_options
from arena.cli import completion
from arena.errors import UsageError
from arena.session import Console, Session, SessionEnd
from games.interface import Game

STOPPED = "Game stopped before the end."
_STATUS = {SessionEnd.FINISHED: 0, SessionEnd.QUIT: 0, SessionEnd.END_OF_INPUT: 1}
_INTERRUPTED = 130


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
        int | None, typer.Option("--seed", metavar="K", help="Seed of what is shuffled (default: a new one).")
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="BOT",
            help="Play against this bot instead of a person.",
            autocompletion=completion.bots,
        ),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="1|2", help="Your seat against the bot (default: 1).")
    ] = None,
) -> int:
    """Play a game: two people at one terminal, or one against a bot.

    Type your move when asked; 'quit' stops the game. Moves can be piped in as well, one a line.
    You may take as long as you like; a bot has ten seconds a move.
    The exit status is 0 at the end of a game or after 'quit', 1 if the input ends before the game does.

    \b
    Examples:
      arena play squares
      arena play squares total=50
      arena play grid --seed 7
      arena play linked n=30 --vs perfect --seat 2
    """
    chosen = get_game(game)
    start = parse_options(chosen, options or [])
    _check_seat(seat, vs)
    used_seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        ending = _play(chosen, start, used_seed, vs, seat or 1)
    except KeyboardInterrupt:
        print(f"\n{STOPPED}")
        return _INTERRUPTED
    if ending is not SessionEnd.FINISHED:
        print(STOPPED)
    return _STATUS[ending]


def _check_seat(seat: int | None, vs: str | None) -> None:
    if seat is not None and vs is None:
        raise UsageError("--seat is your seat against a bot: name the bot with --vs BOT")
    if seat not in (None, 1, 2):
        raise UsageError(f"--seat must be 1 or 2, not {seat}")


def _play(game: Game[Any, Any], options: Any, seed: int, vs: str | None, seat: int) -> SessionEnd:
    """Play one game at this terminal, with a bot at the other seat if one is named."""
    state = game.start(options, seed)
    with _bot(game, options, seed, vs, 3 - seat) as opponent:
        session = Session(game, _console(), game.max_moves(options), opponent, 3 - seat)
        return session.play(state)


def _bot(game: Game[Any, Any], options: Any, seed: int, vs: str | None, seat: int) -> Any:
    """The bot at this seat as a context manager; of nothing, if people have both seats."""
    if vs is None:
        return nullcontext()
    from arena.opponent import open_opponent  # late: two people need no processes

    return open_opponent(vs, game, options, seed, seat)


def _console() -> Console:
    """The terminal, or the pipe in its place. Bytes that are no text are refused as moves, not a crash."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return Console(sys.stdin.readline, _write, echo=not sys.stdin.isatty())


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
