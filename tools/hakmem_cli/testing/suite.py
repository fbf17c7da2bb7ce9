"""What a suite of tests is, and the outcome of one test."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class Outcome:
    """How one test ended; `message` says why it failed or was skipped, `notes` what it found out."""

    name: str
    status: Literal["passed", "failed", "skipped"]
    seconds: float = 0.0
    message: str = ""
    notes: tuple[str, ...] = ()


class Suite(Protocol):
    """Tests that are run by one tool. `steps` are what progress is told in: tests, or the files of a check."""

    name: str

    def steps(self) -> list[str]:
        """The steps that `run` will tell of."""

    def run(self, done: Callable[[str], None]) -> Iterable[Outcome]:
        """Runs the tests and calls `done` with each step as it ends."""


def broken(tool: str, output: str) -> Outcome:
    """The outcome of a tool that failed without telling which test did."""
    return Outcome(tool, "failed", message=output.strip() or f"{tool} ended without a result")
