"""Seeds: every random choice of a match comes from a number that its record holds. Pure."""

from __future__ import annotations

from hashlib import blake2b

SEED_BITS = 31
"""Seeds fit a signed 32-bit integer: bots in every language can read one."""


def derive(*parts: object) -> int:
    """A seed made from these parts: the same parts, the same seed, on every machine."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> (
        64 - SEED_BITS
    )


def seat_seed(match_seed: int, seat: int) -> int:
    """The seed that the bot at this seat is given: it tells nothing about the opponent's."""
    return derive("seat", match_seed, seat)
