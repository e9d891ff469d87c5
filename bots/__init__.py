"""The bundled bots: one folder each, with a `bot.toml` and the bot's whole source. Raises nothing."""

from __future__ import annotations

from pathlib import Path


def bundled() -> dict[str, Path]:
    """Every bundled bot's name and its folder, in alphabetical order."""
    here = Path(__file__).parent
    return {path.parent.name: path.parent for path in sorted(here.glob("*/bot.toml"))}


def bundled_like(name: str) -> str | None:
    """The bundled bot of this name, capitals aside: nobody could tell two such apart."""
    return next((known for known in bundled() if known.casefold() == name.casefold()), None)
