"""What `perf stat` prints of its events, and which of them a machine has not."""

from __future__ import annotations

from collections.abc import Iterable

TIME = "task-clock"  # milliseconds of processor time
HARDWARE = ("cycles", "instructions", "branches", "branch-misses", "cache-references", "cache-misses")
SOFTWARE = ("page-faults", "context-switches")
WAITED = ("user_time", "system_time")  # of what perf waited for
ALL = (TIME, *HARDWARE, *SOFTWARE, *WAITED)

SEPARATOR = ";"


def parse(lines: Iterable[str]) -> dict[str, float]:
    """Each event that was counted; those of the kernel alone or of the program alone are named without that."""
    found = {}
    for line in lines:
        fields = line.strip().split(SEPARATOR)
        if len(fields) < 3 or line.startswith("#"):
            continue
        value, _, event = fields[:3]
        try:
            found[event.partition(":")[0]] = float(value)
        except ValueError:  # <not supported>, <not counted>
            continue
    return found
