"""How many rounds each workload gets, so that all of them end within the time there is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

_OVERTIME = 1.25  # a workload whose rounds turn out slower than planned stops here, once it has the fewest


@dataclass
class Plan:
    """The fewest and the most rounds of a workload, and the seconds for all workloads together."""

    fewest: int
    most: int
    seconds: float
    now: Callable[[], float] = time.monotonic
    start: float = field(default=0.0, init=False)

    def begin(self) -> None:
        self.start = self.now()

    def elapsed(self) -> float:
        return self.now() - self.start

    def limited(self) -> bool:
        return self.seconds != inf

    def left(self) -> float:
        return max(0.0, self.seconds - self.elapsed())

    def rounds(self, durations: list[float]) -> list[int]:
        """The rounds of workloads that are still to come, told how many seconds one round of each takes."""
        return rounds_within(self.left(), durations, self.fewest, self.most)

    def over(self, began: float, planned: float) -> bool:
        """Whether a workload that began then and was to take `planned` seconds should stop."""
        return self.now() - began > planned * _OVERTIME


def rounds_within(seconds: float, durations: list[float], fewest: int, most: int) -> list[int]:
    """As many rounds of each as fit if all get the same time; what one does not need goes to the others."""

    def rounds(share: float) -> list[int]:
        return [min(most, max(fewest, int(share / duration))) for duration in durations]

    low, high = 0.0, 1.01 * most * max(durations)
    for _ in range(50):
        share = (low + high) / 2
        cost = sum(count * duration for count, duration in zip(rounds(share), durations, strict=True))
        low, high = (share, high) if cost <= seconds else (low, share)
    return rounds(low)
