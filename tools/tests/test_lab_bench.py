"""The bench programs themselves, and whole runs of the command line on a small allocator of our own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hakmem_lab import workloads
from hakmem_lab.errors import LabError
from hakmem_lab.workloads import REGISTRY

TOOLS = Path(__file__).resolve().parents[1]
BENCH = TOOLS.parent / "bench"

# An allocator that is no good but is not libc's: it never reuses a block.
BUMP = """
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
static char *next, *end;
void *malloc(size_t size) {
  size = (size + 31) & ~(size_t)15;
  if ((size_t)(end - next) < size) {
    size_t room = size + (64 << 20);
    next = mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end = next + room;
  }
  *(size_t *)next = size - 16;
  next += size;
  return next - size + 16;
}
void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  return old ? memcpy(block, old, size < ((size_t *)old)[-2] ? size : ((size_t *)old)[-2]) : block;
}
"""


def compile_c(arguments):
    subprocess.run(["cc", "-O2", "-std=gnu17", "-D_GNU_SOURCE", "-pthread", *map(str, arguments)], check=True)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    support = folder / "support.o"
    compile_c(["-c", BENCH / "support.c", "-o", support])
    for name in {workload.program for workload in REGISTRY.values()}:
        compile_c([BENCH / f"{name}.c", support, "-o", folder / name])
    return folder


@pytest.fixture(scope="module")
def bump(tmp_path_factory):
    folder = tmp_path_factory.mktemp("allocator")
    source = folder / "bump.c"
    source.write_text(BUMP)
    compile_c(["-fno-builtin", "-shared", "-fPIC", source, "-o", folder / "libbump.so"])
    return folder / "libbump.so"


def run(program, *arguments, **environment):
    command = [str(program), *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    return subprocess.run(
        command, capture_output=True, text=True, env={**clean, **environment}, timeout=120, check=False
    )


def report_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def lab(*arguments):
    return run(sys.executable, "-m", "hakmem_lab", "bench", *arguments, PYTHONPATH=str(TOOLS))


# ---- random mixed, by the definition in one place and by a model in another


def model_frees(iters, ws, seed, minimum=16, maximum=1039):
    """The frees of random mixed by band, worked out without allocating."""

    def draws(state, count):
        for _ in range(count):
            state ^= state << 13 & 0xFFFFFFFF
            state ^= state >> 17
            state ^= state << 5 & 0xFFFFFFFF
            yield state

    bands = dict.fromkeys(["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "mid"], 0)
    names = list(bands)

    def freed(size):
        bands[names[next((i for i in range(8) if size <= 8 << i), 8)]] += 1

    slots = {}
    for state, count in (((seed + 0xDEADBEEF) & 0xFFFFFFFF, iters // 10), (seed, iters)):
        for random in draws(state, count):
            k = random % ws
            if k in slots:
                freed(slots.pop(k))
            else:
                slots[k] = min(max(16 + (random & 1023), minimum), maximum)
    for size in slots.values():
        freed(size)
    return bands


SPECIFIED = {
    "c0": 0,
    "c1": 523,
    "c2": 8757,
    "c3": 17253,
    "c4": 34764,
    "c5": 68835,
    "c6": 137297,
    "c7": 274590,
    "mid": 8081,
}


def test_random_mixed_frees_exactly_what_is_specified(programs):
    report = report_of(run(programs / "random_mixed", 1000000, 400, 1, "--count-bands"))
    assert report["frees"] == 550100
    assert report["frees_by_band"] == SPECIFIED


@pytest.mark.parametrize(
    ("iters", "ws", "seed", "sizes"),
    [(100000, 400, 1, ()), (50000, 37, 4294967295, ()), (30000, 8192, 7, (8, 128)), (30000, 100, 3, (257, 768))],
)
def test_random_mixed_agrees_with_the_model(programs, iters, ws, seed, sizes):
    report = report_of(run(programs / "random_mixed", iters, ws, seed, *sizes, "--count-bands"))
    assert report["frees_by_band"] == model_frees(iters, ws, seed, *sizes)


def test_random_mixed_prints_its_line(programs):
    done = run(programs / "random_mixed", 200000, 400, 1)
    line, report = done.stdout.splitlines()
    assert line.startswith("Throughput = ")
    assert " ops/s [iter=200000 ws=400] time=" in line
    assert line.endswith("s")
    assert json.loads(report)["operations"] == 200000


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (16, 1039)),
        ({"HAKMEM_BENCH_MIN_SIZE": "129", "HAKMEM_BENCH_MAX_SIZE": "1024"}, (129, 1024)),
        ({"HAKMEM_BENCH_C5_ONLY": "1"}, (256, 256)),
        ({"HAKMEM_BENCH_C6_ONLY": "1", "HAKMEM_BENCH_MIN_SIZE": "8"}, (512, 512)),
        ({"HAKMEM_BENCH_C7_ONLY": "1", "HAKMEM_BENCH_C5_ONLY": "0"}, (1024, 1024)),
    ],
)
def test_random_mixed_takes_sizes_from_the_environment(programs, environment, expected):
    report = report_of(run(programs / "random_mixed", 1000, 40, 1, **environment))
    assert (report["min"], report["max"]) == expected


def test_random_mixed_arguments_win_over_the_environment(programs):
    report = report_of(run(programs / "random_mixed", 1000, 40, 1, 20, 30, HAKMEM_BENCH_C5_ONLY="1"))
    assert (report["min"], report["max"]) == (20, 30)


# ---- all programs

QUICK = {
    "churn": ["--threads", "20"],
    "fragmentation": ["--megabytes", "2", "--idle", "1"],
    "handover": ["--blocks", "100000", "--max", "4096"],
    "hello": ["--json"],
    "large_mix": ["--operations", "20"],
    "larson": ["--rounds", "3", "--operations", "2000"],
    "random_mixed": ["20000", "400", "1"],
    "waves": ["--rounds", "20"],
}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_program_reports_and_proves_its_allocator(programs, bump, name):
    plain = report_of(run(programs / name, *QUICK[name]))
    assert plain["workload"] == name
    assert plain["allocator_library"].startswith("libc.so")
    assert plain["operations"] > 0
    assert plain["seconds"] > 0
    assert plain["peak_kib"] >= plain["resident_kib"] > 0
    assert plain["minor_faults"] > 0
    preloaded = report_of(run(programs / name, *QUICK[name], LD_PRELOAD=str(bump)))
    assert preloaded["allocator_library"] == "libbump.so"
    assert preloaded["allocator_path"] == str(bump)


@pytest.mark.parametrize("name", sorted(QUICK))
def test_program_has_help(programs, name):
    done = run(programs / name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: {name} ")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["random_mixed"], "ITERS is missing"),
        (["random_mixed", "10", "10"], "SEED is missing"),
        (["random_mixed", "ten", "10", "1"], "ITERS must be a whole number, not 'ten'"),
        (["random_mixed", "10", "0", "1"], "WS must lie between 1 and 4294967295, not 0"),
        (["random_mixed", "10", "10", "-1"], "SEED must be a whole number, not '-1'"),
        (["random_mixed", "10", "10", "1", "8"], "MIN needs MAX beside it"),
        (["random_mixed", "10", "10", "1", "9", "8"], "the smallest size 9 is above the largest 8"),
        (["random_mixed", "10", "10", "1", "8", "9", "1"], "'1' is one argument too many"),
        (["waves", "--round", "3"], "there is no option '--round'"),
        (["waves", "--rounds"], "--rounds needs a value"),
        (["waves", "--rounds", "3x"], "--rounds must be a whole number, not '3x'"),
        (["handover", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (["hello", "twice"], "'twice' is one argument too many"),
    ],
)
def test_program_refuses_wrong_arguments(programs, command, sentence):
    done = run(programs / command[0], *command[1:])
    assert done.returncode == 2
    assert done.stderr == f"{command[0]}: {sentence} (see --help)\n"
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"HAKMEM_BENCH_C5_ONLY": "yes"}, "HAKMEM_BENCH_C5_ONLY must be 0 or 1, not 'yes'"),
        (
            {"HAKMEM_BENCH_C5_ONLY": "1", "HAKMEM_BENCH_C6_ONLY": "1"},
            "HAKMEM_BENCH_C5_ONLY and HAKMEM_BENCH_C6_ONLY cannot both be set",
        ),
        ({"HAKMEM_BENCH_MIN_SIZE": "big"}, "HAKMEM_BENCH_MIN_SIZE must be a whole number, not 'big'"),
    ],
)
def test_random_mixed_refuses_a_wrong_environment(programs, environment, sentence):
    done = run(programs / "random_mixed", 10, 10, 1, **environment)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_hello_alone_only_greets(programs):
    assert run(programs / "hello").stdout == "hello\n"


def test_fragmentation_tells_the_resident_memory_of_each_stage(programs):
    stages = report_of(run(programs / "fragmentation", "--megabytes", 8, "--idle", 1))["resident_kib_after"]
    assert list(stages) == ["filled", "freed", "idled", "refilled", "emptied", "ended"]
    assert stages["filled"] > 8 * 1024


# ---- the registry


def test_every_workload_has_its_program_and_a_summary():
    for workload in REGISTRY.values():
        assert (BENCH / f"{workload.program}.c").is_file()
        assert workload.summary


def test_a_group_names_all_its_workloads_once():
    names = [workload.name for workload in workloads.select(["handover", "handover-mixed"])]
    assert names == ["handover", "handover-mixed"]
    assert workloads.select([]) == list(REGISTRY.values())


def test_an_unknown_workload_gets_the_nearest_name():
    with pytest.raises(LabError, match="no workload 'wave'; did you mean waves"):
        workloads.select(["wave"])


# ---- the command line


def test_bench_compares_and_writes_json(programs, bump, tmp_path):
    out = tmp_path / "board.json"
    done = lab(
        *("waves", "hello", "--quick", "--pairs", "3", "--peer", "glibc", "--noise", "10"),
        *("--library", bump, "--programs", programs, "--json", out),
    )
    assert done.returncode == 0, done.stderr
    assert "libbump.so ÷ each peer" in done.stdout
    assert "noise, libbump.so against itself" in done.stderr
    board = json.loads(out.read_text())
    assert [workload["workload"] for workload in board["workloads"]] == ["waves", "hello"]
    standings = board["workloads"][0]["standings"]
    assert [standing["allocator"] for standing in standings] == ["libbump.so", "glibc"]
    assert len(standings[1]["samples"]) == 3
    assert standings[1]["samples"][0]["allocator_library"].startswith("libc.so")


def test_bench_prints_markdown(programs, bump):
    done = lab(
        *("handover", "--quick", "--pairs", "3", "--peer", "glibc", "--noise", "10", "--markdown"),
        *("--library", bump, "--programs", programs),
    )
    assert done.returncode == 0, done.stderr
    assert "| allocator | time | operations |" in done.stdout


def test_too_much_noise_is_unsound(programs, bump):
    done = lab(
        *("hello", "--quick", "--pairs", "3", "--peer", "glibc", "--noise", "0.001"),
        *("--library", bump, "--programs", programs),
    )
    assert done.returncode == 3
    assert "UNSOUND" in done.stderr


def test_a_library_that_is_no_allocator_is_unsound(programs, tmp_path):
    source = tmp_path / "empty.c"
    source.write_text("int nothing;\n")
    compile_c(["-shared", "-fPIC", source, "-o", tmp_path / "libempty.so"])
    done = lab("waves", "--quick", "--peer", "glibc", "--library", tmp_path / "libempty.so", "--programs", programs)
    assert done.returncode == 3
    assert "was to run on libempty.so, but" in done.stderr
    assert "libc.so.6 served it" in done.stderr


def test_a_program_that_fails_is_unsound(bump, tmp_path):
    program = tmp_path / "waves"
    program.write_text("#!/bin/sh\necho 'out of luck' >&2\nexit 7\n")
    program.chmod(0o755)
    done = lab("waves", "--quick", "--peer", "glibc", "--library", bump, "--programs", tmp_path)
    assert done.returncode == 3
    assert "on libbump.so failed with status 7: out of luck" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["wave"], "there is no workload 'wave'; did you mean waves?"),
        (["waves", "--peer", "gemalloc"], "there is no peer 'gemalloc'; did you mean jemalloc?"),
        (["waves", "--peer", "/nowhere/libx.so"], "the peer /nowhere/libx.so is not a file"),
        (["accept", "waves"], "accept has its own workloads and peers"),
        (["waves", "--library", "/nowhere/libhakmem.so"], "/nowhere/libhakmem.so is missing: build it first"),
        (["waves", "--pairs", "1"], "--pairs"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(bump, arguments, sentence):
    given = arguments if "--library" in arguments else [*arguments, "--library", bump]
    done = lab(*given)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_missing_programs_are_named(bump, tmp_path):
    done = lab("waves", "--peer", "glibc", "--library", bump, "--programs", tmp_path)
    assert done.returncode == 2
    assert f"{tmp_path / 'waves'} is missing: build it first with ./hakmem build" in done.stderr


def test_list_names_every_workload():
    done = lab("--list")
    assert done.returncode == 0
    for name in REGISTRY:
        assert name in done.stdout
