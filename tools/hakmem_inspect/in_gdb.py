"""The command hakmem of gdb: the same reader over gdb's own view of a program, stopped or in a core file."""

import re

import gdb

from . import document, plain
from .errors import WRONG_TARGET, InspectError, Unreadable
from .heap import Heap
from .memory import Mapping, Memory, Thread
from .records import bits
from .where import parse_address, where

_SHOWN = 100
_MAPPING = re.compile(r"^\s*0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s*([r-][w-][x-][ps-])?\s*(.*)$")


class Stopped(Memory):
    """The program that gdb has, as it stands."""

    remedy = "gdb cannot read it there"

    def __init__(self):
        self._inferior = gdb.selected_inferior()
        if not self._inferior.is_valid() or not self._inferior.threads():
            raise InspectError(
                "gdb has no program and no core file", "Start one, attach to one, or name a core", WRONG_TARGET
            )
        self.pid = self._inferior.pid
        self.describe = self.command = gdb.current_progspace().filename or "the program"
        self.command = self.command.rpartition("/")[2]
        self.layout_at = _number("(unsigned long) &hak_layout")
        if not self.layout_at:
            raise InspectError(f"{self.describe} does not run on hakmem", "Start it with LD_PRELOAD=.../libhakmem.so")
        page = re.search(r"AT_PAGESZ\s.*?(\d+)\s*$", _told("info auxv"), re.MULTILINE)
        self.page_bytes = int(page[1]) if page else 4096
        self._mappings = None
        self._threads = None

    def read(self, address, size):
        try:
            return bytes(self._inferior.read_memory(address, size)) if size else b""
        except (gdb.error, OverflowError, ValueError):
            raise Unreadable(address, size) from None

    def mappings(self):
        if self._mappings is None:
            found = (_MAPPING.match(line) for line in _told("info proc mappings").splitlines())
            self._mappings = sorted(
                (
                    Mapping(int(one[1], 16), int(one[2], 16), one[4] or "", int(one[3], 16), one[5].strip())
                    for one in found
                    if one
                ),
                key=lambda one: one.start,
            )
        return self._mappings

    def threads(self):
        if self._threads is None:
            self._threads = list(self._find_threads())
        return self._threads

    def _find_threads(self):
        chosen = gdb.selected_thread()
        try:
            for thread in self._inferior.threads():
                thread.switch()
                pointer = _number("(unsigned long) $fs_base") or _number("(unsigned long) $tpidr")
                yield Thread(thread.ptid[1] or thread.ptid[2], thread.name or "", pointer)
        finally:
            if chosen is not None and chosen.is_valid():
                chosen.switch()


def _number(expression):
    """The value of an expression; 0 where it has none."""
    try:
        return int(gdb.parse_and_eval(expression))
    except (gdb.error, ValueError, OverflowError):
        return 0


def _told(command):
    try:
        return gdb.execute(command, to_string=True)
    except gdb.error:
        return ""


class _Command(gdb.Command):
    """A command whose mistakes are sentences."""

    def invoke(self, argument, from_tty):
        try:
            self.run(gdb.string_to_argv(argument))
        except InspectError as error:
            raise gdb.GdbError(f"hakmem: {error}") from None


class _Hakmem(gdb.Command):
    """Look into the heap of a program on hakmem."""

    def __init__(self):
        super().__init__("hakmem", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class _Where(_Command):
    """Say what an address is: hakmem where EXPRESSION"""

    def __init__(self):
        super().__init__("hakmem where", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, words):
        if not words:
            raise InspectError("an address is missing", "hakmem where 0x7f0012345678, or any expression")
        text = " ".join(words)
        try:
            number = int(gdb.parse_and_eval(f"(unsigned long) ({text})"))
        except gdb.error:
            number = parse_address(text)
        print("\n".join(where(Heap(Stopped()), number).lines()))


class _Summary(_Command):
    """Show what the heap holds, by size class and by thread: hakmem summary"""

    def __init__(self):
        super().__init__("hakmem summary", gdb.COMMAND_DATA, gdb.COMPLETE_NONE)

    def run(self, words):
        print(plain.whole(document.of(Heap(Stopped()))))


class _Blocks(_Command):
    """List the live blocks of a size class: hakmem blocks SIZE [all]"""

    def __init__(self):
        super().__init__("hakmem blocks", gdb.COMMAND_DATA, gdb.COMPLETE_NONE)

    def run(self, words):
        if not words or not words[0].isdecimal():
            raise InspectError("a size in bytes is missing", "hakmem blocks 64 lists the blocks that serve 64 bytes")
        heap = Heap(Stopped())
        shape = heap.layout.class_of(int(words[0]))
        if shape is None:
            raise InspectError(
                f"no size class serves {words[0]} bytes", f"The largest has {heap.layout.classes[-1].stride} bytes"
            )
        live = list(_live_of(heap, shape))
        print(f"{len(live):,} live blocks of {shape.stride} bytes")
        shown = live if "all" in words[1:] else live[:_SHOWN]
        for slab, index in shown:
            coalesced = "" if slab.shape is shape else f", coalesced, {slab.size(index):,} bytes"
            print(f"{slab.block(index):#x}  {heap.who(slab.owner)}{coalesced}")
        if len(shown) < len(live):
            print(f"and {len(live) - len(shown):,} more: hakmem blocks {words[0]} all")


def _live_of(heap, shape):
    """The live blocks that serve a size class, coalesced ones among them."""
    for slab in heap.slabs:
        if slab.shape is shape or slab.inside:
            live = ((slab, index) for index in bits(slab.live))
            yield from (one for one in live if heap.layout.class_within(slab.size(one[1])) is shape)


def register():
    """Makes the commands known to gdb."""
    for command in (_Hakmem, _Where, _Summary, _Blocks):
        command()
