"""The folder of a run, `runs/NAME/` beside the tournament file, and whether a file may go on with it.

Owns the folder's files: `matches.jsonl` (the journal's), `tournament.toml` (the file as it was last run, to read)
and `run.json` (the plan: the same as data, with the versions of the bots and the number of matches). The schedule of a
run can be made from `run.json` alone, wherever the folder is taken.

Decided here, where the contract is silent:

- A file contradicts what was played if a match that is recorded would not be played again just so: another seed,
  other options, opening plies or limits, another version of a bot, or a bot, game or round that is gone. What has
  not been played yet may change freely.
- All differences are named at once.

Raises ConfigError for a file that contradicts, UsageError for a run that is not there or cannot be read or
written by this user, and HarnessFailure when the disk fails.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from arena import __version__
from arena.bot import BotSpec
from arena.errors import ConfigError, UsageError
from arena.files import disk_error, named, write_whole
from arena.journal import MATCHES
from arena.names import quote
from arena.schedule import Schedule, game_keys, read_id
from arena.tournament import GameEntry, Tournament, TournamentFile

RUNS = "runs"
PLAN = "run.json"
COPY = "tournament.toml"


class PlannedBot(BaseModel):
    """A bot as it plays in a run: the hash of its files, and its games where it does not play all."""

    model_config = ConfigDict(frozen=True)

    version: str
    games: tuple[str, ...] | None = None


class Plan(BaseModel):
    """All that decides which matches a run has and how they are played."""

    model_config = ConfigDict(frozen=True)

    format: int = 1
    arena: str = __version__
    tournament: Tournament
    bots: dict[str, PlannedBot]
    scheduled: int

    @classmethod
    def of(cls, tournament: Tournament, specs: Iterable[BotSpec]) -> Plan:
        """The plan of a tournament with these bots, one for each of its entries."""
        bots = {spec.name: PlannedBot(version=spec.version, games=spec.games) for spec in specs}
        schedule = Schedule(tournament, {name: bot.games for name, bot in bots.items()})
        return cls(tournament=tournament, bots=bots, scheduled=len(schedule))

    def schedule(self) -> Schedule:
        """The matches of the run."""
        return Schedule(self.tournament, {name: bot.games for name, bot in self.bots.items()})


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run."""

    path: Path

    @classmethod
    def of(cls, file: TournamentFile) -> RunFolder:
        """The folder in which a tournament file is run, whether it is there yet or not."""
        return cls(file.folder / RUNS / file.tournament.name)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.path.resolve().name

    @property
    def matches(self) -> Path:
        """The records."""
        return self.path / MATCHES

    def plan(self) -> Plan | None:
        """The plan as it was last run; None if the folder has none; UsageError if it cannot be read."""
        path = self.path / PLAN
        try:
            return Plan.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{path} is no plan of a run: {where}: {first['msg']}") from None

    def check(self, new: Plan, done: Collection[str], file_name: str = COPY) -> None:
        """Refuse a plan that contradicts what was played: `done` are the ids of the matches that count."""
        if not done:
            return
        old = self.plan()
        if old is None:
            raise ConfigError(f"{self.path} has {len(done)} matches but no {PLAN}, so nothing tells how they were "
                              "played: restore it, or change name = ... in the file to begin a new run")  # fmt: skip
        found = differences(old, new, done)
        if found:
            lines = "".join(f"\n  {what}" for what in found)
            raise ConfigError(
                f"{file_name} contradicts what was played in {RUNS}/{self.name} ({len(done)} matches):{lines}\n"
                "restore that to go on, or change name = ... in the file to begin a new run"
            )

    def save(self, plan: Plan, text: str) -> None:
        """Keep the plan and the text of the file, each replaced as a whole."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(self.path / COPY, text)
            write_whole(self.path / PLAN, plan.model_dump_json(indent=1) + "\n")
        except OSError as error:
            raise disk_error(f"{self.path} cannot be written", error) from None


# --- finding a run ---------------------------------------------------------------------------------


def find_run(text: str) -> RunFolder:
    """The run that is meant: a folder, a name under ./runs, or the tournament file; UsageError if there is none."""
    path = named(text)
    if path is not None and path.is_file():
        return RunFolder(path.parent) if path.name == MATCHES else _run_of_file(path)
    for folder in (path, named(text, Path(RUNS))):
        if folder is not None and _is_run(folder):
            return RunFolder(folder)
    if path is not None:
        raise UsageError(f"{text} is no run: it has no file {MATCHES}")
    names = run_names(Path(RUNS))
    near = get_close_matches(text, names, n=1, cutoff=0.5)
    is_what = f"a run is a folder, the name of one in ./{RUNS}, or the tournament file"
    if near:
        is_what = f"did you mean {near[0]!r}? ({is_what})"
    elif names:
        is_what = f"there are {', '.join(names[:9])} ({is_what})"
    raise UsageError(f"no run {text!r}: {is_what}")


def _is_run(folder: Path) -> bool:
    return (folder / MATCHES).is_file() or (folder / PLAN).is_file()


def run_names(runs: Path) -> list[str]:
    """The names of the runs in a folder of runs."""
    return sorted(path.name for path in runs.iterdir() if _is_run(path)) if runs.is_dir() else []


def _run_of_file(path: Path) -> RunFolder:
    """The run of a tournament file, of which only the name is looked at: a mistake elsewhere is no obstacle."""
    try:
        name = tomllib.loads(path.read_text(encoding="utf-8")).get("name")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is no tournament file: {error}") from None
    if not isinstance(name, str) or not name:
        raise UsageError(f"{path} is no tournament file: it has no name")
    folder = named(name, path.resolve().parent / RUNS)
    if folder is None or not _is_run(folder):
        raise UsageError(f"{path} has not been run yet: there is no {RUNS}/{name} beside it")
    return RunFolder(folder)


# --- what contradicts ------------------------------------------------------------------------------


def differences(old: Plan, new: Plan, done: Collection[str]) -> list[str]:
    """Each way in which the new plan contradicts the matches that were played by the old one."""
    played = _Played(done)
    return [
        *_setting_differences(old.tournament, new.tournament),
        *_game_differences(old.tournament, new.tournament, played),
        *_bot_differences(old, new, played),
        *_lost(old, new, played),
    ]


class _Played:
    """What was played, counted only when something asks for it: most files only grow."""

    def __init__(self, done: Collection[str]) -> None:
        self.done = done
        self._counts: tuple[Counter[str], Counter[str]] | None = None

    def _counted(self) -> tuple[Counter[str], Counter[str]]:
        if self._counts is None:
            parts = [part for match_id in self.done if (part := read_id(match_id)) is not None]
            bots = Counter(name for part in parts for name in (part.first, part.second))
            self._counts = Counter(part.key for part in parts), bots
        return self._counts

    def by_game(self, key: str) -> int:
        """How many matches of this game's key were played."""
        return self._counted()[0][key]

    def by_bot(self, name: str) -> int:
        """How many matches this bot played."""
        return self._counted()[1][quote(name)]


def _setting_differences(old: Tournament, new: Tournament) -> Iterator[str]:
    if new.seed != old.seed:
        yield f"seed is {new.seed}, and was {old.seed}"
    was, now = old.limits.model_dump(), new.limits.model_dump()
    for name in was:
        if now[name] != was[name]:
            yield f"limits.{name} is {now[name]}, and was {was[name]}"


def _game_differences(old: Tournament, new: Tournament, played: _Played) -> Iterator[str]:
    entries = dict(zip(game_keys(new), new.games, strict=True))
    for key, was in zip(game_keys(old), old.games, strict=True):
        now = entries.get(key)
        if now == was:
            continue
        if now is None:
            if count := played.by_game(key):
                yield f"the game {key} is gone, and {count} matches of it were played"
        elif changes := list(_entry_differences(key, was, now)):
            yield from changes if played.by_game(key) else ()


def _entry_differences(key: str, was: GameEntry, now: GameEntry) -> Iterator[str]:
    before, after = was.choices(), now.choices()
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"option {name} of {key} is {_shown(after.get(name))}, and was {_shown(before.get(name))}"
    if now.opening_plies != was.opening_plies:
        yield f"opening_plies of {key} is {now.opening_plies}, and was {was.opening_plies}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{value[0]}, {value[1]}]" if isinstance(value, tuple) else str(value)


def _bot_differences(old: Plan, new: Plan, played: _Played) -> Iterator[str]:
    for name, was in old.bots.items():
        now = new.bots.get(name)
        if now is not None and now.version == was.version:
            continue
        count = played.by_bot(name)
        if count and now is None:
            yield f"the bot {name!r} is gone, and has played {count} matches"
        elif count and now is not None:
            yield (
                f"the bot {name!r} has changed, from version {was.version} to {now.version}, and has played {count} "
                f"matches: {_way_out(name, was.version, old.tournament)}"
            )


def _way_out(name: str, version: str, tournament: Tournament) -> str:
    """How to go on with a bot that has changed: with the version that played, if that is still in the store."""
    from arena.store import Store

    entry = next((bot for bot in tournament.bots if bot.name == name), None)
    word = name if entry is None or entry.run is None else entry.run
    submitted = word.partition("@")[0]
    store = Store()
    kept = entry is not None and entry.path is None and submitted in store.names()
    if not kept or version not in store.versions(submitted):
        return "add the new one under another name"
    return (
        f'to go on with the one that played, write run = "{submitted}@{version}" in its entry; the new one can be '
        "added under another name"
    )


def _is_gone(match_id: str, keys: Collection[str], names: Collection[str]) -> bool:
    """Whether a match's game or one of its bots is gone, which is told by itself."""
    part = read_id(match_id)
    return part is not None and not (part.key in keys and part.first in names and part.second in names)


def _lost(old: Plan, new: Plan, played: _Played) -> Iterator[str]:
    """What was played and is not in the new schedule, with what took it away: not a bot or game that is gone."""
    was, now = old.tournament, new.tournament
    narrower = [
        f"{key} is {getattr(now, key)}, and was {getattr(was, key)}"
        for key in ("format", "heroes", "rounds")
        if getattr(now, key) != getattr(was, key)
    ]
    narrower += [f"the games of {name!r} are others" for name, bot in old.bots.items()
                 if name in new.bots and new.bots[name].games != bot.games]  # fmt: skip
    if (
        not narrower
        and old.bots.keys() <= new.bots.keys()
        and game_keys(was) == game_keys(now)[: len(was.games)]
    ):
        return
    schedule = new.schedule()
    keys, names = set(game_keys(now)), {quote(name) for name in new.bots}
    lost = [
        match_id
        for match_id in played.done
        if match_id not in schedule and not _is_gone(match_id, keys, names)
    ]
    if lost:
        yield from narrower
        yield f"{len(lost)} matches that were played are no part of it, such as {min(lost)}"
