"""Which thread has which heap.

A heap knows its thread's cache, which lies in the thread's static TLS, at the same distance from the thread pointer in
every thread. A core file and gdb know the thread pointers. Of a running process they are found, by the thread's number,
which glibc and musl keep in their record of the thread. On x86-64 the record lies above the TLS, and begins with its own
address. On aarch64 it lies below, and nothing marks it: there the number is what is at the same distance below the cache
of every thread.
"""

from dataclasses import replace
from itertools import islice

from .memory import u32, u64

_TLS = 64 << 10  # static TLS of all libraries together
_CANDIDATES = 8
_BEHIND = 2048  # what of the C library's record of a thread is looked through


def name(heap):
    """Gives each heap that has a thread its number and name, as far as they can be told."""
    memory = heap.memory
    known = memory.threads()
    having = [one for one in heap.heaps.values() if one.has_thread and one.cache]
    if not known or not having:
        return
    if not any(thread.pointer for thread in known):
        caches = [one.cache for one in having]
        if memory.pointers is None or memory.pointers[0] != (known, caches):  # from one look to the next they seldom change
            memory.pointers = ((known, caches), find_pointers(memory, known, caches))
        known = memory.pointers[1]
    by_distance = {}
    for one in having:
        for thread in known:
            if thread.pointer and abs(thread.pointer - one.cache) <= _TLS:
                by_distance.setdefault(thread.pointer - one.cache, []).append((one, thread))
    for one, thread in max(by_distance.values(), key=len, default=()):
        one.tid, one.name = thread.tid, thread.name
    if len(known) == len(having) == 1:
        having[0].tid, having[0].name = known[0].tid, known[0].name


def find_pointers(memory, known, caches):
    """The threads with their pointers, where these can be found above the caches."""
    tids = {thread.tid for thread in known}
    votes = {}  # where a thread's number is in the C library's record: pointer -> number
    for cache in caches:
        for pointer, record in _records_above(memory, cache):
            for at in range(0, len(record) - 3, 4):
                if u32(record, at) in tids:
                    votes.setdefault(at, {})[pointer] = u32(record, at)
    best = max(votes.values(), key=lambda found: len(set(found.values())), default={})
    pointer_of = {tid: pointer for pointer, tid in (best or _numbers_below(memory, tids, caches)).items()}
    return [replace(thread, pointer=pointer_of.get(thread.tid, 0)) for thread in known]


def _numbers_below(memory, tids, caches):
    """Where the numbers of the threads are below their caches, which serves as well as the thread pointer does."""
    memory = getattr(memory, "source", memory)
    votes = {}
    for cache in caches:
        mapping = memory.mapping_of(cache)
        size = min(cache - mapping.start, _TLS) if mapping else 0
        (data,) = memory.read_many([(cache - size, size)])
        for at in range(0, len(data or b"") - 3, 4):
            if u32(data, at) in tids:
                votes.setdefault(size - at, {})[cache - size + at] = u32(data, at)
    most = max((len(set(found.values())) for found in votes.values()), default=0)
    best = {distance: found for distance, found in votes.items() if len(set(found.values())) == len(found) == most}
    told = {frozenset((at + distance, tid) for at, tid in found.items()) for distance, found in best.items()}
    return next(iter(best.values())) if len(told) == 1 else {}  # two distances that tell it otherwise tell nothing


def _records_above(memory, cache):
    """What may be the C library's record of the thread: each begins with its own address, as few other things do."""
    memory = getattr(memory, "source", memory)  # a thread's own memory has no place in a snapshot
    mapping = memory.mapping_of(cache)
    if mapping is None:
        return
    size = min(mapping.end - cache, _TLS)
    (data,) = memory.read_many([(cache, size)])
    if data is None:
        return
    places = (at for at in range(-cache % 8, size - 7, 8) if u64(data, at) == cache + at)
    for at in islice(places, _CANDIDATES):
        yield cache + at, data[at : at + _BEHIND]
