"""A snapshot file: what a reading of a heap read, to be read again later and elsewhere.

HAKMEM SNAPSHOT 1\\n
8 bytes     length of the header
header      JSON: the process, its mappings and threads, where the layout is, which pages were resident
the rest    zlib: number of ranges, each range's address and length, and then the ranges' bytes
"""

import json
import os
import struct
import time
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_right

from . import layout
from .errors import WRONG_TARGET, InspectError, Unreadable
from .heap import Heap
from .memory import BulkMemory, Mapping, Memory, Thread
from .threads import find_pointers

MAGIC = b"HAKMEM SNAPSHOT 1\n"
_ANY_VERSION = b"HAKMEM SNAPSHOT "
_MOST_HEADER = 1 << 28


class Recorder(BulkMemory):
    """Passes reads on to another memory and remembers what they found."""

    def __init__(self, memory):
        self._memory = self.source = memory
        self._found = {}  # (address, size): bytes; what was read last is last
        self.resident = {}
        for name in (
            "describe",
            "command",
            "pid",
            "moves",
            "layout_at",
            "page_bytes",
            "now",
            "resident_kib",
            "peak_kib",
        ):
            setattr(self, name, getattr(memory, name))

    def read_many(self, ranges):
        ranges = list(ranges)
        found = self._memory.read_many(ranges)
        for key, data in zip(ranges, found, strict=True):
            if data is not None:
                self._found.pop(key, None)
                self._found[key] = data
        return found

    def mappings(self):
        return self._memory.mappings()

    def threads(self):
        return self._memory.threads()

    def resident_pages(self, address, pages):
        found = self._memory.resident_pages(address, pages)
        if found is not None:
            self.resident[address] = found
        return found

    def ranges(self):
        """What was read, as ranges that neither touch nor overlap, by address."""
        spans = []
        for address, size in sorted(self._found):
            if spans and address <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], address + size)
            else:
                spans.append([address, address + size])
        starts = [start for start, _ in spans]
        buffers = [bytearray(end - start) for start, end in spans]
        for (address, size), data in self._found.items():
            i = bisect_right(starts, address) - 1
            buffers[i][address - starts[i] : address - starts[i] + size] = data
        return list(zip(starts, buffers, strict=True))


class Snapshot(Memory):
    """The memory in a snapshot file."""

    remedy = "The snapshot does not hold it"

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                data = file.read()
        except PermissionError:
            raise InspectError(f"{path} may not be read by this user", "Its owner may, and root") from None
        except OSError as error:
            raise InspectError(f"{path} cannot be read: {error.strerror}", status=WRONG_TARGET) from None
        if not data.startswith(MAGIC):
            version = data[len(_ANY_VERSION) : len(_ANY_VERSION) + 8].split(b"\n")[0].decode("ascii", "replace")
            raise InspectError(
                f"{path} is a snapshot of format {version}, this tool reads 1", "Use the tool that wrote it"
            )
        try:
            self._parse(data)
        except (
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            IndexError,
            struct.error,
            zlib.error,
            OverflowError,
            MemoryError,
        ) as error:
            raise InspectError(
                f"{path} is damaged or cut off ({error or type(error).__name__})", "Take it again"
            ) from None

    def _parse(self, data):
        at = len(MAGIC)
        (length,) = struct.unpack_from("<Q", data, at)
        if length > min(_MOST_HEADER, len(data)):
            raise ValueError("the header is longer than the file")
        header = json.loads(data[at + 8 : at + 8 + length])
        self.describe = f"snapshot {self.path} (of {header['command']}, process {header['pid']}, {header['taken']})"
        self.taken, self.command, self.pid = str(header["taken"]), str(header["command"]), int(header["pid"])
        self.layout_at, self.page_bytes, self.now = (int(header[name]) for name in ("layout", "page", "now"))
        self.resident_kib, self.peak_kib = int(header["resident_kib"]), int(header["peak_kib"])
        if not 512 <= self.page_bytes <= 1 << 20 or self.page_bytes.bit_count() != 1:
            raise ValueError("no such page size")
        self._mappings = [Mapping(*one) for one in header["mappings"]]
        self._threads = [Thread(*one) for one in header["threads"]]
        self._resident = {int(at): _unpacked(one) for at, one in header["resident"].items()}
        body = zlib.decompress(data[at + 8 + length :])
        (count,) = struct.unpack_from("<Q", body)
        table = struct.unpack_from(f"<{2 * count}Q", body, 8)
        self._starts, self._sizes, self._offsets = list(table[::2]), list(table[1::2]), []
        offset = 8 + 16 * count
        for size in self._sizes:
            self._offsets.append(offset)
            offset += size
        if offset > len(body) or self._starts != sorted(self._starts):
            raise ValueError("its ranges are not whole")
        self._body = body

    def read(self, address, size):
        i = bisect_right(self._starts, address) - 1
        if i < 0 or size < 0 or address + size > self._starts[i] + self._sizes[i]:
            raise Unreadable(address, size)
        at = self._offsets[i] + address - self._starts[i]
        return self._body[at : at + size]

    def mappings(self):
        return self._mappings

    def threads(self):
        return self._threads

    def resident_pages(self, address, pages):
        found = self._resident.get(address)
        return found if found is not None and len(found) == pages else None


def take(memory):
    """Reads the heap of `memory`; the heap, and the bytes of a snapshot of it."""
    found = layout.find(memory)
    recorder = Recorder(memory)
    recorder.layout_at = found.address
    heap = Heap(recorder, layout.find(recorder))
    from .residence import look

    look(heap)
    threads = recorder.threads()
    if not any(thread.pointer for thread in threads):
        threads = find_pointers(
            memory, threads, [one.cache for one in heap.heaps.values() if one.has_thread and one.cache]
        )
    header = {
        "pid": memory.pid,
        "command": memory.command,
        "taken": time.strftime("%Y-%m-%d %H:%M:%S"),
        "library": f"{found.library} {found.variant}",
        "layout": found.address,
        "page": memory.page_bytes,
        "now": memory.now,
        "resident_kib": memory.resident_kib,
        "peak_kib": memory.peak_kib,
        "mappings": [(one.start, one.end, one.access, one.offset, one.name) for one in memory.mappings()],
        "threads": [(one.tid, one.name, one.pointer) for one in threads],
        "resident": {str(at): _packed(pages) for at, pages in recorder.resident.items()},
    }
    return heap, _bytes(header, recorder.ranges())


def _bytes(header, ranges):
    told = json.dumps(header, separators=(",", ":")).encode("utf-8", "surrogateescape")
    table = [number for start, data in ranges for number in (start, len(data))]
    body = struct.pack(f"<{1 + len(table)}Q", len(ranges), *table) + b"".join(data for _, data in ranges)
    return MAGIC + struct.pack("<Q", len(told)) + told + zlib.compress(body, 6)


def write(path, data):
    """A whole file or none."""
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "wb") as file:
            file.write(data)
        os.replace(draft, path)
    except OSError as error:
        if os.path.exists(draft):
            os.remove(draft)
        raise InspectError(f"{path} cannot be written: {error.strerror}", status=WRONG_TARGET) from None


def is_snapshot(head):
    return head.startswith(_ANY_VERSION)


def _packed(pages):
    """Bytes of 0 and 1, in text: how many, and their bits, the first of them the lowest."""
    bits = int(bytes(48 + one for one in reversed(pages)), 2) if pages else 0
    return [len(pages), b64encode(bits.to_bytes((len(pages) + 7) // 8, "little")).decode()]


def _unpacked(one):
    count, text = one
    data = b64decode(text)
    if not 0 <= count <= 8 * len(data):
        raise ValueError("fewer pages than there should be")
    bits = format(int.from_bytes(data, "little"), "b").zfill(count).encode()[::-1]
    return bytes(letter - 48 for letter in bits[:count])
