"""The table by which the library tells where its records are and how they look (src/report/layout.def)."""

from bisect import bisect_right
from dataclasses import dataclass

from .errors import InspectError, Unreadable
from .memory import u16, u64

VERSION = 6
MAGIC = b"hakmem layout:\n\0"
VARIANTS = ("release", "observe", "secure", "profile")

ROOTS = [
    "window_base",
    "window_units",
    "window_tags",
    "window_superslabs",
    "range_first",
    "range_end",
    "heaps",
    "huge_table",
    "huge_gone",
    "huge_ranges",
    "no_magazine",
    "limit",
    "cpu_rows",
    "guarded_base",
    "shared_quarantine",
]

NUMBERS = [
    "unit_shift",
    "superslab_shift",
    "guard_units",
    "tag_class_bits",
    "tag_coalesced",
    "tag_large",
    "tag_inside",
    "magazine_slots",
    "superslab_bytes",
    "superslab_start",
    "superslab_free",
    "superslab_retained",
    "superslab_purging",
    "superslab_unmapped",
    "superslab_dense",
    "superslab_tier",
    "superslab_head",
    "superslab_slab",
    "slab_bytes",
    "slab_free",
    "slab_free_count",
    "slab_carved",
    "slab_size_class",
    "slab_taken_at",
    "slab_has_holes",
    "slab_kept",
    "slab_remote",
    "slab_absent",
    "slab_insides",
    "slab_inside",
    "heap_bytes",
    "heap_owner",
    "heap_state",
    "heap_next",
    "heap_cache",
    "heap_depot",
    "heap_warm_units",
    "heap_warm_count",
    "heap_warm_max",
    "heap_runs",
    "heap_runs_count",
    "heap_runs_max",
    "heap_home",
    "heap_home_entries",
    "heap_returned",
    "heap_lost_top",
    "heap_quarantine",
    "heap_quarantine_slots",
    "home_bytes",
    "home_top",
    "home_tag",
    "cache_bytes",
    "cache_top",
    "cache_heap",
    "cpu_rows_in_all",
    "cpu_row_bytes",
    "huge_table_size",
    "huge_table_entry",
    "huge_entry_bytes",
    "huge_entry_start",
    "huge_entry_length",
    "huge_entry_block",
    "huge_ranges_max",
    "huge_range_bytes",
    "huge_range_start",
    "huge_range_length",
    "guarded_kinds",
    "guarded_kind_bytes",
    "guarded_kind_from",
    "guarded_kind_used",
    "guarded_records",
    "guarded_bytes",
    "guarded_block",
    "guarded_size",
    "guarded_range",
    "guarded_range_bytes",
    "guarded_freed_at",
    "guarded_allocated_by",
    "guarded_freed_by",
    "guarded_allocated",
    "guarded_freed",
    "guarded_calls",
]

_HEAD = 48  # magic, counts, version of the library, the table's own address
_CLASS = 6
_GRAIN = 8  # bytes: strides are counted in them
_GUARDED_KINDS = 2  # of samples: small, large
_WITHIN = 64 << 20  # no segment of variables that is looked through is larger


@dataclass(frozen=True)
class SizeClass:
    index: int
    stride: int
    capacity: int
    units: int


def _size_class(index, data, at):
    grains, capacity, units = (u16(data, at + 2 * part) for part in range(3))
    return SizeClass(index, grains * _GRAIN, capacity, units)


class Layout:
    """One library's table. Roots and numbers are its attributes."""

    def __init__(self, address, data):
        version, variant, roots, numbers, classes, size = (u16(data, 16 + 2 * i) for i in range(6))
        self.address = address
        self.library = data[28:40].split(b"\0")[0].decode("ascii", "replace")
        if version != VERSION:
            raise InspectError(
                f"the library has layout {version}, this tool reads {VERSION}: use the tool of hakmem {self.library}"
            )
        at_classes = _HEAD + 8 * len(ROOTS)
        at_numbers = at_classes + _CLASS * classes
        if (roots, numbers) != (len(ROOTS), len(NUMBERS)):
            raise InspectError(
                f"the library's table of layout has {roots} roots and {numbers} numbers, "
                f"this tool reads {len(ROOTS)} and {len(NUMBERS)}",
                "Build the library from the sources that the tool is of",
            )
        if not 0 < classes < 0xFE or at_numbers + 2 * numbers > size or len(data) < size:
            raise _damaged(address)
        self.bytes = size
        self.variant = VARIANTS[variant] if variant < len(VARIANTS) else f"variant {variant}"
        for i, name in enumerate(ROOTS):
            setattr(self, name, u64(data, _HEAD + 8 * i))
        for i, name in enumerate(NUMBERS):
            setattr(self, name, u16(data, at_numbers + 2 * i))
        self.classes = [_size_class(i, data, at_classes + _CLASS * i) for i in range(classes)]
        if not (12 <= self.unit_shift < self.superslab_shift <= 30 and self.superslab_shift - self.unit_shift == 5):
            raise _damaged(address)
        self.unit_bytes = 1 << self.unit_shift
        self.superslab_units = 1 << (self.superslab_shift - self.unit_shift)
        self.range_bytes = 1 << self.superslab_shift  # what a superslab describes
        if not (all(self._is_shape(one) for one in self.classes) and self._fields_fit()):
            raise _damaged(address)

    def _is_shape(self, one):
        blocks = one.stride * one.capacity
        return 0 < one.units <= self.superslab_units and 0 < blocks <= one.units * self.unit_bytes

    def _fields_fit(self):
        """Whether each field lies within its record."""
        tops = 8 * len(self.classes)
        fields = {
            "superslab": {
                "start": 8,
                "free": 4,
                "retained": 4,
                "purging": 4,
                "unmapped": 1,
                "dense": 1,
                "tier": 1,
            }
            | {"head": self.superslab_units, "slab": self.superslab_units * self.slab_bytes},
            "slab": {
                "free": 8,
                "free_count": 4,
                "carved": 2,
                "size_class": 1,
                "taken_at": 8,
                "has_holes": 1,
            }
            | {"kept": 1, "remote": 8, "absent": 8, "insides": 2, "inside": 8},
            "heap": {"owner": 4, "state": 1, "next": 8, "cache": 8, "depot": tops, "warm_units": 8 * self.heap_warm_max}
            | {"warm_count": 4, "runs": 8 * self.heap_runs_max, "runs_count": 4, "returned": 8, "lost_top": tops}
            | {"home": self.heap_home_entries * self.home_bytes},
            "home": {"top": 8, "tag": 4},
            "cache": {"top": tops, "heap": 8},
            "huge_entry": {"start": 8, "length": 8, "block": 8},
            "huge_range": {"start": 8, "length": 8},
            "guarded_kind": {"from": 4, "used": 4},
            "guarded": dict.fromkeys(("block", "size", "range", "range_bytes", "freed_at", "allocated_by", "freed_by"), 8)
            | dict.fromkeys(("allocated", "freed"), self.guarded_calls + 4),
        }
        fit = (
            getattr(self, f"{record}_{name}") + width <= getattr(self, f"{record}_bytes")
            for record, widths in fields.items()
            for name, width in widths.items()
        )
        samples = self.guarded_records >= self.guarded_kinds + _GUARDED_KINDS * self.guarded_kind_bytes
        return (
            self.magazine_slots.bit_count() == 1
            and self.tag_class_bits < 32
            and self.tag_coalesced.bit_count() == 1
            and len(self.classes) <= self.tag_coalesced < 1 << self.tag_class_bits
            and tops <= self.cpu_row_bytes
            and samples
            and all(fit)
        )

    def class_of(self, size):
        """The class that serves a size, or None."""
        return next((one for one in self.classes if one.stride >= size), None)

    def class_within(self, size):
        """The largest class that a block of so many bytes serves."""
        return self.classes[max(0, bisect_right(self.classes, size, key=lambda one: one.stride) - 1)]


def _damaged(address):
    return InspectError(f"the library's table of layout at {address:#x} is damaged")


def _is_table(memory, address, head):
    return head.startswith(MAGIC) and u64(head, 40) == address


def _read(memory, address):
    try:
        head = memory.read(address, _HEAD)
        if _is_table(memory, address, head):
            return Layout(address, memory.read(address, max(_HEAD, u16(head, 26))))
    except Unreadable:
        pass
    return None


def _candidates(memory):
    """Mappings of variables of files, those of a library named hakmem first."""
    files = [
        one
        for one in memory.mappings()
        if one.name.startswith("/") and "w" in one.access and one.end - one.start <= _WITHIN
    ]
    return sorted(files, key=lambda one: "hakmem" not in one.name.rpartition("/")[2])


def find(memory):
    """The table of the library that serves a program; a sentence where there is none."""
    if memory.layout_at:
        found = _read(memory, memory.layout_at)
        if found:
            return found
    for mapping in _candidates(memory):
        (data,) = memory.read_many([(mapping.start, mapping.end - mapping.start)])
        at = -1 if data is None else data.find(MAGIC)
        while at >= 0:
            found = _read(memory, mapping.start + at)
            if found:
                return found
            at = data.find(MAGIC, at + 1)
    raise _absent(memory)


def _absent(memory):
    if memory.cut_off:
        return InspectError(f"{memory.describe} holds no table of hakmem's layout", memory.remedy)
    names = {one.name for one in memory.mappings() if "libhakmem" in one.name.rpartition("/")[2]}
    if names:
        return InspectError(
            f"{memory.describe} has {min(names)}, and no table of layout in it",
            "That library is older than this tool: build it anew with ./hakmem build",
        )
    return InspectError(
        f"{memory.describe} does not run on hakmem", "Start the program by ./hakmem run -- COMMAND and try again"
    )
