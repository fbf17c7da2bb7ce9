"""What a workload is: a program with its arguments, for a full and for a quick run, and how its time is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Timing(Enum):
    INSIDE = "inside"  # the program times its own loop
    START_UP = "start-up"  # the whole process, from spawn to exit, many times
    WHOLE = "whole"  # a program of the system, from spawn to exit, or as it says itself
    CLIENT = "client"  # a server of the system: the time is that of its client
    FLUSH = "flush"  # a server that its client fills and empties: the time is that of both, not of the rest after them


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
    package: str = ""  # Debian's, of a program that is not ours
    rest: str = ""  # where its report tells the memory at rest: a key, or keys of objects in objects with dots between

    def arguments(self, quick: bool) -> tuple[str, ...]:
        return self.quick if quick else self.full

    def ours(self) -> bool:
        """Whether the program is one of bench/, which reports by itself."""
        return not self.package
