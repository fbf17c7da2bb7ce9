"""The memory in a core file, as pyelftools finds it, and in the files that it names."""

import mmap
import os
from bisect import bisect_right

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from .errors import WRONG_TARGET, InspectError, Unreadable
from .memory import Mapping, Memory, Thread, u32, u64

# Where a note of a thread's registers has the thread's number, and by machine its thread pointer.
_TID_AT = 32
_POINTER_AT = {"EM_X86_64": 112 + 21 * 8}  # fs_base
_TLS_NOTE = 0x401  # NT_ARM_TLS: the thread pointer of aarch64
_AT_PAGESZ = 6


class Core(Memory):
    """A core file."""

    def __init__(self, path):
        self.path = path
        self.describe = f"core {path}"
        try:
            self._file = open(path, "rb")  # kept open as long as the memory is
            self._data = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        except PermissionError:
            raise InspectError(f"{path} may not be read by this user", "Its owner may, and root") from None
        except (OSError, ValueError) as error:
            raise InspectError(f"{path} cannot be read: {error}", status=WRONG_TARGET) from None
        self._segments = []  # start, bytes in the file, offset in the file, end in memory
        self._files = {}
        self._threads = []
        self._named = []
        try:
            self._read_headers(ELFFile(self._file))
        except InspectError:
            raise
        except (
            ELFError,
            ValueError,
            KeyError,
            AttributeError,
            IndexError,
            TypeError,
            OverflowError,
            UnicodeError,
        ) as error:
            raise InspectError(
                f"{path} is damaged, or cut off within its headers ({error or type(error).__name__})"
            ) from None

    def _read_headers(self, elf):
        if elf["e_type"] != "ET_CORE":
            raise InspectError(
                f"{self.path} is no core file, but another ELF file",
                "Give a core, a snapshot or the number of a process",
                WRONG_TARGET,
            )
        if elf.elfclass != 64 or not elf.little_endian:
            raise InspectError(f"{self.path} is not of a 64-bit little-endian machine", status=WRONG_TARGET)
        machine, needed = elf["e_machine"], 0
        for segment in elf.iter_segments():
            if segment["p_type"] == "PT_LOAD":
                self._add_segment(segment.header)
                needed = max(needed, segment["p_offset"] + segment["p_filesz"])
        self.cut_off = needed > len(self._data)
        if self.cut_off:
            self.remedy = (
                f"The file is cut off: it has {len(self._data):,} bytes of {needed:,}. Let the system write it whole: "
                "ulimit -c unlimited, and room on the disk"
            )
        else:
            self.remedy = "The system left it out: see coredump_filter in the manual page core(5)"
        self._segments.sort()
        self._starts = [segment[0] for segment in self._segments]
        for segment in elf.iter_segments():
            if segment["p_type"] == "PT_NOTE":
                self._read_notes(segment["p_offset"], segment["p_filesz"], machine)
        if not self._segments:
            raise InspectError(f"{self.path} holds no memory", self.remedy)

    def _add_segment(self, header):
        start, size = header["p_vaddr"], header["p_filesz"]
        access = "".join(
            letter if header["p_flags"] & bit else "-" for letter, bit in zip("rwx", (4, 2, 1), strict=True)
        )
        self._segments.append((start, size, header["p_offset"], start + header["p_memsz"], access + "p"))

    # ---- notes

    def _read_notes(self, at, size, machine):
        end = min(at + size, len(self._data))
        while at + 12 <= end:
            name_size, length, kind = (u32(self._data, at + 4 * i) for i in range(3))
            name = bytes(self._data[at + 12 : at + 12 + name_size]).rstrip(b"\0")
            start = at + 12 + (name_size + 3) // 4 * 4
            if start + length > end:
                return
            self._read_note(name, kind, bytes(self._data[start : start + length]), machine)
            at = start + (length + 3) // 4 * 4

    def _read_note(self, name, kind, data, machine):
        if (name, kind) == (b"CORE", 1) and len(data) >= _TID_AT + 4:  # NT_PRSTATUS
            at = _POINTER_AT.get(machine)
            pointer = u64(data, at) if at and len(data) >= at + 8 else 0
            self._threads.append(Thread(u32(data, _TID_AT), "", pointer))
        elif (name, kind) == (b"LINUX", _TLS_NOTE) and len(data) >= 8 and self._threads:
            last = self._threads[-1]
            self._threads[-1] = Thread(last.tid, last.name, u64(data, 0))
        elif (name, kind) == (b"CORE", 3) and len(data) >= 56:  # NT_PRPSINFO
            self.pid = u32(data, 24)
            self.command = data[40:56].split(b"\0")[0].decode("utf-8", "replace")
            self.describe = f"core {self.path} (of {self.command}, process {self.pid})"
        elif (name, kind) == (b"CORE", 6):  # NT_AUXV
            for at in range(0, len(data) - 15, 16):
                if u64(data, at) == _AT_PAGESZ and u64(data, at + 8).bit_count() == 1:
                    self.page_bytes = u64(data, at + 8)
        elif (name, kind) == (b"CORE", 0x46494C45):  # NT_FILE
            self._read_files(data)

    def _read_files(self, data):
        count, page = u64(data, 0), u64(data, 8)
        if count > len(data) // 24:
            return
        names = data[16 + 24 * count :].split(b"\0")
        for i, name in zip(range(count), names, strict=False):
            start, end, offset = (u64(data, 16 + 24 * i + 8 * part) for part in range(3))
            self._named.append(Mapping(start, end, "", offset * page, os.fsdecode(name)))

    # ---- memory

    def read(self, address, size):
        data = self._from_core(address, size)
        if data is None:
            data = self._from_file(address, size)
        if data is None:
            raise Unreadable(address, size)
        return data

    def _from_core(self, address, size):
        parts = []
        while size > 0:
            i = bisect_right(self._starts, address) - 1
            if i < 0:
                return None
            start, held, offset, end, _ = self._segments[i]
            here = min(size, start + held - address)
            if here <= 0 or offset + (address - start) + here > len(self._data):
                return None
            parts.append(self._data[offset + address - start : offset + address - start + here])
            address, size = address + here, size - here
        return b"".join(parts)

    def _from_file(self, address, size):
        """What the system left out because the file has it: code and constants."""
        for one in self._named:
            if one.start <= address and address + size <= one.end:
                try:
                    with open(one.name, "rb") as file:
                        file.seek(one.offset + address - one.start)
                        data = file.read(size)
                except (OSError, ValueError):
                    return None
                return data if len(data) == size else None
        return None

    def mappings(self):
        """The segments, named where the core names them."""
        named = {one.start: one for one in self._named}
        spans = sorted(self._named, key=lambda one: one.start)
        starts = [one.start for one in spans]
        found = []
        for start, _, _, end, access in self._segments:
            one = named.get(start)
            i = bisect_right(starts, start) - 1
            if one is None and i >= 0 and start < spans[i].end:
                one = spans[i]
            name, offset = (one.name, one.offset + start - one.start) if one else ("", 0)
            found.append(Mapping(start, end, access, offset, name))
        return found

    def threads(self):
        return self._threads
