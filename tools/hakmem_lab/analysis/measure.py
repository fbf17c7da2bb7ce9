"""One workload: instructions by callgrind, samples of the time by perf, and counts beside glibc."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from hakmem_lab.analysis.boxes import BoxShare, shares
from hakmem_lab.counters import record as counting
from hakmem_lab.counters.record import Contestant
from hakmem_lab.errors import LabError
from hakmem_lab.hot import proof, record
from hakmem_lab.hot.profile import Entry
from hakmem_lab.hot.proof import MIN_SAMPLES
from hakmem_lab.peers import Allocator, glibc
from hakmem_lab.running.process import child_environment
from hakmem_lab.running.programs import INPUTS
from hakmem_lab.running.runner import WITNESS, Runner
from hakmem_lab.workloads import Workload

_MOST_RUNS = 12
_COUNTED_RUNS = 5


@dataclass
class Measured:
    workload: Workload
    counted: str  # the command whose instructions were counted
    timed: str  # the command whose time was sampled and whose events were counted
    instructions: int
    by_instructions: dict[str, BoxShare]
    entries: list[Entry]
    samples: int = 0
    by_time: dict[str, BoxShare] = field(default_factory=dict)
    contestants: list[Contestant] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # what this machine could not tell


def measure(workload: Workload, programs: Path, subject: Allocator, say) -> Measured:
    small, large = (Runner(programs, quick=quick).command(workload) for quick in (True, False))
    environment = child_environment(subject, workload.environment)
    start = os.getcwd()
    os.chdir(INPUTS)  # where the programs of the system find their inputs
    try:
        say(f"{workload.name}: counting instructions")
        found = record.by_callgrind(record.Job(small, subject.library, environment, quiet=True))
        _refuse_failure(found.status, small)
        proof.of_service(found.profile, say)
        measured = Measured(
            workload,
            _shown(small, workload),
            _shown(large, workload),
            found.profile.total,
            shares(found.profile),
            [entry for entry in found.profile.entries if entry.calls],
        )
        say(f"{workload.name}: sampling the time")
        _sample(measured, record.Job(large, subject.library, environment, quiet=True))
        say(f"{workload.name}: counting events beside glibc")
        _count(measured, large, subject, programs)
    finally:
        os.chdir(start)
    return measured


def _shown(command: list[str], workload: Workload) -> str:
    program = f"build/release/bench/{workload.program}" if workload.ours() else workload.program
    settings = "".join(f"{name}={value} " for name, value in workload.environment.items())
    return " ".join([f"{settings}{program}", *command[1:]])


def _refuse_failure(status: int, command: list[str]) -> None:
    if status != 0:
        raise LabError(f"{' '.join(command)} failed with status {status}: there is nothing to analyse")


def _sample(measured: Measured, job: record.Job) -> None:
    """As many runs as give samples enough, but not endlessly."""
    try:
        found = record.by_perf(job)
        runs = min(-(-MIN_SAMPLES * 5 // (4 * max(found.profile.total, 1))), _MOST_RUNS)
        if found.profile.total < MIN_SAMPLES:
            found = record.by_perf(replace(job, runs=runs))
        proof.of_samples(found.profile)
    except LabError as error:
        measured.missing.append(f"the time was not sampled: {error}")
        return
    measured.samples = found.profile.total
    measured.by_time = shares(found.profile)


def _count(measured: Measured, command: list[str], subject: Allocator, programs: Path) -> None:
    perf = counting.find_perf()
    contestants = [Contestant(subject), Contestant(glibc())]
    for _ in range(_COUNTED_RUNS):
        for contestant in contestants:
            run = counting.run(
                command, contestant.allocator, perf, programs / WITNESS, quiet=True, extra=measured.workload.environment
            )
            contestant.runs.append(run)
    measured.contestants = contestants
    if perf.path is None:
        measured.missing.append(f"{perf.reason}: faults, switches and time are those that the kernel tells")
