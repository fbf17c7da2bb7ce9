"""Reads a whole heap: superslabs, slabs, caches and huge blocks.

A process may go on meanwhile. A slab whose records contradict each other is read again, some times; what still does is
`torn`. Whatever the memory says, nothing here raises anything but InspectError, and no loop is longer than the memory
can hold.
"""

import struct

from . import layout as layouts
from . import threads
from .caches import Caches
from .errors import InspectError, Unreadable
from .memory import u16, u32, u64
from .records import GUARD, KEPT, LARGE, RECORDS, RETAINED, SLAB, UNUSED, Huge, Large, Slab, Superslab, ThreadHeap

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
        self.caches = None
        self._by_start = {}
        self._descriptors = {}  # address of a slab's descriptor: whose warm pool or runs it is in
        try:
            self._read()
        except Unreadable as missing:
            raise InspectError(
                f"{memory.describe}: {missing}, which the heap's records need", memory.remedy
            ) from None
        except (IndexError, OverflowError, MemoryError, struct.error) as error:
            raise InspectError(f"the heap's records in {memory.describe} are damaged ({error or type(error).__name__})") from None

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
        self._tags_at = self._variable(lay.window_tags)
        self._read_superslabs()
        self._read_heaps()
        self._read_slabs()
        self.caches = Caches(self)
        self._read_huge()
        threads.name(self)

    def _read_superslabs(self):
        lay = self.layout
        first, end = self._variable(lay.range_first), self._variable(lay.range_end)
        table = self._variable(lay.window_superslabs)
        if first >= end:
            return
        if end > self.window_units // lay.superslab_units or end - first > _MOST_SUPERSLABS:
            raise InspectError(f"the heap's records in {self.memory.describe} are damaged: so many superslabs cannot be")
        pointers = self.memory.read(table + 8 * first, 8 * (end - first))
        found = [(first + i, at) for i in range(end - first) if (at := u64(pointers, 8 * i))]
        records = self.memory.read_many([(at, lay.superslab_bytes) for _, at in found])
        for (index, at), data in zip(found, records, strict=True):
            if data is None:
                raise Unreadable(at, lay.superslab_bytes)
            superslab = self._superslab(index, at, data)
            if superslab.start != self.window_base + (index << lay.superslab_shift):
                raise InspectError(
                    f"the heap's records in {self.memory.describe} are damaged: the superslab at {at:#x} is none"
                )
            self.superslabs.append(superslab)
            self._by_start[superslab.start >> lay.superslab_shift] = superslab

    def _superslab(self, index, at, data):
        lay = self.layout
        return Superslab(
            address=at,
            start=u64(data, lay.superslab_start),
            index=index,
            free=u32(data, lay.superslab_free),
            retained=u32(data, lay.superslab_retained),
            purged=u32(data, lay.superslab_purged),
            unmapped=bool(data[lay.superslab_unmapped]),
            dense=bool(data[lay.superslab_dense]),
            tier=data[lay.superslab_tier],
            head=data[lay.superslab_head : lay.superslab_head + lay.superslab_units],
            unit_bytes=lay.unit_bytes,
        )

    # ---- slabs

    def _read_slabs(self):
        """All slabs in bulk; those that contradict themselves once more each, a few times."""
        pending = self.superslabs
        for attempt in range(_TRIES if self.memory.moves else 1):
            pending = self._read_slabs_of(pending, attempt)
            if not pending:
                break
        for superslab in self.superslabs:
            self._name_rest(superslab)

    def _read_slabs_of(self, superslabs, attempt):
        """Reads the slabs of these superslabs; those of them that have torn ones."""
        lay = self.layout
        records = self.memory.read_many([(one.address, lay.superslab_bytes) for one in superslabs])
        tags = self.memory.read_many(
            [(self._tags_at + 4 * one.index * lay.superslab_units, 4 * lay.superslab_units) for one in superslabs]
        )
        for superslab, data, tag in zip(superslabs, records, tags, strict=True):
            if data is None or tag is None:
                raise Unreadable(superslab.address, lay.superslab_bytes)
            if attempt:
                again = self._superslab(superslab.index, superslab.address, data)
                for name in ("free", "retained", "purged", "unmapped", "dense", "tier", "head"):
                    setattr(superslab, name, getattr(again, name))
            self._cut(superslab, data, tag)
        self._read_bitmaps([slab for superslab in superslabs for slab in superslab.slabs])
        return [superslab for superslab in superslabs if any(slab.torn for slab in superslab.slabs)]

    def _cut(self, superslab, data, tags):
        """What each unit is, by its tag."""
        lay = self.layout
        units = lay.superslab_units
        superslab.slabs, superslab.larges = [], []
        superslab.at_unit = [None] * units
        superslab.kinds = [UNUSED] * units
        unit = 0
        while unit < units:
            tag = u32(tags, 4 * unit)
            run = None
            if tag >> lay.tag_class_bits:
                run = self._slab(superslab, unit, tag, data)
                step = run.shape.units if run else 1
            elif tag == lay.tag_large:
                step = 1
                while unit + step < units and u32(tags, 4 * (unit + step)) == lay.tag_inside:
                    step += 1
                start = superslab.start + unit * lay.unit_bytes
                run = Large(superslab, unit, step, start, step * lay.unit_bytes)
                superslab.larges.append(run)
            else:
                step = 1
            for i in range(unit, min(unit + step, units)):
                superslab.at_unit[i] = run
                if run is not None:
                    superslab.kinds[i] = SLAB if isinstance(run, Slab) else LARGE
            unit += step

    def _slab(self, superslab, unit, tag, data):
        lay = self.layout
        number = tag & ((1 << lay.tag_class_bits) - 1)
        if number >= len(lay.classes) or superslab.head[unit] != unit:
            return None  # an instant of a change, or garbage
        at = lay.superslab_slab + unit * lay.slab_bytes
        shape = lay.classes[number]
        if unit + shape.units > lay.superslab_units:
            return None
        slab = Slab(
            superslab=superslab,
            unit=unit,
            start=superslab.start + unit * lay.unit_bytes,
            address=superslab.address + at,
            shape=shape,
            owner=tag >> lay.tag_class_bits,
            free_at=u64(data, at + lay.slab_free),
            remote_at=u64(data, at + lay.slab_remote),
            carved=min(u16(data, at + lay.slab_carved), shape.capacity),
            dirty=data[at + lay.slab_dirty],
            taken_at=u64(data, at + lay.slab_taken_at),
            kept=bool(data[at + lay.slab_kept]),
            absent=0,
        )
        if data[at + lay.slab_has_holes]:
            absent = data[at + lay.slab_absent : at + lay.slab_absent + 8 * lay.slab_absent_words]
            slab.absent = int.from_bytes(absent, "little")
        slab.torn = data[at + lay.slab_size_class] != number
        slab.free = u32(data, at + lay.slab_free_count)  # until its bitmap is read
        superslab.slabs.append(slab)
        return slab

    def _read_bitmaps(self, slabs):
        wanted = []
        for slab in slabs:
            size = (slab.shape.capacity + 63) // 64 * 8
            wanted += [(slab.free_at, size), (slab.remote_at, size)]
        found = self.memory.read_many(wanted)
        for i, slab in enumerate(slabs):
            count, free, posted = slab.free, found[2 * i], found[2 * i + 1]
            if free is None or posted is None:
                if not self.memory.moves:
                    raise Unreadable(slab.free_at if free is None else slab.remote_at, wanted[2 * i][1])
                slab.free, slab.torn = slab.every, True  # unbound meanwhile
                continue
            slab.free = int.from_bytes(free, "little")
            slab.posted = int.from_bytes(posted, "little") & slab.every
            slab.torn |= slab.free.bit_count() != count or slab.free & ~slab.every != 0
            slab.free &= slab.every
            slab.posted &= ~slab.free

    def _name_rest(self, superslab):
        """Units without a tag: free, retained, or kept by a heap."""
        lay = self.layout
        guard = lay.superslab_units - lay.guard_units
        for unit in range(lay.superslab_units):
            if superslab.at_unit[unit] is not None:
                continue
            bit = 1 << unit
            if unit >= guard:
                kind = GUARD
            elif superslab.retained & bit:
                kind = RETAINED
            elif superslab.free & bit or superslab.unmapped:
                kind = UNUSED
            else:
                kind = KEPT if self._keeps(superslab, unit) else RECORDS
            superslab.kinds[unit] = kind

    def _keeps(self, superslab, unit):
        return superslab.head[unit] < self.layout.superslab_units and self.keeper_of(superslab, unit) is not None

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
                self.huge.append(Huge(start, u64(data, i + lay.huge_entry_length), True))
        data = self.memory.read(lay.huge_ranges, lay.huge_ranges_max * lay.huge_range_bytes)
        for i in range(0, len(data), lay.huge_range_bytes):
            start = u64(data, i + lay.huge_range_start)
            if start:
                self.ranges.append(Huge(start, u64(data, i + lay.huge_range_length), False))
        self.huge.sort(key=lambda one: one.start)
        self.ranges.sort(key=lambda one: one.start)


def _pointers(data, at, count, most):
    return [u64(data, at + 8 * i) for i in range(min(count, most))]
