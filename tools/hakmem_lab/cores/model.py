"""From what was counted to a prediction: what each lock, and each write of a shared line, costs on so many cores.

With one core every line of memory is in its cache. With N the last who wrote a line that all write was another core in
(N - 1) of N cases; then it has to be fetched, which takes a transfer. The shared pool has twice as many locks each time
that a third of the takings have found theirs held.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from hakmem_lab.cores.counts import RANKS, SHARED, Counts
from hakmem_lab.cores.queueing import Flow, flow_with_waking

FIGURES = "figures"
QUEUES = (*RANKS, FIGURES)
POOL = "pool"
PARTS_MOST, WAITED_SHARE = 8, 1 / 4  # as src/cold/pool_parts_bounds.h and pool_parts.c have it
_OWNED = ("home", "remote")  # lines of one heap or one slab each: fetched, but not waited for


@dataclass(frozen=True)
class Load:
    """What so many threads do, an operation, here."""

    threads: int
    taken: dict[str, float]
    waited: dict[str, float]
    shared: dict[str, float]
    held_ns: dict[str, float]  # each time that a lock is taken
    waited_ns: float  # each time that any lock is waited for


@dataclass(frozen=True)
class Prediction:
    cores: int
    parts: int  # of the shared pool
    load: Load
    service_ns: dict[str, float]  # of each visit to a queue
    flow: Flow

    def bottleneck(self) -> str:
        return max(QUEUES, key=self.utilisation)

    def utilisation(self, queue: str) -> float:
        return float(self.flow.utilisation[QUEUES.index(queue)])

    def met_busy(self, queue: str) -> float:
        return float(self.flow.met_busy[QUEUES.index(queue)])

    def waited(self) -> float:
        """How many takings of a lock, an operation, find it held."""
        return sum(self.load.taken[rank] * self.met_busy(rank) for rank in RANKS)


def load(threads: int, counted: list[Counts]) -> Load:
    """The runs together: medians, but of times the least, which nobody else on the machine has made longer."""

    def of_each(number) -> float:
        return median(number(one) / one.operations for one in counted)

    def held(rank: str) -> float:
        each = [one.locks[rank].held_ns / one.locks[rank].taken for one in counted if one.locks[rank].taken > 0]
        return min(each, default=0.0)

    return Load(
        threads,
        {rank: of_each(lambda one, rank=rank: one.locks[rank].taken) for rank in RANKS},
        {rank: of_each(lambda one, rank=rank: one.locks[rank].waited) for rank in RANKS},
        {where: of_each(lambda one, where=where: one.shared[where]) for where in SHARED},
        {rank: held(rank) for rank in RANKS},
        min((one.waited_ns() for one in counted if one.waited() > 0), default=0.0),
    )


def _elsewhere(cores: int) -> float:
    """How often a line that all cores write alike was written by another one last."""
    return (cores - 1) / cores


def held_ns(rank: str, cores: int, loads: dict[int, Load]) -> float:
    """What a lock guards is shared as well: two threads hold it longer than one, as in half of the cases it was the
    other one's last. So all of the time that its fetches take is twice the difference.
    """
    taken_by = [threads for threads in (1, 2, cores) if loads[threads].taken[rank] > 0]
    if 1 not in taken_by or 2 not in taken_by:
        return loads[taken_by[0]].held_ns[rank] if taken_by else 0.0
    one, two = loads[1].held_ns[rank], loads[2].held_ns[rank]
    return one + 2 * max(two - one, 0.0) * _elsewhere(cores)


def waking_ns(rank: str, loads: dict[int, Load]) -> float:
    """A wait of one of two threads beyond what the other one still holds the lock, on average half of its time."""
    pair = loads[2]
    return max(pair.waited_ns - pair.held_ns[rank] / 2, 0.0)


def predict(cores: int, loads: dict[int, Load], alone_ns: float, transfer_ns: float) -> Prediction:
    """`loads` has those of one thread, of two, and of as many as there are cores; `alone_ns` is an operation of one."""
    found = _predict(cores, 1, loads, alone_ns, transfer_ns)
    while found.met_busy(POOL) >= WAITED_SHARE and found.parts < PARTS_MOST:
        found = _predict(cores, 2 * found.parts, loads, alone_ns, transfer_ns)
    return found


def _predict(cores: int, parts: int, loads: dict[int, Load], alone_ns: float, transfer_ns: float) -> Prediction:
    import numpy as np  # here, because most commands compute nothing and it takes a tenth of a second to load

    own = loads[cores]
    fetch = transfer_ns * _elsewhere(cores)
    service = {rank: held_ns(rank, cores, loads) + fetch for rank in RANKS}
    service[FIGURES] = fetch
    visits = {**own.taken, FIGURES: own.shared[FIGURES]}
    demand = np.array([visits[queue] * service[queue] for queue in QUEUES])
    wakings = np.array([*(own.taken[rank] * waking_ns(rank, loads) for rank in RANKS), 0.0])
    locked = sum(loads[1].taken[rank] * loads[1].held_ns[rank] for rank in RANKS)
    think = max(alone_ns - locked, 0.0) + fetch * sum(own.shared[where] for where in _OWNED)
    alike = np.array([parts if queue == POOL else 1 for queue in QUEUES])
    return Prediction(cores, parts, own, service, flow_with_waking(cores, think, demand, wakings, alike))


@dataclass(frozen=True)
class Outlook:
    """All predictions of a workload, beside that of one core."""

    predictions: list[Prediction]
    alone: Prediction
    alone_ns: float  # an operation of one thread

    def speed_up(self, one: Prediction) -> float:
        return one.flow.throughput / self.alone.flow.throughput

    def efficiency(self, one: Prediction) -> float:
        return self.speed_up(one) / one.cores


def outlook(cores: list[int], loads: dict[int, Load], alone_ns: float, transfer_ns: float) -> Outlook:
    all_of_them = [predict(number, loads, alone_ns, transfer_ns) for number in cores]
    return Outlook(all_of_them, predict(1, loads, alone_ns, transfer_ns), alone_ns)
