"""What a workload is: a program with its arguments, for a full and for a quick run, and how its time is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Timing(Enum):
    INSIDE = "inside"  # the program times its own loop
    START_UP = "start-up"  # the whole process, from spawn to exit, many times


@dataclass(frozen=True)
class Workload:
    name: str
    group: str
    summary: str
    program: str
    full: tuple[str, ...]
    quick: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    timing: Timing = Timing.INSIDE

    def arguments(self, quick: bool) -> tuple[str, ...]:
        return self.quick if quick else self.full
