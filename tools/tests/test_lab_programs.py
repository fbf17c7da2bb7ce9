"""Programs of the system as workloads: what is missing, what fails, what did not run on the allocator under test."""

import os
import subprocess
import sys
import time

import pytest

from hakmem_lab import peers
from hakmem_lab.comparison import Standing
from hakmem_lab.running import programs, resident, witness
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import debian
from hakmem_lab.running.resident import Curve, resident_kib
from hakmem_lab.running.runner import Runner
from hakmem_lab.workloads.workload import Timing, Workload
from hakmem_lab.workloads import REGISTRY


@pytest.fixture
def runner(bench_programs):
    return Runner(bench_programs, quick=True)


@pytest.fixture
def allocator(bump):
    return peers.subject(bump)


def workload(program, *arguments, timing=Timing.WHOLE):
    return Workload("work", "programs", "", str(program), arguments, arguments, {}, timing, "no-such-package")


@pytest.fixture
def script(tmp_path):
    def write(text, name="script"):
        file = tmp_path / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    return write


# ---- missing


@pytest.fixture
def installed(monkeypatch):
    """The packages that were asked for, none of which can be had."""
    asked = []
    monkeypatch.setattr(debian, "can_install", lambda: True)
    monkeypatch.setattr(debian, "install", lambda package, purpose, say: asked.append(package))
    return asked


def test_a_missing_program_is_named_and_left_out(installed):
    said = []
    waves = REGISTRY["waves"]
    assert programs.present([waves, workload("no-such-program")], said.append) == [waves]
    assert installed == ["no-such-package"]
    assert said[-1] == (
        "the workload work is left out: no-such-program is not on this machine (apt-get install no-such-package)"
    )


def test_nothing_is_installed_without_the_right_to(monkeypatch, installed):
    monkeypatch.setattr(debian, "can_install", lambda: False)
    with pytest.raises(LabError, match="none of the workloads can run"):
        programs.present([workload("no-such-program")], [].append)
    assert installed == []


def test_a_missing_program_cannot_be_sampled(runner, allocator):
    with pytest.raises(LabError, match=r"work needs a program: no-such-program .*apt-get install no-such-package"):
        runner.sample(workload("no-such-program"), allocator)


def test_a_missing_witness_is_named(tmp_path, allocator):
    with pytest.raises(LabError, match="libwitness.so is missing: build it first with ./hakmem build"):
        Runner(tmp_path, quick=True).sample(workload("true"), allocator)


def test_the_witness_is_found_from_another_folder(bench_programs, allocator, monkeypatch):
    """The program runs among its inputs, wherever the lab was started."""
    monkeypatch.chdir(bench_programs.parent)
    runner = Runner(bench_programs.relative_to(bench_programs.parent), quick=True)
    assert runner.sample(workload("true"), allocator).report["allocator_library"] == "libbump.so"


# ---- failed


def test_a_program_that_fails_is_no_fast_run(runner, allocator, script):
    with pytest.raises(UnsoundError, match="script on libbump.so failed with status 3: out of luck"):
        runner.sample(workload(script("echo out of luck >&2; exit 3")), allocator)


def test_another_output_than_on_the_c_library_is_a_failure(runner, allocator, compile_c):
    main = 'int main(void) { return puts(getenv("LD_PRELOAD")) < 0; }'
    program = compile_c(f"#include <stdio.h>\n#include <stdlib.h>\n{main}")
    with pytest.raises(UnsoundError, match="program on libbump.so gave another output than on the C library's malloc"):
        runner.sample(workload(program), allocator)


def test_a_server_that_fails_says_why(runner, allocator, script):
    with pytest.raises(UnsoundError, match="redis-server on libbump.so failed with status 1: no socket"):
        runner.sample(workload(script("echo no socket >&2; exit 1"), timing=Timing.CLIENT), allocator)


# ---- what a program tells of itself


def test_a_program_may_tell_its_own_seconds_and_figures(runner, allocator, script):
    told = '{"seconds": 12.5, "curve": [[0, 100]]}'
    sample = runner.sample(workload(script(f"sleep 0.01; echo '{told}' >$BENCH_FIGURES")), allocator)
    assert (sample.seconds, sample.report["curve"]) == (12.5, [[0, 100]])
    assert sample.report["allocator_library"] == "libbump.so"
    assert sample.peak_kib > 0


@pytest.mark.parametrize("told", ["{", "[1]", "12"])
def test_figures_that_are_none_are_a_failure(runner, allocator, script, told):
    with pytest.raises(UnsoundError, match="script on libbump.so told figures that cannot be read"):
        runner.sample(workload(script(f"echo '{told}' >$BENCH_FIGURES")), allocator)


def test_a_process_beside_us_is_sampled_until_the_end():
    grow = "import time; a = []\nfor _ in range(20): a.append(bytearray(b'1') * 2**20); time.sleep(0.02)"
    with subprocess.Popen([sys.executable, "-S", "-c", f"{grow}\ninput()"], stdin=subprocess.PIPE) as child:
        with Curve(child.pid) as curve:
            time.sleep(1.0)
            exact = resident_kib(child.pid)
        child.communicate(b"\n")
    points = curve.points()
    assert points[0][0] < 300 < 900 < points[-1][0]
    assert exact > 20 * 1024
    assert points[-1][1] == pytest.approx(exact, abs=1024)
    assert points[0][1] < points[len(points) // 3][1] <= points[-1][1]


def test_a_long_curve_keeps_to_its_points(monkeypatch):
    monkeypatch.setattr(resident, "MOST_POINTS", 8)
    with Curve(os.getpid()) as curve:
        time.sleep(0.5)
    points = curve.points()
    assert 4 <= len(points) <= 8
    assert points[0][0] < 20
    assert points[-1][0] > 200


def test_a_process_that_is_gone_has_no_memory():
    with subprocess.Popen(["true"]) as child:
        child.wait()
    with pytest.raises(UnsoundError, match="could not be read: it has ended"):
        resident_kib(child.pid)


# ---- served by another


ALLOCATES = "int main(void) { volatile char *block = malloc(5); free((void *)block); return 0; }"


def test_a_program_with_an_allocator_of_its_own_is_found_out(runner, allocator, compile_c):
    own = "static char room[99]; void *malloc(size_t n) { (void)n; return room; } void free(void *p) { (void)p; }"
    program = compile_c(f"#include <stddef.h>\n{own}\n{ALLOCATES}", "-fno-builtin", "-rdynamic")
    with pytest.raises(UnsoundError, match="program on libbump.so was to run on libbump.so, but .* served program"):
        runner.sample(workload(program), allocator)


def test_a_static_program_proves_nothing(runner, allocator, compile_c):
    program = compile_c(f"#include <stdlib.h>\n{ALLOCATES}", "-static")
    with pytest.raises(UnsoundError, match="did not say which allocator served it"):
        runner.sample(workload(program), allocator)


def test_the_address_of_free_in_a_program_is_no_allocator(runner, allocator, compile_c):
    source = f"#include <stdlib.h>\nvoid (*volatile release)(void *) = free;\n{ALLOCATES}"
    program = compile_c(source, "-no-pie", "-fno-pie")
    assert "U free" in subprocess.run(["nm", "-D", program], capture_output=True, text=True).stdout
    assert runner.sample(workload(program), allocator).report["allocator_library"] == "libbump.so"


def test_every_process_of_a_program_is_asked(runner, allocator, compile_c, script):
    own = "static char room[99]; void *malloc(size_t n) { (void)n; return room; } void free(void *p) { (void)p; }"
    child = compile_c(f"#include <stddef.h>\n{own}\n{ALLOCATES}", "-fno-builtin", "-rdynamic", name="child")
    with pytest.raises(UnsoundError, match="served child"):
        runner.sample(workload(script(f"{child}; true")), allocator)


def test_without_a_library_the_program_runs_on_the_c_library(runner, compile_c, bump):
    """Also one that is linked with another allocator."""
    linked = ["-fno-builtin", "-Wl,--no-as-needed", str(bump), f"-Wl,-rpath,{bump.parent}"]
    program = compile_c(f"#include <stdlib.h>\n{ALLOCATES}", *linked)
    assert runner.sample(workload(program), peers.glibc()).report["allocator_library"].startswith("libc.so")


def test_an_allocator_that_is_linked_and_not_used_is_named(runner, compile_c, bump):
    linked = ["-fno-builtin", "-Wl,--no-as-needed", str(bump), f"-Wl,-rpath,{bump.parent}"]
    program = compile_c(f"#include <stdlib.h>\n{ALLOCATES}", *linked)
    sample = runner.sample(workload(program), peers.glibc())
    assert sample.report["allocators_idle"] == "libbump.so"
    assert Standing(peers.glibc(), [sample], None, None).served() == ["libc.so.6, not its own libbump.so"]
    own = runner.sample(workload(program), peers.subject(bump))
    assert own.report["allocators_idle"] == ""
    assert Standing(peers.subject(bump), [own], None, None).served() == ["libbump.so"]


BY_JEMALLOCS_NAMES = r"""
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mallocx(size_t size, int flags);
void *rallocx(void *block, size_t size, int flags);
size_t sallocx(const void *block, int flags);
void dallocx(void *block, int flags);
void sdallocx(void *block, size_t size, int flags);
size_t nallocx(size_t size, int flags);

enum { ALIGNED_TO_64 = 6, ZERO = 0x40 };

static int is_bad(const char *block, size_t size) {
  if (block == NULL || malloc_usable_size((void *)block) < size || (uintptr_t)block % 64 != 0) return 1;
  for (size_t i = 0; i < size; i++)
    if (block[i] != 0) return 1;
  return 0;
}

int main(void) {
  for (size_t size = 1; size < 5000; size += 7) {
    char *block = malloc(2 * size);
    memset(block, 1, 2 * size);
    dallocx(block, 0);
    block = mallocx(size, ALIGNED_TO_64 | ZERO);
    if (is_bad(block, size) || sallocx(block, 0) < nallocx(size, 0)) return 1;
    block = rallocx(block, 2 * size, ALIGNED_TO_64 | ZERO);
    if (is_bad(block, 2 * size)) return 1;
    sdallocx(block, 2 * size, ALIGNED_TO_64);
    free(rallocx(mallocx(size, 0), 3 * size, 0));
  }
  return 0;
}
"""


def test_blocks_by_jemallocs_names_are_those_of_the_allocator_that_serves(runner, bench_programs, compile_c):
    """With the witness every allocator has them: the program is not linked with jemalloc, and ends well all the same."""
    program = compile_c(BY_JEMALLOCS_NAMES, "-fno-builtin", f"-L{bench_programs}", "-lwitness")
    assert runner.sample(workload(program), peers.glibc()).report["allocator_library"].startswith("libc.so")


def test_a_row_of_the_c_library_that_another_served_is_found_out(runner, compile_c, bump, monkeypatch):
    """As it would be if a program that is linked with an allocator were started without the C library before it."""
    monkeypatch.setattr(witness, "_C_LIBRARY", "")
    linked = ["-fno-builtin", "-Wl,--no-as-needed", str(bump), f"-Wl,-rpath,{bump.parent}"]
    program = compile_c(f"#include <stdlib.h>\n{ALLOCATES}", *linked)
    with pytest.raises(UnsoundError, match="was to run on glibc, but .*libbump.so served program"):
        runner.sample(workload(program), peers.glibc())
