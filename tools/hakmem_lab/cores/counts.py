"""One run of a workload with so many threads: what the observe library counted, or how long it took."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from hakmem_lab.errors import UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.running.process import child_environment, run_checked, shown
from hakmem_lab.running.runner import parse_report

RANKS = ("orphans", "guarded", "huge", "pool", "stock", "meta")  # `start` is for the start of a process, `big` secure
SHARED = ("home", "remote", "figures", "under_locks")

_FIELDS = ("", "_waited", "_held_ns", "_waited_ns")  # of a rank, in the order of Lock
_LINES = {"HAKMEM_STATS": "locks", "HAKMEM_STATS_FORMAT": "json"}


@dataclass(frozen=True)
class Lock:
    """Of one rank, over a run."""

    taken: int
    waited: int
    held_ns: int
    waited_ns: int


@dataclass(frozen=True)
class Counts:
    """Of one run on the observe library."""

    operations: int
    locks: dict[str, Lock]
    shared: dict[str, int]

    def waited(self) -> int:
        return sum(lock.waited for lock in self.locks.values())

    def waited_ns(self) -> float:
        """Each wait, on average."""
        return sum(lock.waited_ns for lock in self.locks.values()) / self.waited()


@dataclass(frozen=True)
class Time:
    """Of one run on the library that users get, for one operation."""

    elapsed_ns: float
    processor_ns: float


def processors() -> list[int]:
    """Those that this process may run on."""
    return sorted(os.sched_getaffinity(0))


@contextmanager
def _restricted(on: list[int]) -> Iterator[None]:
    """What the calling thread starts meanwhile runs on these processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, on)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _run(command: list[str], allocator: Allocator, on: list[int], more: dict[str, str]) -> tuple[dict, str]:
    """The program's report, after the check that `allocator` served it, and what it said on standard error."""
    what = f"{shown(command)} on {allocator.name}"
    with _restricted(on):
        done = run_checked(command, what, env=child_environment(allocator, more), stdout=subprocess.PIPE)
    return parse_report(done.stdout, shown(command), allocator), done.stderr


def read(operations: int, told: str) -> Counts:
    """The counts in what a process on the observe library said at its end."""
    objects = [line for line in told.splitlines() if line.startswith("{")]
    try:
        lines = json.loads(objects[-1])
        locks, shared = lines["lock_stats"], lines["shared_line_stats"]
        return Counts(
            operations,
            {rank: Lock(*(locks[f"{rank}{field}"] for field in _FIELDS)) for rank in RANKS},
            {where: shared[where] for where in SHARED},
        )
    except (IndexError, KeyError, ValueError) as error:
        raise UnsoundError(
            f"the library printed no line of its locks ({error!r}): is it the observe library of this tree? "
            "./hakmem build makes it"
        ) from None


def count(command: list[str], observe: Allocator) -> Counts:
    """One run on the observe library, on all processors."""
    report, told = _run(command, observe, processors(), _LINES)
    return read(report["operations"], told)


def measure(command: list[str], allocator: Allocator, on: list[int]) -> Time:
    """One run on the library that users get, on these processors."""
    report, _ = _run(command, allocator, on, {})
    each = 1e9 / report["operations"]
    return Time(report["seconds"] * each, report["processor_seconds"] * each)


def measure_beside(command: list[str], allocator: Allocator, on: list[int]) -> float:
    """A process for each of these processors, all at the same time, that share nothing: an operation's nanoseconds,
    until the last of them ends.
    """
    with ThreadPoolExecutor(len(on)) as pool:
        runs = list(pool.map(lambda one: measure(command, allocator, [one]), on))
    return max(run.elapsed_ns for run in runs) / len(on)
