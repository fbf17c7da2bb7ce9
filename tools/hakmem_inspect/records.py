"""The library's records, as what they say."""

from collections import Counter
from dataclasses import dataclass, field

# What a unit of a superslab is.
UNUSED, RETAINED, SLAB, LARGE, KEPT, RECORDS, GUARD = "unused", "retained", "slab", "large", "kept", "records", "guard"

# What a block is. The free ones after LIVE, in the order in which they come to be used again.
LIVE, CACHED, POSTED, FREE, HOLE, FRESH = "live", "cached", "posted", "free", "hole", "fresh"

STATES = ("owned", "changing", "orphan", "lost", "torn")  # of a heap: enum heap_state

# Where a cached block is; {} is who has it.
IN_CACHE = "in the cache of {}"
IN_CPU = "in a magazine that threads without a heap share by CPU"
IN_DEPOT = "in the depot of {}"
IN_GATHERING = "gathered by {}, to be sent to its owner"
IN_RETURNED = "sent home to {}, who has not taken it yet"
IN_LOST = "in the cache of a thread that fork() left behind: {}"
IN_QUARANTINE = "in the quarantine of {}"
IN_SHARED_QUARANTINE = "in the quarantine that threads without a heap share"


def bits(number):
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@dataclass(slots=True)
class Slab:
    """One class's blocks in a run of units. Bit i of each set: block i.

    Adjacent blocks may be one coalesced block, which serves a larger class. The first of them stands for it in the other
    sets; those after it are in `inside`, and in no other set.
    """

    superslab: object
    unit: int
    start: int
    address: int  # of its descriptor
    shape: object  # SizeClass
    owner: int
    free_at: int
    remote_at: int
    inside_at: int  # 0: none
    carved: int
    taken_at: int
    kept: bool
    absent: int  # bit p: page p is a hole
    free_count: int  # as the slab counts itself
    insides: int  # the same
    free: int = 0
    posted: int = 0
    cached: int = 0
    inside: int = 0
    torn: bool = False

    @property
    def every(self):
        return (1 << self.shape.capacity) - 1

    @property
    def bitmaps(self):
        """Where they are: of the free, of the posted and, where it has any, of the insides."""
        return (self.free_at, self.remote_at, self.inside_at) if self.insides else (self.free_at, self.remote_at)

    @property
    def bitmap_bytes(self):
        return (self.shape.capacity + 63) // 64 * 8

    @property
    def fresh(self):
        """Blocks that were never handed out."""
        return self.free & self.every >> self.carved << self.carved

    @property
    def live(self):
        return self.every & ~(self.free | self.posted | self.cached | self.inside)

    @property
    def coalesced(self):
        """The first blocks of coalesced ones."""
        return self.inside >> 1 & ~self.inside

    def whole(self, blocks):
        """Blocks with what is inside them: a sum carries through each run of bits."""
        inside = self.inside
        return blocks | inside & ~(inside + (blocks << 1 & inside)) if inside else blocks

    def first(self, index):
        """The block that stands for this one: itself, unless it is inside a coalesced one."""
        return (~self.inside & (1 << index + 1) - 1).bit_length() - 1

    def parts(self, index):
        """Of how many blocks of the slab's class the block consists that begins here."""
        above = self.inside >> index + 1
        return (above + 1 & ~above).bit_length()

    def size(self, index):
        return self.parts(index) * self.shape.stride

    def live_sizes(self):
        """Of how many bytes how many blocks are live."""
        coalesced = self.live & self.coalesced
        sizes = Counter(self.size(index) for index in bits(coalesced))
        sizes[self.shape.stride] += (self.live ^ coalesced).bit_count()
        return sizes

    @property
    def bytes(self):
        return self.shape.units * self.superslab.unit_bytes

    def block(self, index):
        return self.start + index * self.shape.stride

    def state(self, index, page_bytes):
        bit = 1 << index
        if self.cached & bit:
            return CACHED
        if self.posted & bit:
            return POSTED
        if not self.free & bit:
            return LIVE
        if index >= self.carved:
            return FRESH
        return HOLE if self.in_hole(index, page_bytes) else FREE

    def in_hole(self, index, page_bytes):
        """Whether some byte of a block lies in a page that was given back."""
        first = index * self.shape.stride // page_bytes
        last = ((index + 1) * self.shape.stride - 1) // page_bytes
        return self.absent >> first & ((1 << last - first + 1) - 1) != 0


@dataclass(slots=True)
class Large:
    """A block of whole units."""

    superslab: object
    unit: int
    units: int
    start: int
    bytes: int


@dataclass(slots=True)
class Superslab:
    address: int  # of its descriptor
    start: int
    index: int  # in the window
    free: int
    retained: int
    unmapped: bool
    dense: bool
    tier: int
    head: bytes
    unit_bytes: int
    kinds: list = field(default_factory=list)  # of each unit
    slabs: list = field(default_factory=list)
    larges: list = field(default_factory=list)
    at_unit: list = field(default_factory=list)  # of each unit: its slab, its large block, or None

    @property
    def tier_name(self):
        names = ("open", "draining", "free")
        return names[self.tier] if self.tier < len(names) else f"tier {self.tier}"


@dataclass(slots=True)
class ThreadHeap:
    """What one thread owns, or nobody."""

    address: int
    owner: int
    state: int
    cache: int  # the address of its thread's cache; 0: none
    tid: int = 0
    name: str = ""
    warm: list = field(default_factory=list)  # descriptors of units in its warm pool
    runs: list = field(default_factory=list)  # descriptors of freed large blocks that it keeps
    changing: bool = False  # its caches changed while they were read

    @property
    def state_name(self):
        return STATES[self.state] if self.state < len(STATES) else f"state {self.state}"

    @property
    def has_thread(self):
        return self.state < 2

    @property
    def who(self):
        """In words, who has it."""
        if not self.has_thread:
            return f"nobody (heap {self.owner}, {self.state_name})"
        if self.tid:
            return f"thread {self.tid} ({self.name})" if self.name else f"thread {self.tid}"
        return f"the thread of heap {self.owner}"


@dataclass(slots=True, frozen=True)
class Huge:
    """A block with a mapping of its own, or the range of one that was freed and is retained."""

    start: int
    bytes: int
    live: bool
    block: int = 0  # where the block begins in its mapping; 0: nowhere
