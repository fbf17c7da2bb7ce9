"""Takes superslabs and their slabs from the bytes of their records."""

import struct
from itertools import islice

from .errors import Unreadable
from .memory import u16, u32, u64
from .records import GUARD, KEPT, LARGE, RECORDS, RETAINED, SLAB, UNUSED, Large, Slab, Superslab

_TRIES = 6


class Units:
    """Reads what the units of superslabs are. `keeps` tells whether a heap keeps a unit without a slab."""

    def __init__(self, memory, layout, tags_at):
        self._memory = memory
        self._lay = layout
        self._tags_at = tags_at

    def superslab(self, index, at, data):
        """A superslab by its record, its units not looked at."""
        lay = self._lay
        return Superslab(
            address=at,
            start=u64(data, lay.superslab_start),
            index=index,
            free=u32(data, lay.superslab_free),
            retained=u32(data, lay.superslab_retained) | u32(data, lay.superslab_purging),
            unmapped=bool(data[lay.superslab_unmapped]),
            dense=bool(data[lay.superslab_dense]),
            tier=data[lay.superslab_tier],
            head=data[lay.superslab_head : lay.superslab_head + lay.superslab_units],
            unit_bytes=lay.unit_bytes,
        )

    def read(self, superslabs, keeps):
        """All slabs in bulk; those that contradict themselves again, a few times."""
        pending = superslabs
        for attempt in range(_TRIES if self._memory.moves else 1):
            pending = self._read(pending, attempt)
            if not pending:
                break
        for superslab in superslabs:
            self._name_rest(superslab, keeps)

    def _read(self, superslabs, attempt):
        """Reads the slabs of these superslabs; those of them that have torn ones."""
        lay = self._lay
        records = self._memory.read_many([(one.address, lay.superslab_bytes) for one in superslabs])
        tags = self._memory.read_many(
            [(self._tags_at + 4 * one.index * lay.superslab_units, 4 * lay.superslab_units) for one in superslabs]
        )
        for superslab, data, tag in zip(superslabs, records, tags, strict=True):
            if data is None or tag is None:
                raise Unreadable(superslab.address, lay.superslab_bytes)
            if attempt:
                again = self.superslab(superslab.index, superslab.address, data)
                for name in ("free", "retained", "unmapped", "dense", "tier", "head"):
                    setattr(superslab, name, getattr(again, name))
            self._cut(superslab, data, tag)
        self._read_bitmaps([slab for superslab in superslabs for slab in superslab.slabs])
        return [superslab for superslab in superslabs if any(slab.torn for slab in superslab.slabs)]

    def _cut(self, superslab, data, tags):
        """What each unit is, by its tag."""
        lay = self._lay
        units = lay.superslab_units
        superslab.slabs, superslab.larges = [], []
        superslab.at_unit = [None] * units
        superslab.kinds = [UNUSED] * units
        tags = struct.unpack(f"<{units}I", tags)
        unit = 0
        while unit < units:
            tag = tags[unit]
            run = None
            if tag >> lay.tag_class_bits:
                run = self._slab(superslab, unit, tag, data)
                step = run.shape.units if run else 1
            elif tag == lay.tag_large:
                step = 1
                while unit + step < units and tags[unit + step] == lay.tag_inside:
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
        lay = self._lay
        number = tag & (lay.tag_coalesced - 1)
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
            inside_at=u64(data, at + lay.slab_inside),
            carved=min(u16(data, at + lay.slab_carved), shape.capacity),
            taken_at=u64(data, at + lay.slab_taken_at),
            kept=bool(data[at + lay.slab_kept]),
            absent=0,
            free_count=u32(data, at + lay.slab_free_count),
            insides=u16(data, at + lay.slab_insides),
        )
        if data[at + lay.slab_has_holes]:
            slab.absent = u64(data, at + lay.slab_absent)
        slab.torn = data[at + lay.slab_size_class] != number or bool(tag & lay.tag_coalesced) != (slab.insides > 0)
        superslab.slabs.append(slab)
        return slab

    def _read_bitmaps(self, slabs):
        wanted = [(at, slab.bitmap_bytes) for slab in slabs for at in slab.bitmaps]
        found = zip(wanted, self._memory.read_many(wanted), strict=True)
        for slab in slabs:
            bitmaps = list(islice(found, len(slab.bitmaps)))
            missing = next((one for one, data in bitmaps if data is None), None)
            if missing is None:
                _take_bitmaps(slab, *(int.from_bytes(data, "little") for _, data in bitmaps))
            elif self._memory.moves:
                slab.free, slab.torn = slab.every, True  # unbound meanwhile
            else:
                raise Unreadable(*missing)

    def _name_rest(self, superslab, keeps):
        """Units without a tag: free, retained, or kept by a heap."""
        lay = self._lay
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
                kind = KEPT if keeps(superslab, unit) else RECORDS
            superslab.kinds[unit] = kind


def _take_bitmaps(slab, free, posted, inside=0):
    """What contradicts itself is torn; each block is in one set at most all the same."""
    outside = ~slab.every
    slab.torn |= free.bit_count() != slab.free_count or free & outside != 0
    slab.torn |= inside.bit_count() != slab.insides or inside & (free | free << 1 | 1 | outside) != 0
    slab.free = free & slab.every
    slab.inside = inside & slab.every & ~(slab.free | 1)
    slab.posted = posted & slab.every & ~(slab.free | slab.inside)
