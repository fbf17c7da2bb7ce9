"""What a program that only prints costs: its system calls, and the pages of the library's data that it writes."""

import re
import subprocess

from elftools.elf.elffile import ELFFile

PRINTS = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'
PAGE = 4096


def system_calls(strace, program, tmp_path, *options):
    trace = tmp_path / "trace"
    subprocess.run([strace, "-o", trace, *options, program], check=True, capture_output=True, timeout=60)
    return [found[1] for line in trace.read_text().splitlines() if (found := re.match(r"(\w+)\(", line))]


def test_a_program_that_prints_makes_few_system_calls(compile_c, library, tool, tmp_path):
    """Eleven more than without the library: nine for loading it and six of its own, less four of the C library's malloc.

    Its own: the limit of addresses, the memory of the machine, the window with its records, which huge pages are not to
    serve, the first arena, and access taken from most of it.
    """
    program, strace = compile_c(PRINTS, "prints"), tool("strace")
    plain = system_calls(strace, program, tmp_path)
    ours = system_calls(strace, program, tmp_path, "-E", f"LD_PRELOAD={library}")
    assert ours.count("gettid") + ours.count("getpid") + ours.count("prctl") == 0, ours
    assert len(ours) - len(plain) <= 11, ours


def test_what_each_program_writes_of_the_data_is_one_page(library):
    """The rest is behind (RARE_ZEROES)."""
    with open(library, "rb") as file:
        sections = {one.name: one for one in ELFFile(file).iter_sections()}
    data, zeroes = sections[".data"], sections[".bss"]
    first, last = data["sh_addr"], zeroes["sh_addr"] + zeroes["sh_size"] - 1
    assert first // PAGE == last // PAGE, f"{last - first - PAGE + 1} bytes too many"
