"""The limits of a match, with their defaults, as a tournament file's `[limits]` and the flags give them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """What a bot may use. All times are whole milliseconds of real time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    move_ms: int = Field(1000, ge=1, le=86_400_000, description="time for one move")
    bank_ms: int = Field(0, ge=0, le=86_400_000, description="time for all moves of a game; 0: no bank")
    increment_ms: int = Field(0, ge=0, le=86_400_000, description="added to the bank after each move")
    start_ms: int = Field(10_000, ge=1, le=86_400_000, description="time to start and to answer 'ready'")
    memory_mb: int = Field(512, ge=1, le=1_048_576, description="memory of a bot and all it starts")
    output_kb: int = Field(64, ge=1, le=1_048_576, description="what a bot may write for one move")
    reprompts: int = Field(2, ge=0, le=1000, description="how often a refused move is asked for again")
