"""The free blocks that lie in magazines: each thread's cache and depot, each CPU's, what is gathered, what came home.

Magazines are read many at once, and their blocks are sorted by the unit that they lie in: of all that is read these are
the most, and a look at a busy process is to be cheap.
"""

import struct
from functools import cached_property

from .errors import Unreadable
from .memory import u32, u64
from .records import (
    IN_CACHE,
    IN_CPU,
    IN_DEPOT,
    IN_GATHERING,
    IN_LOST,
    IN_QUARANTINE,
    IN_RETURNED,
    IN_SHARED_QUARANTINE,
)

_LONGEST = 1 << 20  # magazines of one list


class Caches:
    """Marks in each slab the blocks that are cached."""

    def __init__(self, heap):
        self._heap = heap
        self._lay = heap.layout
        self._memory = heap.memory
        self._magazine = 8 * self._lay.magazine_slots
        self._words = struct.Struct(f"<{self._lay.magazine_slots}Q").unpack
        self._found = []  # whose heap, where it is, the blocks of a magazine
        self._in_unit = {}  # number of a unit: the cached blocks of its slab
        slabs = [(slab, self._collect(slab)) for slab in heap.slabs]
        self._read()
        for slab, blocks in slabs:
            if blocks:
                slab.cached = _bits(slab, blocks) & ~(slab.free | slab.posted | slab.inside)

    @cached_property
    def where(self):
        """Of each block that is cached: where it is, and in whose heap, if in any's."""
        return {block: (where, one) for one, where, blocks in self._found for block in blocks}

    def _collect(self, slab):
        blocks = []
        first = slab.start >> self._lay.unit_shift
        for unit in range(first, first + slab.shape.units):
            self._in_unit[unit] = blocks
        return blocks

    def _read(self):
        lay = self._lay
        heaps = list(self._heap.heaps.values())
        records = self._memory.read_many([(one.address, lay.heap_bytes) for one in heaps])
        tops, lists, quarantines = [], [], []
        for one, data in zip(heaps, records, strict=True):
            if data is None:
                raise Unreadable(one.address, lay.heap_bytes)
            one.changing = one.state == 1
            if one.state >= 3:
                tops.append((one, IN_LOST, self._tops(data, lay.heap_lost_top)))
            lists += [(one, IN_DEPOT, top) for top in self._tops(data, lay.heap_depot)]
            lists.append((one, IN_RETURNED, u64(data, lay.heap_returned)))
            entries = (lay.heap_home + i * lay.home_bytes for i in range(lay.heap_home_entries))
            gathered = [u64(data, at + lay.home_top) for at in entries if u32(data, at + lay.home_tag)]
            tops.append((one, IN_GATHERING, gathered))
            if lay.heap_quarantine:
                quarantines.append((one, IN_QUARANTINE, one.address + lay.heap_quarantine))
        if lay.shared_quarantine:
            quarantines.append((None, IN_SHARED_QUARANTINE, lay.shared_quarantine))
        having = [one for one in heaps if one.has_thread and one.cache]
        before = self._tops_of_threads(having)
        tops += [(one, IN_CACHE, of_thread) for one, of_thread in zip(having, before, strict=True) if of_thread]
        self._read_tops(tops + self._rows())
        if self._memory.moves:  # twice, to see whether a thread goes on meanwhile
            for one, first, then in zip(having, before, self._tops_of_threads(having), strict=True):
                one.changing |= first is not None and then != first
        self._read_lists(lists)
        self._read_quarantines(quarantines)

    def _tops(self, data, at):
        return struct.unpack_from(f"<{len(self._lay.classes)}Q", data, at)

    def _tops_of_threads(self, having):
        """The tops of the threads' own magazines; None where a thread's cache is another heap's by now."""
        lay = self._lay
        caches = self._memory.read_many([(one.cache, lay.cache_bytes) for one in having])
        return [
            None if data is None or u64(data, lay.cache_heap) != one.address else self._tops(data, lay.cache_top)
            for one, data in zip(having, caches, strict=True)
        ]

    def _rows(self):
        """What threads without a heap share: rows of magazines, by CPU. Pages of them that nobody used are left out."""
        lay, page = self._lay, self._memory.page_bytes
        row, first = lay.cpu_row_bytes, lay.cpu_rows
        pages = range(first // page, (first + lay.cpu_rows_in_all * row - 1) // page + 1)
        resident = self._memory.resident_pages(pages.start * page, len(pages)) or bytes([1]) * len(pages)
        used = [
            (at, row)
            for at in range(first, first + lay.cpu_rows_in_all * row, row)
            if any(resident[at // page - pages.start : (at + row - 1) // page - pages.start + 1])
        ]
        found = self._memory.read_many(used)
        return [(None, IN_CPU, self._tops(data, 0)) for data in found if data is not None]

    def _read_tops(self, tops):
        """Magazines, each from its top down to its NULL."""
        none, size = self._lay.no_magazine, self._magazine
        wanted = [
            (one, where, top)
            for one, where, of_one in tops
            for top in of_one
            if top and not none <= top < none + size
        ]
        found = self._memory.read_many([(top // size * size, size) for _, _, top in wanted])
        for (one, where, top), data in zip(wanted, found, strict=True):
            if data is not None:
                self._take(one, where, self._words(data)[: top % size // 8 + 1])

    def _read_lists(self, lists):
        """Full magazines, linked by their first slot: the first of each list, then the second of each, and so on."""
        pending = [(one, where, at, {at}) for one, where, at in lists if at]
        for _ in range(_LONGEST):
            found = self._memory.read_many([(at, self._magazine) for _, _, at, _ in pending])
            following = []
            for (one, where, _, seen), data in zip(pending, found, strict=True):
                if data is None:
                    continue
                after, *blocks = self._words(data)
                self._take(one, where, blocks)
                if after and after not in seen:
                    seen.add(after)
                    following.append((one, where, after, seen))
            pending = following
            if not pending:
                return

    def _read_quarantines(self, quarantines):
        """The secure library's: one behind each heap, and one for threads without a heap."""
        lay = self._lay
        slots = lay.heap_quarantine_slots * len(lay.classes)
        found = self._memory.read_many([(at, 8 * slots) for _, _, at in quarantines])
        for (one, where, _), data in zip(quarantines, found, strict=True):
            if data is not None:
                self._keep(one, where, [block for block in struct.unpack(f"<{slots}Q", data) if block])

    def _take(self, one, where, slots):
        """The blocks of a magazine: those above its topmost NULL."""
        if 0 in slots:
            slots = slots[len(slots) - slots[::-1].index(0) :]
        self._keep(one, where, slots)

    def _keep(self, one, where, blocks):
        self._found.append((one, where, blocks))
        in_unit, shift = self._in_unit, self._lay.unit_shift
        for block in blocks:
            of_slab = in_unit.get(block >> shift)
            if of_slab is not None:
                of_slab.append(block)


def _bits(slab, blocks):
    """Blocks of a slab as a set of bits; what is none of its blocks is left out."""
    start, stride, capacity = slab.start, slab.shape.stride, slab.shape.capacity
    bits = 0
    for block in blocks:
        index, rest = divmod(block - start, stride)
        if rest == 0 and index < capacity:
            bits |= 1 << index
    return bits
