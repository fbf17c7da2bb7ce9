"""From addresses of a process to functions and lines: by the files that were mapped there, outside the process."""

import os
import re
import shutil
import subprocess

from .elf_file import ElfFile
from .model import Line, Location, Mapping

_MAP = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) (\S+) ([0-9a-f]+) \S+ \d+ *(.*)$")
_DELETED = " (deleted)"
_BATCH = 20000  # addresses of one call of addr2line


def mappings(maps):
    """The mappings with code of the text of /proc/PID/maps, by their start."""
    found = []
    for line in maps.splitlines():
        match = _MAP.match(line)
        if match and "x" in match[3]:
            name = match[5].removesuffix(_DELETED)
            found.append((int(match[1], 16), int(match[2], 16), int(match[4], 16), name, match[5].endswith(_DELETED)))
    return found


class Symbols:
    """Names of the calls of any number of processes; each file is read once."""

    def __init__(self):
        self._files = {}
        self._lines = {}  # (path, address in the file) -> lines

    def locations(self, maps, addresses):
        """The location of each address, and the mappings that they lie in."""
        ranges = mappings(maps)
        placed = {address: self._place(ranges, address) for address in addresses}
        wanted = {}
        for mapping, inside in placed.values():
            if mapping is not None and inside is not None and (mapping.file, inside) not in self._lines:
                wanted.setdefault(mapping.file, set()).add(inside)
        for path, insides in wanted.items():
            self._look_up(path, sorted(insides))
        used = sorted({mapping for mapping, _ in placed.values() if mapping is not None}, key=lambda one: one.start)
        return {address: self._location(address, *place) for address, place in placed.items()}, used

    def _place(self, ranges, address):
        """The mapping of an address, and the address that its file gives the place."""
        for start, end, offset, name, deleted in ranges:
            if start <= address < end:
                if deleted or not name.startswith("/"):
                    return Mapping(start, end, offset, name), None
                file = self._file(name)
                return Mapping(start, end, offset, name, file.build_id), file.address_of(address - start + offset)
        return None, None

    def _file(self, path):
        if path not in self._files:
            self._files[path] = ElfFile(path)
        return self._files[path]

    def _location(self, address, mapping, inside):
        lines = self._lines.get((mapping.file, inside)) if mapping is not None and inside is not None else None
        return Location(address, mapping, lines or (Line(_nameless(address, mapping)),))

    def _look_up(self, path, addresses):
        file = self._file(path)
        found = _addr2line(path, addresses) if file.has_lines else {}
        named = {}
        for address in addresses:
            lines = found.get(address)
            if not lines or not lines[-1].function or not lines[-1].file:  # else it names the nearest, however far
                lines = (Line(file.function_at(address)),)
            named[address] = lines
        plain = _demangled({line.function for lines in named.values() for line in lines})
        for address, lines in named.items():
            nameless = f"{os.path.basename(path)}+{address:#x}"
            self._lines[path, address] = tuple(
                Line(plain[line.function] or nameless, line.file, line.line, line.function) for line in lines
            )


def _nameless(address, mapping):
    """Code that no file holds: written at run time, or of a file that is gone."""
    if mapping is None:
        return f"{address:#x}"
    return f"{os.path.basename(mapping.file) or 'anonymous memory'}+{address - mapping.start:#x}"


def _addr2line(path, addresses):
    """Functions, inlined ones first, with file and line, where the file has them."""
    tool = shutil.which("addr2line")
    if tool is None:
        return {}
    found = {}
    for start in range(0, len(addresses), _BATCH):
        text = "".join(f"{address:#x}\n" for address in addresses[start : start + _BATCH])
        line = [tool, "-a", "-f", "-i", "-e", path]
        done = subprocess.run(line, input=text, capture_output=True, text=True, check=False)
        _read_addr2line(done.stdout, found)
    return found


def _read_addr2line(text, found):
    lines = text.splitlines()
    address, at = None, 0
    while at < len(lines):
        if lines[at].startswith("0x"):
            address = int(lines[at], 16)
            found[address] = ()
            at += 1
            continue
        function = "" if lines[at] == "??" else lines[at]
        file, _, number = lines[at + 1].split(" (")[0].rpartition(":")
        line = Line(function, "" if file == "??" else file, int(number) if number.isdigit() else 0)
        found[address] += (line,)
        at += 2


def _demangled(names):
    """Names of C++ and Rust as they are written."""
    mangled = sorted(name for name in names if name.startswith(("_Z", "_R")))
    plain = {name: name for name in names}
    tool = shutil.which("c++filt")
    if mangled and tool is not None:
        done = subprocess.run([tool], input="\n".join(mangled), capture_output=True, text=True, check=False)
        plain.update(zip(mangled, done.stdout.splitlines(), strict=False))
    return plain
