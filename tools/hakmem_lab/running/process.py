"""One process on an allocator: its environment, and the sentence when it fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator

TIMEOUT_SECONDS = 600
_HARNESS = "HAKMEM_BENCH_"  # read by the bench programs


def child_environment(allocator: Allocator, extra: dict[str, str]) -> dict[str, str]:
    """Ours, without what would change the workload or preload another allocator."""
    kept = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD" and not k.startswith(_HARNESS)}
    return {**kept, **allocator.environment(), **extra}


def refuse_other_sizes() -> None:
    """The workloads have their own sizes: whoever asks for others would get these, unseen."""
    for name in sorted(os.environ):
        if name.startswith(_HARNESS):
            raise LabError(f"{name} is set, and the workloads have their own sizes: unset it; bench --list shows them")


def shown(command: list[str]) -> str:
    """The command as sentences name it."""
    return " ".join([Path(command[0]).name, *command[1:]])


def run_checked(
    command: list[str], what: str, limit: float = TIMEOUT_SECONDS, **keywords
) -> subprocess.CompletedProcess:
    """Runs to the end, for `limit` seconds at most; a failure is told with the last line of standard error. Keywords
    are those of subprocess.run."""
    whole = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "errors": "replace", **keywords}
    try:
        done = subprocess.run(command, timeout=limit, check=False, **whole)
    except subprocess.TimeoutExpired:
        raise UnsoundError(f"{what} did not end within {limit:g} s") from None
    if done.returncode != 0:
        raise UnsoundError(f"{what} failed with {failure(done.returncode, done.stderr)}")
    return done


def failure(code: int, errors: str) -> str:
    lines = errors.strip().splitlines()
    status = f"signal {-code}" if code < 0 else f"status {code}"
    return f"{status}: {lines[-1]}" if lines else status
