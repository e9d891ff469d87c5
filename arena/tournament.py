"""The tournament file: what is to be played, by whom and within which limits.

Owns the shape of the TOML file. `load` reads a file and tells all its mistakes at once, each with its line,
its key and what would be right; `resolve_bots` then finds the bots that it names. `json_schema` is the file's
shape for editors and other programs (docs/tournament.schema.json).

Decided here, where the contract is silent: `seed` is 0 and `rounds` 1 unless given; in a gauntlet the heroes
play everyone who is not a hero, and not each other; paths are relative to the file; a game may be listed
twice with different options.

Raises ConfigError.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import chdir, suppress
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, field_validator

from arena.bot import BotSpec, resolve
from arena.catalogue import get_game
from arena.errors import ArenaError, ConfigError, UsageError
from arena.limits import Limits
from arena.names import RUN_NAME_PATTERN, check_run_name, display_mistake
from arena.tournament_mistakes import (
    Mistake,
    config_error,
    cross_mistakes,
    entries,
    is_range,
    shape_mistakes,
    syntax_error,
)

_OPTION_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": ["integer", "number", "boolean", "string"]},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    ],
    "description": "a value, or [least, greatest] of a whole number to draw from",
}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class GameEntry(_Model):
    """One `[[games]]`: a game, its options as values or ranges, and random plies before the first turn."""

    id: str = Field(description="the game's id, as 'arena games' lists it")
    options: dict[str, Annotated[Any, WithJsonSchema(_OPTION_SCHEMA)]] = Field(
        {}, description="start options: a value, or a range [least, greatest] to draw from"
    )
    opening_plies: int = Field(
        0, ge=0, le=1000, description="random legal plies, the same for both matches of a pair"
    )

    def choices(self) -> dict[str, Any]:
        """Every option of the game, defaults included: its value, or the range to draw from (least and greatest)."""
        game = get_game(self.id)
        ranges = {name: value for name, value in self.options.items() if is_range(game, name, value)}
        fixed = {name: value for name, value in self.options.items() if name not in ranges}
        least = {name: value[0] for name, value in ranges.items()}
        whole: dict[str, Any] = game.options(fixed | least).model_dump(mode="json")
        return whole | {name: (value[0], value[1]) for name, value in ranges.items()}


class BotEntry(_Model):
    """One `[[bots]]`: a name, and a path or a command line; with neither, the name is a known bot's."""

    name: str = Field(min_length=1, max_length=40, description="the name in tables and records")
    path: str | None = Field(None, description="a script, a program or a folder with a bot.toml")
    run: str | None = Field(None, description="a whole command line")

    @field_validator("name")
    @classmethod
    def _shows(cls, name: str) -> str:
        if mistake := display_mistake(name):
            raise ValueError(mistake)
        return name


class Tournament(_Model):
    """A tournament file. The schedule is a pure function of it."""

    name: str = Field(
        description="the run's name: it lives in runs/NAME beside the file",
        json_schema_extra={"pattern": RUN_NAME_PATTERN},  # what `_is_folder_name` holds it to, in words
    )
    seed: int = Field(0, ge=0, lt=2**63, description="all starts and openings come from it")
    format: Literal["round-robin", "gauntlet"] = Field("round-robin", description="who plays whom")
    heroes: list[str] = Field([], description="gauntlet: the bots that play all the others")
    rounds: int = Field(
        1,
        ge=1,
        le=1_000_000,
        description="pairs of matches for each two bots and game: one start, both seatings",
    )
    games: list[GameEntry] = Field(min_length=1)
    limits: Limits = Field(default_factory=Limits)
    bots: list[BotEntry] = Field(min_length=2)

    @field_validator("name")
    @classmethod
    def _is_folder_name(cls, name: str) -> str:
        try:
            check_run_name(name)
        except UsageError as error:
            raise ValueError(str(error)) from None
        return name


class TournamentFile(NamedTuple):
    """A tournament with the file that it was read from."""

    path: Path
    text: str
    tournament: Tournament

    @property
    def folder(self) -> Path:
        """The folder that paths in the file are relative to."""
        return self.path.resolve().parent


def json_schema() -> dict[str, Any]:
    """The JSON schema of a tournament file."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Tournament.model_json_schema()}
    return schema | {"title": "An arena tournament file"}


# --- reading ---------------------------------------------------------------------------------------


def load(path: Path) -> TournamentFile:
    """The tournament in this file, or in the one with `.toml` after its name; ConfigError with every mistake in it."""
    if not path.exists() and (whole := path.with_name(f"{path.name}.toml")).is_file():
        path = whole
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text: byte {error.start + 1} is wrong") from None
    return parse(text, path)


def parse(text: str, path: Path) -> TournamentFile:
    """The tournament that a text means, read as if from `path`; ConfigError with every mistake in it."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise syntax_error(path, error) from None
    mistakes = []
    tournament = None
    try:
        tournament = Tournament.model_validate(data, strict=True)
    except ValidationError as error:
        mistakes += shape_mistakes(Tournament, error)
    mistakes += cross_mistakes(data, path.resolve().parent)
    if mistakes:  # no mistake hides another: what cannot be started is told with the rest
        told = {mistake.place[:2] for mistake in mistakes}
        games = None if any(place[:1] == ("games",) for place in told) else _readable_games(data)
        _, absent = _resolved(path.resolve().parent, games, _readable_bots(data))
        mistakes += [mistake for mistake in absent if mistake.place[:2] not in told]
    if mistakes or tournament is None:
        raise config_error(path, text, mistakes)
    return TournamentFile(path, text, tournament)


def _readable_games(data: dict[str, Any]) -> list[GameEntry]:
    """The games of a file with mistakes elsewhere."""
    return [GameEntry.model_validate(entry, strict=True) for _, entry in entries(data, "games")]


def _readable_bots(data: dict[str, Any]) -> Iterator[tuple[int, BotEntry]]:
    """The bots of a file with mistakes, by their places: those that have the right shape themselves."""
    for index, entry in entries(data, "bots"):
        with suppress(ValidationError):
            yield index, BotEntry.model_validate(entry, strict=True)


def resolve_bots(file: TournamentFile) -> list[BotSpec]:
    """The bots of a tournament, each under its name in the file; ConfigError with all that do not play."""
    specs, mistakes = _resolved(file.folder, file.tournament.games, enumerate(file.tournament.bots))
    if mistakes:
        raise config_error(file.path, file.text, mistakes)
    return specs


def _resolved(
    folder: Path, games: Iterable[GameEntry] | None, bots: Iterable[tuple[int, BotEntry]]
) -> tuple[list[BotSpec], list[Mistake]]:
    """The bots that can be started, and what is wrong with the others; `games` is None if that is not known."""
    specs: list[BotSpec] = []
    mistakes: list[Mistake] = []
    ids = {entry.id for entry in games or ()}
    with chdir(folder):  # a command line's words name files beside the tournament file
        for index, entry in bots:
            try:
                spec = _resolve(entry)
            except ArenaError as error:
                mistakes.append(Mistake(("bots", index, _source_key(entry)), str(error)))
                continue
            if games is not None and spec.games is not None and not ids & set(spec.games):
                what = (
                    f"{entry.name!r} plays only {', '.join(spec.games) or 'nothing'}, none of the games here"
                )
                mistakes.append(Mistake(("bots", index), what))
            specs.append(spec.renamed(entry.name))
    return specs, mistakes


def _source_key(entry: BotEntry) -> str:
    return "path" if entry.path is not None else "run" if entry.run is not None else "name"


def _resolve(entry: BotEntry) -> BotSpec:
    if entry.path is not None:
        return resolve(f"./{entry.path}" if not entry.path.startswith(("/", "~")) else entry.path)
    if entry.run is not None:
        return resolve(entry.run)
    spec = resolve(entry.name)
    if spec.argv == (shutil.which(entry.name),):  # `name = "ls"` is a slip, not a wish to play ls
        raise UsageError(
            f"no bot is called {entry.name!r}; if the program is meant, write run = {entry.name!r}"
        )
    return spec
