"""Medians of paired ratios with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from statistics import median

CONFIDENCE = 0.95
RESAMPLES = 2000


@dataclass(frozen=True)
class Ratio:
    """The median of the ratios of paired samples, and its interval."""

    median: float
    low: float
    high: float

    def inverse(self) -> Ratio:
        return Ratio(1 / self.median, 1 / self.high, 1 / self.low)

    def spread(self) -> float:
        """How far the interval reaches from 1."""
        return max(abs(self.low - 1), abs(self.high - 1))


def paired_ratio(numerators: list[float], denominators: list[float]) -> Ratio:
    """The ratio of samples taken in the same rounds. What slowed a whole round cancels out."""
    if not numerators or len(numerators) != len(denominators):
        raise ValueError("paired samples must be as many on both sides, and at least one")
    ratios = [a / b for a, b in zip(numerators, denominators, strict=True)]
    low, high = bootstrap_interval(ratios)
    return Ratio(median(ratios), low, high)


def bootstrap_interval(values: list[float]) -> tuple[float, float]:
    """The interval of the median: where it falls when the values are drawn anew from themselves."""
    generator = Random(1)  # the same samples give the same interval
    medians = sorted(median(generator.choices(values, k=len(values))) for _ in range(RESAMPLES))
    tail = int((1 - CONFIDENCE) / 2 * RESAMPLES)
    return medians[tail], medians[-1 - tail]
