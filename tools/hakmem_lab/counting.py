"""Exact counts of one run: instructions by callgrind, system calls by strace."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator, glibc
from hakmem_lab.running.process import TIMEOUT_SECONDS
from hakmem_lab.running.runner import Runner, run_reporting
from hakmem_lab.workloads import REGISTRY

MEMORY_CALLS = ("mmap", "munmap", "madvise", "mprotect")

_WARM_UP_SHARE = 0.1  # random_mixed runs a tenth of its operations before the timed ones
_EVENT_TOTALS = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)
_SYSTEM_CALL = re.compile(r"^(?:\d+ +)?(\w+)\(", re.MULTILINE)


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise LabError(f"{name} is needed to count and is not installed (apt-get install {name})")
    return path


def random_mixed(runner: Runner, operations: int, ws: int) -> list[str]:
    return runner.command(REGISTRY["random-mixed-400"], str(operations), str(ws), "1")


def parse_instructions(callgrind_file: str) -> int:
    found = _EVENT_TOTALS.search(callgrind_file)
    if found is None:
        raise UnsoundError("callgrind counted no instructions")
    return int(found.group(1))


def instructions(
    command: list[str],
    allocator: Allocator,
    environment: dict[str, str] | None = None,
    limit: float = TIMEOUT_SECONDS,
) -> tuple[int, dict]:
    """Of the whole run, which may take `limit` seconds, and what the program reported."""
    valgrind = _tool("valgrind")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        wrapper = [valgrind, "--tool=callgrind", f"--callgrind-out-file={out}"]
        report = run_reporting(command, allocator, environment, wrapper, limit)
        return parse_instructions(out.read_text()), report


def instructions_per_operation(
    command: list[str], allocator: Allocator, few: int, many: int, environment: dict[str, str] | None = None
) -> float:
    """Of random mixed, the harness included: the one definition, for `bench accept` and for `ab`.

    The difference of two lengths, so that start-up and end drop out. The second word of `command` is the number of
    operations, and is replaced.
    """

    def counted(operations: int) -> int:
        return instructions([command[0], str(operations), *command[2:]], allocator, environment)[0]

    return (counted(many) - counted(few)) / ((many - few) * (1 + _WARM_UP_SHARE))


def parse_system_calls(trace: str) -> Counter:
    """The calls in strace's output; of a call cut in two by another thread's only the first half counts."""
    return Counter(_SYSTEM_CALL.findall(trace))


def _memory_calls(command: list[str], allocator: Allocator) -> Counter:
    strace = _tool("strace")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "trace"
        wrapper = [strace, "-f", "-qq", "-e", f"trace={','.join(MEMORY_CALLS)}", "-o", str(out)]
        run_reporting(command, allocator, wrapper=wrapper)
        return parse_system_calls(out.read_text())


def system_calls_beyond(runner: Runner, allocator: Allocator, ws: int, operations: int) -> Counter:
    """What `allocator` asks of the system in random mixed beyond the program's own calls.

    The program's own are those of the same program, doing one operation, on the C library's malloc, which then needs
    none of the four. So the loader's calls to map the allocator's library count against the allocator.
    """
    own = _memory_calls(random_mixed(runner, 1, ws), glibc())
    all_calls = _memory_calls(random_mixed(runner, operations, ws), allocator)
    return Counter({name: all_calls[name] - own[name] for name in MEMORY_CALLS})
