"""The registry of workloads: by name, and by the group that they are of."""

from __future__ import annotations

import difflib

from hakmem_lab.workloads.bench_workloads import BENCH_WORKLOADS
from hakmem_lab.errors import LabError
from hakmem_lab.workloads.program_workloads import PROGRAM_WORKLOADS
from hakmem_lab.workloads.workload import Timing, Workload

__all__ = ["REGISTRY", "Timing", "Workload", "find", "select"]

_ALL = (*BENCH_WORKLOADS, *PROGRAM_WORKLOADS)

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
