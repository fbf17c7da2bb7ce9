"""The figures as JSON: everything measured, so that nothing has to be run again to be looked at otherwise."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from hakmem_lab import rest
from hakmem_lab.acceptance import Acceptance, Check
from hakmem_lab.board import Board, Failure
from hakmem_lab.comparison import Checked, Comparison, Standing, peak_of, seconds_of
from hakmem_lab.errors import LabError
from hakmem_lab.peers import Allocator
from hakmem_lab.summary import DEFINITION, rows


@dataclass(frozen=True)
class Setting:
    """How a board was measured."""

    command: str  # that repeats it
    quick: bool
    target: float  # the half width that an interval of time may have
    notes: list[str]  # what could not be had, or not as it should be: a sentence each
    pause: float = 0.0  # seconds before each run


def machine() -> dict:
    return {"processor": _processor(), "cores": os.cpu_count(), "system": f"{platform.system()} {_release()}"}


def _release() -> str:
    """The system's version, without what its maker adds."""
    return platform.release().partition("-")[0]


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


def _allocator(allocator: Allocator) -> dict:
    return {"name": allocator.name, "version": allocator.version, "library": str(allocator.library or "")}


def _standing(comparison: Comparison, standing: Standing) -> dict:
    return {
        "allocator": standing.allocator.name,
        "version": standing.allocator.version,
        "library": str(standing.allocator.library or ""),
        "served": standing.served(),
        "seconds": standing.seconds(),
        "operations_per_second": standing.operations_per_second(),
        "peak_kib": standing.peak_kib(),
        "resident_kib": standing.resident_kib(),
        "time_to_best": asdict(comparison.to_best(standing, seconds_of)),
        "peak_to_best": asdict(comparison.to_best(standing, peak_of)),
        "subject_time_ratio": asdict(standing.time_ratio),
        "subject_peak_ratio": asdict(standing.peak_ratio),
        **rest.standing(comparison, standing),
        "samples": [{**rest.without_curve(sample.report), "seconds": sample.seconds} for sample in standing.samples],
    }


def _comparison(comparison: Comparison) -> dict:
    return {
        "workload": comparison.workload.name,
        "summary": comparison.workload.summary,
        "rounds": comparison.rounds(),
        "half_width": comparison.time_width(),
        "best_time": comparison.best_peer(seconds_of).allocator.name,
        "best_peak": comparison.best_peer(peak_of).allocator.name,
        "rest_unit": rest.unit(comparison.workload),
        "standings": [_standing(comparison, standing) for standing in comparison.standings()],
    }


def _checked(comparison: Checked) -> dict:
    return {**_comparison(comparison), "sound": comparison.sound(), "noise": asdict(comparison.noise)}


def _on_board(comparison: Comparison, target: float) -> dict:
    return {**_comparison(comparison), "wide": comparison.time_width() > target}


def _failure(failure: Failure) -> dict:
    return {"workload": failure.workload.name, "allocator": failure.allocator.name, "sentence": failure.sentence}


def _check(check: Check) -> dict:
    return {**asdict(check), "met": check.met(), "certain": check.certain()}


def board(measured: Board, setting: Setting, root: Path) -> dict:
    return {
        **_header(root),
        **asdict(setting),
        "definition": DEFINITION,
        "subject": _allocator(measured.subject),
        "peers": [_allocator(peer) for peer in measured.peers],
        "complete": measured.complete(),
        "stopped": measured.stopped,
        "rows": [asdict(row) for row in rows(measured)],
        "workloads": [_on_board(comparison, measured.target) for comparison in measured.comparisons],
        "failures": [_failure(failure) for failure in measured.failures],
    }


def acceptance(result: Acceptance, pause: float, root: Path) -> dict:
    return {
        **_header(root),
        "pause": pause,
        "workloads": [_checked(comparison) for comparison in result.comparisons],
        "checks": [_check(check) for check in result.checks],
    }


def write(document: dict, path: Path) -> None:
    write_text(json.dumps(document, indent=1) + "\n", path)


def write_text(text: str, path: Path) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"the report could not be written to {path}: {error.strerror}") from None


def must_be_writable(path: Path) -> None:
    """Refuses a path that a report could not be written to, before anything is measured."""
    there = path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise LabError(f"the report cannot be written to {path}: {error.strerror}") from None
    if not there:
        path.unlink()


def read(path: Path) -> dict:
    """A board that was measured before."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        document["rows"], document["workloads"], document["command"], document["target"]
    except OSError as error:
        raise LabError(f"the board {path} could not be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise LabError(f"{path} is no board: give it a file that ./hakmem bench board wrote with --json") from None
    return document
