"""Guarded samples (src/cold/guarded.h): blocks on pages of their own between two ranges without access."""

from dataclasses import dataclass

from .errors import InspectError
from .memory import u32, u64

_NOWHERE = 1 << 62  # there is no sample yet
_KINDS = 2  # small ones, in slots of one reservation, and large ones
_MOST = 1 << 20  # of a kind; more is damage
_MOST_CALLS = 64
_NEVER, _LIVE = 0, (1 << 64) - 1  # what freed_at says of a block


@dataclass(slots=True, frozen=True)
class Sample:
    """A block, live or freed last, of one record."""

    start: int
    bytes: int
    range: range  # the addresses that are its alone, guards included
    live: bool
    allocated_by: int  # threads
    freed_by: int
    allocated: tuple  # calls, the latest first
    freed: tuple


def read(memory, lay):
    """The samples of a heap."""
    base = u64(memory.read(lay.guarded_base, 8), 0)
    if base == _NOWHERE:
        return []
    if base % memory.page_bytes or base >> 48:
        raise _damaged(memory)
    found = []
    head = memory.read(base + lay.guarded_kinds, _KINDS * lay.guarded_kind_bytes)
    for kind in range(_KINDS):
        at = kind * lay.guarded_kind_bytes
        first, used = u32(head, at + lay.guarded_kind_from), u32(head, at + lay.guarded_kind_used)
        if max(first, used) > _MOST:
            raise _damaged(memory)
        at = base + lay.guarded_records + first * lay.guarded_bytes
        records = memory.read(at, used * lay.guarded_bytes) if used else b""
        found += (_sample(lay, records, i * lay.guarded_bytes) for i in range(used))
    return [sample for sample in found if sample is not None]


def _damaged(memory):
    return InspectError(f"the heap's records in {memory.describe} are damaged: the guarded samples are nowhere")


def _sample(lay, records, at):
    freed_at = u64(records, at + lay.guarded_freed_at)
    start = u64(records, at + lay.guarded_range)
    if freed_at == _NEVER or start == 0:
        return None
    return Sample(
        u64(records, at + lay.guarded_block),
        u64(records, at + lay.guarded_size),
        range(start, start + u64(records, at + lay.guarded_range_bytes)),
        freed_at == _LIVE,
        u64(records, at + lay.guarded_allocated_by),
        u64(records, at + lay.guarded_freed_by),
        _calls(lay, records, at + lay.guarded_allocated),
        _calls(lay, records, at + lay.guarded_freed),
    )


def _calls(lay, table, at):
    count = min(u32(table, at + lay.guarded_calls), _MOST_CALLS, lay.guarded_calls // 8)
    return tuple(u64(table, at + 8 * i) for i in range(count))


def place(memory, call):
    """A call as libfoo.so+0x123, what addr2line takes of a library; the address alone where no file is mapped."""
    mapping = memory.mapping_of(call)
    if mapping is None or not mapping.name.startswith("/"):
        return f"{call:#x}"
    base = min(one.start for one in memory.mappings() if one.name == mapping.name)
    return f"{mapping.name.rpartition('/')[2]}+{call - base:#x}"
