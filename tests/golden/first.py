"""src/first.ld: the functions that nearly every process runs, by the file of which they are, for the linker."""

import re
from bisect import bisect_right
from collections import defaultdict
from pathlib import Path

from elftools.elf.elffile import ELFFile

_SOURCES = Path(__file__).resolve().parents[2] / "src"
_HEAD = """\
/* What nearly every process runs lies together, with the constants of its files, behind the records that the dynamic
 * linker reads: who touches a page of a file gets the 64 KiB around it, and here that is all.
 * Written by `pytest tests/golden --update`, from what a small program is seen to run and what no test can see. */
"""
# But for strings (.rodata.*.str1.1, .str1.8): these are messages, except for the names of the first mappings, below.
_CONSTANTS = "(.rodata .rodata.cst* .rodata.*[!18])"
# Of other libraries, or by variables of which no listed file knows: constants, then code.
_MORE_CONSTANTS = (
    f"*base/size_class.c.o{_CONSTANTS}",
    f"*warm/magazine.c.o{_CONSTANTS}",
    f"*libgcc.a:*{_CONSTANTS}",
    *("*cold/arena.c.o(.rodata.arena_add.str*)", "*cold/empty.c.o(.rodata.map.str*)"),
    "*cold/window.c.o(.rodata.window_name.str*)",
)
_MORE_CODE = (
    "*(.text.startup .text.startup.* .text.exit .text.exit.*)",
    "*crt*.o(.text .text.*)",
    "*libgcc.a:*(.text .text.*)",
    "*libc_nonshared.a:*(.text .text.*)",
    "*warm/cpu_cache.c.o(.text.unlikely)",  # where a restartable sequence goes that was abandoned
)
# What runs where two threads want one lock at a time, which no test sees each time, and where the C library has
# registered restartable sequences, which none under valgrind has.
UNSEEN = [
    *(("os/lock.c", name) for name in ("spin_for", "wait_for")),
    *(("os/threads.c", name) for name in ("os_wait", "os_wake", "os_yield", "wait_on")),
    *(("os/threads.c", name) for name in ("os_restart_is_known", "os_rseq_bytes")),
    *(("warm/cpu_cache.c", name) for name in ("cpu_give", "cpu_pop", "cpu_push", "cpu_take")),
    *(("warm/light.c", name) for name in ("leave_row", "magazine_count", "post", "post_all")),
    *(("warm/light_work.c", f"light_work_{name}") for name in ("called", "fit", "is_done", "popped", "posted")),
    ("warm/light_work.c", "light_work_refilled"),
    ("warm/post.c", "post_of_cpu"),
]
# What only a heap of 4 MiB and more runs, most of which was freed, before it takes fresh memory: that saves it far more
# than the 64 KiB of the file around these.
SELDOM = [
    ("cold/shared_pool.c", "pool_retains"),
    *(("warm/coalesce.c", name) for name in ("free_coalesced", "heap_coalesce", "take_within")),
    ("warm/collect.c", "put_bits"),
    ("warm/gather.c", "gather_take"),
    *(("warm/holes.c", name) for name in ("blocks_in_holes", "holes_outside", "recycled")),
    ("warm/home.c", "home_stack_steal"),
    *(("warm/inside.c", name) for name in ("inside_add", "inside_end", "inside_remove", "tell")),
    ("warm/put.c", "put_other"),
    ("warm/refill.c", "refill_gathered"),
    *(("warm/whole.c", name) for name in ("slab_coalesce", "slab_put_whole", "slab_whole_bytes")),
]
# What the compiler takes to be rare though nothing says so.
_SEEM_RARE = [("warm/sample.c", name) for name in ("is_due", "sample_each")]
_REST = ("*(.text.unlikely .text.unlikely.*)", "*(.text .text.*)")
_SMALL = "  .fini : { KEEP (*(SORT_NONE(.fini))) }\n  .plt.got : { *(.plt.got) }\n  .plt.sec : { *(.plt.sec) }\n"
_WIDTH = 120


class Places:
    """Which function, and which of our files, an address of the library is of."""

    def __init__(self, library):
        with open(library, "rb") as file:
            elf = ELFFile(file)
            self.sections = {one.name: (one["sh_addr"], one["sh_size"]) for one in elf.iter_sections()}
            symbols = elf.get_section_by_name(".symtab").iter_symbols()
            functions = [one for one in symbols if one["st_info"]["type"] == "STT_FUNC" and one["st_size"] > 0]
            self._functions = sorted((one["st_value"], one["st_size"], one.name) for one in functions)
            self._starts = [start for start, *_ in self._functions]
            self.files = _files(elf.get_dwarf_info(), {start for start, *_ in self._functions})

    def of(self, address):
        """(file, function), or none: what is not ours has no debug information. Of a function's part that the compiler
        takes to be rare it is function.cold."""
        at = bisect_right(self._starts, address) - 1
        start, size, name = self._functions[at]
        file = self.files.get(start)
        function, *parts = name.split(".")
        return (file, f"{function}.cold" if "cold" in parts else function) if file and address < start + size else None

    def behind(self, most, wanted):
        """Those of the (file, function) pairs that begin at `most` or later; parts of a function may lie elsewhere."""
        places = {self.of(start): start for start in reversed(self._starts)}
        return sorted(place for place in wanted if places.get(place, 0) >= most)


def _files(dwarf, starts):
    """The file that was compiled, below src, of each function that begins there."""
    names = {unit.cu_offset: unit.get_top_DIE().attributes["DW_AT_name"].value.decode() for unit in dwarf.iter_CUs()}
    aranges = dwarf.get_aranges()
    if aranges is None:
        return {}
    found = {start: names.get(aranges.cu_offset_at_addr(start)) for start in starts}
    return {start: re.sub(r"^.*/src/", "", name) for start, name in found.items() if name and "/src/" in name}


def without_seldom(places):
    """Those that are not SELDOM, nor parts of these."""
    return {(file, function) for file, function in places if (file, function.removesuffix(".cold")) not in SELDOM}


def script(ran):
    """The linker's script, of (file, function) pairs."""
    by_file = defaultdict(set)
    for file, function in without_seldom({*ran, *UNSEEN}):
        by_file[file].add(function)
    constants = [*_MORE_CONSTANTS, *(f"*{file}.o{_CONSTANTS}" for file in sorted(by_file))]
    code = [*_MORE_CODE, *(_functions_of(file, by_file[file]) for file in sorted(by_file))]
    return (
        f"{_HEAD}SECTIONS\n{{\n{_section('.rodata.first', constants)}{_SMALL}}}\nINSERT BEFORE .init;\n\n"
        f"SECTIONS\n{{\n{_section('.text', [*code, *_REST])}}}\nINSERT AFTER .plt;\n"
    )


def _is_rare(file, function):
    """It is marked so, where it is defined or declared, or seems so to the compiler: some of these run at each start."""
    if (file, function) in _SEEM_RARE:
        return True
    header = _SOURCES.joinpath(file).with_suffix(".h")
    texts = (one.read_text(encoding="utf-8") for one in (_SOURCES / file, header) if one.exists())
    return any(re.search(rf"\bRARE\b[^;{{}}()]*\b{function}\(", text) for text in texts)


def _functions_of(file, functions):
    """A compiler may have made a copy of a function, with a dot in its name. It has those that are marked as rare in
    sections of their own, and rare parts of others, most of which stop the program."""
    lines, line = [], f"*{file}.o("
    for part in sorted(functions):
        name = part.removesuffix(".cold")
        section = ".text.unlikely" if name != part or _is_rare(file, name) else ".text"
        word = f"{section}.{name} {section}.{name}.*"
        if len(line) + len(word) > _WIDTH - 8:
            lines.append(line.rstrip())
            line = "    "
        line += f"{word} "
    return "\n    ".join([*lines, line.rstrip() + ")"])


def _section(name, patterns):
    return f"  {name} :\n  {{\n" + "".join(f"    {pattern}\n" for pattern in patterns) + "  }\n"
