"""Tools that look into programs work on a program that runs on hakmem: gdb, valgrind, strace."""

import os
import re

import pytest

from hakmem_program import numbers, run
from stage import find, name_of

LOOKED_AT = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void stop_here(char *block) { __asm__ volatile("" : : "r"(block)); }

__attribute__((noinline)) static void *work(void *argument) {
  for (int i = 0; i < 20000; i++) {
    char *block = malloc((size_t)i % 3000 + 1);
    if (!block) abort();
    block[0] = 1;
    block = realloc(block, (size_t)i % 5000 + 1);
    if (block) block[0] = 2;
    free(block);
  }
  free(malloc(3000000));
  return argument;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(100);
  strcpy(block, "looked at");
  stop_here(block);
  work(NULL);
  if (pthread_create(&thread, NULL, work, NULL)) return 1;
  pthread_join(thread, NULL);
  puts(block);
  free(block);
  return 0;
}
"""


@pytest.fixture(scope="module")
def looked_at(compile_c):
    return compile_c(LOOKED_AT, "looked_at")


@pytest.fixture
def on_hakmem(variant):
    """Runs a command on the library."""
    return lambda *command: run(command, {"LD_PRELOAD": str(variant), "HAKMEM_VERBOSE": "1"})


@pytest.fixture
def note_served(variant, record_property):
    """Asserts that hakmem served a program, and notes it."""

    def note(what, done):
        slabs = max(numbers(line)["slabs_bound"] for line in done.served().hakmem)
        record_property("note", f"{what}, program on {name_of(variant)}: slabs_bound={slabs}")

    return note


def test_gdb(variant, version, note_served, looked_at):
    gdb = find("gdb")
    script = [
        "set confirm off",
        "set debuginfod enabled off",
        f"set environment LD_PRELOAD {variant}",
        "set environment HAKMEM_VERBOSE 1",
        "set startup-with-shell off",
        "break stop_here",
        "run",
        "backtrace",
        "print block",
        "finish",
        # By name: where a debugger cannot call functions, the last value would be the program's own block.
        "set $fresh = ((void *(*)(unsigned long))malloc)(100)",
        "print $fresh",
        "print ((void (*)(void *))free)($fresh)",
        "delete",
        "continue",
    ]
    done = run([gdb, "-nx", "-batch", *[part for line in script for part in ("-ex", line)], looked_at])
    if "ptrace: Operation not permitted" in done.err + done.out:
        pytest.skip("this container does not allow ptrace")
    assert "Breakpoint 1, stop_here" in done.out, done
    assert re.search(r'\$1 = 0x[0-9a-f]+ "looked at"', done.out), done
    assert "exited normally" in done.out, done
    if "Couldn't write extended state" not in done.err:  # some systems do not let a debugger call functions
        assert "$2 = (void *) 0x" in done.out
    note_served(version(gdb), done)


def test_gdb_itself(same_output, version, looked_at):
    gdb = find("gdb")
    commands = ["-nx", "-batch", "-ex", "info line main", "-ex", "disassemble work", looked_at]
    same_output(lambda stage: stage.good(gdb, *commands), version(gdb), by=["gdb"])


def test_valgrind_memcheck_replaces_malloc(on_hakmem, looked_at):
    """By default memcheck puts its own malloc in the place of any; the program must not notice ours beside it."""
    done = on_hakmem(find("valgrind"), "--quiet", "--error-exitcode=9", looked_at)
    assert done.code == 0, done
    assert done.out == "looked at\n"


@pytest.mark.parametrize("which", ["memcheck", "callgrind"])
def test_valgrind(on_hakmem, version, note_served, looked_at, tmp_path, which):
    valgrind = find("valgrind")
    options = {
        "memcheck": ["--soname-synonyms=somalloc=nouserintercepts", "--leak-check=no"],
        "callgrind": [f"--callgrind-out-file={tmp_path}/callgrind.out"],
    }[which]
    done = on_hakmem(valgrind, f"--tool={which}", *options, "--error-exitcode=9", looked_at)
    assert done.code == 0, done
    assert done.out == "looked at\n"
    note_served(f"{version(valgrind)} {which}", done)
    if which == "memcheck":
        assert "ERROR SUMMARY: 0 errors" in done.err


def test_valgrind_runs_python(on_hakmem, version, note_served, python):
    command = ["--tool=none", "--quiet", python, "-S", "-c", "print(sum(len(str(i)) for i in range(3000)))"]
    valgrind = find("valgrind")
    done = on_hakmem(valgrind, *command)
    assert done.code == 0, done
    assert done.out == "10890\n"
    note_served(f"{version(valgrind)}, python", done)


def test_strace(variant, version, note_served, looked_at, tmp_path):
    strace = find("strace")
    log = tmp_path / "strace.txt"
    done = run([strace, "-f", "-o", log, "-E", f"LD_PRELOAD={variant}", "-E", "HAKMEM_VERBOSE=1", looked_at])
    if "ptrace" in done.err and done.code != 0:
        pytest.skip("this container does not allow ptrace")
    assert done.code == 0, done
    assert done.out == "looked at\n"
    assert os.path.getsize(log) > 0
    note_served(version(strace), done)
