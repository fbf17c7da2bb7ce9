"""What every source of memory offers: a process, a core file, a snapshot, gdb."""

from bisect import bisect_right
from dataclasses import dataclass

from .errors import Unreadable


@dataclass(frozen=True)
class Mapping:
    """A range of the address space, as /proc/PID/maps has it."""

    start: int
    end: int
    access: str  # rwxp; "" where it is not known
    offset: int  # in the file
    name: str  # the file, [heap], [stack], [anon:...]; "" for memory without a name


@dataclass(frozen=True)
class Thread:
    """A thread of the program."""

    tid: int
    name: str
    pointer: int  # the thread pointer, above or below which its static TLS lies; 0: not known


class Memory:
    """The memory of one program. `describe` says in words what it is."""

    describe = "memory"
    command = ""  # of the program, as far as it is known
    pid = 0
    moves = False  # what is read may change meanwhile
    layout_at = 0  # where the table of the layout is, if that is known; else it is looked for
    page_bytes = 4096
    now = 0  # milliseconds of the monotonic clock; 0: not known
    cut_off = False  # part of what should be there is not
    remedy = ""  # what to do where something cannot be read
    resident_kib = peak_kib = 0  # of the whole program; 0: not known
    pointers = None  # where the threads were found last, and of what that was told (hakmem_inspect/threads.py)

    def read(self, address, size):
        """The bytes at an address; raises Unreadable."""
        raise NotImplementedError

    def read_many(self, ranges):
        """For each (address, size) the bytes, or None."""
        return [self._read_or_none(address, size) for address, size in ranges]

    def _read_or_none(self, address, size):
        try:
            return self.read(address, size)
        except Unreadable:
            return None

    def mappings(self):
        """The ranges of the address space, by address."""
        return []

    def threads(self):
        """The threads of the program."""
        return []

    def resident_pages(self, address, pages):
        """A byte for each page, 1 where it is resident; None where that is not known."""
        return

    def mapping_of(self, address):
        """The mapping that an address lies in, or None."""
        mappings = self.mappings()
        i = bisect_right([one.start for one in mappings], address) - 1
        return mappings[i] if i >= 0 and address < mappings[i].end else None


class BulkMemory(Memory):
    """A memory that reads many ranges at once: what it has is read_many."""

    def read(self, address, size):
        (data,) = self.read_many([(address, size)])
        if data is None:
            raise Unreadable(address, size)
        return data

    def read_many(self, ranges):
        raise NotImplementedError


def u16(data, at):
    return int.from_bytes(data[at : at + 2], "little")


def u32(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def u64(data, at):
    return int.from_bytes(data[at : at + 8], "little")
