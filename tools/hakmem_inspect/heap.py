"""Reads a whole heap: superslabs, slabs, caches and huge blocks.

A process may go on meanwhile. A slab whose records contradict each other is read again, some times; what still does is
`torn`. Whatever the memory says, nothing here raises anything but InspectError, and no loop is longer than the memory
can hold.
"""

import struct

from . import guarded, threads
from . import layout as layouts
from .caches import Caches
from .errors import InspectError, Unreadable
from .memory import u32, u64
from .records import Huge, ThreadHeap
from .units import Units

_TRIES = 6
_MOST_SUPERSLABS = 1 << 22  # 8 TiB of them
_MOST_HEAPS = 1 << 20
_MOST_HUGE = 1 << 24


class Heap:
    """What was read. `torn` counts the records that changed whenever they were looked at."""

    def __init__(self, memory, layout=None):
        self.memory = memory
        self.layout = layout or layouts.find(memory)
        self.superslabs = []
        self.heaps = {}  # by owner number
        self.huge = []
        self.ranges = []
        self.samples = []
        self.caches = None
        self._by_start = {}
        self._descriptors = {}  # address of a slab's descriptor: whose warm pool or runs it is in
        try:
            self._read()
        except Unreadable as missing:
            raise InspectError(f"{memory.describe}: {missing}, which the heap's records need", memory.remedy) from None
        except (IndexError, OverflowError, MemoryError, struct.error) as error:
            raise InspectError(
                f"the heap's records in {memory.describe} are damaged ({error or type(error).__name__})"
            ) from None

    # ---- what is asked

    @property
    def slabs(self):
        return (slab for superslab in self.superslabs for slab in superslab.slabs)

    @property
    def larges(self):
        return (large for superslab in self.superslabs for large in superslab.larges)

    @property
    def torn(self):
        return sum(slab.torn for slab in self.slabs) + sum(heap.changing for heap in self.heaps.values())

    def superslab_of(self, address):
        return self._by_start.get(address >> self.layout.superslab_shift)

    def run_of(self, address):
        """The slab or large block whose units hold an address; None: none."""
        superslab = self.superslab_of(address)
        if superslab is None:
            return None
        return superslab.at_unit[(address - superslab.start) >> self.layout.unit_shift]

    def who(self, owner):
        heap = self.heaps.get(owner)
        return heap.who if heap else f"heap {owner}"

    def keeper_of(self, superslab, unit):
        """The heap that keeps a unit without a slab, and what for; None."""
        lay = self.layout
        return self._descriptors.get(superslab.address + lay.superslab_slab + superslab.head[unit] * lay.slab_bytes)

    # ---- reading

    def _keeps(self, superslab, unit):
        return superslab.head[unit] < self.layout.superslab_units and self.keeper_of(superslab, unit) is not None

    def _variable(self, address):
        return u64(self.memory.read(address, 8), 0)

    def _read(self):
        lay = self.layout
        self.window_base = self._variable(lay.window_base)
        self.window_units = self._variable(lay.window_units)
        if self.window_units == 0:
            raise InspectError(
                f"{self.memory.describe} has not used its heap yet", "Try again once it has called malloc"
            )
        if self.window_units > 1 << 32 or self.window_base % lay.range_bytes or self.window_base >> 48:
            raise InspectError(f"the heap's records in {self.memory.describe} are damaged: the window is none")
        self.limit = self._variable(lay.limit)  # bytes; 0: none
        units = Units(self.memory, lay, self._variable(lay.window_tags))
        self._read_superslabs(units)
        self._read_heaps()
        units.read(self.superslabs, self._keeps)
        self.caches = Caches(self)
        self._read_huge()
        self.samples = guarded.read(self.memory, lay)
        threads.name(self)

    def _read_superslabs(self, units):
        lay = self.layout
        first, end = self._variable(lay.range_first), self._variable(lay.range_end)
        table = self._variable(lay.window_superslabs)
        if first >= end:
            return
        if end > self.window_units // lay.superslab_units or end - first > _MOST_SUPERSLABS:
            raise InspectError(
                f"the heap's records in {self.memory.describe} are damaged: so many superslabs cannot be"
            )
        pointers = self.memory.read(table + 8 * first, 8 * (end - first))
        found = [(first + i, at) for i in range(end - first) if (at := u64(pointers, 8 * i))]
        records = self.memory.read_many([(at, lay.superslab_bytes) for _, at in found])
        for (index, at), data in zip(found, records, strict=True):
            if data is None:
                raise Unreadable(at, lay.superslab_bytes)
            superslab = units.superslab(index, at, data)
            if superslab.start != self.window_base + (index << lay.superslab_shift):
                raise InspectError(
                    f"the heap's records in {self.memory.describe} are damaged: the superslab at {at:#x} is none"
                )
            self.superslabs.append(superslab)
            self._by_start[superslab.start >> lay.superslab_shift] = superslab

    # ---- heaps

    def _read_heaps(self):
        lay = self.layout
        at = self._variable(lay.heaps)
        seen = set()
        while at and at not in seen and len(seen) < _MOST_HEAPS:
            seen.add(at)
            data = self.memory.read(at, lay.heap_bytes)
            owner = u32(data, lay.heap_owner)
            heap = ThreadHeap(at, owner, data[lay.heap_state], u64(data, lay.heap_cache))
            heap.warm = _pointers(data, lay.heap_warm_units, u32(data, lay.heap_warm_count), lay.heap_warm_max)
            heap.runs = _pointers(data, lay.heap_runs, u32(data, lay.heap_runs_count), lay.heap_runs_max)
            self._descriptors.update(dict.fromkeys(heap.warm, (heap, "warm pool")))
            self._descriptors.update(dict.fromkeys(heap.runs, (heap, "freed large blocks")))
            self.heaps[owner] = heap
            at = u64(data, lay.heap_next)

    # ---- huge blocks

    def _read_huge(self):
        lay = self.layout
        for attempt in range(_TRIES):
            table = self._variable(lay.huge_table)
            try:
                head = self.memory.read(table, lay.huge_table_entry + 8)
                size, entries = u64(head, lay.huge_table_size), u64(head, lay.huge_table_entry)
                if size > _MOST_HUGE:
                    raise InspectError(
                        f"the heap's records in {self.memory.describe} are damaged: {size} huge blocks cannot be"
                    )
                data = self.memory.read(entries, size * lay.huge_entry_bytes)
                break
            except Unreadable:
                if attempt + 1 == _TRIES or not self.memory.moves:
                    raise
        for i in range(0, size * lay.huge_entry_bytes, lay.huge_entry_bytes):
            start = u64(data, i + lay.huge_entry_start)
            if start not in (0, lay.huge_gone):
                block = u64(data, i + lay.huge_entry_block)
                self.huge.append(Huge(start, u64(data, i + lay.huge_entry_length), True, block))
        data = self.memory.read(lay.huge_ranges, lay.huge_ranges_max * lay.huge_range_bytes)
        for i in range(0, len(data), lay.huge_range_bytes):
            start = u64(data, i + lay.huge_range_start)
            if start:
                self.ranges.append(Huge(start, u64(data, i + lay.huge_range_length), False))
        self.huge.sort(key=lambda one: one.start)
        self.ranges.sort(key=lambda one: one.start)


def _pointers(data, at, count, most):
    return [u64(data, at + 8 * i) for i in range(min(count, most))]
