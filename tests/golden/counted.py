"""What really runs: callgrind counts how often each instruction of the library is executed, by measured function.

A measured function is one of the test program whose name begins so. Counting is on while it runs, and the callers that
callgrind keeps with each function tell which of them an instruction ran for.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

from hakmem_program import run

# Longer ways than one common path: the measured function, and what is called there; scenarios.c has them.
# The memset of calloc is the C library's and not counted: its way ends with the jump there, before the linker's stub.
HITS = {
    "calloc": ("measured_calloc", "calloc"),
    "realloc in place": ("measured_realloc", "realloc"),
    "operator new, aligned": ("measured_new_aligned", "_ZnwmSt11align_val_t"),
    "posix_memalign of a page": ("measured_posix_memalign", "posix_memalign"),
}
# What comes on top of malloc's and free's own code, for each block that is moved.
MOVES = {
    "refill from the depot, a block": ("measured_refill_depot", "malloc"),
    "refill from slabs, a block": ("measured_refill_slab", "malloc"),
    "spill to the depot, a block": ("measured_spill_depot", "free"),
}


def executed(library, tool, folder, command, everything=False):
    """How often each instruction of the library ran: by measured function, then by address. `everything`: what ran for
    none as well, under the name "".
    """
    file = folder / "callgrind.out"
    done = run(
        [
            tool("valgrind"), "--tool=callgrind", *([] if everything else ["--toggle-collect=measured*"]),
            "--separate-callers=12",
            "--dump-instr=yes", "--skip-plt=no", "--compress-strings=no", "--compress-pos=no",
            f"--callgrind-out-file={file}", "--error-exitcode=9", *command,
        ],
        {"LD_PRELOAD": str(library)},
    )  # fmt: skip
    assert done.code == 0, done.err
    counts = parse(file.read_text().splitlines(), library.name, everything)
    assert counts, f"nothing of {library.name} ran"
    return counts


def parse(lines, library, everything=False):
    """The same from callgrind's file."""
    counts = defaultdict(Counter)
    in_library = skip = False
    measured = ""
    for line in lines:
        if line.startswith("ob="):
            in_library = Path(line[3:]).name == library
        elif line.startswith("fn="):
            found = re.search(r"[='](measured\w*)", line)
            measured = found[1] if found else ""
        elif line.startswith("calls="):
            skip = True
        elif line.startswith("0x"):
            # After calls= comes what the called function cost: not its own.
            if not skip and in_library and (measured or everything):
                address, _, count = line.split()
                counts[measured][int(address, 16)] += int(count)
            skip = False
    return counts


def figures(code, counts):
    """What is pinned of each way, as the golden file has it."""
    found = {name: _of_a_hit(code, name, counts[measured], entry) for name, (measured, entry) in HITS.items()}
    for name, (measured, entry) in MOVES.items():
        found[name] = _beyond(code, counts[measured], entry)
    return found


def _calls(code, counts, entry):
    calls = counts[code.addresses(entry).start]
    assert calls > 0, f"{entry} was not called"
    return calls


def _of_a_hit(code, name, counts, entry):
    calls = _calls(code, counts, entry)
    uneven = {f"{address:x}": count for address, count in counts.items() if count % calls != 0}
    assert not uneven, f"{name}: not each of {calls} calls went the same way: {uneven}"
    return _sum(code, {address: count // calls for address, count in counts.items()})


def _beyond(code, counts, entry):
    """For each call of the entry, without the entry's own code."""
    calls = _calls(code, counts, entry)
    own = code.addresses(entry)
    total = _sum(code, {address: count for address, count in counts.items() if address not in own})
    return {figure: round(value / calls, 2) for figure, value in total.items()}


def _sum(code, counts):
    instructions = [(code.at(address), count) for address, count in counts.items()]
    return {
        "instructions": sum(count for _, count in instructions),
        "loads": sum(one.loads * count for one, count in instructions),
        "stores": sum(one.stores * count for one, count in instructions),
        "branches": sum(one.is_branch * count for one, count in instructions),
    }
