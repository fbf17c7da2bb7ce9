"""The instructions of each entry point's common path, pinned: one load more in malloc fails a test.

Two ways to the same path (disassembly.py, counted.py). The static walk starts at the entry in the disassembly, falls
through every conditional branch and follows every jump until `ret`. The dynamic one runs a loop over all sizes of 1 to
1024 bytes under callgrind, which counts how often each instruction ran: it must be the same instructions, each once a
call. What no static walk can follow, as calloc, or a refill by the blocks that it brings, is counted alone.

Exact counts stand in <machine>-<compiler>.json. After a change that is meant:  pytest tests/golden --update
"""

import platform
import shutil
from collections import Counter
from pathlib import Path

import golden_file
import pytest
from counted import executed, figures
from disassembly import Code, listing, mix

MACHINE = platform.machine()
NO_COUNTS = f"the walk reads x86-64 code; there are no golden counts for {MACHINE}"
pytestmark = pytest.mark.skipif(MACHINE != "x86_64", reason=NO_COUNTS)

# Entry points, with the most instructions that the common path may have.
LIMITS = {
    "malloc": 15,
    "free": 20,
    "hak_malloc": 15,
    "hak_free": 20,
    "_Znwm": 18,
    "_Znam": 18,
    "_ZdlPv": 20,
    "_ZdaPv": 20,
    "_ZdlPvm": 26,  # they check the size
    "_ZdaPvm": 26,
    "free_sized": 24,
}
NAMES = {
    "_Znwm": "operator new",
    "_Znam": "operator new[]",
    "_ZdlPv": "operator delete",
    "_ZdaPv": "operator delete[]",
    "_ZdlPvm": "operator delete, sized",
    "_ZdaPvm": "operator delete[], sized",
}
PAIRS = [
    ("malloc", "free"),
    ("malloc", "free_sized"),
    ("hak_malloc", "hak_free"),
    ("_Znwm", "_ZdlPv"),
    ("_Znwm", "_ZdlPvm"),
    ("_Znam", "_ZdaPv"),
    ("_Znam", "_ZdaPvm"),
]
ROUNDS = 3
SIZES = 1024


@pytest.fixture(scope="module")
def code(library, tool):
    return Code(library, tool)


@pytest.mark.parametrize("entry", LIMITS)
def test_common_path_is_short_and_free_of_atomics(code, entry):
    path = code.common_path(entry)
    assert not [instruction.text for instruction in path if instruction.is_atomic], listing(path)
    marked = path[0].text.startswith("endbr64")  # where an indirect call may lead, as compilers of some systems note
    assert len(path) - marked <= LIMITS[entry], f"{NAMES.get(entry, entry)}: {len(path)} instructions\n{listing(path)}"


@pytest.fixture(scope="module")
def scenarios(compile_c):
    return compile_c((Path(__file__).parent / "scenarios.c").read_text(), "scenarios", ["-ldl"])


def test_counts_are_those_of_the_golden_file(code, compiler, library, tool, tmp_path, scenarios, request):
    name, version = compiler
    file = Path(__file__).parent / f"{MACHINE}-{name}.json"
    golden = golden_file.read(file)
    paths = {NAMES.get(entry, entry): mix(code.common_path(entry)) for entry in LIMITS}
    counted = golden["counted"]  # without valgrind they are what they were
    if shutil.which("valgrind"):
        counted = figures(code, executed(library, tool, tmp_path, [scenarios]))
    now = {"compiler": f"{name} {version}", "paths": paths, "counted": counted}
    changes = golden_file.changes(golden, now)
    if request.config.getoption("--update"):
        golden_file.write(file, now)
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print("\n" + (golden_file.table(changes) if changes else f"{file.name}: nothing changed"))
        return
    if not golden["paths"]:
        pytest.skip(f"there is no {file.name}; `pytest tests/golden --update` writes it")
    if golden["compiler"] != now["compiler"]:
        pytest.skip(f"the library was made by {now['compiler']}, the golden counts by {golden['compiler']}")
    if changes:
        changed = {entry for entry, *_ in changes}
        walked = [entry for entry in LIMITS if NAMES.get(entry, entry) in changed]
        walks = [f"{entry}:\n{listing(code.common_path(entry))}" for entry in walked]
        told = [golden_file.table(changes), "if that is meant: pytest tests/golden --update", *walks]
        pytest.fail("\n".join(told), pytrace=False)


# ---- what really runs ----

LOOP = r"""
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = %(sizes)d, ROUNDS = %(rounds)d };

typedef void *allocate_function(size_t);
typedef void release_function(void *, size_t);

static void *kept[SIZES + 1][2];

__attribute__((noinline)) void measured(allocate_function *allocate, release_function *release) {
  for (size_t size = 1; size <= SIZES; size++) {
    release(allocate(size), size);
  }
}

int main(int argc, char **argv) {
  (void)argc;
  allocate_function *allocate = (allocate_function *)dlsym(RTLD_DEFAULT, argv[1]);
  release_function *release = (release_function *)dlsym(RTLD_DEFAULT, argv[2]);
  if (!allocate || !release) return 2;
  /* Each class gets some blocks in its cache, so that it is neither full nor empty. */
  for (size_t size = 1; size <= SIZES; size++) {
    for (int i = 0; i < 2; i++) kept[size][i] = allocate(size);
  }
  for (size_t size = 8; size <= SIZES; size += 8) release(kept[size][0], size);
  for (int round = 0; round < ROUNDS; round++) measured(allocate, release);
  return 0;
}
"""


@pytest.fixture(scope="module")
def loop(compile_c):
    return compile_c(LOOP % {"sizes": SIZES, "rounds": ROUNDS}, "loop", ["-ldl"])


@pytest.mark.parametrize(("allocate", "release"), PAIRS)
def test_what_runs_is_the_common_path_for_every_size(code, library, loop, tool, tmp_path, allocate, release):
    counts = executed(library, tool, tmp_path, [loop, allocate, release])["measured"]
    allocation, freeing = code.common_path(allocate), code.common_path(release)
    expected = Counter()
    for instruction in [*allocation, *freeing]:
        expected[instruction.address] += ROUNDS * SIZES
    strange = sorted((address, count) for address, count in counts.items() if expected[address] != count)
    missing = [f"{address:x}" for address in expected if address not in counts]
    assert not strange and not missing, (
        f"ran otherwise than the static walk says:\n"
        + "\n".join(f"  {address:8x} ran {count} times, not {expected[address]}" for address, count in strange)
        + f"\nnever ran: {missing}\n{allocate}:\n{listing(allocation)}\n{release}:\n{listing(freeing)}"
    )
