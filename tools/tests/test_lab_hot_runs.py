"""Whole runs of `./hakmem hot`: what it names, what it counts, what it refuses."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hakmem_lab.hot import symbols

TOOLS = Path(__file__).resolve().parents[1]
BENCH = TOOLS.parent / "bench"

needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
needs_perf = pytest.mark.skipif(not shutil.which("perf"), reason="perf is not installed")

FORKS = r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int calls) {
  for (int i = 0; i < calls; i++) {
    void *volatile block = malloc(100);
    free(block);
  }
}

int main(void) {
  work(20000);
  if (fork() == 0) {
    work(1000);
    _exit(0);
  }
  wait(NULL);
  return 0;
}
"""

WAVES = r"""
#include <stdlib.h>

static void *kept[20000];

int main(void) {
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 20000; i++) kept[i] = malloc(1000);
    for (int i = 0; i < 20000; i++) free(kept[i]);
  }
  return 0;
}
"""

# It answers every request, and never takes a block back.
OTHER_MALLOC = r"""
#include <stddef.h>
#include <string.h>

static _Alignas(16) char room[1 << 24];
static size_t used;

void *malloc(size_t size) {
  void *block = &room[used];
  used += (size + 15) & ~(size_t)15;
  return block;
}
void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *block, size_t size) { return block ? memcpy(malloc(size), block, size) : malloc(size); }
"""


@pytest.fixture(scope="module")
def random_mixed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    program = folder / "random_mixed"
    sources = [str(BENCH / name) for name in ("random_mixed.c", "environment.c", "support.c", "report.c", "provider.c")]
    subprocess.run(["cc", "-O2", "-g", "-std=gnu17", "-D_GNU_SOURCE", "-pthread", *sources, "-o", program], check=True)
    return program


@pytest.fixture
def hot(library, tmp_path):
    """Calls the command on the release library; its report goes to hot.html of the test's folder."""

    def call(*arguments, **environment):
        clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        given = ["--library", library, "--report", tmp_path / "hot.html", *arguments]
        return subprocess.run(
            [sys.executable, "-m", "hakmem_lab", "hot", *map(str, given)],
            env={**clean, "PYTHONPATH": str(TOOLS), **environment},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return call


def shares_in(output):
    """The shares of the first table, by group."""
    table = output[output.index("Self share by group") : output.index("Self share by function")]
    return {name: float(share) for name, share in re.findall(r"^ *(\w+) +([\d.]+) % ", table, re.M)}


def calls_in(output, entry):
    """(calls, own, whole) of an entry point."""
    table = output[output.index("Instructions per call") :]
    found = re.search(rf"^ *{entry} +([\d,]+) +([\d.]+) +([\d.]+)", table, re.M)
    return int(found[1].replace(",", "")), float(found[2]), float(found[3])


@needs_valgrind
def test_callgrind_names_the_functions_of_random_mixed(hot, random_mixed, tmp_path):
    done = hot("--", random_mixed, 100000, 400, 1)
    assert done.returncode == 0, done.stderr
    for function in ("malloc", "free", "malloc (inlined cache)", "free (inlined cache)", "refill_class", "mix_plain"):
        assert re.search(rf"^ *{re.escape(function)}  ", done.stdout, re.M), function
    groups = shares_in(done.stdout)
    assert groups.pop("all") == 100.0
    assert round(sum(groups.values()), 1) == 100.0
    assert groups["gate"] > 10
    assert groups["cache"] > 5
    assert groups["program"] > 30
    calls, own, _ = calls_in(done.stdout, "malloc")
    frees, own_of_free, _ = calls_in(done.stdout, "free")
    assert 55000 <= calls <= 55400
    assert 55000 <= frees <= 55500
    assert 13 < own <= 14.5
    assert 19 < own_of_free <= 20.5
    assert re.search(r"callgrind counted [\d,]{7,} instructions in 1 process", done.stderr)
    report = (tmp_path / "hot.html").read_text()
    for name in ("vegaEmbed", '"refill_class"', '"cache_pop"', "Instructions per call"):
        assert name in report
    stacks = json.loads((tmp_path / "hot.speedscope.json").read_text())
    assert {"malloc", "free", "refill_class"} <= {frame["name"] for frame in stacks["shared"]["frames"]}


@needs_valgrind
def test_the_environment_is_the_programs_own(hot, random_mixed):
    done = hot("--", random_mixed, 20000, 400, 1, HAKMEM_BENCH_C5_ONLY="1")
    assert done.returncode == 0, done.stderr
    assert '"min": 256, "max": 256' in done.stdout


@needs_valgrind
def test_names_with_brackets_are_shown_whole(hot, compile_c):
    source = """
        #include <stdlib.h>
        int much(void) __asm__("_Z4muchB5cxx11v");
        int much(void) {
          volatile int x = 0;
          for (int i = 0; i < 100000; i++) x += i;
          return x;
        }
        int main(void) { free(malloc(9)); return much() == 1; }
    """
    done = hot("--", compile_c(source, "-O1", "-fno-builtin"))
    assert done.returncode == 0, done.stderr
    assert "much[abi:cxx11]" in done.stdout


@needs_valgrind
def test_spill_is_named_where_it_runs(hot, tmp_path):
    program = tmp_path / "fill"
    subprocess.run(["cc", "-O1", "-fno-builtin", "-x", "c", "-", "-o", program], input=WAVES, text=True, check=True)
    done = hot("--", program)
    assert done.returncode == 0, done.stderr
    for function in ("spill", "refill", "heap_put", "slab_take"):
        assert re.search(rf"^ *{function}\w* ", done.stdout, re.M), function


@needs_valgrind
def test_a_forked_child_counts_its_own_calls_once(hot, compile_c):
    done = hot("--", compile_c(FORKS, "-O1", "-fno-builtin"))
    assert done.returncode == 0, done.stderr
    calls, own, _ = calls_in(done.stdout, "malloc")
    assert 21000 <= calls <= 21010
    assert own == pytest.approx(14, abs=0.2)
    assert "in 2 processes" in done.stderr


@needs_valgrind
def test_a_program_that_fails_is_told_and_marked(hot, tmp_path):
    script = "a=$(seq 1 200); set -- $a; exit 7"
    done = hot("--", "/bin/sh", "-c", script)
    assert done.returncode == 3
    assert "the program ended with status 7: these are the figures of a run that failed" in done.stderr
    assert "status 7" in (tmp_path / "hot.html").read_text()
    done = hot("--", "/bin/sh", "-c", "kill -9 $$")
    assert done.returncode == 3
    assert "signal SIGKILL" in done.stderr


@needs_valgrind
def test_a_program_on_another_malloc_is_refused(hot, compile_c, random_mixed):
    other = compile_c(OTHER_MALLOC, "-shared", "-fPIC", name="libother.so")
    done = hot("--", "/usr/bin/env", f"LD_PRELOAD={other}", random_mixed, 1000, 40, 1)
    assert done.returncode == 3
    assert f"hakmem did not serve {random_mixed}" in done.stderr
    assert "Self share" not in done.stdout


@needs_perf
def test_perf_refuses_to_rank_a_short_run(hot, random_mixed):
    done = hot("--perf", "--", random_mixed, 100000, 400, 1)
    if "perf may not sample" in done.stderr or "perf does not work" in done.stderr:
        assert done.returncode == 2
        pytest.skip(done.stderr)
    assert done.returncode == 3
    few = r"\d+ samples are too few to rank functions by; 1,000 are needed.*--runs \d+.*--callgrind"
    assert re.search(few, done.stderr)
    assert "Self share" not in done.stdout


@needs_perf
@pytest.mark.slow
def test_perf_ranks_a_long_one(hot, random_mixed):
    done = hot("--perf", "--runs", 2, "--", random_mixed, 30000000, 400, 1)
    if done.returncode == 2:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    groups = shares_in(done.stdout)
    assert groups.pop("all") == 100.0
    assert round(sum(groups.values()), 1) == 100.0
    assert groups["gate"] + groups["cache"] > 15
    assert re.search(r"perf took [\d,]+ samples in 2 processes of 2 runs", done.stderr)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "there is no command to profile: ./hakmem hot"),
        (["--"], "there is no command to profile: ./hakmem hot"),
        (["--", "no-such-program"], "no-such-program: command not found"),
        (["--perf", "--callgrind", "--", "true"], "--callgrind and --perf are two ways to measure: choose one"),
        (["--runs", "0", "--", "true"], "--runs"),
        (["--", str(TOOLS)], "is a folder"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(hot, arguments, sentence):
    done = hot(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_a_static_program_is_refused(hot, compile_c):
    done = hot("--", compile_c("int main(void) { return 0; }", "-static"))
    assert done.returncode == 2
    assert "statically linked, and nothing can be preloaded" in done.stderr


def test_a_missing_library_is_named(hot):
    done = hot("--library", "/nowhere/libhakmem.so", "--", "true")
    assert done.returncode == 2
    assert "/nowhere/libhakmem.so is missing: build it first" in done.stderr


def test_a_stripped_library_is_refused(hot, library, tmp_path):
    stripped = tmp_path / "libhakmem.so"
    subprocess.run(["strip", "-o", stripped, library], check=True)
    done = hot("--library", stripped, "--", "true")
    assert done.returncode == 2
    assert "has no symbols" in done.stderr


@needs_valgrind
def test_a_library_without_debug_information_is_refused(hot, library, random_mixed, tmp_path):
    stripped = tmp_path / "libhakmem.so"
    subprocess.run(["strip", "--strip-debug", "-o", stripped, library], check=True)
    done = hot("--library", stripped, "--", random_mixed, 1000, 40, 1)
    assert done.returncode == 2
    assert "has no debug information" in done.stderr


def test_an_address_of_which_debug_information_tells_nothing_has_no_place(library):
    assert symbols.Symbols(library).places(0) == []


def test_help_of_the_profiled_program_is_its_own(hot, hakmem):
    assert "Count instructions (the default)" in hakmem("hot", "--help").stdout
    done = hot("--", "no-such-program", "--help")
    assert "no-such-program: command not found" in done.stderr
