"""A series: two bots play each other a number of times, seats swapped in turn, each start played in both seatings.

Owns the ids, seeds and seats of a series, and its bots' processes for as long as it lasts. Raises UsageError for bots
that do not play the game, and for options that it does not take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from arena import cores
from arena.bot import BotSpec, distinct
from arena.bot_process import BotProcess
from arena.errors import UsageError
from arena.limits import Limits
from arena.names import quote
from arena.referee import Fixture, Played, Referee
from arena.seeds import derive
from games.interface import Game, OptionError


@dataclass(frozen=True)
class Series:
    """What is to be played. `bots` are two bots with names of their own (see `arena.bot.distinct`)."""

    game: Game[Any, Any]
    bots: Sequence[BotSpec]
    options: Mapping[str, Any]
    count: int
    seed: int

    def __post_init__(self) -> None:
        for bot in self.bots:
            if bot.games is not None and self.game.id not in bot.games:
                raise UsageError(
                    f"{bot.name} does not play {self.game.id}: its bot.toml says {', '.join(bot.games)}"
                )

    def fixtures(self) -> Iterator[tuple[Fixture, tuple[int, int]]]:
        """Each match, with the index of the bot at seat 1 and at seat 2.

        The first start has the series' own seed, so a single match is played again with `--seed` and its seed.
        """
        first, second = self.bots
        stem = f"{self.game.id}.{quote(first.name)}.{quote(second.name)}"
        for number in range(self.count):
            pair, swapped = divmod(number, 2)
            seed = self.seed if pair == 0 else derive("series", self.seed, pair)
            match_id = f"{stem}.{pair + 1}{'ab'[swapped]}"
            seats = (1, 0) if swapped else (0, 1)
            yield Fixture(match_id, self.game.id, self.options, seed), seats


def play_series(
    series: Series,
    limits: Limits,
    *,
    sandbox_mode: str = "none",
    restart: bool = False,
    ponder: bool = False,
) -> Iterator[Played]:
    """Play the matches one after another; the bots are ended when the last is over, or the caller has had enough."""
    referee = Referee(series.game, limits, restart=restart)
    here = None if ponder else cores.current()
    places = cores.apart() if ponder else (here, here)
    with ExitStack() as stack:
        stack.enter_context(cores.pinned(here))
        bots = [
            BotProcess(spec, limits, sandbox_mode=sandbox_mode, cpus=place, ponder=ponder)
            for spec, place in zip(series.bots, places, strict=True)
        ]
        for bot in bots:
            stack.callback(bot.discard)
        for fixture, (one, two) in series.fixtures():
            yield referee.play(fixture, (bots[one], bots[two]))
        for bot in bots:
            bot.ask_to_leave()
        for bot in bots:
            bot.stop()


def make_series(
    game: Game[Any, Any], bots: Sequence[BotSpec], options: Mapping[str, Any], count: int, seed: int
) -> Series:
    """A series of checked options, between bots whose names are made distinct; UsageError for what cannot be."""
    if count < 1:
        raise UsageError(f"a series has 1 match or more, not {count}")
    if seed < 0:
        raise UsageError(f"a seed is 0 or more, not {seed}")
    try:
        checked = game.options(options).model_dump()
    except OptionError as error:
        raise UsageError(str(error)) from None
    return Series(game, distinct(list(bots)), checked, count, seed)
