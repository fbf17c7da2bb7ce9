"""Programs that are not ours, on an allocator: a small library preloaded beside it reports from within each process."""

from __future__ import annotations

import functools
import hashlib
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hakmem_cli.plain_path import plain
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator, glibc
from hakmem_lab.running.process import child_environment, run_checked, shown
from hakmem_lab.running.programs import INPUTS

# Preloaded, so that a program that is linked with an allocator of its own still runs on the C library's.
_C_LIBRARY = "libc.so.6"


@dataclass(frozen=True)
class Witness:
    """What a process needs so that the witness speaks, and where it does."""

    environment: dict[str, str]
    reports: Path
    told: Path

    def figures(self, what: str) -> dict:
        """What the program measured of itself, where it does."""
        text = self.told.read_text(encoding="utf-8")
        try:
            figures = json.loads(text) if text else {}
        except ValueError:
            figures = None
        if not isinstance(figures, dict):
            raise UnsoundError(f"{what} told figures that cannot be read")
        return figures

    def report(self, what: str, allocator: Allocator) -> dict:
        """The report of the process with the highest peak, after the check that all ran on `allocator`."""
        reports = [json.loads(line) for line in self.reports.read_text(encoding="utf-8").splitlines()]
        if not reports:
            raise UnsoundError(f"{what} did not say which allocator served it")
        for report in reports:
            path = report["allocator_path"]
            if not allocator.served(path):
                raise UnsoundError(f"{what} was to run on {allocator.name}, but {path} served {report['workload']}")
        return max(reports, key=lambda report: report["peak_kib"])


@contextmanager
def witnessing(library: Path, allocator: Allocator, extra: dict[str, str]) -> Iterator[Witness]:
    if not library.is_file():
        raise LabError(f"{library} is missing: build it first with ./hakmem build")
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder) / "reports"
        told = Path(folder) / "figures"
        reports.touch()
        told.touch()
        beside = plain(str(allocator.library)) if allocator.library else _C_LIBRARY
        preload = f"{plain(str(library.resolve()))}:{beside}"
        here = {"BENCH_WITNESS": str(reports), "BENCH_FIGURES": str(told)}
        more = {**extra, "LC_ALL": "C", "LD_PRELOAD": preload, **here}
        yield Witness(child_environment(allocator, more), reports, told)


@dataclass(frozen=True)
class WitnessedRun:
    seconds: float  # from spawn to exit, or those that the program says it worked
    output: str  # a digest of standard output
    report: dict


def run_witnessed(command: list[str], allocator: Allocator, library: Path, extra: dict[str, str]) -> WitnessedRun:
    """One run of a program, among its inputs."""
    what = f"{shown(command)} on {allocator.name}"
    with witnessing(library, allocator, extra) as here, tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        run_checked(command, what, env=here.environment, cwd=INPUTS, stdout=output)
        seconds = time.perf_counter() - start
        output.seek(0)
        digest = hashlib.file_digest(output, "sha256").hexdigest()
        figures = here.figures(what)
        return WitnessedRun(figures.get("seconds", seconds), digest, {**here.report(what, allocator), **figures})


@functools.cache
def _expected_output(command: tuple[str, ...], library: Path, extra: tuple[tuple[str, str], ...]) -> str:
    return run_witnessed(list(command), glibc(), library, dict(extra)).output


def run_verified(command: list[str], allocator: Allocator, library: Path, extra: dict[str, str]) -> WitnessedRun:
    """The same, after the check that the program said what it says on the C library's malloc."""
    done = run_witnessed(command, allocator, library, extra)
    if done.output != _expected_output(tuple(command), library, tuple(extra.items())):
        raise UnsoundError(f"{shown(command)} on {allocator.name} gave another output than on the C library's malloc")
    return done
