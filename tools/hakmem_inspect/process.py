"""The memory of a running process: process_vm_readv, without a stop, a call or a write in it."""

import ctypes
import errno
import functools
import mmap
import os
import struct
import sys
import time
from array import array
from itertools import chain

from .errors import WRONG_TARGET, InspectError
from .memory import BulkMemory, Mapping, Thread

_MOST_RANGES = 1024  # IOV_MAX
_MOST_BYTES = 8 << 20
_PRESENT, _FRAME = 1 << 63, (1 << 55) - 1  # of a word of /proc/PID/pagemap
_HIGHEST = 7 if sys.byteorder == "little" else 0  # byte of such a word
_IS_PRESENT = bytes(byte >> 7 for byte in range(256))


class Process(BulkMemory):
    """A running process of this machine."""

    moves = True

    def __init__(self, pid):
        self.pid = pid
        self._readv = ctypes.CDLL(None, use_errno=True).process_vm_readv
        self._readv.restype = ctypes.c_ssize_t
        self._readv.argtypes = (ctypes.c_int, *[ctypes.c_void_p, ctypes.c_ulong] * 2, ctypes.c_ulong)
        self._buffer = bytearray()
        self.page_bytes = os.sysconf("SC_PAGE_SIZE")
        self.command = _text(f"/proc/{pid}/comm").strip()
        self.describe = f"process {pid} ({self.command or 'unknown'})"
        self._mappings = None
        self._pagemap = None
        self.refresh()

    def refresh(self):
        """Forgets what is kept from one reading to the next."""
        status = dict(line.split(":", 1) for line in _text(f"/proc/{self.pid}/status").splitlines() if ":" in line)
        if status.get("State", "Z").split()[0] in ("Z", "X"):  # it has ended, and its parent has not asked how
            raise gone(self.pid)
        self._mappings = None
        self.now = int(time.clock_gettime(time.CLOCK_MONOTONIC) * 1000)
        self.resident_kib = _kib(status.get("VmRSS", "0"))
        self.peak_kib = _kib(status.get("VmHWM", "0"))

    def read_many(self, ranges):
        ranges = list(ranges)
        found = []
        while len(found) < len(ranges):
            batch, total = [], 0
            for address, size in ranges[len(found) : len(found) + _MOST_RANGES]:
                if batch and total + size > _MOST_BYTES:
                    break
                batch.append((address, size))
                total += size
            found += self._read_batch(batch, total)
        return found

    def _read_batch(self, batch, total):
        """As far as the first range that cannot be read, for which it has None."""
        if any(size <= 0 or not 0 < address < 1 << 63 or size > 1 << 32 for address, size in batch):
            return [self._read_one(address, size) for address, size in batch]
        if total > len(self._buffer):
            self._buffer = bytearray(total)
        remote = array("Q", chain.from_iterable(batch))
        buffer = (ctypes.c_char * total).from_buffer(self._buffer)
        local = array("Q", (ctypes.addressof(buffer), total))
        got = self._readv(self.pid, local.buffer_info()[0], 1, remote.buffer_info()[0], len(batch), 0)
        if got < 0:
            self._complain(ctypes.get_errno())
            got = 0
        at, found = 0, []
        with memoryview(self._buffer) as data:
            for _, size in batch:
                if at + size > got:
                    return [*found, None]
                found.append(bytes(data[at : at + size]))
                at += size
        return found

    def _read_one(self, address, size):
        if size == 0:
            return b""
        if size < 0 or size > 1 << 32 or not 0 < address < 1 << 63:
            return None
        return self._read_batch([(address, size)], size)[0]

    def _complain(self, number):
        if number == errno.ESRCH:
            raise gone(self.pid)
        if number in (errno.EPERM, errno.EACCES):
            raise refused(self.pid)
        if number == errno.ENOSYS:
            raise InspectError("this system has no process_vm_readv", "Take a core by gcore and give that")

    def mappings(self):
        if self._mappings is None:
            self._mappings = read_maps(self.pid)
        return self._mappings

    def threads(self):
        try:
            tids = sorted(int(name) for name in os.listdir(f"/proc/{self.pid}/task"))
        except OSError:
            return []
        return [Thread(tid, _text(f"/proc/{self.pid}/task/{tid}/comm").strip(), 0) for tid in tids]

    def resident_pages(self, address, pages):
        if self._pagemap is None:
            try:
                self._pagemap = os.open(f"/proc/{self.pid}/pagemap", os.O_RDONLY)
            except OSError:
                self._pagemap = -1
        if self._pagemap < 0:
            return None
        try:
            data = os.pread(self._pagemap, pages * 8, address // self.page_bytes * 8)
        except (OSError, OverflowError):
            return None
        if len(data) != pages * 8:
            return None
        zero = _zero_frame()
        if not zero or struct.pack("=I", zero & 0xFFFFFFFF) not in data:
            return data[_HIGHEST::8].translate(_IS_PRESENT)
        words = struct.unpack(f"={pages}Q", data)
        return bytes(word >= _PRESENT and word & _FRAME != zero for word in words)

    def __del__(self):
        if getattr(self, "_pagemap", None) not in (None, -1):
            os.close(self._pagemap)


@functools.cache
def _zero_frame():
    """The system's page of zeros, which pages show that were read and never written: nothing resident. 0: not told."""
    try:
        with mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as page:
            address = ctypes.addressof(ctypes.c_char.from_buffer(page))
            if page[0] == 0:
                with open("/proc/self/pagemap", "rb", buffering=0) as file:
                    file.seek(address // mmap.PAGESIZE * 8)
                    return struct.unpack("=Q", file.read(8))[0] & _FRAME
    except (OSError, BufferError, struct.error):
        pass
    return 0


def gone(pid):
    return InspectError(f"there is no process {pid}", "./hakmem top lists those that run on hakmem", WRONG_TARGET)


def refused(pid):
    return InspectError(
        f"process {pid} may not be read by this user",
        "Its own user may, and root; where kernel.yama.ptrace_scope is 1 or more, root alone",
    )


def read_maps(pid):
    """The mappings of a process."""
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.readlines()
    except (FileNotFoundError, ProcessLookupError):
        raise gone(pid) from None
    except PermissionError:
        raise refused(pid) from None
    return [one for one in map(parse_mapping, lines) if one]


def has_library(pid):
    """Whether a process has the shared library; a program into which it is linked statically has no such name."""
    try:
        return any("libhakmem" in one.name.rpartition("/")[2] for one in read_maps(pid))
    except InspectError:
        return False


def parse_mapping(line):
    """A line of /proc/PID/maps; None where it is none."""
    words = line.rstrip("\n").split(None, 5)
    if len(words) < 5:
        return None
    start, end = (int(word, 16) for word in words[0].split("-"))
    return Mapping(start, end, words[1], int(words[2], 16), words[5] if len(words) > 5 else "")


def _kib(text):
    words = text.split()
    return int(words[0]) if words and words[0].isdigit() else 0


def _text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
