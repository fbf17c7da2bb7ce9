"""The programs that workloads run: where they are, and what to do about those that are not there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from hakmem_lab.errors import LabError
from hakmem_lab.peers import debian
from hakmem_lab.workloads.workload import Workload

INPUTS = Path(__file__).resolve().parents[3] / "bench" / "programs"


def locate(program: str) -> str | None:
    """The path of a program of the system. python3 is the one that runs the lab: a link on the search path may lead to
    a version manager, which would be measured with it."""
    return os.path.realpath(sys.executable) if program == "python3" else shutil.which(program)


def _missing(workload: Workload) -> str:
    return f"{workload.program} is not on this machine (apt-get install {workload.package})"


def require(workload: Workload) -> str:
    """The path of the workload's program; without it the workload cannot run."""
    path = locate(workload.program)
    if path is None:
        raise LabError(f"the workload {workload.name} needs a program: {_missing(workload)}")
    return path


def _present(workload: Workload, say: Callable[[str], None]) -> bool:
    if workload.ours() or locate(workload.program):
        return True
    if debian.can_install():
        debian.install(workload.package, f"for the workload {workload.name}", say)
    if locate(workload.program):
        return True
    say(f"the workload {workload.name} is left out: {_missing(workload)}")
    return False


def present(chosen: list[Workload], say: Callable[[str], None]) -> list[Workload]:
    """The workloads that this machine can run, after installing what it may; the others are named and left out."""
    found = [workload for workload in chosen if _present(workload, say)]
    if not found:
        raise LabError("none of the workloads can run on this machine")
    return found
