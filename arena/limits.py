"""The limits of a match, with their defaults, as a tournament file's `[limits]` and the flags give them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.errors import UsageError

NO_BANK = "it is added to the bank, and there is none: set bank_ms as well, or leave it out"


class Limits(BaseModel):
    """What a bot may use. All times are whole milliseconds of real time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    move_ms: int = Field(default=1000, ge=1, le=86_400_000, description="time for one move")
    bank_ms: int = Field(
        default=0, ge=0, le=86_400_000, description="time for all moves of a game; 0: no bank"
    )
    increment_ms: int = Field(default=0, ge=0, le=86_400_000, description="added to the bank after each move")
    start_ms: int = Field(
        default=10_000, ge=1, le=86_400_000, description="time to start and to answer 'ready'"
    )
    memory_mb: int = Field(default=512, ge=1, le=1_048_576, description="memory of a bot and all it starts")
    output_kb: int = Field(default=64, ge=1, le=1_048_576, description="what a bot may write for one move")
    reprompts: int = Field(
        default=2, ge=0, le=1000, description="how often a refused move is asked for again"
    )

    def changed(self, given: Limits | Mapping[str, int]) -> Limits:
        """These limits with some others in their place; UsageError for one that is out of range, idle or unknown.

        Of other `Limits` those count that were named when they were made.
        """
        named = given.model_dump(exclude_unset=True) if isinstance(given, Limits) else given
        try:
            limits = Limits.model_validate({**self.model_dump(), **named})
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0])
            if first["type"] == "extra_forbidden":
                raise UsageError(f"no limit {name!r}: there are {', '.join(Limits.model_fields)}") from None
            raise UsageError(f"{name} {first['input']}: it must be {_range(name)}") from None
        if named.get("increment_ms") and not limits.bank_ms:
            raise UsageError(f"increment_ms {limits.increment_ms}: {NO_BANK}")
        return limits


def _range(name: str) -> str:
    """What a limit may be, in words."""
    marks = Limits.model_fields[name].metadata
    low = next(mark.ge for mark in marks if hasattr(mark, "ge"))
    high = next(mark.le for mark in marks if hasattr(mark, "le"))
    return f"a whole number from {low} to {high}"
