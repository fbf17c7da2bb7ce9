"""libFuzzer over sequences of calls: ten seconds in each run, a minute under --all, longer on request.

HAKMEM_TEST_FUZZ_SECONDS says how long; what it finds stays in build/fuzz/found, and the message names the file.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from planting import Copy, text_that_holds

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("corpus")
PROGRAM = "tests/fuzz/fuzz_calls"
INPUT_BYTES_AT_MOST = 256  # a longer input is slow more often than it is new

# What each bug is that the target is to find, the file and the text that it changes.
PLANTS = {
    "a magazine is handed out twice": (
        "src/warm/depot.c",
        "    depot->full[size_class] = next;\n",
        "",
    ),
    "fresh blocks are lost when recycled ones are taken": (
        "src/warm/slab.c",
        "slab->free[word] = bits | kept;",
        "slab->free[word] = bits;",
    ),
    "realloc keeps a byte too few": (
        "src/api/contract.h",
        "memcpy(moved, block, usable < size ? usable : size);",
        "memcpy(moved, block, (usable < size ? usable : size) - 1);",
    ),
    "calloc trusts large memory that was used before": (
        "src/cold/large.c",
        "*zeroed = slab->dirty == 0;",
        "*zeroed = true;",
    ),
    "an aligned block comes from a class that is not": (
        "src/api/contract.c",
        "(size_classes[size_class].stride & (alignment - 1)) != 0",
        "size_classes[size_class].stride < alignment",
    ),
    "another thread frees the neighbour of a block": (
        "src/warm/gather.c",
        "    bottom[1] = block;",
        "    bottom[1] = (char *)block + size_classes[size_class].stride;",
    ),
}


@pytest.fixture(scope="module")
def compiler(tool):
    """Clang with libFuzzer."""
    clang = tool("clang")
    resources = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True).stdout.strip()
    if not list(Path(resources).glob("lib/*/libclang_rt.fuzzer*")):
        pytest.skip("libFuzzer is not installed")
    return clang


@pytest.fixture(scope="module")
def target(compiler):
    """The fuzz target of this checkout, built."""
    for line in (["cmake", "--preset", "fuzz"], ["cmake", "--build", "--preset", "fuzz"]):
        done = subprocess.run(line, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return ROOT / "build/fuzz" / PROGRAM


def fuzz(program, folder, seconds):
    """Runs the target from the corpus with a fixed seed; returns its exit status and what it said."""
    found, new = folder / "found", folder / "new"
    found.mkdir(parents=True, exist_ok=True)
    new.mkdir(exist_ok=True)
    options = ["-seed=1", f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES_AT_MOST}", "-len_control=0"]
    line = [program, *options, f"-artifact_prefix={found}/", "-rss_limit_mb=1024", "-timeout=60", new, CORPUS]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds + 300)


def check(done, record_property):
    said = re.sub(r"^#\d+\t(NEW|REDUCE).*\n", "", done.stderr, flags=re.MULTILINE)
    assert done.returncode == 0, said[:6000]
    calls, edges = re.search(r"#(\d+)\s+DONE\s+cov: (\d+)", done.stderr).groups()
    all_edges = re.search(r"\((\d+) inline 8-bit counters\)", done.stderr)[1]
    assert int(edges) > 600
    record_property("note", f"{calls} lists of calls run, {edges} of {all_edges} edges of the code reached")


def test_nothing_is_found(target, tmp_path, record_property):
    check(fuzz(target, tmp_path, 10), record_property)


@pytest.mark.slow
def test_nothing_is_found_for_longer(target, record_property):
    seconds = int(os.environ.get("HAKMEM_TEST_FUZZ_SECONDS", "60"))
    check(fuzz(target, ROOT / "build/fuzz", seconds), record_property)


@pytest.fixture(scope="module")
def copy(tmp_path_factory, compiler):
    """A copy of the sources, for bugs to be planted in."""
    copy = Copy(tmp_path_factory.mktemp("planted"), also=("tools/hakmem_inspect",))
    copy.configure("fuzz")
    return copy


@pytest.mark.parametrize("plant", PLANTS)
def test_what_a_plant_changes_is_there(plant):
    file, right, _ = PLANTS[plant]
    text_that_holds(file, right)


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bug_is_found(copy, tmp_path, plant):
    with copy.planted(*PLANTS[plant]):
        copy.build("fuzz", "fuzz_calls")
        done = fuzz(copy.root / "build/fuzz" / PROGRAM, tmp_path, 60)
    assert done.returncode != 0
    assert re.search(r"^(hakmem|fuzz): ", done.stderr, re.MULTILINE) or "ERROR: AddressSanitizer" in done.stderr
    assert list((tmp_path / "found").iterdir())
