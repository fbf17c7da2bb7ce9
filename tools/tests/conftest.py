"""What the tests of the command line share: the checkout, its library, and small programs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hakmem_cli import build, layout

sys.path.insert(0, str(Path(__file__).resolve().parent / "support"))

ROOT = Path(layout.ROOT)

# An allocator that is no good but is not libc's: it never reuses a block. With TWICE=N it gives each Nth one out twice.
BUMP = """
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
enum { HEADER = 16 };
static _Atomic(char *) room, latest;
static atomic_size_t used, calls;
static char *take(size_t size) {
  if (!room) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *none = 0, *fresh = mmap(0, (size_t)1 << 36, PROT_READ | PROT_WRITE, flags, -1, 0);
    atomic_compare_exchange_strong(&room, &none, fresh);
  }
  char *block = room + atomic_fetch_add(&used, (size + HEADER + 15) & ~(size_t)15) + HEADER;
  ((size_t *)block)[-1] = size;
  return block;
}
void *malloc(size_t size) {
#ifdef TWICE
  if (atomic_fetch_add(&calls, 1) % TWICE == TWICE - 1) return latest;
#endif
  return latest = take(size);
}
void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return take(n * size); }
void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  return old ? memmove(block, old, size < ((size_t *)old)[-1] ? size : ((size_t *)old)[-1]) : block;
}
"""


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def library():
    """The release library, built."""
    build.library_for_run("release")
    return Path(layout.library("release"))


@pytest.fixture(scope="session")
def bench_programs():
    """The folder of the bench programs, built as they are measured."""
    build.programs_to_measure()
    return Path(layout.build_dir("release")) / "bench"


@pytest.fixture(scope="session")
def compile_allocator(tmp_path_factory):
    """Makes a library of this name from C source that defines malloc and its like; more options may follow."""

    def compile_(source, name, *more):
        library = tmp_path_factory.mktemp("allocator") / f"lib{name}.so"
        options = ["-O2", "-std=gnu17", "-D_GNU_SOURCE", "-fno-builtin", "-shared", "-fPIC", *more]
        subprocess.run(["cc", *options, "-x", "c", "-", "-o", str(library)], input=source, text=True, check=True)
        return library

    return compile_


@pytest.fixture(scope="session")
def bump(compile_allocator):
    """An allocator that never reuses a block."""
    return compile_allocator(BUMP, "bump")


@pytest.fixture(scope="session")
def broken(compile_allocator):
    """One that gives some blocks out twice."""
    return compile_allocator(BUMP, "broken", "-DTWICE=100")


@pytest.fixture
def hakmem(library):
    """Calls ./hakmem with arguments; keywords go to subprocess.run."""

    def call(*arguments, script=ROOT / "hakmem", **keywords):
        keywords = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, "timeout": 120, **keywords}
        return subprocess.run([str(script), *map(str, arguments)], **keywords)

    return call


@pytest.fixture
def compile_c(tmp_path):
    """Compiles C source to a program with extra compiler arguments; skips where the toolchain cannot."""

    def compile_(source, *arguments, name="program"):
        file = tmp_path / f"{name}.c"
        file.write_text(source)
        done = subprocess.run(["cc", str(file), "-o", str(tmp_path / name), *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"cc {' '.join(arguments)} does not work here: {done.stderr.strip()[:200]}")
        return tmp_path / name

    return compile_


@pytest.fixture
def as_root():
    """Skips a test that must change owners."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files to other users")
