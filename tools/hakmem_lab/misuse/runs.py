"""The cases of the program, and how one ends on an allocator."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.running.process import child_environment

_NOT_TRIED = 77
_SECONDS = 60  # more is a hang
# Chance decides whether a guarded sample begins or ends at a guard: what is found at one side alone takes some runs.
_TRIES = {"guarded": 60}
_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP, signal.SIGFPE}


class Ending(Enum):
    """How a case ends; the value is what tables say."""

    STOPPED = "stop"  # with a message, or by abort
    FAULT = "fault"
    AT_EXIT = "exit"  # stopped, but only when the process ended
    NO_EFFECT = "none"  # nothing came of the misuse, or it was refused
    UNNOTICED = "–"
    NOT_TRIED = ""

    def caught(self) -> bool:
        return self not in (Ending.UNNOTICED, Ending.NOT_TRIED)


@dataclass(frozen=True)
class Case:
    name: str
    kind: str
    size: str  # small, medium, large; one
    suite: str  # public: a kind and size of the public suite; ours


@dataclass(frozen=True)
class Outcome:
    ending: Ending
    words: str = ""  # what hakmem's line says was done
    shown: str = ""  # all that the process said

    def text(self) -> str:
        """As promises name it."""
        if self.ending is Ending.STOPPED:
            return self.words or "abort"
        if self.ending is Ending.AT_EXIT:
            return f"at exit: {self.words or 'a signal'}"
        return {Ending.FAULT: "fault", Ending.NO_EFFECT: "no effect"}.get(self.ending, self.ending.name.lower())


@dataclass(frozen=True)
class Program:
    """build/release/bench/misuse."""

    path: Path

    def cases(self) -> list[Case]:
        if not self.path.is_file():
            raise LabError(f"{self.path} is missing: build it first with ./hakmem build, which needs a C++ compiler")
        done = subprocess.run([self.path, "--list"], capture_output=True, text=True, check=True)
        return sorted((Case(**one) for one in json.loads(done.stdout)), key=_order)

    def run(self, case: Case, allocator: Allocator) -> Outcome:
        """One run; where chance decides what an allocator finds, as many as that takes."""
        for _ in range(_TRIES.get(allocator.name, 1)):
            outcome = self._run(case, allocator)
            if outcome.ending in (Ending.STOPPED, Ending.NO_EFFECT):
                break
        return outcome

    def _run(self, case: Case, allocator: Allocator) -> Outcome:
        """One run, after the check that `allocator` served it."""
        whole = child_environment(allocator, {})
        told = allocator.environment()
        environment = {name: value for name, value in whole.items() if name in told or not name.startswith("HAKMEM_")}
        try:
            done = subprocess.run(
                [self.path, case.name],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                env=environment,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UnsoundError(f"{case.name} on {allocator.name} did not end within {_SECONDS} s") from None
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        served = re.match(r"allocator (.*)", out)
        if served is None or not allocator.served(served[1]):
            who = f"{served[1]} served it" if served else f"did not say what served it: {err.strip()}"
            raise UnsoundError(f"{case.name} was to run on {allocator.name}, but {who}")
        return _outcome(done.returncode, out, err)

    def run_all(self, cases: list[Case], allocator: Allocator) -> dict[str, Outcome]:
        """Each case once, on all cores."""
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            outcomes = pool.map(lambda case: self.run(case, allocator), cases)
            return {case.name: outcome for case, outcome in zip(cases, outcomes, strict=True)}


_SIZES = ("small", "medium", "large", "one")


def _order(case: Case) -> tuple:
    return (case.suite != "public", case.kind, _SIZES.index(case.size))


def _outcome(code: int, out: str, err: str) -> Outcome:
    shown = f"exit status {code}\nstdout: {out}\nstderr: {err}"
    line = re.search(r"^hakmem: ([^:\n]+):", err, re.MULTILINE)
    words = line[1] if line else ""
    came_back = re.search(r"^(no effect|survived)$", out, re.MULTILINE)
    if code < 0:
        fault = -code in _FAULTS and not words
        ending = Ending.AT_EXIT if came_back else Ending.FAULT if fault else Ending.STOPPED
        return Outcome(ending, words, shown)
    if came_back and code == 0:
        return Outcome(Ending.NO_EFFECT if came_back[1] == "no effect" else Ending.UNNOTICED, words, shown)
    if code == _NOT_TRIED:
        return Outcome(Ending.NOT_TRIED, words, shown)
    return Outcome(Ending.STOPPED, words, shown)  # some allocators end the program by a status of their own
