"""Which pages of the heap are resident, where the source knows."""

from dataclasses import dataclass, field

_MOST_PAGES = 1 << 24


@dataclass
class Residence:
    """Resident bytes: of each unit of superslabs and of each huge block, by its start; and of slabs' holes together."""

    units: dict = field(default_factory=dict)
    huge: dict = field(default_factory=dict)
    holes: int = 0

    @property
    def bytes(self):
        return sum(self.units.values()) + sum(self.huge.values())


def look(heap):
    """The residence; None: not known."""
    memory, lay = heap.memory, heap.layout
    page = memory.page_bytes
    per_unit = lay.unit_bytes // page
    found = Residence()
    if not per_unit:
        return None
    for superslab in heap.superslabs:
        if superslab.unmapped:
            continue
        pages = memory.resident_pages(superslab.start, per_unit * lay.superslab_units)
        if pages is None:
            return None
        for unit in range(lay.superslab_units):
            count = pages.count(1, unit * per_unit, (unit + 1) * per_unit)
            found.units[superslab.start + unit * lay.unit_bytes] = count * page
        for slab in superslab.slabs:
            if slab.absent:
                found.holes += _resident_holes(slab, pages, per_unit) * page
    for one in (*heap.huge, *heap.ranges):
        count = one.bytes // page
        pages = memory.resident_pages(one.start, count) if 0 < count <= _MOST_PAGES else None
        found.huge[one.start] = pages.count(1) * page if pages is not None else 0
    return found


def _resident_holes(slab, pages, per_unit):
    first = slab.unit * per_unit
    return sum(pages[first + i] for i in range(slab.shape.units * per_unit) if slab.absent >> i & 1)
