"""Runs a bench program on an allocator, and proves which allocator served it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.workloads import Timing, Workload

TIMEOUT_SECONDS = 600
START_UPS_PER_SAMPLE = 20


@dataclass(frozen=True)
class Sample:
    seconds: float
    operations: int
    peak_kib: int
    resident_kib: int
    report: dict  # the program's JSON line, whole


@dataclass(frozen=True)
class Runner:
    """Where the bench programs are, and how large the runs shall be."""

    programs: Path
    quick: bool = False

    def command(self, workload: Workload, *arguments: str) -> list[str]:
        program = self.programs / workload.program
        if not program.is_file():
            raise LabError(f"{program} is missing: build it first with ./hakmem build")
        return [str(program), *(arguments or workload.arguments(self.quick))]

    def sample(self, workload: Workload, allocator: Allocator) -> Sample:
        if workload.timing is Timing.START_UP:
            return self._start_up_sample(workload, allocator)
        report = run_reporting(self.command(workload), allocator, workload.environment)
        return _sample(report["seconds"], report)

    def _start_up_sample(self, workload: Workload, allocator: Allocator) -> Sample:
        """Memory from one run that reports; time from many that only run."""
        report = run_reporting(self.command(workload, "--json"), allocator, workload.environment)
        command = self.command(workload)
        environment = child_environment(allocator, workload.environment)
        times = [_spawn_seconds(command, environment) for _ in range(START_UPS_PER_SAMPLE)]
        return _sample(statistics.median(times), report)


def _sample(seconds: float, report: dict) -> Sample:
    return Sample(seconds, report["operations"], report["peak_kib"], report["resident_kib"], report)


def child_environment(allocator: Allocator, extra: dict[str, str]) -> dict[str, str]:
    """Ours, without what would change the workload or preload another allocator."""
    kept = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD" and not k.startswith("HAKMEM_BENCH_")}
    return {**kept, **allocator.environment(), **extra}


def run_reporting(
    command: list[str], allocator: Allocator, extra: dict[str, str] | None = None, wrapper: list[str] | None = None
) -> dict:
    """One run; its JSON report, after the check that `allocator` served it. A wrapper is valgrind or strace."""
    environment = child_environment(allocator, extra or {})
    whole = [*(wrapper or []), *command]
    shown = " ".join([Path(command[0]).name, *command[1:]])
    try:
        done = subprocess.run(
            whole, env=environment, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise UnsoundError(f"{shown} on {allocator.name} did not end within {TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        how = f"{_status(done.returncode)}{_last_line(done.stderr)}"
        raise UnsoundError(f"{shown} on {allocator.name} failed with {how}")
    return parse_report(done.stdout, shown, allocator)


def parse_report(output: str, shown: str, allocator: Allocator) -> dict:
    lines = output.strip().splitlines()
    try:
        report = json.loads(lines[-1])
        path = report["allocator_path"]
    except (IndexError, ValueError, KeyError, TypeError):
        raise UnsoundError(f"{shown} on {allocator.name} printed no report") from None
    if not allocator.served(path):
        raise UnsoundError(f"{shown} was to run on {allocator.name}, but {path} served it")
    return report


def _status(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return f": {lines[-1]}" if lines else ""


def _spawn_seconds(command: list[str], environment: dict[str, str]) -> float:
    """Seconds from spawn to exit; posix_spawn costs the same for every allocator and little."""
    to_null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=to_null)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise UnsoundError(f"{Path(command[0]).name} failed when started bare")
    return seconds
