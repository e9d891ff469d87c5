"""Whole numbers as several games need them: ranges of options, primes, divisors, bit masks, lists for people.

Pure functions with small caches. Option checks raise ValueError, which `Game.options` makes an OptionError.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress, islice
from math import isqrt
from typing import Any

from pydantic import BeforeValidator

from games.interface import MalformedMove, read_number

LISTED_WHOLE = 1_000
"""Longer lists of moves are shortened for people, as the protocol leaves them out for bots."""
LISTED_FIRST = 20
"""How many numbers a shortened list begins with."""

_TABLE_LIMIT = 1 << 16
_LARGEST_TABLE = 1 << 20
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # enough for every number of 64 bits


# --- options -----------------------------------------------------------------------------------


def whole_number(low: int, high: int) -> BeforeValidator:
    """A check for an option: a whole number from `low` to `high`, as a number or in plain digits."""

    def check(value: Any) -> int:
        try:
            number = read_number(value, signed=True) if isinstance(value, str) else value
        except MalformedMove:
            number = None
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return number

    return BeforeValidator(check)


def _truth(value: Any) -> bool:
    """True or false as typed, or as a file has it."""
    word = value.lower() if isinstance(value, str) else value
    if word is True or word in ("true", "yes", "on"):
        return True
    if word is False or word in ("false", "no", "off"):
        return False
    raise ValueError("must be true or false")


TRUE_OR_FALSE = BeforeValidator(_truth)
"""A check for an option that is true or false."""


# --- primes ------------------------------------------------------------------------------------


def _sieve(limit: int) -> bytearray:
    """For each number below `limit` a byte: 1 for a prime, 0 for any other."""
    flags = bytearray([1]) * limit
    flags[:2] = b"\0\0"
    for number in range(2, isqrt(limit - 1) + 1):
        if flags[number]:
            flags[number * number :: number] = bytes(len(range(number * number, limit, number)))
    return flags


_FLAGS = _sieve(_TABLE_LIMIT)


@lru_cache(maxsize=8)
def _prime_table(limit: int) -> tuple[int, ...]:
    """Every prime below `limit`; asked for powers of two only, so that few tables are ever made."""
    return tuple(compress(range(limit), _FLAGS if limit == _TABLE_LIMIT else _sieve(limit)))


_SMALL_PRIMES = _prime_table(_TABLE_LIMIT)


def is_prime(number: int) -> bool:
    """Whether a number of up to 64 bits is a prime: a look at a table, or Miller and Rabin's test."""
    if number < _TABLE_LIMIT:
        return number > 1 and _FLAGS[number] == 1
    if any(number % prime == 0 for prime in _WITNESSES):
        return False
    odd, halvings = number - 1, 0
    while odd % 2 == 0:
        odd, halvings = odd // 2, halvings + 1
    return all(_passes(number, witness, odd, halvings) for witness in _WITNESSES)


def _passes(number: int, witness: int, odd: int, halvings: int) -> bool:
    """Whether `number` looks like a prime to this witness."""
    power = pow(witness, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(halvings - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def primes_to(number: int) -> Iterable[int]:
    """Every prime up to and with `number`, ascending: a tuple, or lazily where it would be very long."""
    if number < _TABLE_LIMIT:
        return _SMALL_PRIMES[: bisect_right(_SMALL_PRIMES, number)]
    if number < _LARGEST_TABLE:
        table = _prime_table(1 << number.bit_length())
        return table[: bisect_right(table, number)]
    return chain(_SMALL_PRIMES, _primes_between(_TABLE_LIMIT, number))


def _primes_between(low: int, high: int) -> Iterator[int]:
    """The primes from `low` to `high`, sieved one segment after another as they are asked for."""
    for start in range(low, high + 1, _TABLE_LIMIT):
        stop = min(start + _TABLE_LIMIT, high + 1)
        flags = bytearray([1]) * (stop - start)
        for prime in primes_to(isqrt(stop - 1)):
            first = max(prime * prime, -(-start // prime) * prime) - start
            flags[first::prime] = bytes(len(range(first, stop - start, prime)))
        yield from compress(range(start, stop), flags)


def largest_prime_to(number: int) -> int:
    """The largest prime up to and with `number`, which is 2 or more."""
    return next(candidate for candidate in range(number, 1, -1) if is_prime(candidate))


# --- divisors ----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def divisors(number: int) -> tuple[int, ...]:
    """Every divisor of a positive number, 1 and itself included, ascending."""
    found = [1]
    rest = number
    for prime in primes_to(isqrt(number)):
        if prime * prime > rest:
            break
        powers = [1]
        while rest % prime == 0:
            rest //= prime
            powers.append(powers[-1] * prime)
        found = [divisor * power for divisor in found for power in powers]
    if rest > 1:
        found += [divisor * rest for divisor in found]
    return tuple(sorted(found))


# --- bit masks ---------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def members(mask: int) -> tuple[int, ...]:
    """The numbers whose bits are set in a mask, ascending."""
    return tuple(number for number, bit in enumerate(bin(mask)[:1:-1]) if bit == "1")


# --- for people --------------------------------------------------------------------------------


def listed(numbers: Iterable[int], last: Callable[[], int]) -> str:
    """The numbers with commas; of very many only the first and the last, at once however many they are."""
    shown: Sequence[int] = list(islice(numbers, LISTED_WHOLE + 1))
    if len(shown) <= LISTED_WHOLE:
        return ", ".join(map(str, shown))
    return f"{', '.join(map(str, shown[:LISTED_FIRST]))}, ..., {last()}"
