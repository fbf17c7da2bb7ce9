"""Runs a program under callgrind or under perf, as often as wanted, and gives the profile of all runs together."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.hot import callgrind, perf, stacks
from hakmem_lab.hot.profile import Profile
from hakmem_lab.hot.symbols import Symbols

_CALLERS = 10  # the longest way from malloc to the system is shorter
_CHILD_OF_FORK = "lock_fork_child"  # what a child counted until here its parent has counted
_SAMPLES_A_SECOND = 4999  # odd, so as not to beat in time with what the program does at round intervals
_STACK_BYTES = 4096
_PARANOIA = Path("/proc/sys/kernel/perf_event_paranoid")


@dataclass(frozen=True)
class Job:
    """What is to run: a command line, the environment that preloads the library, and how often."""

    command: list[str]
    library: Path
    environment: dict[str, str]
    runs: int = 1
    quiet: bool = False

    def run(self, wrapper: list[str]) -> int:
        """The exit status. Input is the program's own, and output too, if it is not to be quiet."""
        output = subprocess.DEVNULL if self.quiet else None
        line = [*wrapper, *self.command]
        return subprocess.run(line, env=self.environment, stdout=output, stderr=output, check=False).returncode


@dataclass(frozen=True)
class Recording:
    profile: Profile
    status: int  # of the first run that failed; 0: none did


def _tool(name: str, package: str, other: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise LabError(f"{name} is not installed: apt-get install {package}, or use {other}")
    return path


# ---- callgrind ----


def by_callgrind(job: Job) -> Recording:
    valgrind = _tool("valgrind", "valgrind", "--perf")
    symbols = Symbols(job.library)
    profile = Profile("instructions", job.runs)
    status = 0
    for _ in range(job.runs):
        with tempfile.TemporaryDirectory() as folder:
            status = job.run([valgrind, *_callgrind_options(Path(folder), symbols)]) or status
            _read_callgrind(profile, Path(folder), symbols)
    return Recording(profile, status)


def _callgrind_options(folder: Path, symbols: Symbols) -> list[str]:
    return [
        "--tool=callgrind",
        "--quiet",
        f"--log-file={folder}/log.%p",
        f"--callgrind-out-file={folder}/callgrind.%p",
        "--trace-children=yes",
        "--dump-instr=yes",
        "--compress-pos=no",
        # In this order: a name given after a longer one that it begins, or an option before these, is forgotten.
        *(f"--separate-callers{_CALLERS}={name}" for name in symbols.names()),
        f"--zero-before={_CHILD_OF_FORK}",
    ]


def _read_callgrind(profile: Profile, folder: Path, symbols: Symbols) -> None:
    files = [file for file in sorted(folder.glob("callgrind.*")) if file.stat().st_size > 0]
    if not files:
        said = "".join(log.read_text(errors="replace") for log in folder.glob("log.*")).strip().splitlines()
        raise UnsoundError(f"callgrind counted nothing{': ' + said[-1] if said else ''}")
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as lines:
            stacks.add_callgrind(profile, callgrind.parse(lines), symbols)


# ---- perf ----


def by_perf(job: Job) -> Recording:
    tool = _tool("perf", "linux-perf", "--callgrind")
    symbols = Symbols(job.library)
    profile = Profile("samples", job.runs)
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        event = _event(tool, Path(folder))
        for _ in range(job.runs):
            data = Path(folder) / "perf.data"
            data.unlink(missing_ok=True)
            status = job.run(_record_line(tool, event, data)) or status
            stacks.add_perf(profile, perf.parse(_script(tool, data)), symbols)
    return Recording(profile, status)


def _record_line(tool: str, event: str, data: Path) -> list[str]:
    how = ["-e", event, "-F", str(_SAMPLES_A_SECOND), "--call-graph", f"dwarf,{_STACK_BYTES}"]
    return [tool, "record", "--quiet", *how, "-o", str(data), "--"]


def _event(tool: str, folder: Path) -> str:
    """A clock, for virtual machines have no hardware counters; with the kernel, where one may look at it."""
    for event in ("cpu-clock", "cpu-clock:u"):
        tried = subprocess.run(
            [*_record_line(tool, event, folder / "try.data"), "true"], capture_output=True, text=True, check=False
        )
        if tried.returncode == 0:
            return event
    raise LabError(_why_not(tried.stderr))


def _why_not(said: str) -> str:
    try:
        paranoia = int(_PARANOIA.read_text())
    except (OSError, ValueError):
        paranoia = 0
    if paranoia > 2 and "paranoid" in said:
        return (
            f"perf may not sample: kernel.perf_event_paranoid is {paranoia}. As root: "
            "sysctl kernel.perf_event_paranoid=2, or use --callgrind, which needs no permission"
        )
    reasons = [line.strip() for line in said.splitlines() if line.strip()]
    return f"perf does not work here ({reasons[0] if reasons else 'it gave no reason'}); use --callgrind"


def _script(tool: str, data: Path) -> Iterator[str]:
    if not data.exists():
        raise UnsoundError("perf recorded nothing")
    shown = ["--no-inline", "--show-mmap-events", "--show-task-events", "-F", perf.FIELDS]
    done = subprocess.run(
        [tool, "script", "-i", str(data), *shown], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        raise UnsoundError(f"perf could not read what it had recorded: {done.stderr.strip()}")
    return iter(done.stdout.splitlines())
