"""Blocks of runs A B B A until they answer or the budget ends.

A block runs every copy once, and the order is turned from block to block, so that a drift of the machine falls on both
sides alike. Neighbours in a block make the pairs.

Time is processor time of the whole process, user and system: on a shared machine it leaves out what other programs and
other guests of the host take, and repeats five times as well as elapsed time (0.7 % against 4 % between two runs of
random mixed beside compiles). What waits costs no processor time; so elapsed time is judged beside it.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hakmem_lab.ab.gain import Gain, paired_gain
from hakmem_lab.ab.schedule import Look, looks
from hakmem_lab.ab.verdict import Ruling, Verdict, judge, rule_figure, settled

ORDERS = ("ABba", "BAab", "abBA", "baAB")
PAIRS = ("AB", "ab")
NOISE = "Aa"

FIGURES = ("time", "elapsed", "memory")  # as the fields of a Run

_OVERTIME = 1.2  # how far beyond its budget a measurement may go that the machine slowed down


@dataclass(frozen=True)
class Run:
    time: float
    elapsed: float
    memory: float


Take = Callable[[str], Run]  # runs a copy


@dataclass(frozen=True)
class Answer:
    """One workload: the gains, the rulings, and all runs."""

    gains: dict[str, Gain]
    noise: Gain
    pairs: int
    runs: dict[str, list[Run]] = field(repr=False)

    def rulings(self) -> dict[str, Ruling]:
        return {name: rule_figure(gain) for name, gain in self.gains.items()}

    def final(self) -> bool:
        """Whether more runs could hardly change it. A gain of time waits until its price in memory is known."""
        time_gain = self.gains["time"]
        return settled(time_gain) and (judge(time_gain) is not Verdict.GO or settled(self.gains["memory"]))


def run_of(sample: Callable[[], tuple[float, float]]) -> Run:
    """Runs `sample`, which gives elapsed time and peak memory, and adds the processor time of what it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    elapsed, memory = sample()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Run(used, elapsed, memory)


def measure(
    take: Take,
    budget: float,
    error: float,
    tell: Callable[[Answer | None, int], None],
    clock: Callable[[], float] = time.monotonic,
) -> Answer:
    """`error` is what all intervals of all looks may err together; `tell` hears of every block and of each look."""
    start = clock()
    _add_block(take, 0, {copy: [] for copy in ORDERS[0]})  # to warm up, and to see how long a block takes
    block_seconds = max(clock() - start, 1e-6)
    runs: dict[str, list[Run]] = {copy: [] for copy in ORDERS[0]}
    answer = None
    for look in looks(int(budget / block_seconds), error / len(FIGURES)):
        in_time = _reach(take, look, runs, lambda: clock() - start < budget * _OVERTIME, tell)
        answer = _answer(runs, look.error)
        tell(answer, len(runs["A"]))
        if answer.final() or not in_time:
            break
    return answer


def _reach(take: Take, look: Look, runs: dict, in_time: Callable[[], bool], tell: Callable) -> bool:
    """Runs blocks until the look is due, or False: time is over. When does not depend on what was measured."""
    while len(runs["A"]) < look.blocks:
        if runs["A"] and not in_time():
            return False
        _add_block(take, len(runs["A"]), runs)
        tell(None, len(runs["A"]))
    return True


def _add_block(take: Take, number: int, runs: dict[str, list[Run]]) -> None:
    for copy in ORDERS[number % len(ORDERS)]:
        runs[copy].append(take(copy))


def _paired(runs: dict[str, list[Run]], figure: str, pairs: tuple[str, ...]) -> list[tuple[float, float]]:
    return [
        (getattr(one, figure), getattr(other, figure))
        for pair in pairs
        for one, other in zip(runs[pair[0]], runs[pair[1]], strict=True)
    ]


def _answer(runs: dict[str, list[Run]], error: float) -> Answer:
    gains = {figure: paired_gain(_paired(runs, figure, PAIRS), error) for figure in FIGURES}
    noise = paired_gain(_paired(runs, "time", (NOISE,)), error)
    return Answer(gains, noise, len(PAIRS) * len(runs["A"]), runs)
