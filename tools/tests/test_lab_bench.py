"""Whole runs of the command line, on a small allocator of our own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hakmem_lab.workloads import REGISTRY

TOOLS = Path(__file__).resolve().parents[1]


def compile_c(arguments):
    subprocess.run(["cc", "-O2", "-std=gnu17", "-D_GNU_SOURCE", "-pthread", *map(str, arguments)], check=True)


@pytest.fixture(scope="module")
def programs(bench_programs):
    return bench_programs


def run(program, *arguments, **environment):
    command = [str(program), *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    return subprocess.run(
        command, capture_output=True, text=True, env={**clean, **environment}, timeout=120, check=False
    )


def lab(*arguments):
    return run(sys.executable, "-m", "hakmem_lab", "bench", *arguments, PYTHONPATH=str(TOOLS))


# ---- the command line


def test_bench_compares_and_writes_json(programs, bump, tmp_path):
    out = tmp_path / "board.json"
    done = lab(
        *("waves", "hello", "--quick", "--pairs", "3", "--peer", "glibc", "--noise", "10"),
        *("--library", bump, "--programs", programs, "--json", out),
    )
    assert done.returncode == 0, done.stderr
    assert "Time / peak memory: each ÷ the best peer's on that workload" in done.stdout
    assert "time of libbump.so ÷ the best peer's" in done.stderr
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
    assert "| allocator | served by | time | operations |" in done.stdout


def test_too_much_noise_is_told_and_no_failure(programs, bump):
    """A tenth of a percent was within reach of three rounds: 1 run in some hundred had no noise to tell of."""
    done = lab(
        *("hello", "--quick", "--pairs", "3", "--peer", "glibc", "--noise", "0.000001"),
        *("--library", bump, "--programs", programs),
    )
    assert done.returncode == 0, done.stderr
    assert "WIDE" in done.stderr, done.stderr
    assert "On 1 of the 1 workloads the interval of libbump.so's time stayed wider" in done.stderr


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
        (["waves", "--peer", "/etc/passwd"], "the peer /etc/passwd is no shared library: it is no ELF file"),
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


@pytest.mark.parametrize("name", ["HAKMEM_BENCH_C6_ONLY", "HAKMEM_BENCH_C6_ONY"])
def test_sizes_from_the_environment_are_refused(bump, name):
    """They would change nothing: the workloads have their own."""
    done = run(
        *(sys.executable, "-m", "hakmem_lab", "bench", "waves", "--library", bump),
        **{"PYTHONPATH": str(TOOLS), name: "1"},
    )
    assert done.returncode == 2
    assert f"{name} is set, and the workloads have their own sizes: unset it" in done.stderr


def test_missing_programs_are_named(bump, tmp_path):
    done = lab("waves", "--peer", "glibc", "--library", bump, "--programs", tmp_path)
    assert done.returncode == 2
    assert f"{tmp_path / 'waves'} is missing: build it first with ./hakmem build" in done.stderr


def test_list_names_every_workload():
    done = lab("--list")
    assert done.returncode == 0
    for name in REGISTRY:
        assert name in done.stdout
