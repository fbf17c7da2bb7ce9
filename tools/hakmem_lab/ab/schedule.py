"""When a measurement may be looked at, and what each look may err.

Who looks after every pair and stops as soon as the answer pleases finds a difference between A and A sooner or later.
So the looks are fixed before the first run, at doubling numbers of blocks, and share one probability of error among
them, the late looks, which decide, most of it.
"""

from __future__ import annotations

from dataclasses import dataclass

ERROR = 0.01  # of the whole command: that any interval of any look misses the truth

FIRST_LOOK_BLOCKS = 4
_DOUBLINGS = 4


@dataclass(frozen=True)
class Look:
    blocks: int  # how many blocks of runs are done then
    error: float


def looks(affordable_blocks: int, error: float) -> list[Look]:
    """The last look is at the end of what can be afforded, but never before the first."""
    last = max(affordable_blocks, FIRST_LOOK_BLOCKS)
    sizes = [size for size in (last >> halvings for halvings in range(_DOUBLINGS, 0, -1)) if size >= FIRST_LOOK_BLOCKS]
    sizes.append(last)
    return [Look(size, error * size / sum(sizes)) for size in sizes]
