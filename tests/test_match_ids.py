"""A set of match ids behaves as any set does, and takes a fraction of its memory."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from arena.match_ids import MatchIds

names = st.sampled_from(["a", "b", "a%20b", "x~2", "-", "a/1", "b/"])
ids = st.one_of(
    st.builds(
        "{}.{}.{}.{}{}".format, names, names, names, st.integers(0, 200), st.sampled_from(["a", "b", "c", ""])
    ),
    st.sampled_from(
        ["", ".", "...", "a.b.c.01a", "a.b.c.٣a", "a.b.c.9999999999a", "a.b.c.a", "a.b/2.c.1a", "a.b.c.1a.d"]
    ),
)


@given(st.lists(st.tuples(st.booleans(), ids)))
def test_it_holds_what_a_set_would_hold(steps: list[tuple[bool, str]]) -> None:
    model: set[str] = set()
    found = MatchIds()
    for add, match_id in steps:
        (model.add if add else model.discard)(match_id)
        (found.add if add else found.discard)(match_id)
        assert len(found) == len(model)
        assert (match_id in found) is add
    assert set(found) == model
    assert found == model
    assert all(match_id in found for match_id in model)


@given(st.sets(ids), st.lists(ids))
def test_many_are_claimed_together_or_not_at_all(before: set[str], claimed: list[str]) -> None:
    found = MatchIds(before)
    new = len(set(claimed)) == len(claimed) and not before & set(claimed)
    assert found.claim_all(claimed) is new
    assert found == (before | set(claimed) if new else before)
    assert len(found) == len(set(found))


@given(st.lists(st.integers(1, 80), unique=True), st.sampled_from(["", "a", "b"]))
def test_pairs_are_claimed_as_their_matches_are(rounds: list[int], there: str) -> None:
    pairs = [f"g.x.y.{number}{end}" for number in rounds for end in "ab"]
    found = MatchIds([f"g.x.y.{rounds[-1]}{there}"] if there and rounds else [])
    before = set(found)
    assert found.claim_all(pairs) is not bool(before)
    assert found == (before or set(pairs))


def test_what_is_no_text_is_not_in_it() -> None:
    assert 1 not in MatchIds()
    assert repr(MatchIds()) == "MatchIds([])"


def memory_of(fill: MatchIds | set[str], bots: int, rounds: int) -> int:
    tracemalloc.start()
    for first in range(bots):
        for second in range(first + 1, bots):
            for number in range(1, rounds + 1):
                fill.add(f"squares.bot{first:03}.bot{second:03}.{number}a")
                fill.add(f"squares.bot{first:03}.bot{second:03}.{number}b")
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used


def test_many_rounds_take_next_to_nothing_and_many_bots_less_than_half_of_a_set() -> None:
    assert memory_of(MatchIds(), 2, 10_000) * 20 < memory_of(set(), 2, 10_000)
    assert memory_of(MatchIds(), 100, 1) * 2 < memory_of(set(), 100, 1)
