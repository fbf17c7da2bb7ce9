"""The figures that the project promises: each measured on this machine and held against its target."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hakmem_lab.comparison import Checked, Comparison, compare, runs_of
from hakmem_lab.counting import instructions_per_operation, random_mixed, system_calls_beyond
from hakmem_lab.peers import Allocator
from hakmem_lab.running.runner import Runner
from hakmem_lab.stats import Ratio
from hakmem_lab.workloads import REGISTRY

PEERS = ("glibc", "jemalloc", "mimalloc")

_RULES = {"<": operator.lt, "≤": operator.le, "≥": operator.ge}


@dataclass(frozen=True)
class Check:
    """One promise: a figure, and the rule and limit that it has to keep."""

    what: str
    figure: float
    rule: str
    limit: float
    unit: str = ""
    interval: Ratio | None = None

    def met(self) -> bool:
        return self._keeps(self.figure)

    def certain(self) -> bool:
        """Whether the whole interval is on the figure's side of the limit."""
        if self.interval is None:
            return True
        return self._keeps(self.interval.low) == self._keeps(self.interval.high)

    def _keeps(self, value: float) -> bool:
        return _RULES[self.rule](value, self.limit)


def _ratio_check(what: str, ratio: Ratio, rule: str, limit: float) -> Check:
    return Check(what, ratio.median, rule, limit, "×", ratio)


# ---- the promises about time and memory: workload, peers to run beside, and the checks of the comparison


def _check_mixed(comparison: Comparison) -> Iterator[Check]:
    name = comparison.workload.name
    for peer in PEERS:
        yield _ratio_check(f"{name}: time ÷ {peer}'s", comparison.peers[peer].time_ratio, "<", 1)
    yield _ratio_check(f"{name}: peak memory ÷ glibc's", comparison.peers["glibc"].peak_ratio, "≤", 1.1)


def _check_waves(comparison: Comparison) -> Iterator[Check]:
    yield _ratio_check("waves: time ÷ mimalloc's", comparison.peers["mimalloc"].time_ratio, "≤", 1)


def _check_handover(comparison: Comparison) -> Iterator[Check]:
    peer = comparison.peers["mimalloc"]
    yield _ratio_check("handover: throughput ÷ mimalloc's", peer.time_ratio.inverse(), "≥", 1.2)
    yield _ratio_check("handover: peak memory ÷ mimalloc's", peer.peak_ratio, "≤", 1)


def _check_hello(comparison: Comparison) -> Iterator[Check]:
    beyond = comparison.subject.resident_kib() - comparison.peers["glibc"].resident_kib()
    yield Check("hello: resident memory beyond glibc's", beyond, "≤", 400, "KiB")
    yield _ratio_check("hello: start-up time ÷ jemalloc's", comparison.peers["jemalloc"].time_ratio, "≤", 1)


_COMPARISONS: tuple[tuple[str, tuple[str, ...], Callable[[Comparison], Iterator[Check]]], ...] = (
    ("random-mixed-400", PEERS, _check_mixed),
    ("random-mixed-8192", PEERS, _check_mixed),
    ("waves", ("mimalloc",), _check_waves),
    ("handover", ("mimalloc",), _check_handover),
    ("hello", ("glibc", "jemalloc"), _check_hello),
)

# ---- the promises about counts

_COUNTED_SETS = (400, 8192)
_TRACED_SETS = (256, 8192)


def _check_instructions(runner: Runner, subject: Allocator, ws: int) -> Iterator[Check]:
    few, many = (200_000, 1_000_000) if runner.quick else (1_000_000, 10_000_000)
    count = instructions_per_operation(random_mixed(runner, many, ws), subject, few, many)
    yield Check(f"random mixed, ws {ws}: instructions an operation", count, "≤", 44)


def _check_system_calls(runner: Runner, subject: Allocator, ws: int) -> Iterator[Check]:
    calls = system_calls_beyond(runner, subject, ws, 1_000_000 if runner.quick else 10_000_000)
    prefix = f"random mixed, ws {ws}: "
    yield Check(f"{prefix}mmap calls", calls["mmap"], "≤", 16)
    yield Check(f"{prefix}munmap calls", calls["munmap"], "≤", 3)
    yield Check(f"{prefix}madvise and mprotect calls", calls["madvise"] + calls["mprotect"], "≤", 16)


_COUNTS: tuple[tuple[Callable[[Runner, Allocator, int], Iterator[Check]], tuple[int, ...]], ...] = (
    (_check_instructions, _COUNTED_SETS),
    (_check_system_calls, _TRACED_SETS),
)


@dataclass(frozen=True)
class Acceptance:
    checks: list[Check]
    comparisons: list[Checked]


def steps(rounds: int) -> int:
    """How many times accept() ticks."""
    runs = sum(runs_of(len(peers), rounds) for _, peers, _ in _COMPARISONS)
    return runs + sum(len(sets) for _, sets in _COUNTS)


def accept(
    runner: Runner,
    subject: Allocator,
    peers: dict[str, Allocator],
    rounds: int,
    noise_limit: float,
    tick: Callable[[str], None],
) -> Acceptance:
    checks: list[Check] = []
    comparisons: list[Checked] = []
    for name, needed, judge in _COMPARISONS:
        beside = [peers[peer] for peer in needed]
        comparison = compare(runner, REGISTRY[name], subject, beside, rounds, noise_limit, tick)
        comparisons.append(comparison)
        checks.extend(judge(comparison))
    for count, sets in _COUNTS:
        for ws in sets:
            checks.extend(count(runner, subject, ws))
            tick(f"counts, ws {ws}")
    return Acceptance(checks, comparisons)
