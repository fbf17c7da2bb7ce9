"""Medians of paired ratios and geometric means of them, with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

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

    def half_width(self) -> float:
        """Half of the interval, as a part of the median."""
        return (self.high - self.low) / 2 / self.median

    def spread(self) -> float:
        """How far the interval reaches from 1."""
        return max(abs(self.low - 1), abs(self.high - 1))


def ratios(numerators: list[float], denominators: list[float]) -> list[float]:
    """The ratios of samples taken in the same rounds. What slowed a whole round cancels out."""
    if not numerators or len(numerators) != len(denominators):
        raise ValueError("paired samples must be as many on both sides, and at least one")
    return [a / b for a, b in zip(numerators, denominators, strict=True)]


def paired_ratio(numerators: list[float], denominators: list[float]) -> Ratio:
    """The median of the paired ratios."""
    paired = ratios(numerators, denominators)
    return Ratio(median(paired), *bootstrap_interval(paired))


def bootstrap_interval(values: list[float]) -> tuple[float, float]:
    """The interval of the median: where it falls when the values are drawn anew from themselves."""
    return _interval(_resampled_medians(values, _generator()))


def geometric_mean(groups: list[list[float]]) -> Ratio:
    """The geometric mean of the groups' medians; each group is drawn anew apart from the others."""
    import numpy as np

    generator = _generator()
    logs = np.mean([np.log(_resampled_medians(group, generator)) for group in groups], axis=0)
    middle = float(np.mean([np.log(median(group)) for group in groups]))
    low, high = _interval(logs)
    return Ratio(exp(middle), exp(low), exp(high))


def _generator() -> np.random.Generator:
    import numpy as np  # here, because most commands draw nothing and it takes a tenth of a second to load

    return np.random.default_rng(1)  # the same samples give the same interval


def _resampled_medians(values: list[float], generator: np.random.Generator) -> np.ndarray:
    import numpy as np

    return np.median(generator.choice(np.asarray(values), (RESAMPLES, len(values))), axis=1)


def _interval(medians: np.ndarray) -> tuple[float, float]:
    tail = int((1 - CONFIDENCE) / 2 * RESAMPLES)
    ordered = sorted(medians.tolist())
    return ordered[tail], ordered[-1 - tail]
