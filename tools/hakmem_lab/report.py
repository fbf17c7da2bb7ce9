"""The figures as JSON: everything measured, so that nothing has to be run again to be looked at otherwise."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from hakmem_lab.acceptance import Acceptance, Check
from hakmem_lab.comparison import Comparison, Standing
from hakmem_lab.errors import LabError


def machine() -> dict:
    return {"processor": _processor(), "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}"}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _commit(root: Path) -> str:
    ask = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def _header(root: Path) -> dict:
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return {"when": when, "commit": _commit(root), "machine": machine()}


def _standing(standing: Standing) -> dict:
    return {
        "allocator": standing.allocator.name,
        "version": standing.allocator.version,
        "library": str(standing.allocator.library or ""),
        "seconds": standing.seconds(),
        "operations_per_second": standing.operations_per_second(),
        "peak_kib": standing.peak_kib(),
        "resident_kib": standing.resident_kib(),
        "subject_time_ratio": asdict(standing.time_ratio),
        "subject_peak_ratio": asdict(standing.peak_ratio),
        "samples": [{**sample.report, "seconds": sample.seconds} for sample in standing.samples],
    }


def _comparison(comparison: Comparison) -> dict:
    return {
        "workload": comparison.workload.name,
        "sound": comparison.sound(),
        "noise": asdict(comparison.noise),
        "standings": [_standing(standing) for standing in comparison.standings()],
    }


def _check(check: Check) -> dict:
    return {**asdict(check), "met": check.met(), "certain": check.certain()}


def board(comparisons: list[Comparison], root: Path) -> dict:
    return {**_header(root), "workloads": [_comparison(comparison) for comparison in comparisons]}


def acceptance(result: Acceptance, root: Path) -> dict:
    return {**board(result.comparisons, root), "checks": [_check(check) for check in result.checks]}


def write(document: dict, path: Path) -> None:
    try:
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise LabError(f"the report could not be written to {path}: {error.strerror}") from None
