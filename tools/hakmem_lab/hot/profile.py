"""What was measured, whatever measured it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Frame:
    """A function on a stack. `inlined`: it has no code of its own, the frame before it holds it."""

    name: str
    group: str
    where: str  # the file it was loaded from; for the library's own code, its source file
    inlined: bool = False


Stack = tuple[Frame, ...]  # the outermost caller first; never empty


@dataclass
class Entry:
    """A function of the malloc family: its calls, and the instructions of its own and with all that it called."""

    name: str
    calls: int = 0
    own: int = 0
    whole: int = 0


@dataclass(frozen=True)
class Process:
    pid: int
    command: str
    weight: int
    served: bool  # whether hakmem was its allocator


@dataclass
class Profile:
    unit: str  # "instructions" or "samples"
    runs: int = 1
    stacks: Counter[Stack] = field(default_factory=Counter)
    processes: list[Process] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.stacks.total()
