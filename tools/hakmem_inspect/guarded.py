"""Guarded samples (src/cold/guarded.h): blocks on pages of their own between two ranges without access."""

from dataclasses import dataclass

from .errors import InspectError
from .memory import u32, u64

_NOWHERE = 1 << 62  # there is no sample yet
_MOST_CALLS = 64
_NEVER, _LIVE = 0, (1 << 64) - 1  # what freed_at says of a slot


@dataclass(slots=True, frozen=True)
class Sample:
    """A slot's block, live or freed last."""

    slot: int  # the first address that may be used
    start: int
    bytes: int
    live: bool
    allocated_by: int  # threads
    freed_by: int
    allocated: tuple  # calls, the latest first
    freed: tuple


def read(memory, lay):
    """The samples of a heap, by slot."""
    base = u64(memory.read(lay.guarded_base, 8), 0)
    if base == _NOWHERE:
        return []
    if base % memory.page_bytes or base >> 48:
        raise InspectError(f"the heap's records in {memory.describe} are damaged: the guarded samples are nowhere")
    stride = 1 << lay.guarded_shift
    table = memory.read(
        base + lay.guarded_slots * stride + lay.guarded_max,
        lay.guarded_records + lay.guarded_slots * lay.guarded_bytes,
    )
    found = (_sample(lay, table, i, base + i * stride + lay.guarded_max) for i in range(lay.guarded_slots))
    return [sample for sample in found if sample is not None]


def _sample(lay, table, index, slot):
    freed_at = u64(table, 8 * index)
    if freed_at == _NEVER:
        return None
    at = lay.guarded_records + index * lay.guarded_bytes
    return Sample(
        slot,
        u64(table, at + lay.guarded_block),
        u32(table, at + lay.guarded_size),
        freed_at == _LIVE,
        u64(table, at + lay.guarded_allocated_by),
        u64(table, at + lay.guarded_freed_by),
        _calls(lay, table, at + lay.guarded_allocated),
        _calls(lay, table, at + lay.guarded_freed),
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
