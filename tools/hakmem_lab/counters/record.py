"""Runs a program on an allocator under `perf stat`, or where there is none, with what the kernel tells its parent."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hakmem_lab.counters import events
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.running.process import child_environment, failure, shown
from hakmem_lab.running.witness import witnessing

ELAPSED, PEAK = "elapsed", "peak-kib"
_TRIES = 20  # of a program that perf did not wait for
_OURS = "perf"  # the wrapper runs on the allocator too, and reports; it is no part of the program


@dataclass(frozen=True)
class Run:
    counts: dict[str, float]
    proved: bool  # every process that ended by exit said that it ran on the allocator


@dataclass
class Contestant:
    allocator: Allocator
    runs: list[Run] = field(default_factory=list)
    instructions: int | None = None  # by callgrind


@dataclass(frozen=True)
class Tool:
    """perf, if it may count here; else why not."""

    path: str | None
    reason: str = ""


def find_perf() -> Tool:
    path = shutil.which("perf")
    if path is None:
        return Tool(None, "perf is not installed (apt-get install linux-perf)")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        tried = subprocess.run([*_perf(path, out), "true"], capture_output=True, text=True, check=False)
        if tried.returncode == 0 and events.parse(out.read_text().splitlines()):
            return Tool(path)
    said = [line.strip() for line in tried.stderr.splitlines() if line.strip()]
    return Tool(None, f"perf may not count here ({said[0] if said else 'it gave no reason'})")


def _perf(path: str, out: Path) -> list[str]:
    return [path, "stat", "-x", events.SEPARATOR, "-o", str(out), "-e", ",".join(events.ALL), "--"]


def run(
    command: list[str],
    allocator: Allocator,
    perf: Tool,
    witness: Path,
    *,
    quiet: bool,
    extra: dict[str, str] | None = None,
) -> Run:
    """One run; its output is the program's own, or nobody's. What the first try printed is not printed again."""
    for tried in range(_TRIES):
        done = _once(command, allocator, perf, witness, quiet=quiet or tried > 0, extra=extra or {})
        if done is not None:
            return done
    raise UnsoundError(f"perf did not wait for {shown(command)} on {allocator.name}: nobody knows how it ended")


def _once(
    command: list[str], allocator: Allocator, perf: Tool, witness: Path, *, quiet: bool, extra: dict[str, str]
) -> Run | None:
    """None: the program ended before perf began to wait for it. Perf then reports success, whatever became of it."""
    with witnessing(witness, allocator, extra) as here, tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        wrapper = [] if perf.path is None else _perf(perf.path, out)
        environment = {name: value for name, value in here.environment.items() if name != "LC_ALL"}
        if "LC_ALL" in os.environ:
            environment["LC_ALL"] = os.environ["LC_ALL"]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        _call([*wrapper, *command], environment, f"{shown(command)} on {allocator.name}", quiet=quiet)
        elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        counted = events.parse(out.read_text().splitlines()) if wrapper else _told_by_kernel(before, after)
        if wrapper and not any(name in counted for name in events.WAITED):
            return None
        peak, proved = _witnessed(here.reports, allocator, shown(command))
        return Run({**counted, ELAPSED: elapsed, **peak}, proved)


def _call(line: list[str], environment: dict[str, str], what: str, *, quiet: bool) -> None:
    output = subprocess.DEVNULL if quiet else None
    done = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)
    if done.returncode != 0:
        how = failure(done.returncode, "")
        raise UnsoundError(f"{what} failed with {how}: its figures would be those of a failure")


def _told_by_kernel(before: resource.struct_rusage, after: resource.struct_rusage) -> dict[str, float]:
    """Of the program and of what it waited for."""

    def grown(*names: str) -> float:
        return sum(getattr(after, name) - getattr(before, name) for name in names)

    return {
        events.TIME: 1000 * grown("ru_utime", "ru_stime"),
        "page-faults": grown("ru_minflt", "ru_majflt"),
        "context-switches": grown("ru_nvcsw", "ru_nivcsw"),
    }


def _witnessed(path: Path, allocator: Allocator, what: str) -> tuple[dict[str, float], bool]:
    reports = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    reports = [report for report in reports if report["workload"] != _OURS]
    for report in reports:
        if not allocator.served(report["allocator_path"]):
            raise UnsoundError(f"{what} was to run on {allocator.name}, but {report['allocator_path']} served it")
    return ({PEAK: max(report["peak_kib"] for report in reports)}, True) if reports else ({}, False)


# ---- instructions, where the processor does not count them


def instructions(command: list[str], allocator: Allocator) -> int:
    """By callgrind, of all processes."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise LabError("valgrind is needed to count instructions and is not installed (apt-get install valgrind)")
    with tempfile.TemporaryDirectory() as folder:
        options = ["--tool=callgrind", "--quiet", "--trace-children=yes", f"--log-file={folder}/log.%p"]
        line = [valgrind, *options, f"--callgrind-out-file={folder}/counts.%p", *command]
        _call(line, child_environment(allocator, {}), f"{shown(command)} under valgrind", quiet=True)
        totals = [
            re.search(r"^(?:summary|totals): (\d+)", file.read_text(errors="replace"), re.MULTILINE)
            for file in Path(folder).glob("counts.*")
        ]
    if not totals or None in totals:
        raise UnsoundError("callgrind counted no instructions")
    return sum(int(total[1]) for total in totals)
