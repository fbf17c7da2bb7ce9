"""How many rounds each workload gets: some at first, and more while the noise asks for them and there is time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, inf

_MORE = 0.5  # a workload that is to have more rounds gets so many of those that it has: few looks, few chance ends


@dataclass
class Plan:
    """Rounds of a workload: the fewest, those that it gets at first if there is time, and the most."""

    fewest: int
    first: int
    most: int
    seconds: float  # for all workloads together
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

    def first_rounds(self, seconds: float) -> int:
        """The rounds that each workload still to come gets at first, told what one of all of them takes."""
        if not self.limited():
            return self.first
        return min(self.first, max(self.fewest, int(self.left() / seconds)))

    def more_rounds(self, done: int) -> int:
        """How many a workload that has `done` gets if its interval is too wide."""
        return min(ceil(done * _MORE), self.most - done)

    def fits(self, seconds: float) -> bool:
        return seconds <= self.left()
