"""How much less B needs than A, and the interval of that, from paired runs.

The estimate is that of Hodges and Lehmann: the median of the means of all pairs of log ratios. Its interval is the one
that belongs to Wilcoxon's signed-rank test: it asks only that a pair's log ratio falls to either side alike when A and
B are equal, which the alternating order provides, and a pair that was disturbed counts as one, however slow it was.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, median

_EXACT_UP_TO = 64  # pairs; beyond, the normal distribution is as good and errs to the wide side


@dataclass(frozen=True)
class Gain:
    """B's saving as a share of A's figure: 0.02 needs 2 % less, -0.02 needs 2 % more. Infinite ends: too few pairs."""

    estimate: float
    low: float
    high: float

    def half_width(self) -> float:
        return (self.high - self.low) / 2


def exact_gain(a: float, b: float) -> Gain:
    """Of figures that repeat exactly: no interval is needed."""
    gain = 1 - b / a
    return Gain(gain, gain, gain)


def paired_gain(pairs: list[tuple[float, float]], error: float) -> Gain:
    """Of paired figures (A's, B's); the interval misses the truth with probability `error` at most."""
    means = walsh_means([math.log(b / a) for a, b in pairs])
    beyond = signed_rank_quantile(len(pairs), error)
    if beyond is None:
        return Gain(_saving(median(means)), -math.inf, math.inf)
    return Gain(_saving(median(means)), _saving(means[-1 - beyond]), _saving(means[beyond]))


def _saving(log_ratio: float) -> float:
    return 1 - math.exp(log_ratio)


def walsh_means(values: list[float]) -> list[float]:
    """The means of all pairs of values, each with itself too, in order."""
    return sorted((x + y) / 2 for i, x in enumerate(values) for y in values[i:])


@lru_cache(maxsize=256)
def signed_rank_quantile(count: int, error: float) -> int | None:
    """How many of the means lie outside the interval at each end; None: too few pairs for any interval."""
    tail = error / 2
    if 0.5**count > tail:
        return None
    return _exact_quantile(count, tail) if count <= _EXACT_UP_TO else _normal_quantile(count, tail)


def _exact_quantile(count: int, tail: float) -> int:
    """The largest k with P(rank sum <= k) <= tail, the ranks 1..count each being in the sum or not."""
    largest = count * (count + 1) // 2
    ways = [1] + [0] * largest
    for rank in range(1, count + 1):
        for total in range(largest, rank - 1, -1):
            ways[total] += ways[total - rank]
    allowed = int(tail * 2**count)
    k = -1
    while ways[k + 1] <= allowed:
        k += 1
        allowed -= ways[k]
    return k


def _normal_quantile(count: int, tail: float) -> int:
    centre = count * (count + 1) / 4
    deviation = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    return math.floor(centre + NormalDist().inv_cdf(tail) * deviation - 0.5)
