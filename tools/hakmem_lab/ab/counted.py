"""Instructions an operation of both sides, harness included: of random mixed without start-up, as hakmem_lab/counting.py
defines them; of the other programs those of the whole run ÷ its operations.

Callgrind counts exactly, and a program with one thread executes the same instructions every time: no interval is
needed. Where threads wait for each other it is not so; then A counted again differs, and there is no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass

from hakmem_lab.ab.gain import Gain, exact_gain
from hakmem_lab.ab.stage import Contestant
from hakmem_lab.ab.verdict import Ruling, Verdict, rule_figure
from hakmem_lab.counting import instructions, instructions_per_operation
from hakmem_lab.errors import LabError
from hakmem_lab.running.runner import Runner
from hakmem_lab.workloads import Timing, Workload

_MIXED = "random_mixed"
_FEW, _MANY = 200_000, 1_200_000  # operations of the two runs that are told apart
_LIMIT = 60  # seconds of a run: many threads under callgrind, which runs one at a time, may take many minutes
_EXACT = 0.002  # how far A may differ from itself: the length of a path and the like


@dataclass(frozen=True)
class Instructions:
    """Per operation; without figures where they could not be counted."""

    first: float = 0
    again: float = 0
    second: float = 0
    missing: str = ""

    def gain(self) -> Gain | None:
        return None if self.missing else exact_gain(self.first, self.second)

    def ruling(self) -> Ruling:
        if self.missing:
            return Ruling(Verdict.NEUTRAL, False, f"not counted: {self.missing}")
        noise = abs(self.again / self.first - 1)
        if noise > _EXACT:
            return Ruling(Verdict.NEUTRAL, False, f"not exact here: A differs from itself by {noise:.1%}")
        return rule_figure(self.gain())


def count(runner: Runner, workload: Workload, contestants: dict[str, Contestant]) -> Instructions:
    """Of the workload's quick run: callgrind is fifty times slower, and counts as well in a short run."""
    if workload.timing is not Timing.INSIDE:
        return Instructions(missing="only programs that count their own operations are")
    try:
        return Instructions(*(_per_operation(runner, workload, contestants[copy]) for copy in "AaB"))
    except LabError as error:
        return Instructions(missing=str(error))


def _per_operation(runner: Runner, workload: Workload, contestant: Contestant) -> float:
    command = Runner(runner.programs, quick=True).command(workload)
    environment = {**workload.environment, **contestant.settings}
    if workload.program == _MIXED:
        return instructions_per_operation(command, contestant.allocator, _FEW, _MANY, environment)
    total, report = instructions(command, contestant.allocator, environment, _LIMIT)
    return total / report["operations"]
