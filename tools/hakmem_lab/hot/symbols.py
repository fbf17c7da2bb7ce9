"""An address in the library: its function, what the compiler inlined there, and the source files of both."""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from hakmem_lab.errors import LabError

_CLONE = re.compile(r"(\.(cold|isra|constprop|part|lto_priv)(\.\d+)?)+$")


@dataclass(frozen=True)
class Place:
    """A function in a source file, without what the compiler put into its name."""

    function: str
    file: str


def plain_name(name: str) -> str:
    """Of refill.cold or account.isra.0 the name in the source."""
    return _CLONE.sub("", name)


def call(name: str, *arguments: str, given: str = "") -> str:
    path = shutil.which(name)
    if path is None:
        raise LabError(f"{name} is needed to name functions and is not installed (apt-get install binutils)")
    done = subprocess.run([path, *arguments], input=given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LabError(f"{name} could not read the library: {done.stderr.strip()}")
    return done.stdout


def parse_symbols(listing: str) -> list[tuple[int, int, str]]:
    """(address, end, name) of each function in what nm -S prints, by address."""
    found = []
    for line in listing.splitlines():
        parts = line.split(None, 3)
        if len(parts) == 4 and parts[2] in "tTwWi":
            start = int(parts[0], 16)
            found.append((start, start + int(parts[1], 16), parts[3].split("@")[0]))
    return sorted(found)


def parse_places(listing: str) -> dict[int, list[Place]]:
    """The inline chain of each address in what addr2line -a -f -i prints, the innermost first."""
    places: dict[int, list[Place]] = {}
    chain: list[Place] = []
    function = None
    for line in listing.splitlines():
        if function is None and re.fullmatch(r"0x[0-9a-f]+", line):
            chain = places.setdefault(int(line, 16), [])
        elif function is None:
            function = plain_name(line)
        else:
            file = line.rpartition(":")[0]
            if file != "??":
                chain.append(Place(function, file))
            function = None
    return places


def _has_debug_information(library: Path) -> bool:
    with library.open("rb") as file:
        return ELFFile(file).has_dwarf_info(strict=True)


class Symbols:
    """Of one library with debug information."""

    def __init__(self, library: Path) -> None:
        self.library = library.resolve()
        self._functions = parse_symbols(call("nm", "-S", "--defined-only", str(library)))
        if not self._functions:
            raise LabError(f"{library} has no symbols; build it with ./hakmem build, and do not strip it")
        self._starts = [start for start, _, _ in self._functions]
        self._start_of = {plain_name(name): start for start, _, name in reversed(self._functions)}
        exported = call("nm", "-D", "-S", "-C", "--defined-only", str(library))
        self._entries = {start: name for start, _, name in parse_symbols(exported)}
        self._places: dict[int, list[Place]] = {}

    def names(self) -> list[str]:
        """Of every function, as in the symbol table."""
        return sorted({name for _, _, name in self._functions})

    def function(self, address: int) -> str | None:
        at = bisect_right(self._starts, address) - 1
        if at < 0:
            return None
        _, end, name = self._functions[at]
        return plain_name(name) if address < end else None

    def start(self, function: str) -> int | None:
        """Where the function of this name begins; None where the library has none."""
        return self._start_of.get(plain_name(function))

    def entry(self, address: int) -> str | None:
        """The exported function that starts here."""
        return self._entries.get(address)

    def look_up(self, addresses: Iterable[int]) -> None:
        """Finds the places of many addresses at once: a call of addr2line costs more than an address."""
        new = sorted({address for address in addresses if address not in self._places})
        if not new:
            return
        given = "".join(f"{address:#x}\n" for address in new)
        self._places |= parse_places(call("addr2line", "-a", "-f", "-i", "-C", "-e", str(self.library), given=given))
        if not any(self._places.values()) and not _has_debug_information(self.library):
            raise LabError(f"{self.library} has no debug information; build it with ./hakmem build")

    def places(self, address: int) -> list[Place]:
        """The function whose source stands at this address, and those that it is inlined into."""
        self.look_up([address])
        return self._places.get(address, [])
