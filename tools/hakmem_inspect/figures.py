"""Sums over a heap: by size class, by thread, and in all.

INVARIANT, for slabs: bound = live + cached + free + holes + fresh + rest. Where the source knows which pages are
resident, that is told beside it.
"""

from dataclasses import dataclass

from . import residence
from .records import KEPT, RETAINED


@dataclass(slots=True)
class Figures:
    """Bytes, but for the two counts."""

    slabs: int = 0
    blocks: int = 0  # live ones; a coalesced one is one
    bound: int = 0  # of the slabs' units
    live: int = 0  # of blocks that the program holds
    cached: int = 0  # of free blocks in magazines, ready to be given out
    free: int = 0  # of free blocks in their slabs, used before, those that wait for their owner among them
    holes: int = 0  # of pages within slabs that have been given back
    fresh: int = 0  # of blocks that were never given out
    rest: int = 0  # beyond a slab's last block
    resident: int = 0

    def add(self, other):
        self.slabs += other.slabs
        self.blocks += other.blocks
        self.bound += other.bound
        self.live += other.live
        self.cached += other.cached
        self.free += other.free
        self.holes += other.holes
        self.fresh += other.fresh
        self.rest += other.rest
        self.resident += other.resident

    @property
    def waste(self):
        """Of what may be resident, the part that is not live, from 0 to 1."""
        held = self.bound - self.fresh - self.holes
        return max(0.0, 1 - self.live / held) if held > 0 else 0.0


@dataclass(slots=True)
class Total:
    """The whole heap, in bytes."""

    slabs: Figures
    large: int
    large_blocks: int
    huge: int
    huge_blocks: int
    retained: int  # free units and ranges that stay resident
    kept: int  # free units in the warm pools and run lists of heaps
    superslabs: int
    resident: int | None  # of all that the heap hands out; None: not known
    refilled: int | None  # of holes: the system has put pages there again
    torn: int

    @property
    def live(self):
        return self.slabs.live + self.large + self.huge

    @property
    def free(self):
        """Free, and resident unless it is fresh in part."""
        return self.slabs.free + self.retained + self.kept

    @property
    def held(self):
        """What may be resident."""
        slabs = self.slabs
        return slabs.bound - slabs.fresh - slabs.holes + self.large + self.huge + self.retained + self.kept

    @property
    def fragmentation(self):
        """Of what may be resident, the part that is not live, from 0 to 1."""
        return max(0.0, 1 - self.live / self.held) if self.held > 0 else 0.0


def of_slab(slab, page_bytes, resident=None):
    """The figures of one slab."""
    stride, capacity = slab.shape.stride, slab.shape.capacity
    live = slab.live
    figures = Figures(1, live.bit_count(), slab.bytes, slab.whole(live).bit_count() * stride)
    left = capacity * stride
    figures.rest = figures.bound - left
    left -= figures.live
    figures.cached = min(left, slab.whole(slab.cached).bit_count() * stride)
    left -= figures.cached
    figures.fresh = min(left, slab.fresh.bit_count() * stride)
    left -= figures.fresh
    figures.holes = min(left, slab.absent.bit_count() * page_bytes)
    figures.free = left - figures.holes
    if resident is not None:
        figures.resident = resident.get(slab.start, 0)
        if slab.shape.units > 1:
            unit = slab.superslab.unit_bytes
            figures.resident += sum(resident.get(slab.start + i * unit, 0) for i in range(1, slab.shape.units))
    return figures


class Sums:
    """All figures of one reading."""

    def __init__(self, heap, with_resident=True):
        found = residence.look(heap) if with_resident else None
        units = found.units if found else None
        self.knows_resident = found is not None
        self.by_class = {}
        self.by_owner = {}
        self.of_slab = {}
        slabs = Figures()
        by_both = {}
        for slab in heap.slabs:
            one = self.of_slab[slab.start] = of_slab(slab, heap.memory.page_bytes, units)
            by_both.setdefault((slab.shape.index, slab.owner), Figures()).add(one)
        for (index, owner), one in by_both.items():
            slabs.add(one)
            self.by_class.setdefault(index, Figures()).add(one)
            self.by_owner.setdefault(owner, Figures()).add(one)
        larges = [large.bytes for large in heap.larges]
        samples = [one.bytes for one in heap.samples if one.live]
        kinds = [kind for superslab in heap.superslabs for kind in superslab.kinds]
        unit = heap.layout.unit_bytes
        self.total = Total(
            slabs=slabs,
            large=sum(larges),
            large_blocks=len(larges),
            huge=sum(one.bytes for one in heap.huge) + sum(samples),
            huge_blocks=len(heap.huge) + len(samples),
            retained=kinds.count(RETAINED) * unit + sum(one.bytes for one in heap.ranges),
            kept=kinds.count(KEPT) * unit,
            superslabs=sum(not one.unmapped for one in heap.superslabs),
            resident=found.bytes if found else None,
            refilled=found.holes if found else None,
            torn=heap.torn,
        )
