"""What an address is: a block and its state, a record of the library, or something foreign."""

from bisect import bisect_right
from dataclasses import dataclass, field

from . import guarded
from .errors import WRONG_TARGET, InspectError
from .records import CACHED, FREE, FRESH, GUARD, HOLE, KEPT, LIVE, POSTED, RECORDS, RETAINED, Large, Slab
from .words import age, count, size

BLOCK, LARGE_BLOCK, HUGE_BLOCK, GUARDED_SAMPLE, UNIT, RECORD, FOREIGN, NOWHERE = (
    "block",
    "large block",
    "huge block",
    "guarded sample",
    "free memory of the heap",
    "record of the library",
    "foreign",
    "not mapped",
)


def parse_address(text):
    """An address as the user writes it: 0x..., or decimal."""
    try:
        number = int(text, 0)
    except ValueError:
        try:
            number = int(text, 16)
        except ValueError:
            raise InspectError(f"{text} is no address", "Write it as 0x7f0012345678", WRONG_TARGET) from None
    if not 0 <= number < 1 << 64:
        raise InspectError(f"{text} is no address", "Write it as 0x7f0012345678", WRONG_TARGET)
    return number


@dataclass
class Answer:
    """`kind` and `state` for a program; `sentence` and `facts` for people."""

    address: int
    kind: str
    state: str = ""
    start: int = 0  # of the block
    size: int = 0  # of the block
    offset: int = 0  # into the block
    owner: int = 0
    sentence: str = ""
    facts: list = field(default_factory=list)  # (name, text)

    def lines(self):
        width = max((len(name) for name, _ in self.facts), default=0)
        return [self.sentence, *(f"  {name:<{width}}  {text}" for name, text in self.facts)]


def where(heap, address):
    """The answer for an address."""
    run = heap.run_of(address)
    if isinstance(run, Slab):
        return _in_slab(heap, run, address)
    if isinstance(run, Large):
        return _in_large(heap, run, address)
    if heap.superslab_of(address) is not None:
        return _in_unit(heap, address)
    return _in_huge(heap, address) or _in_sample(heap, address) or _in_records(heap, address) or _foreign(heap, address)


# ---- blocks

_TOLD = {
    LIVE: "the program holds it",
    POSTED: "freed by another thread than its slab's owner, who has not collected it yet",
    FREE: "in its slab, used before",
    HOLE: "in its slab; its page has been given back to the system",
    FRESH: "never given out",
}


def _state_text(heap, slab, index, state):
    if state != CACHED:
        return _TOLD[state]
    where_, owner = heap.caches.where[slab.block(index)]
    return where_.format(owner and owner.who)


def _in_slab(heap, slab, address):
    index = (address - slab.start) // slab.shape.stride
    told = [("slab", _slab_text(heap, slab)), ("owner", heap.who(slab.owner))]
    if index >= slab.shape.capacity:
        return Answer(
            address,
            UNIT,
            "rest",
            owner=slab.owner,
            sentence=f"{address:#x} lies beyond the last block of a slab of {size(slab.shape.stride)} blocks",
            facts=told,
        )
    index = slab.first(index)
    state = slab.state(index, heap.memory.page_bytes)
    start, length = slab.block(index), slab.size(index)
    offset = address - start
    free = "live" if state == LIVE else "free"
    name = {LIVE: "a live", CACHED: "a free, cached"}.get(state, "a free")
    inside = "is" if offset == 0 else f"lies {offset} bytes inside"
    facts = [
        ("state", f"{free}: {_state_text(heap, slab, index, state)}"),
        ("block", f"{start:#x} to {start + length:#x}, {_number_text(slab, index)}"),
        *told,
        *_neighbours(heap, slab, index),
    ]
    if slab.torn:
        facts.append(("torn", "the slab is in the middle of a change: this is what it was at some moment"))
    return Answer(
        address,
        BLOCK,
        state,
        start,
        length,
        offset,
        slab.owner,
        f"{address:#x} {inside} {name} block of {size(length)}",
        facts,
    )


def _number_text(slab, index):
    """Which of its slab's blocks a block is, or is made of."""
    last = index + slab.parts(index) - 1
    number = f"number {index}" if last == index else f"coalesced of numbers {index} to {last}"
    return f"{number} of {slab.shape.capacity}"


def _slab_text(heap, slab):
    live, cached, free = (blocks.bit_count() for blocks in (slab.live, slab.cached, slab.free | slab.posted))
    text = f"{slab.start:#x}, class {slab.shape.index}: {live} live, {cached} cached, {free} free"
    text += f", {slab.inside.bit_count()} inside coalesced ones" if slab.inside else ""
    text += "; empty, and kept for the next blocks of its class" if slab.kept else ""
    now = heap.memory.now
    return f"{text}; last taken from {age(now - slab.taken_at)} ago" if 0 < slab.taken_at <= now else text


def _neighbours(heap, slab, index):
    facts = []
    for name, other in (("before", slab.first(index - 1)), ("after", index + slab.parts(index))):
        if 0 <= other < slab.shape.capacity:
            state = slab.state(other, heap.memory.page_bytes)
            facts.append((name, f"{slab.block(other):#x}, {_state_text(heap, slab, other, state)}"))
        else:
            facts.append((name, "none: it is the slab's " + ("first" if other < 0 else "last")))
    return facts


def _in_large(heap, large, address):
    offset = address - large.start
    inside = "is" if offset == 0 else f"lies {offset:,} bytes inside"
    facts = [
        ("state", "live: the program holds it"),
        ("block", f"{large.start:#x} to {large.start + large.bytes:#x}, {count(large.units, 'unit')}"),
        ("owner", "the shared pool"),
    ]
    return Answer(
        address,
        LARGE_BLOCK,
        LIVE,
        large.start,
        large.bytes,
        offset,
        sentence=f"{address:#x} {inside} a live large block of {size(large.bytes)}",
        facts=facts,
    )


def _in_unit(heap, address):
    """A unit of a superslab that no block has."""
    superslab = heap.superslab_of(address)
    unit = (address - superslab.start) >> heap.layout.unit_shift
    kind = superslab.kinds[unit]
    told = {
        RETAINED: "free, and still resident for reuse",
        GUARD: "the guard of the secure library: nobody may touch it",
        RECORDS: "records of the library, or in the hands of a thread at this moment",
    }.get(kind, "free, and not resident")
    if superslab.unmapped:
        told = "not mapped: the superslab has given its addresses back"
    if kind == KEPT:
        keeper, what = heap.keeper_of(superslab, unit)
        told = f"free, in the {what} of {keeper.who}"
    facts = [("state", told), ("superslab", f"{superslab.start:#x}, unit {unit}, {superslab.tier_name}")]
    return Answer(
        address, UNIT, kind, sentence=f"{address:#x} lies in memory of the heap that no block has", facts=facts
    )


def _in_huge(heap, address):
    for ranges in (heap.huge, heap.ranges):
        i = bisect_right([one.start for one in ranges], address) - 1
        if i >= 0 and address - ranges[i].start < ranges[i].bytes:
            return _huge(ranges[i], address)
    return None


def _huge(one, address):
    begin = one.block or one.start
    offset = address - begin
    facts = [("block" if one.live else "range", f"{one.start:#x} to {one.start + one.bytes:#x}, a mapping of its own")]
    inside = "is" if offset == 0 else f"lies {abs(offset):,} bytes {'inside' if offset > 0 else 'before'}"
    if one.live:
        length = one.start + one.bytes - begin
        sentence = f"{address:#x} {inside} a live huge block of {size(length)}"
        return Answer(address, HUGE_BLOCK, LIVE, begin, length, offset, sentence=sentence, facts=facts)
    sentence = f"{address:#x} {inside} a range of {size(one.bytes)} that huge blocks left, free and still resident"
    return Answer(address, HUGE_BLOCK, FREE, one.start, one.bytes, offset, sentence=sentence, facts=facts)


def _in_sample(heap, address):
    """A block on pages of its own, or the range without access before or behind it."""
    near = [one for one in heap.samples if address in one.range]
    if not near:
        return None
    one = min(near, key=lambda one: max(one.start - address, address - one.start - one.bytes + 1, 0))
    offset = address - one.start
    beyond = f"{-offset:,} bytes before" if offset < 0 else f"{offset - one.bytes:,} bytes past the end of"
    inside = "is" if offset == 0 else f"lies {offset:,} bytes inside" if 0 <= offset < one.bytes else f"lies {beyond}"
    state = "a live" if one.live else "a freed"
    facts = [
        ("block", f"{one.start:#x} to {one.start + one.bytes:#x}, between two ranges without access"),
        ("allocated", _calls_text(heap, one.allocated_by, one.allocated)),
    ]
    if not one.live:
        facts.append(("freed", _calls_text(heap, one.freed_by, one.freed)))
    sentence = f"{address:#x} {inside} {state} guarded sample of {size(one.bytes)}"
    live = LIVE if one.live else FREE
    return Answer(address, GUARDED_SAMPLE, live, one.start, one.bytes, offset, sentence=sentence, facts=facts)


def _calls_text(heap, thread, calls):
    places = " ".join(guarded.place(heap.memory, call) for call in calls)
    return f"by thread {thread} at {places}" if places else f"by thread {thread}"


# ---- the library's own


def _in_records(heap, address):
    lay = heap.layout
    for superslab in heap.superslabs:
        if 0 <= address - superslab.address < lay.superslab_bytes:
            return _record(address, f"the descriptor of the superslab {superslab.start:#x}")
        for slab in superslab.slabs:
            for at in slab.bitmaps:
                if 0 <= address - at < slab.bitmap_bytes:
                    return _record(address, f"a bitmap of the slab {slab.start:#x}")
    for one in heap.heaps.values():
        if 0 <= address - one.address < lay.heap_bytes:
            return _record(address, f"the heap of {one.who}")
        if one.has_thread and one.cache and 0 <= address - one.cache < lay.cache_bytes:
            return _record(address, f"the cache of {one.who}")
    mapping = heap.memory.mapping_of(address)
    if mapping is not None and mapping.name.startswith("[anon:hakmem"):
        return _record(address, mapping.name[len("[anon:hakmem ") :].rstrip("]"))
    return None


def _record(address, what):
    return Answer(address, RECORD, sentence=f"{address:#x} lies in a record of the library: {what}")


def _foreign(heap, address):
    mapping = heap.memory.mapping_of(address)
    if mapping is None:
        return Answer(address, NOWHERE, sentence=f"{address:#x} is not the heap's, and nothing is mapped there")
    offset = mapping.offset + address - mapping.start
    name = mapping.name or "memory without a name"
    place = f"{name} + {offset:#x}" if name.startswith("/") else name
    facts = [("mapping", f"{mapping.start:#x} to {mapping.end:#x} {mapping.access}".rstrip())]
    sentence = f"{address:#x} is not the heap's: it lies in {place}"
    return Answer(address, FOREIGN, sentence=sentence, facts=facts)
