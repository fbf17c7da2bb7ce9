"""What keeps superslabs that are hardly used: the live blocks in them, by size class and thread."""

from ..words import count, size

_SPARSE = 0.25  # of what it holds is live
_SHOWN = 25
_NAMED = 4


def _figures(superslab, sums):
    """(live, held) bytes."""
    slabs = [sums.of_slab[slab.start] for slab in superslab.slabs]
    large = sum(one.bytes for one in superslab.larges)
    return sum(one.live for one in slabs) + large, sum(one.bound - one.fresh - one.holes for one in slabs) + large


def _sparse(heap, sums):
    found = ((superslab, *_figures(superslab, sums)) for superslab in heap.superslabs)
    return [(superslab, live, held) for superslab, live, held in found if 0 < live < _SPARSE * held]


def count_of(heap, sums):
    found = _sparse(heap, sums)
    return len(found), sum(held - live for _, live, held in found)


def sparse(heap, sums):
    """Rows for a table, the most that is held for the least first."""
    found = sorted(_sparse(heap, sums), key=lambda one: one[1] - one[2])
    return [
        {"at": superslab.start, "live": live, "held": held, "pins": _pins(heap, superslab)}
        for superslab, live, held in found[:_SHOWN]
    ]


def _pins(heap, superslab):
    """In words: how many blocks of which sizes, and whose."""
    groups = {}
    for slab in superslab.slabs:
        for bytes_, blocks in slab.live_sizes().items():
            if blocks:
                groups[bytes_, slab.owner] = groups.get((bytes_, slab.owner), 0) + blocks
    rows = sorted(groups.items(), key=lambda one: one[1] * one[0][0], reverse=True)
    told = [
        f"{count(blocks, 'block')} of {size(bytes_)} ({heap.who(owner)})" for (bytes_, owner), blocks in rows[:_NAMED]
    ]
    if len(rows) > _NAMED:
        told.append(f"{len(rows) - _NAMED} more kinds")
    if superslab.larges:
        told.append(count(len(superslab.larges), "large block"))
    return "; ".join(told)
