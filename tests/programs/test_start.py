"""What a program that only prints costs: the library's system calls, and the pages of its data that are written."""

import re
import subprocess

from elftools.elf.elffile import ELFFile

PRINTS = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
PAGE = 4096
# That the caches of CPUs can be emptied; the limit of addresses, the memory of the machine, the window's tables, and
# access to the metadata; the first arena; access to what is used of the tables, superslabs and tags, and of the arena.
OWN = ["membarrier", "prlimit64", "sysinfo", "mmap", "mprotect", "mmap", "mprotect", "mprotect", "mprotect"]
PROGRAMS = {"fstat", "newfstatat", "write", "exit_group"}


def test_a_program_that_prints_makes_few_system_calls(compile_c, library, tool, tmp_path):
    trace = tmp_path / "trace"
    line = [tool("strace"), "-o", trace, "-E", f"LD_PRELOAD={library}", compile_c(PRINTS, "prints")]
    subprocess.run(line, check=True, capture_output=True, timeout=60)
    text = trace.read_text()
    (cache,) = re.findall(r'"/etc/ld\.so\.cache".*?^mmap\([^\n]* = (0x\w+)$', text, re.MULTILINE | re.DOTALL)
    # The dynamic linker has done. Before, it may have cut a gap in front of a library, where the cache came to lie.
    _, started = text.rsplit(f"munmap({cache}, ", 1)
    calls = re.findall(r"^(\w+)\(", started, re.MULTILINE)
    assert [one for one in calls if one not in PROGRAMS] == OWN


def test_what_each_program_writes_of_the_data_is_one_page(library):
    """The rest is behind (RARE_ZEROES)."""
    with open(library, "rb") as file:
        sections = {one.name: one for one in ELFFile(file).iter_sections()}
    data, zeroes = sections[".data"], sections[".bss"]
    first, last = data["sh_addr"], zeroes["sh_addr"] + zeroes["sh_size"] - 1
    assert first // PAGE == last // PAGE, f"{last - first - PAGE + 1} bytes too many"
