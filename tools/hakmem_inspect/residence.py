"""Which pages of the heap are resident, where the source knows."""

_MOST_PAGES = 1 << 24


def look(heap):
    """{unit's start: resident bytes} of all superslabs' units, and {huge block's start: resident bytes}; None: not known."""
    memory, lay = heap.memory, heap.layout
    page = memory.page_bytes
    per_unit = lay.unit_bytes // page
    units, huge = {}, {}
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
            units[superslab.start + unit * lay.unit_bytes] = count * page
    for one in (*heap.huge, *heap.ranges):
        count = one.bytes // page
        pages = memory.resident_pages(one.start, count) if 0 < count <= _MOST_PAGES else None
        huge[one.start] = pages.count(1) * page if pages is not None else 0
    return units, huge
