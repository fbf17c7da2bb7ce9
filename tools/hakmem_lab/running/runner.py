"""Takes samples: runs a workload once on an allocator, and proves which allocator served it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.running import programs, redis, witness
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.running.process import TIMEOUT_SECONDS, child_environment, run_checked, shown
from hakmem_lab.workloads.workload import Timing, Workload

START_UPS_PER_SAMPLE = 20
WITNESS = "libwitness.so"


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
    pause: float = 0.0  # seconds before each process that is measured

    def command(self, workload: Workload, *arguments: str) -> list[str]:
        program = self._own(workload) if workload.ours() else programs.require(workload)
        return [program, *(arguments or workload.arguments(self.quick))]

    def _own(self, workload: Workload) -> str:
        program = self.programs / workload.program
        if not program.is_file():
            raise LabError(f"{program} is missing: build it first with ./hakmem build")
        return str(program)

    def wait(self) -> None:
        if self.pause:
            time.sleep(self.pause)

    def sample(self, workload: Workload, allocator: Allocator) -> Sample:
        self.wait()
        return _SAMPLERS[workload.timing](self, workload, allocator)


# ---- one way for each timing


def _inside(runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    report = run_reporting(runner.command(workload), allocator, workload.environment)
    return _sample(report["seconds"], report)


def _start_up(runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    """Memory from one run that reports; time from many that only run."""
    report = run_reporting(runner.command(workload, "--json"), allocator, workload.environment)
    command = runner.command(workload)
    environment = child_environment(allocator, workload.environment)
    starts = 1 if runner.pause else START_UPS_PER_SAMPLE  # twenty pauses a sample would be minutes
    times = [_spawn_seconds(runner, command, environment) for _ in range(starts)]
    return _sample(statistics.median(times), report)


def _whole(runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    library = runner.programs / WITNESS
    done = witness.run_verified(runner.command(workload), allocator, library, workload.environment)
    return _sample(done.seconds, done.report)


def _client(runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    return _server(redis.serve, runner, workload, allocator)


def _flush(runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    return _server(redis.flush, runner, workload, allocator)


def _server(serve: Callable[..., redis.Service], runner: Runner, workload: Workload, allocator: Allocator) -> Sample:
    program, *arguments = runner.command(workload)
    done = serve(program, arguments, allocator, runner.programs / WITNESS, workload.environment)
    return _sample(done.seconds, {**done.report, "operations": done.operations})


_SAMPLERS: dict[Timing, Callable[[Runner, Workload, Allocator], Sample]] = {
    Timing.INSIDE: _inside,
    Timing.START_UP: _start_up,
    Timing.WHOLE: _whole,
    Timing.CLIENT: _client,
    Timing.FLUSH: _flush,
}


def _sample(seconds: float, report: dict) -> Sample:
    return Sample(seconds, report["operations"], report["peak_kib"], report["resident_kib"], report)


# ---- programs that report by themselves


def run_reporting(
    command: list[str],
    allocator: Allocator,
    extra: dict[str, str] | None = None,
    wrapper: list[str] | None = None,
    limit: float = TIMEOUT_SECONDS,
) -> dict:
    """One run; its JSON report, after the check that `allocator` served it. A wrapper is valgrind or strace."""
    what = f"{shown(command)} on {allocator.name}"
    environment = child_environment(allocator, extra or {})
    done = run_checked([*(wrapper or []), *command], what, limit, env=environment, stdout=subprocess.PIPE)
    return parse_report(done.stdout, shown(command), allocator)


def parse_report(output: str, program: str, allocator: Allocator) -> dict:
    lines = output.strip().splitlines()
    try:
        report = json.loads(lines[-1])
        path = report["allocator_path"]
    except (IndexError, ValueError, KeyError, TypeError):
        raise UnsoundError(f"{program} on {allocator.name} printed no report") from None
    if not allocator.served(path):
        raise UnsoundError(f"{program} was to run on {allocator.name}, but {path} served it")
    return report


def _spawn_seconds(runner: Runner, command: list[str], environment: dict[str, str]) -> float:
    """Seconds from spawn to exit; posix_spawn costs the same for every allocator and little."""
    runner.wait()
    to_null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=to_null)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise UnsoundError(f"{Path(command[0]).name} failed when started bare")
    return seconds
