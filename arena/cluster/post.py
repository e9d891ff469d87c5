"""The post: what a worker that asks for it is sent of a tournament. Packs each bot once.

Raises nothing: a bot that cannot travel is named with the reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from arena.cluster.there import one_line
from arena.errors import ArenaError
from arena.parcel import Parcel, pack
from arena.worker import Setup


class Post:
    """The bots of a tournament, packed as they are asked for."""

    def __init__(self, setup: Setup, folder: Path) -> None:
        self._folder = folder
        words = {bot.name: bot.path or bot.run or bot.name for bot in setup.tournament.bots}
        self._bots = [(spec, words[spec.name]) for spec in setup.bots]
        self._packed: dict[str, Parcel] = {}

    def names(self, versions: Iterable[str]) -> list[str]:
        """The bots of these versions."""
        wanted = set(versions)
        return [spec.name for spec, _ in self._bots if spec.version in wanted]

    def parcels(self, versions: Iterable[str]) -> tuple[tuple[Parcel, ...], dict[str, str]]:
        """The parcels of these versions, and for bots that cannot travel the reason."""
        troubles: dict[str, str] = {}
        wanted = tuple(versions)
        for version in wanted:
            for spec, word in self._bots:
                if spec.version == version and version not in self._packed:
                    try:
                        self._packed[version] = pack(spec, word, self._folder)
                    except (ArenaError, OSError, ValueError) as error:
                        troubles[spec.name] = one_line(error)
        return tuple(self._packed[version] for version in wanted if version in self._packed), troubles


def setup_key(setup: Setup) -> str:
    """The same for the same tournament with the same bots and ways, wherever it is run from."""
    digest = hashlib.sha256(setup.tournament.model_dump_json().encode())
    for spec in setup.bots:
        digest.update(f"{spec.name}\0{spec.version}\0{spec.games}\n".encode())
    digest.update(f"{setup.sandbox_mode} {setup.restart}".encode())
    return digest.hexdigest()[:24]
