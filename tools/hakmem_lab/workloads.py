"""The registry of workloads: each is one bench program with its arguments, for a full and for a quick run."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from enum import Enum

from hakmem_lab.errors import LabError


class Timing(Enum):
    INSIDE = "inside"  # the program times its own loop
    START_UP = "start-up"  # the whole process, from spawn to exit


@dataclass(frozen=True)
class Workload:
    name: str
    group: str
    summary: str
    program: str
    full: tuple[str, ...]
    quick: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    timing: Timing = Timing.INSIDE

    def arguments(self, quick: bool) -> tuple[str, ...]:
        return self.quick if quick else self.full


def _random_mixed(name: str, summary: str, ws: int, *sizes: int, **environment: str) -> Workload:
    tail = (str(ws), "1", *map(str, sizes))
    return Workload(
        name=name,
        group="random-mixed",
        summary=summary,
        program="random_mixed",
        full=("10000000", *tail),
        quick=("2000000", *tail),
        environment=environment,
    )


_ALL = (
    _random_mixed("random-mixed-400", "16–1039 B in 400 slots", 400),
    _random_mixed("random-mixed-8192", "16–1039 B in 8192 slots", 8192),
    _random_mixed("tiny-only", "8–128 B in 400 slots", 400, 8, 128),
    _random_mixed("c5-to-c7", "129–1024 B in 400 slots", 400, 129, 1024),
    _random_mixed("c6-heavy", "257–768 B in 400 slots", 400, 257, 768),
    _random_mixed("c5-only", "256 B in 400 slots", 400, HAKMEM_BENCH_C5_ONLY="1"),
    _random_mixed("c6-only", "512 B in 400 slots", 400, HAKMEM_BENCH_C6_ONLY="1"),
    _random_mixed("c7-only", "1024 B in 400 slots", 400, HAKMEM_BENCH_C7_ONLY="1"),
    Workload(
        name="waves",
        group="waves",
        summary="1,600 blocks of 128 B, first half freed FIFO, second half LIFO",
        program="waves",
        full=("--rounds", "20000"),
        quick=("--rounds", "3000"),
    ),
    Workload(
        name="waves-100000",
        group="waves",
        summary="100,000 blocks of 128 B, first half freed FIFO, second half LIFO",
        program="waves",
        full=("--blocks", "100000", "--rounds", "200"),
        quick=("--blocks", "100000", "--rounds", "40"),
    ),
    Workload(
        name="handover",
        group="handover",
        summary="64 B from one thread to another",
        program="handover",
        full=("--blocks", "10000000"),
        quick=("--blocks", "2000000"),
    ),
    Workload(
        name="handover-mixed",
        group="handover",
        summary="16–4096 B from one thread to another",
        program="handover",
        full=("--blocks", "3000000", "--min", "16", "--max", "4096"),
        quick=("--blocks", "600000", "--min", "16", "--max", "4096"),
    ),
    Workload(
        name="larson",
        group="larson",
        summary="2 threads, each handing its blocks to a successor",
        program="larson",
        full=("--rounds", "60"),
        quick=("--rounds", "15"),
    ),
    Workload(
        name="churn",
        group="churn",
        summary="short-lived threads that leave blocks behind",
        program="churn",
        full=("--threads", "4000"),
        quick=("--threads", "800"),
    ),
    Workload(
        name="large-mix",
        group="large-mix",
        summary="0.1–30 MB in 20 slots, every page touched",
        program="large_mix",
        full=("--operations", "2000"),
        quick=("--operations", "300"),
    ),
    Workload(
        name="fragmentation",
        group="fragmentation",
        summary="fill, free 90 % at random, idle, refill",
        program="fragmentation",
        full=("--megabytes", "200", "--idle", "1000"),
        quick=("--megabytes", "50", "--idle", "200"),
    ),
    Workload(
        name="hello",
        group="hello",
        summary="a whole process that prints hello",
        program="hello",
        full=(),
        quick=(),
        timing=Timing.START_UP,
    ),
)

REGISTRY = {workload.name: workload for workload in _ALL}


def find(name: str) -> list[Workload]:
    """The workload of this name, or all of the group of this name."""
    if name in REGISTRY:
        return [REGISTRY[name]]
    group = [workload for workload in _ALL if workload.group == name]
    if not group:
        known = [*REGISTRY, *{workload.group for workload in _ALL}]
        near = difflib.get_close_matches(name, known, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise LabError(f"there is no workload '{name}'{hint} (./hakmem bench --list names them all)")
    return group


def select(names: list[str]) -> list[Workload]:
    """The workloads of these names and groups, each once, in the order given; all without a name."""
    if not names:
        return list(_ALL)
    chosen = {workload.name: workload for name in names for workload in find(name)}
    return list(chosen.values())
