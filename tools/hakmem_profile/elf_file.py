"""An ELF file's build-id, segments and symbols."""

import struct
from bisect import bisect_right

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

_SYMBOL = struct.Struct("<IBBHQQ")
_FUNCTIONS = (2, 10)  # STT_FUNC, STT_GNU_IFUNC


class ElfFile:
    """What is read of one file, once."""

    def __init__(self, path):
        self.path = path
        self.build_id = ""
        self.has_lines = False
        self._segments = []
        self._starts, self._functions = [], []
        try:
            with open(path, "rb") as file:
                self._read(ELFFile(file))
        except (OSError, ELFError, ValueError, struct.error):
            pass  # what lies there now is no such file: its calls stay without names

    def _read(self, elf):
        loaded = (one for one in elf.iter_segments() if one["p_type"] == "PT_LOAD")
        self._segments = [(one["p_offset"], one["p_filesz"], one["p_vaddr"]) for one in loaded]
        note = elf.get_section_by_name(".note.gnu.build-id")
        if note is not None:
            self.build_id = next((one["n_desc"] for one in note.iter_notes() if one["n_type"] == "NT_GNU_BUILD_ID"), "")
        names = {section.name for section in elf.iter_sections()}
        self.has_lines = ".debug_line" in names or ".gnu_debuglink" in names
        table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
        if table is not None and elf.elfclass == 64 and elf.little_endian:
            self._read_symbols(table.data(), elf.get_section(table["sh_link"]).data())

    def _read_symbols(self, data, names):
        found = {}
        for name, info, _, section, value, size in _SYMBOL.iter_unpack(data):
            if info & 15 in _FUNCTIONS and section != 0:
                better = found.get(value)
                if better is None or size > better[0]:
                    found[value] = (size, names[name : names.index(b"\0", name)].decode("utf-8", "replace"))
        self._starts = sorted(found)
        self._functions = [found[start] for start in self._starts]

    def address_of(self, offset):
        """Where the file says that a place in it lies in memory; None: nowhere."""
        for start, size, address in self._segments:
            if start <= offset < start + size:
                return offset - start + address
        return None

    def function_at(self, address):
        """The symbol that an address lies in; empty: none."""
        at = bisect_right(self._starts, address) - 1
        if at < 0:
            return ""
        size, name = self._functions[at]
        return name.split("@")[0] if address < self._starts[at] + max(size, 1) else ""
