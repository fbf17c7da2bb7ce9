"""The static probes: readelf and gdb find them, and the sum of their weights is what was allocated."""

import json
import re

import pytest
from sampling import assert_counts

ONE_SITE = """
#include <stdlib.h>
int main(void) {
  static void *blocks[20000];
  for (int i = 0; i < 20000; i++) blocks[i] = malloc(1000);
  for (int i = 0; i < 20000; i += 2) free(blocks[i]);
}
"""

LISTEN = """
import gdb, json
seen = []

class Probe(gdb.Breakpoint):
    def __init__(self, name, words):
        super().__init__("-probe-stap otel_memory:" + name)
        self.told, self.words = name, words

    def stop(self):
        seen.append([self.told] + [int(gdb.parse_and_eval("(unsigned long)$_probe_arg%d" % i)) for i in range(self.words)])
        return False

Probe("alloc", 3)
Probe("free", 1)
gdb.execute("continue")
print("SEEN " + json.dumps(seen))
"""


def test_readelf_shows_them(profile_library, plain, tool):
    notes = plain([tool("readelf"), "-nW", profile_library]).out
    assert set(re.findall(r"Provider: (\w+)\s+Name: (\w+)", notes)) == {("otel_memory", "alloc"), ("otel_memory", "free")}
    arguments = re.findall(r"Name: (\w+)\s+Location: 0x0*[1-9a-f][0-9a-f]*, Base: 0x0*[1-9a-f][0-9a-f]*.*\s+Arguments: (.*)", notes)
    assert {(name, len(words.split())) for name, words in arguments} == {("alloc", 3), ("free", 1)}
    assert all(re.fullmatch(r"8@(%?\w+|-?\d*\(%\w+\))", word) for _, words in arguments for word in words.split())


def gdb(plain, tool, program, library, folder, *steps):
    line = [tool("gdb"), "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set startup-with-shell off"]
    for name, value in {"LD_PRELOAD": library, "HAKMEM_PROFILE_EVERY": "64K", "HAKMEM_PROFILE_FILE": folder / "it"}.items():
        line += ["-ex", f"set environment {name} {value}"]
    return plain([*line, *(word for step in steps for word in ("-ex", step)), program])


def test_gdb_lists_them(profile_library, compile_c, plain, tool, tmp_path):
    program = compile_c(ONE_SITE, "one_site")
    done = gdb(plain, tool, program, profile_library, tmp_path, "break main", "run", "info probes stap otel_memory")
    if "Breakpoint 1, main" not in done.out:
        pytest.skip("gdb cannot run a program here")
    assert re.search(r"otel_memory +alloc +0x[0-9a-f]+", done.out) and re.search(r"otel_memory +free +0x[0-9a-f]+", done.out)


def test_weights_are_what_was_allocated(profile_library, compile_c, plain, tool, tmp_path):
    (tmp_path / "listen.py").write_text(LISTEN)
    program = compile_c(ONE_SITE, "one_site")
    done = gdb(plain, tool, program, profile_library, tmp_path, "break main", "run", f"source {tmp_path}/listen.py")
    if "Breakpoint 1, main" not in done.out:
        pytest.skip("gdb cannot run a program here")
    seen = json.loads(re.search(r"^SEEN (.*)$", done.out, re.MULTILINE)[1])
    allocated = [words for name, *words in seen if name == "alloc" and words[1] == 1000]
    assert_counts(sum(weight for _, _, weight in allocated), 20000, 1000, 64 * 1024, "weights of alloc")
    addresses = {address for address, _, _ in allocated}
    freed = {words[0] for name, *words in seen if name == "free"}
    assert len(addresses) == len(allocated) and 0 < len(freed & addresses) < len(addresses)
    weights = sum(weight for address, _, weight in allocated if address in freed)
    assert_counts(weights, 10000, 1000, 64 * 1024, "weights of what was freed")
