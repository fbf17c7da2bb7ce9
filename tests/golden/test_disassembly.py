"""The tools of the golden tests: two libraries compared without their addresses, callgrind's file, the golden file."""

import platform

import golden_file
import pytest
from counted import parse
from disassembly import Code, differences

from hakmem_program import run

only_x86_64 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the disassembly is read as x86-64 code")

BEFORE = """
const char *shifts_every_address(int x) { return x ? "a text more" : "and another"; }
const long more[3] = {1, 2, 3};
"""
HOT = """
struct state { long first, second; };
extern int slow(int);
extern void tell(const char *);
static int table[64] = {1, 2, 3};
static __thread struct state state;
int hot(int x) {
  state.first += table[x & 63];
  if (x > 100) return slow(x) + 1;
  if (x < 0) tell("a text has no name");
  for (int i = 0; i < x; i++) state.second ^= table[i & 63];
  return x;
}
"""


@pytest.fixture
def code_of(tmp_path, tool):
    """The disassembly of a shared library of this source."""

    def compile_it(name, source):
        file, library = tmp_path / f"{name}.c", tmp_path / f"{name}.so"
        file.write_text(source)
        flags = ["-O2", "-fPIC", "-shared", "-fno-tree-vectorize", "-ftls-model=initial-exec"]
        done = run([tool("cc"), *flags, file, "-o", library])
        assert done.code == 0, done.err
        return Code(library, tool)

    return compile_it


@only_x86_64
def test_the_same_function_at_other_addresses_does_not_differ(code_of):
    moved = code_of("two", BEFORE + HOT + BEFORE.replace("every", "other").replace("more", "much"))
    assert differences(code_of("one", HOT), moved, ["hot"]) == []


@only_x86_64
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("table[x & 63];", "table[x & 31];"),  # a constant
        ("state.second ^=", "state.first ^="),  # an offset in a structure
        ("return slow(x)", "return slower(x)"),  # what is called
        ("state.first +=", "state.second++; state.first +="),  # a counter more
    ],
)
def test_a_change_of_the_function_is_found_and_named(code_of, old, new):
    changed = HOT.replace(old, new).replace("extern int slow(int);", "extern int slow(int);\nextern int slower(int);")
    found = differences(code_of("one", HOT), code_of("two", changed), ["hot"])
    assert found[0] == "hot:"
    assert any(line.startswith("+") for line in found[1:])


@only_x86_64
def test_the_library_does_not_differ_from_itself_in_its_hot_functions(library, tool):
    code = Code(library, tool)
    functions = ["malloc", "free", "_Znwm", "_ZdlPvm"]
    assert differences(code, code, functions) == []
    assert differences(code, code, functions, Code.common_path) == []
    assert len(code.body("malloc")) > len(code.common_path("malloc"))


CALLGRIND = """\
ob=/usr/lib/libc.so.6
fn=memset'calloc'measured_calloc'main
0x10 1 500
ob=/opt/libhakmem.so.1
fn=calloc'measured_calloc'main
0x20 5 8
calls=8 0x10 1
0x24 6 500
fn=free'main
0x30 7 9
fn=free'measured'main
0x30 7 4
"""


def test_only_what_the_library_ran_for_a_measured_function_counts():
    counts = parse(CALLGRIND.splitlines(), "libhakmem.so.1")
    assert counts == {"measured_calloc": {0x20: 8}, "measured": {0x30: 4}}


def test_a_changed_figure_is_a_line_of_the_table(tmp_path):
    old = {"instructions": 15, "loads": 4, "stores": 1, "branches": 2}
    golden = {"compiler": "gcc 12", "paths": {"malloc": old, "gone": old}, "counted": {"refill": old}}
    file = tmp_path / "golden.json"
    golden_file.write(file, golden)
    assert golden_file.read(file) == golden
    now = {**golden, "paths": {"malloc": {**old, "loads": 5}}, "counted": {"refill": {**old, "stores": 1.25}}}
    rows = golden_file.changes(golden, now)
    assert ("malloc", "loads", "4", "5") in rows
    assert ("refill", "stores", "1", "1.25") in rows
    assert ("gone", "branches", "2", "-") in rows
    assert len(rows) == 6
    assert golden_file.table(rows).splitlines()[:2] == [
        "entry   figure        golden   now",
        "malloc  loads              4     5",
    ]
    assert golden_file.changes(golden, golden) == []
    assert golden_file.read(tmp_path / "none.json")["paths"] == {}
