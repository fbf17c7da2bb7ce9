"""The instructions of each entry point's common path, pinned: one load more in malloc fails a test.

Two ways to the same path. The static walk starts at the entry in the disassembly, falls through every conditional branch and
follows every jump until `ret`. The dynamic one runs a loop over all sizes of 1 to 1024 bytes under callgrind, which counts how
often each instruction ran: it must be the same instructions, each once a call.

Exact counts stand in <machine>-<compiler>.json. After a change that is meant:  pytest tests/golden --update
"""

import json
import platform
import re
from collections import Counter
from pathlib import Path

import pytest

from hakmem_program import run

MACHINE = platform.machine()
pytestmark = pytest.mark.skipif(MACHINE != "x86_64", reason=f"the walk reads x86-64 code; there are no golden counts for {MACHINE}")

# Entry points, with the most instructions that the common path may have.
LIMITS = {
    "malloc": 15,
    "free": 18,
    "hak_malloc": 15,
    "hak_free": 18,
    "_Znwm": 18,
    "_Znam": 18,
    "_ZdlPv": 18,
    "_ZdaPv": 18,
    "_ZdlPvm": 18,
    "_ZdaPvm": 18,
    "free_sized": 18,
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


class Instruction:
    """One line of the disassembly."""

    def __init__(self, address, text):
        self.address = address
        self.text = text
        parts = text.split(None, 1)
        self.prefixes = set()
        while parts[0] in ("lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "cs"):
            self.prefixes.add(parts[0])
            parts = parts[1].split(None, 1)
        self.mnemonic = parts[0]
        operands = parts[1].split("#")[0].split("<")[0].strip() if len(parts) > 1 else ""
        self.operands = re.findall(r"(?:[^,(]|\([^)]*\))+", operands)
        self.target = None
        if self.is_branch and re.fullmatch(r"[0-9a-f]+", operands):
            self.target = int(operands, 16)

    @property
    def is_branch(self):
        return self.mnemonic.startswith("j") or self.mnemonic.startswith("call")

    @property
    def is_conditional(self):
        return self.mnemonic.startswith("j") and not self.mnemonic.startswith("jmp")

    @property
    def memory(self):
        """Which operands are in memory; the last one is the destination."""
        if self.mnemonic.startswith(("lea", "nop")) or (self.is_branch and self.target is not None):
            return []
        return [index for index, operand in enumerate(self.operands) if "(" in operand or re.match(r"\*?%[fg]s:", operand)]

    @property
    def loads(self):
        if self.mnemonic.startswith("pop"):
            return 1
        last = len(self.operands) - 1
        writes_only = self.mnemonic.startswith(("mov", "set")) and last in self.memory
        return 1 if self.memory and not writes_only else 0

    @property
    def stores(self):
        if self.mnemonic.startswith("push"):
            return 1
        reads_only = self.mnemonic.startswith(("cmp", "test", "bt", "push", "jmp", "call", "mul", "div", "imul", "idiv"))
        return 1 if len(self.operands) - 1 in self.memory and not reads_only else 0

    @property
    def is_atomic(self):
        """A locked read-modify-write; xchg with memory is one without saying so."""
        return "lock" in self.prefixes or (self.mnemonic.startswith("xchg") and bool(self.memory)) or self.mnemonic == "mfence"


class Code:
    """The disassembly of a library."""

    def __init__(self, library, tool):
        listing = run([tool("objdump"), "-d", "-w", "--no-show-raw-insn", library])
        assert listing.code == 0, listing.err
        self._at = {}
        previous = None
        for line in listing.out.splitlines():
            found = re.match(r"\s+([0-9a-f]+):\t(.+)", line)
            if found:
                address = int(found[1], 16)
                self._at[address] = Instruction(address, found[2])
                if previous is not None:
                    previous.next = address
                previous = self._at[address]
        symbols = run([tool("nm"), "-D", "--defined-only", library])
        assert symbols.code == 0, symbols.err
        self._entry = {}
        for line in symbols.out.splitlines():
            address, _, name = line.split()
            self._entry[name.split("@")[0]] = int(address, 16)

    def common_path(self, entry):
        """The instructions from an entry point to `ret`, no conditional branch taken."""
        path = []
        address = self._entry[entry]
        while True:
            instruction = self._at[address]
            path.append(instruction)
            assert len(path) < 200, f"{entry}: no end in sight:\n{listing(path)}"
            if instruction.mnemonic.startswith("ret"):
                return path
            if instruction.mnemonic.startswith("call"):
                raise AssertionError(f"{entry}: its common path calls a function:\n{listing(path)}")
            if instruction.mnemonic.startswith("jmp"):
                assert instruction.target in self._at, f"{entry}: its common path leaves for somewhere else:\n{listing(path)}"
                address = instruction.target
            else:
                address = instruction.next


def listing(path):
    return "\n".join(f"  {instruction.address:8x}  {instruction.text}" for instruction in path)


def mix(path):
    """What is pinned of a path."""
    return {
        "instructions": len(path),
        "loads": sum(instruction.loads for instruction in path),
        "stores": sum(instruction.stores for instruction in path),
        "branches": sum(instruction.is_branch for instruction in path),
    }


@pytest.fixture(scope="module")
def code(library, tool):
    return Code(library, tool)


@pytest.fixture(scope="module")
def compiler(library, tool):
    """The compiler that made the library, as ("gcc", "12")."""
    comment = run([tool("readelf"), "-p", ".comment", library]).out
    clang = re.search(r"clang version (\d+)", comment)
    gcc = re.search(r"GCC: .*?(\d+)\.\d+\.\d+\s*$", comment, re.MULTILINE)
    if clang:
        return "clang", clang[1]
    if gcc:
        return "gcc", gcc[1]
    return "unknown", "0"


@pytest.mark.parametrize("entry", LIMITS)
def test_common_path_is_short_and_free_of_atomics(code, entry):
    path = code.common_path(entry)
    assert not [instruction.text for instruction in path if instruction.is_atomic], listing(path)
    assert len(path) <= LIMITS[entry], f"{NAMES.get(entry, entry)}: {len(path)} instructions\n{listing(path)}"


def test_counts_are_those_of_the_golden_file(code, compiler, request):
    name, version = compiler
    file = Path(__file__).parent / f"{MACHINE}-{name}.json"
    found = {"compiler": f"{name} {version}", "paths": {entry: mix(code.common_path(entry)) for entry in LIMITS}}
    golden = json.loads(file.read_text()) if file.exists() else {"compiler": "", "paths": {}}
    changes = differences(golden["paths"], found["paths"])
    if request.config.getoption("--update"):
        file.write_text(json.dumps(found, indent=2) + "\n")
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print("\n" + ("\n".join(changes) if changes else f"{file.name}: nothing changed"))
        return
    if not golden["paths"]:
        pytest.skip(f"there is no {file.name}; `pytest tests/golden --update` writes it")
    if golden["compiler"] != found["compiler"]:
        pytest.skip(f"the library was made by {found['compiler']}, the golden counts by {golden['compiler']}")
    assert not changes, "\n".join(
        [*changes, "if that is meant: pytest tests/golden --update", *(f"{entry}:\n{listing(code.common_path(entry))}" for entry in LIMITS)]
    )


def differences(old, new):
    """One line for each figure that is not what it was."""
    lines = []
    for entry in sorted(old.keys() | new.keys()):
        for figure in ("instructions", "loads", "stores", "branches"):
            before, after = old.get(entry, {}).get(figure), new.get(entry, {}).get(figure)
            if before != after:
                lines.append(f"{NAMES.get(entry, entry)}: {figure} {before} -> {after}")
    return lines


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


def executed(file, library):
    """How often each instruction of the library ran, by its address, from callgrind's output."""
    counts = Counter()
    in_library = skip = False
    for line in file.read_text().splitlines():
        if line.startswith("ob="):
            in_library = Path(line[3:]).name == library.name
        elif line.startswith("calls="):
            skip = True
        elif line.startswith("0x"):
            # After calls= comes what the called function cost: not ours.
            if not skip and in_library:
                address, _, count = line.split()
                counts[int(address, 16)] += int(count)
            skip = False
    return counts


@pytest.fixture(scope="module")
def loop(compile_c):
    return compile_c(LOOP % {"sizes": SIZES, "rounds": ROUNDS}, "loop", ["-ldl"])


@pytest.mark.parametrize(("allocate", "release"), PAIRS)
def test_what_runs_is_the_common_path_for_every_size(code, library, loop, tool, tmp_path, allocate, release):
    file = tmp_path / "callgrind.out"
    done = run(
        [
            tool("valgrind"), "--tool=callgrind", "--toggle-collect=measured", "--dump-instr=yes", "--compress-strings=no",
            "--compress-pos=no", f"--callgrind-out-file={file}", "--error-exitcode=9", loop, allocate, release,
        ],
        {"LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.code == 0, done.err
    counts = executed(file, library)
    assert counts, f"nothing of {library.name} ran"
    allocation, freeing = code.common_path(allocate), code.common_path(release)
    expected = Counter()
    for instruction in [*allocation, *freeing]:
        expected[instruction.address] += ROUNDS * SIZES
    strange = {address: count for address, count in counts.items() if expected[address] != count}
    missing = [f"{address:x}" for address in expected if address not in counts]
    assert not strange and not missing, (
        f"ran otherwise than the static walk says:\n"
        + "\n".join(f"  {address:8x} ran {count} times, not {expected[address]}" for address, count in sorted(strange.items()))
        + f"\nnever ran: {missing}\n{allocate}:\n{listing(allocation)}\n{release}:\n{listing(freeing)}"
    )
