"""Primes, divisors and lists of numbers, against the plainest way to find them."""

from __future__ import annotations

from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.numbers import divisors, is_prime, largest_prime_to, listed, members, primes_to


def plainly_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


@pytest.mark.parametrize("low", [-5, 2**16 - 500, 2**20 - 100, 999_999_900])
def test_a_prime_is_what_has_no_divisor(low: int) -> None:
    for number in range(low, low + 600):
        assert is_prime(number) == plainly_prime(number), number


@pytest.mark.parametrize("number", [561, 3_215_031_751, 341_550_071_728_321, 1_000_003 * 1_000_033])
def test_a_number_that_fools_weak_tests_is_not_prime(number: int) -> None:
    assert not is_prime(number)


def test_the_largest_prime_of_64_bits_is_a_prime() -> None:
    assert is_prime(2**64 - 59)


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 20, 2**16 - 1, 2**16, 2**16 + 1, 200_000])
def test_primes_to_a_number_are_all_of_them_in_order(limit: int) -> None:
    found = list(primes_to(limit))
    assert len(found) == sum(map(is_prime, range(limit + 1)))
    assert all(map(is_prime, found))
    assert found == sorted(set(found))


@pytest.mark.parametrize(("limit", "count"), [(2**20, 82_025), (10**6, 78_498)])
def test_there_are_as_many_primes_as_is_known(limit: int, count: int) -> None:
    found = list(primes_to(limit))
    assert len(found) == count
    assert found == sorted(set(found))
    last = found[-1]
    assert not any(map(is_prime, range(last + 1, limit + 1)))


def test_primes_go_on_beyond_a_million() -> None:
    known = set(primes_to(2**20))
    beyond = [prime for prime in primes_to(2**20 + 70_000) if prime not in known]
    assert beyond == list(filter(is_prime, range(2**20, 2**20 + 70_001)))


def test_the_first_primes_of_a_huge_range_come_at_once() -> None:
    assert list(islice(primes_to(10**9), 4)) == [2, 3, 5, 7]


def test_the_largest_prime_is_found_from_above() -> None:
    assert largest_prime_to(10**9) == 999_999_937
    assert largest_prime_to(2) == 2


@given(st.integers(1, 5_000))
def test_divisors_are_what_divides(number: int) -> None:
    assert divisors(number) == tuple(d for d in range(1, number + 1) if number % d == 0)


@pytest.mark.parametrize(
    ("number", "how_many"), [(999_999_937, 2), (735_134_400, 1_344), (31_607**2, 3), (1, 1)]
)
def test_large_numbers_have_all_their_divisors(number: int, how_many: int) -> None:
    found = divisors(number)
    assert len(found) == how_many
    assert not any(number % divisor for divisor in found)


@given(st.sets(st.integers(0, 600)))
def test_the_members_of_a_mask_are_the_numbers_put_in(numbers: set[int]) -> None:
    assert members(sum(1 << number for number in numbers)) == tuple(sorted(numbers))


def test_a_thousand_numbers_are_listed_whole_and_more_are_shortened() -> None:
    assert listed(range(1_000), lambda: -1).count(",") == 999
    shortened = listed(count(1), lambda: 10**9)
    assert shortened == ", ".join(map(str, range(1, 21))) + ", ..., 1000000000"
