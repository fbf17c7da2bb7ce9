"""The free blocks that lie in magazines: each thread's cache and depot, each CPU's, what is gathered, what came home."""

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
    """`where` has for each block that is cached where it is, and in whose heap, if in any's."""

    def __init__(self, heap):
        self._heap = heap
        self._lay = heap.layout
        self._memory = heap.memory
        self._magazine = 8 * self._lay.magazine_slots
        self.where = {}
        self._marked = {}  # slab: its cached blocks, as bytes
        for one in heap.heaps.values():
            self._read_heap(one)
        self._read_rows()
        if self._lay.shared_quarantine:
            self._read_quarantine(None, IN_SHARED_QUARANTINE, self._lay.shared_quarantine)
        for slab, bits in self._marked.values():
            slab.cached = int.from_bytes(bits, "little") & ~(slab.free | slab.posted)

    def _read_heap(self, one):
        lay = self._lay
        data = self._memory.read(one.address, lay.heap_bytes)
        one.changing = one.state == 1
        if one.has_thread and one.cache:
            self._read_cache(one)
        if one.state >= 3:
            tops = data[lay.heap_lost_top : lay.heap_lost_top + 8 * len(lay.classes)]
            self._read_tops(one, IN_LOST, [u64(tops, 8 * i) for i in range(len(lay.classes))])
        for i in range(len(lay.classes)):
            self._read_list(one, IN_DEPOT, u64(data, lay.heap_depot + 8 * i))
        self._read_list(one, IN_RETURNED, u64(data, lay.heap_returned))
        entries = (lay.heap_home + i * lay.home_bytes for i in range(lay.heap_home_entries))
        tops = [u64(data, at + lay.home_top) for at in entries if u32(data, at + lay.home_tag)]
        self._read_tops(one, IN_GATHERING, tops)
        if lay.heap_quarantine:
            self._read_quarantine(one, IN_QUARANTINE, one.address + lay.heap_quarantine)

    def _read_cache(self, one):
        """The thread's own magazines; twice, to see whether it goes on meanwhile."""
        first = self._tops(one)
        if first is None:
            return
        self._read_tops(one, IN_CACHE, first)
        if self._memory.moves and self._tops(one) != first:
            one.changing = True

    def _read_rows(self):
        """What threads without a heap share: rows of magazines, by CPU. Pages of them that nobody used are left out."""
        lay, page = self._lay, self._memory.page_bytes
        first, end = lay.cpu_rows, lay.cpu_rows + lay.cpu_rows_in_all * lay.cpu_row_bytes
        pages = range(first // page * page, end, page)
        resident = self._memory.resident_pages(pages.start, len(pages)) or bytes([1]) * len(pages)
        used = [(max(at, first), min(at + page, end)) for at, there in zip(pages, resident, strict=True) if there]
        for at, data in zip(used, self._memory.read_many([(at, end - at) for at, end in used]), strict=True):
            for row in range(at[0], at[1] if data is not None else at[0], lay.cpu_row_bytes):
                tops = [u64(data, row - at[0] + 8 * i) for i in range(len(lay.classes))]
                self._read_tops(None, IN_CPU, tops)

    def _tops(self, one):
        lay = self._lay
        (data,) = self._memory.read_many([(one.cache, lay.cache_bytes)])
        if data is None or u64(data, lay.cache_heap) != one.address:
            return None
        return [u64(data, lay.cache_top + 8 * i) for i in range(len(lay.classes))]

    def _read_tops(self, one, where, tops):
        """Magazines, each from its top down to its NULL."""
        none = self._lay.no_magazine
        tops = [top for top in tops if top and not none <= top < none + self._magazine]
        found = self._memory.read_many([(top // self._magazine * self._magazine, self._magazine) for top in tops])
        for top, data in zip(tops, found, strict=True):
            if data is not None:
                self._take(one, where, data, top % self._magazine // 8)

    def _read_list(self, one, where, at):
        """Full magazines, linked by their first slot."""
        seen = set()
        while at and at not in seen and len(seen) < _LONGEST:
            seen.add(at)
            (data,) = self._memory.read_many([(at, self._magazine)])
            if data is None:
                return
            self._take(one, where, data, self._lay.magazine_slots - 1, lowest=1)
            at = u64(data, 0)

    def _take(self, one, where, magazine, slot, lowest=0):
        while slot >= lowest:
            block = u64(magazine, 8 * slot)
            if block == 0:
                return
            self._mark(one, where, block)
            slot -= 1

    def _read_quarantine(self, one, where, at):
        """The secure library's: one behind each heap, and one for threads without a heap."""
        lay = self._lay
        size = 8 * lay.heap_quarantine_slots * len(lay.classes)
        (data,) = self._memory.read_many([(at, size)])
        for i in range(0, size if data is not None else 0, 8):
            if u64(data, i):
                self._mark(one, where, u64(data, i))

    def _mark(self, one, where, block):
        slab = self._heap.run_of(block)
        shape = getattr(slab, "shape", None)
        if shape is None:
            return
        index, rest = divmod(block - slab.start, shape.stride)
        if rest or index >= shape.capacity:
            return
        bits = self._marked.setdefault(slab.address, (slab, bytearray((shape.capacity + 7) // 8)))[1]
        bits[index >> 3] |= 1 << (index & 7)
        self.where[block] = (where, one)
