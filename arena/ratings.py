"""Ratings: how strong each bot is, from all matches together, with honest intervals.

Owns the statistics. The model is Bradley-Terry on the Elo scale (400 points: odds of ten to one), with
Davidson's extension when there are draws. The order of matches has no effect.

- A rating is relative to the mean of the field, which is 0; so is its 95% interval. Bots that are not linked
  by any chain of matches cannot be compared: each such island has its own mean of 0.
- Firth's correction keeps every rating finite: each pairing is credited with part of a match (its leverage;
  over the whole field one match less than there are bots), half won and half lost. It takes away the bias of
  small samples, and with it the plain interval, rating ± 1.96 standard errors, covers as often as it says.
- A bot, or a group of up to half the field, that gave no point to the others has no upper end in the
  evidence, only a stated one: its `bound` is "at least". Where no point was taken it is "at most".

The intervals take matches for independent. numpy is imported when first needed, not with this module, and
computes in one thread: ratings are asked for while a run keeps every core busy, and there two threads that wait
for each other took 3 to 15 s where one took 1 to 2.4 (1,000 bots on two busy cores, few runs; at a quieter moment
0.5 to 0.6 s against 0.7 to 1.5).
Raises ValueError for results that are no counts.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import erf, log, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

ELO = 400 / log(10)
"""Elo points in one unit of log-odds."""
Z95 = 1.959964
THREADS = "OPENBLAS_NUM_THREADS"
Bound = Literal["", "at least", "at most"]
Counts = tuple[int, int, int]
"""Wins of the first, draws, wins of the second."""


class Rating(NamedTuple):
    """A bot's rating and its 95% interval, in Elo points from the mean of its island."""

    rating: float
    low: float
    high: float
    bound: Bound
    island: int


class Ratings:
    """The ratings of a field of bots, and how sure it is that one is better than another."""

    def __init__(self, islands: list[_Island]) -> None:
        self.islands = [island.bots for island in islands]
        self._islands = islands
        self._place = {
            bot: (number, index)
            for number, island in enumerate(islands)
            for index, bot in enumerate(island.bots)
        }

    def __getitem__(self, bot: str) -> Rating:
        number, index = self._place[bot]
        return self._islands[number].rating(index, number)

    def __contains__(self, bot: object) -> bool:
        return bot in self._place

    def better(self, bot: str, other: str) -> float | None:
        """The probability that `bot` is stronger than `other`; None if nothing links the two."""
        (here, i), (there, j) = self._place[bot], self._place[other]
        return self._islands[here].better(i, j) if here == there else None


@dataclass(frozen=True)
class _Island:
    """The fit of bots that are linked by matches: log-strengths, and their covariance about the mean."""

    bots: list[str]
    theta: Floats
    covariance: Floats
    bounds: list[Bound]

    def rating(self, index: int, number: int) -> Rating:
        middle = float(self.theta[index])
        reach = Z95 * sqrt(max(float(self.covariance[index, index]), 0.0))
        low, high = (middle - reach) * ELO, (middle + reach) * ELO
        return Rating(middle * ELO, low, high, self.bounds[index], number)

    def better(self, i: int, j: int) -> float:
        c = self.covariance
        spread = sqrt(max(float(c[i, i] + c[j, j] - 2 * c[i, j]), 1e-12))
        return 0.5 * (1 + erf(float(self.theta[i] - self.theta[j]) / spread / sqrt(2)))


@dataclass(frozen=True)
class _Pairs:
    """The results of all pairs that met, as columns: bots i and j, wins of i, draws, wins of j."""

    n: int
    i: Ints
    j: Ints
    wins: Floats
    draws: Floats
    losses: Floats

    @property
    def matches(self) -> Floats:
        return self.wins + self.draws + self.losses


def fit(results: Mapping[tuple[str, str], Counts]) -> Ratings:
    """The ratings that explain these results best; each pair may stand in either order, or in both."""
    merged: dict[tuple[str, str], list[int]] = {}
    for (first, second), (wins, draws, losses) in results.items():
        if first == second or min(wins, draws, losses) < 0:
            raise ValueError(f"no result of two bots: {first!r} and {second!r}, {wins}, {draws}, {losses}")
        if first > second:
            first, second, wins, losses = second, first, losses, wins
        total = merged.setdefault((first, second), [0, 0, 0])
        total[0] += wins
        total[1] += draws
        total[2] += losses
    played = sorted((pair, counts) for pair, counts in merged.items() if any(counts))
    if not played:
        return Ratings([])
    bots = sorted({bot for pair, _ in played for bot in pair})
    _import_numpy()
    return Ratings(_fit_islands(bots, played))


def _import_numpy() -> None:
    """Import numpy with one thread for its linear algebra, unless the user or an earlier import chose otherwise.

    The number is read once, when the library is loaded; the environment is put back for those we start later.
    """
    if "numpy" in sys.modules or THREADS in os.environ:
        return
    os.environ[THREADS] = "1"
    try:
        importlib.import_module("numpy")
    finally:
        del os.environ[THREADS]


def _fit_islands(bots: list[str], played: list[tuple[tuple[str, str], list[int]]]) -> list[_Island]:
    """The field taken apart into islands, the largest first, and each of them fitted."""
    import numpy as np

    index = {bot: number for number, bot in enumerate(bots)}
    i = np.array([index[first] for (first, _), _ in played])
    j = np.array([index[second] for (_, second), _ in played])
    counts = np.array([counts for _, counts in played], dtype=float)
    left = np.ones(len(bots), dtype=bool)
    found = []
    while left.any():
        members = _reach(int(left.argmax()), np.concatenate([i, j]), np.concatenate([j, i]), len(bots))
        left &= ~members
        found.append(members)
    found.sort(key=lambda members: -int(members.sum()))
    islands = []
    for members in found:
        here, place = members[i], np.cumsum(members) - 1
        columns = (counts[here, column] for column in range(3))
        pairs = _Pairs(int(members.sum()), place[i[here]], place[j[here]], *columns)
        names = [bot for bot, member in zip(bots, members.tolist(), strict=True) if member]
        theta, covariance = _fit_pairs(pairs)
        islands.append(_Island(names, theta, covariance, _bounds(pairs, theta)))
    return islands


def _reach(start: int, sources: Ints, targets: Ints, n: int) -> Flags:
    """Which of n bots can be reached from one, going from sources to targets."""
    import numpy as np

    reached = np.zeros(n, dtype=bool)
    reached[start] = True
    size = 0
    while size != (size := int(reached.sum())):
        reached[targets[reached[sources]]] = True
    return reached


def _bounds(pairs: _Pairs, theta: Floats) -> list[Bound]:
    """For each bot, whether the evidence leaves one end of its interval open.

    From the strongest bot, follow who took points from whom: where that leads to a part of the field only,
    that part never gave a point to the rest, and how far above it stands is anyone's guess. Of two such parts
    the larger sets the scale (one bot that beats all does not make the field a group that "lost all").
    """
    import numpy as np

    took_i, took_j = pairs.wins + pairs.draws > 0, pairs.losses + pairs.draws > 0
    takers = np.concatenate([pairs.i[took_i], pairs.j[took_j]])
    givers = np.concatenate([pairs.j[took_i], pairs.i[took_j]])
    top = _reach(int(theta.argmax()), givers, takers, pairs.n)
    bottom = _reach(int(theta.argmin()), takers, givers, pairs.n)
    gave, took = np.bincount(givers, minlength=pairs.n), np.bincount(takers, minlength=pairs.n)
    at_least = (top & (2 * top.sum() <= pairs.n)) | (gave == 0)
    at_most = (bottom & (2 * bottom.sum() <= pairs.n)) | (took == 0)
    names: list[Bound] = ["", "at least", "at most"]
    return [names[k] for k in np.where(at_least, 1, np.where(at_most, 2, 0)).tolist()]


# --- the fit ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Chances:
    """Each pair as the model sees it: P(i wins) - P(j wins), P(draw), and the information in one match.

    `drawn` is P(draw) between equals; None when the model has no draws.
    """

    lead: Floats
    draw: Floats
    weight: Floats
    drawn: float | None


def _chances(pairs: _Pairs, theta: Floats, draw_log: float | None) -> _Chances:
    import numpy as np

    half = (theta[pairs.i] - theta[pairs.j]) / 2
    up, down = np.exp(half), np.exp(-half)
    level = 0.0 if draw_log is None else float(np.exp(draw_log))
    total = up + down + level
    lead = (up - down) / total
    drawn = None if draw_log is None else level / (2 + level)
    return _Chances(lead, level / total, ((up + down) / total - lead**2) / 4, drawn)


def _information(pairs: _Pairs, matches: Floats, at: _Chances) -> Floats:
    """The Fisher information of that many matches a pair; with draws, the last row is that of the draw level.

    1/n is added throughout, which pins the mean at 0 and makes the matrix invertible.
    """
    import numpy as np

    n, i, j = pairs.n, pairs.i, pairs.j
    size = n if at.drawn is None else n + 1
    weight = matches * at.weight
    matrix = np.zeros((size, size))
    matrix[i, j] = matrix[j, i] = -weight
    np.fill_diagonal(matrix[:n, :n], np.bincount(i, weight, n) + np.bincount(j, weight, n))
    matrix[:n, :n] += 1 / n
    if at.drawn is not None:
        cross = -matches * at.lead * at.draw / 2
        matrix[:n, n] = matrix[n, :n] = np.bincount(i, cross, n) - np.bincount(j, cross, n)
        matrix[n, n] = (matches * at.draw * (1 - at.draw)).sum() + at.drawn * (1 - at.drawn)
    return matrix


def _fit_pairs(pairs: _Pairs) -> tuple[Floats, Floats]:
    """Log-strengths with mean 0 and their covariance: Newton's method, with the leverages renewed between."""
    import numpy as np

    n, matches = pairs.n, pairs.matches
    credit = np.full(len(matches), (n - 1) / len(matches))
    theta = np.zeros(n)
    draw_log = float(np.log(2 * pairs.draws.sum() / matches.sum())) if pairs.draws.any() else None
    for _ in range(100):
        before = theta
        theta, draw_log = _newton(pairs, credit, theta, draw_log)
        if float(np.abs(theta - before).max()) < 1e-6:  # a six-thousandth of an Elo point
            break
        at = _chances(pairs, theta, draw_log)
        inverse = np.linalg.inv(_information(pairs, matches, at))
        i, j = pairs.i, pairs.j
        credit = matches * at.weight * (inverse[i, i] + inverse[j, j] - 2 * inverse[i, j])
    at = _chances(pairs, theta, draw_log)
    inverse = np.linalg.inv(_information(pairs, matches + credit, at))
    return theta, np.asarray(inverse[:n, :n] - 1 / n, dtype=np.float64)


def _newton(
    pairs: _Pairs, credit: Floats, theta: Floats, draw_log: float | None
) -> tuple[Floats, float | None]:
    """The strengths, and the draw level, that fit best with this credit of half-won matches for each pair."""
    import numpy as np

    n, matches = pairs.n, pairs.matches
    for _ in range(100):
        at = _chances(pairs, theta, draw_log)
        pull = (pairs.wins - pairs.losses) / 2 - (matches + credit) * at.lead / 2
        gradient = np.bincount(pairs.i, pull, n) - np.bincount(pairs.j, pull, n)
        if at.drawn is not None:  # half a draw in one more match between equals keeps the draw level finite
            gradient = np.append(gradient, (pairs.draws - matches * at.draw).sum() + 0.5 - at.drawn)
        step = np.linalg.solve(_information(pairs, matches + credit, at), gradient)
        largest = float(np.abs(step).max())
        step *= min(1.0, 2 / largest) if largest else 1.0  # far from the top a full step may overshoot
        theta = theta + step[:n] - step[:n].mean()
        if draw_log is not None:
            draw_log += float(step[n])
        if largest < 1e-6:
            break
    return theta, draw_log
