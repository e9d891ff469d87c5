"""Ratings: right where the answer is known, finite always, and as sure as they say (by simulation)."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest

from arena.ratings import ELO, Counts, fit

Results = dict[tuple[str, str], Counts]


def test_two_bots_differ_by_the_odds_of_their_results() -> None:
    ratings = fit({("a", "b"): (3000, 0, 1000)})
    assert ratings["a"].rating - ratings["b"].rating == pytest.approx(ELO * log(3000.5 / 1000.5), abs=0.01)


def test_the_interval_is_that_of_a_binomial_for_two_bots() -> None:
    ratings = fit({("a", "b"): (500, 0, 500)})
    assert ratings["a"].high == pytest.approx(1.96 * ELO / sqrt(1001), abs=0.01)  # half of 2 / sqrt(n)


def test_the_mean_of_the_field_is_zero() -> None:
    ratings = fit({("a", "b"): (5, 0, 2), ("b", "c"): (4, 1, 3), ("a", "c"): (1, 2, 0)})
    assert sum(ratings[bot].rating for bot in "abc") == pytest.approx(0, abs=1e-6)


def test_the_order_of_results_and_of_names_in_a_pair_does_not_matter() -> None:
    results: Results = {("a", "b"): (5, 1, 2), ("b", "c"): (4, 0, 3), ("c", "a"): (1, 2, 0)}
    turned: Results = {(b, a): (lost, d, w) for (a, b), (w, d, lost) in reversed(results.items())}
    halves: Results = {("a", "b"): (2, 1, 1), ("b", "a"): (1, 0, 3), **dict(list(results.items())[1:])}
    assert [fit(results)[bot] for bot in "abc"] == [fit(turned)[bot] for bot in "abc"]
    assert [fit(results)[bot] for bot in "abc"] == [fit(halves)[bot] for bot in "abc"]


def test_a_bot_that_won_or_lost_everything_has_a_finite_bound_that_is_marked() -> None:
    ratings = fit({("all", "a"): (20, 0, 0), ("all", "b"): (20, 0, 0), ("a", "b"): (9, 0, 11),
                   ("a", "none"): (20, 0, 0), ("b", "none"): (20, 0, 0)})  # fmt: skip
    best, worst = ratings["all"], ratings["none"]
    assert (best.bound, worst.bound, ratings["a"].bound) == ("at least", "at most", "")
    assert 0 < best.low < best.rating < best.high < 2500
    assert worst.rating == pytest.approx(-best.rating, abs=20)


def test_one_bot_that_beats_all_does_not_mark_the_rest_of_the_field() -> None:
    ratings = fit(
        {("top", bot): (10, 0, 0) for bot in "abcd"} | dict.fromkeys(combinations("abcd", 2), (5, 0, 5))
    )
    assert [ratings[bot].bound for bot in ("top", *"abcd")] == ["at least", "", "", "", ""]


def test_a_group_that_gave_no_point_to_the_rest_is_marked_as_a_group() -> None:
    within: Results = {("a", "b"): (5, 0, 5), ("x", "y"): (5, 0, 5), ("y", "z"): (5, 0, 5)}
    ratings = fit(within | {(top, low): (9, 0, 0) for top in "ab" for low in "xyz"})
    assert [ratings[bot].bound for bot in "abxyz"] == ["at least", "at least", "", "", ""]


def test_bots_that_nothing_links_are_islands_with_a_mean_of_their_own() -> None:
    ratings = fit({("a", "b"): (3, 0, 1), ("x", "y"): (1, 0, 3), ("y", "z"): (2, 0, 2)})
    assert ratings.islands == [["x", "y", "z"], ["a", "b"]]
    assert ratings.better("a", "x") is None
    assert ratings["a"].rating + ratings["b"].rating == pytest.approx(0)


def test_only_draws_are_finite_and_level() -> None:
    ratings = fit({("a", "b"): (0, 10, 0)})
    assert ratings["a"].rating == pytest.approx(0, abs=1e-6)
    assert 0 < ratings["a"].high < 2000


def test_no_results_give_no_ratings() -> None:
    assert fit({}).islands == []
    assert "a" not in fit({("a", "b"): (0, 0, 0)})


def test_results_that_are_no_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="no result of two bots"):
        fit({("a", "a"): (1, 0, 0)})
    with pytest.raises(ValueError, match="no result of two bots"):
        fit({("a", "b"): (-1, 0, 0)})


def test_better_is_even_for_equals_and_adds_up_to_one() -> None:
    ratings = fit({("a", "b"): (30, 0, 10), ("b", "c"): (10, 0, 10)})
    up, down = ratings.better("a", "b"), ratings.better("b", "a")
    assert up is not None
    assert down is not None
    assert 0.99 < up < 1
    assert up + down == pytest.approx(1)
    assert ratings.better("b", "c") == pytest.approx(0.5)


def test_numpy_is_not_imported_before_a_fit() -> None:
    check = "import sys, arena.tables; sys.exit('numpy' in sys.modules or 'tabulate' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_linear_algebra_has_one_thread_and_the_environment_is_left_as_it_was() -> None:
    check = (
        "import os, sys\n"
        "from arena.ratings import THREADS, fit\n"
        "os.environ.pop(THREADS, None)\n"
        "before = dict(os.environ)\n"
        "fit({('a', 'b'): (1, 0, 1)})\n"
        "sys.exit(len(os.listdir('/proc/self/task')) != 1 or dict(os.environ) != before)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# --- honesty: bots of known strength ---------------------------------------------------------------


def play(
    rng: np.random.Generator, truth: np.ndarray, pairs: list[tuple[int, int]], matches: int, draw: float
) -> Results:
    """Results of bots of these log-strengths by the model itself; `draw` is Davidson's draw level."""
    results: Results = {}
    for i, j in pairs:
        up, down = np.exp((truth[i] - truth[j]) / 2), np.exp((truth[j] - truth[i]) / 2)
        wins, draws, losses = rng.multinomial(
            matches, np.array([up, draw, down]) / (up + down + draw)
        ).tolist()
        results[str(i), str(j)] = (wins, draws, losses)
    return results


def coverage(
    bots: int, matches: int, spread: float, draw: float, trials: int, hub: bool = False
) -> tuple[float, float]:
    """How often the truth lies inside the interval; how often P(better) of 60 to 95% comes true, less it."""
    rng = np.random.default_rng(20260131)
    pairs = [(0, other) for other in range(1, bots)] if hub else list(combinations(range(bots), 2))
    inside, surplus, asked = 0, 0.0, 0
    for _ in range(trials):
        truth = rng.normal(0, spread / ELO, bots)
        truth -= truth.mean()
        ratings = fit(play(rng, truth, pairs, matches, draw))
        inside += sum(ratings[str(k)].low <= truth[k] * ELO <= ratings[str(k)].high for k in range(bots))
        for k in range(bots - 1):
            better = ratings.better(str(k), str(k + 1)) or 0.0
            if 0.6 <= better <= 0.95:
                surplus, asked = surplus + (truth[k] > truth[k + 1]) - better, asked + 1
    return inside / (bots * trials), surplus / asked


@pytest.mark.parametrize(
    ("bots", "matches", "spread", "draw", "trials", "hub"),
    [
        pytest.param(2, 30, 150, 0, 1000, False, id="two bots, 30 matches"),
        pytest.param(5, 8, 200, 0, 500, False, id="five bots, 8 matches a pair"),
        pytest.param(5, 20, 400, 0, 500, False, id="five bots far apart"),
        pytest.param(10, 2, 200, 0, 250, False, id="ten bots, 2 matches a pair"),
        pytest.param(10, 20, 200, 0, 250, False, id="ten bots, 20 matches a pair"),
        pytest.param(8, 30, 200, 0, 300, True, id="gauntlet"),
        pytest.param(6, 12, 200, 0.8, 400, False, id="with draws"),
    ],
)
def test_bots_of_known_strength_fall_inside_their_interval_in_93_to_97_percent(
    bots: int, matches: int, spread: float, draw: float, trials: int, hub: bool
) -> None:
    share, surplus = coverage(bots, matches, spread, draw, trials, hub)
    assert 0.93 <= share <= 0.97
    assert surplus > -0.05  # "better with p %" comes true at least about as often as it says


def test_with_very_few_matches_the_interval_is_wider_and_not_narrower() -> None:
    assert coverage(3, 2, 150, 0, 300)[0] >= 0.95
    assert coverage(2, 4, 150, 0, 300)[0] >= 0.95


def test_at_least_holds_for_a_bot_far_above_the_field() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([6.0, -1.5, -1.5, -1.5, -1.5])
    fits = [fit(play(rng, truth, list(combinations(range(5), 2)), 10, 0)) for _ in range(200)]
    marked = [ratings["0"] for ratings in fits if ratings["0"].bound == "at least"]
    assert len(marked) > 150
    assert all(rating.low <= truth[0] * ELO for rating in marked)
