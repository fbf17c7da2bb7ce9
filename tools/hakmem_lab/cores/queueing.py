"""Exact Mean Value Analysis of a closed network: customers who think, then visit queues, then think again.

Each customer is a core. A queue serves one customer at a time, in the order in which they come. `demand` is the time
that an operation needs of each queue, over all its visits; `think` is the rest of it, which nobody else delays. Of a
queue there may be several alike (`alike` says how many), each visited as often as the others: then `demand` is that of
all of them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Flow:
    """What so many customers come to."""

    throughput: float  # operations in a unit of time, of all
    utilisation: np.ndarray  # of each queue, or each of those alike: the part of the time in which it serves
    met_busy: np.ndarray  # the part of its visits that find it serving another customer


_STEPS = 60  # each at least halves the distance


def flow_with_waking(
    customers: int, think: float, demand: np.ndarray, wakings: np.ndarray, alike: np.ndarray | int = 1
) -> Flow:
    """Who finds a queue busy waits, asleep if it is long, and is late by the time that its waking takes: `wakings` is
    that time for all of an operation's visits to each queue, if all were late. The queue serves others meanwhile, so it
    is time to think.
    """
    import numpy as np  # here, because most commands compute nothing and it takes a tenth of a second to load

    late = 0.0
    for _ in range(_STEPS):
        found = flow(customers, think + late, demand, alike)
        late = (late + float(np.sum(wakings * found.met_busy))) / 2
    return flow(customers, think + late, demand, alike)


def flow(customers: int, think: float, demand: np.ndarray, alike: np.ndarray | int = 1) -> Flow:
    """Who comes to a queue finds it as it is, on average, with one customer less: so figures are built up from one."""
    import numpy as np

    if customers < 1 or think < 0 or np.any(demand < 0) or think + np.sum(demand) <= 0:
        raise ValueError("a network has customers, and its operations take time")
    waiting = np.zeros(len(demand))
    throughput, before = 0.0, 0.0
    for present in range(1, customers + 1):
        stay = demand * (1 + waiting / alike)
        before, throughput = throughput, present / (think + float(np.sum(stay)))
        waiting = throughput * stay
    return Flow(throughput, throughput * demand / alike, before * demand / alike)
