"""What the picture draws, as numbers: superslabs, the runs of units in them, and the blocks of each slab."""

from base64 import b64encode

from ..records import Slab


def cells(heap, sums):
    """One heap for page.js."""
    now = heap.memory.now
    page = heap.memory.page_bytes
    return {
        "source": heap.memory.describe,
        "unit": heap.layout.unit_bytes,
        "page": page,
        "residents": sums.knows_resident,
        "sizes": [one.stride for one in heap.layout.classes],
        "owners": {owner: one.who for owner, one in heap.heaps.items()},
        "superslabs": [_superslab(heap, one, sums, now) for one in heap.superslabs],
        "huge": [[f"{one.start:x}", one.bytes, int(one.live)] for one in (*heap.huge, *heap.ranges)],
    }


def _superslab(heap, superslab, sums, now):
    runs, unit = [], 0
    while unit < len(superslab.kinds):
        run = superslab.at_unit[unit]
        if isinstance(run, Slab):
            runs.append(_slab(run, sums.of_slab[run.start], now))
            unit += run.shape.units
        elif run is not None:
            runs.append(["large", unit, run.units])
            unit += run.units
        else:
            units = 1
            while (
                unit + units < len(superslab.kinds)
                and superslab.at_unit[unit + units] is None
                and (superslab.kinds[unit + units] == superslab.kinds[unit])
            ):
                units += 1
            runs.append([superslab.kinds[unit], unit, units])
            unit += units
    return {
        "at": f"{superslab.start:x}",
        "tier": "unmapped" if superslab.unmapped else superslab.tier_name,
        "dense": int(superslab.dense),
        "runs": runs,
    }


def _slab(slab, figures, now):
    age = now - slab.taken_at if 0 < slab.taken_at <= now else -1
    return [
        "slab",
        slab.unit,
        slab.shape.units,
        slab.shape.index,
        slab.owner,
        slab.shape.capacity,
        slab.carved,
        age,
        figures.resident,
        _bits(slab.whole(slab.live), slab),
        _bits(slab.whole(slab.cached), slab),
        _bits(slab.whole(slab.posted), slab),
        f"{slab.absent:x}",
        int(slab.torn),
        figures.bound - figures.fresh - figures.holes,
        _bits(slab.inside, slab),
    ]


def _bits(number, slab):
    """A set of blocks in text, without the zeros at its end."""
    data = number.to_bytes((slab.shape.capacity + 7) // 8, "little").rstrip(b"\0")
    return b64encode(data).decode()
