"""Reads the few facts of an ELF file that decide whether a library can be preloaded into it."""

import struct

MAGIC = b"\x7fELF"
_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NEEDED, _DT_STRTAB = 1, 5

_MACHINES = {
    3: "i386",
    8: "MIPS",
    20: "PowerPC",
    21: "PowerPC 64",
    22: "s390",
    40: "ARM",
    62: "x86-64",
    183: "AArch64",
    243: "RISC-V",
    258: "LoongArch",
}


class Elf:
    """The headers of one ELF file. Raises ValueError where the file ends early or contradicts itself."""

    def __init__(self, path):
        with open(path, "rb") as self._file:
            self._read_header()
            self.interpreter = self._text_of(_PT_INTERP)
            self.needed = self._read_needed()

    @property
    def target(self):
        """What the file is for, as a comparable value: class, byte order, machine."""
        return self._bits, self._order, self._machine

    @property
    def target_name(self):
        """The same in words."""
        machine = _MACHINES.get(self._machine, f"machine {self._machine}")
        order = "" if self._order == "<" else ", big-endian"
        return f"{machine}, {self._bits}-bit{order}"

    @property
    def libc(self):
        """'glibc' or 'musl', told by the loader or by the libraries needed; None where neither tells."""
        names = [name.rpartition("/")[2] for name in (self.interpreter or "", *self.needed)]
        if any(name.startswith(("ld-musl", "libc.musl")) or name == "libc.so" for name in names):
            return "musl"
        if any(name == "libc.so.6" or name.startswith("ld-linux") for name in names):
            return "glibc"
        return None

    def _unpack(self, layout, offset):
        self._file.seek(offset)
        data = self._file.read(struct.calcsize(self._order + layout))
        try:
            return struct.unpack(self._order + layout, data)
        except struct.error as error:
            raise ValueError("the file ends inside its headers") from error

    def _read_header(self):
        ident = self._file.read(16)
        if len(ident) < 16 or not ident.startswith(MAGIC) or ident[4] not in (1, 2):
            raise ValueError("not an ELF file")
        self._bits = 32 if ident[4] == 1 else 64
        self._order = ">" if ident[5] == 2 else "<"
        word = "I" if self._bits == 32 else "Q"
        (self._machine,) = self._unpack("H", 18)
        (table,) = self._unpack(word, 28 if self._bits == 32 else 32)
        size, count = self._unpack("HH", 42 if self._bits == 32 else 54)
        self._segments = [self._read_segment(table + i * size, word) for i in range(count)]

    def _read_segment(self, offset, word):
        """(type, file offset, address, bytes in the file)"""
        (kind,) = self._unpack("I", offset)
        position, address, _, length = self._unpack(word * 4, offset + (4 if self._bits == 32 else 8))
        return kind, position, address, length

    def _segment(self, kind):
        return next((segment for segment in self._segments if segment[0] == kind), None)

    def _text_of(self, kind):
        segment = self._segment(kind)
        if segment is None:
            return None
        self._file.seek(segment[1])
        return self._file.read(segment[3]).split(b"\0")[0].decode(errors="surrogateescape")

    def _read_needed(self):
        """The names of the libraries that the file asks its loader for."""
        dynamic = self._segment(_PT_DYNAMIC)
        if dynamic is None:
            return []
        word = "i" if self._bits == 32 else "q"
        step = struct.calcsize(word) * 2
        entries = [self._unpack(word * 2, dynamic[1] + at) for at in range(0, dynamic[3] - step + 1, step)]
        strings = next((value for tag, value in entries if tag == _DT_STRTAB), None)
        if strings is None:
            return []
        return [self._string(strings + value) for tag, value in entries if tag == _DT_NEEDED]

    def _string(self, address):
        for kind, position, start, length in self._segments:
            if kind == _PT_LOAD and start <= address < start + length:
                self._file.seek(position + address - start)
                return self._file.read(256).split(b"\0")[0].decode(errors="surrogateescape")
        return ""
