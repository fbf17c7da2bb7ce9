"""What nearly every process runs of the library lies in the first 64 KiB of its file (src/first.ld).

After a change of what that is:  pytest tests/golden --update, then build anew
"""

import platform
from pathlib import Path

import golden_file
import pytest
from counted import executed
from elftools.elf.elffile import ELFFile
from first import SELDOM, UNSEEN, Places, script, without_seldom

FILE = Path(__file__).resolve().parents[2] / "src" / "first.ld"
AROUND = 65536  # Linux maps so much of a file around a page that is touched

# It prints, and uses blocks of every small size and some large ones in every usual way, as C++ does, too, with a second
# thread, which frees blocks of the first and leaves some to it, a third, which frees a few and does nothing else, and
# four at once. One class fills several slabs, and one goes through its magazines until the heap checks itself. Each look
# at the clock takes a millisecond: what runs when some time has passed does so on every machine.
ORDINARY = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  static _Atomic long looks;
  long milliseconds = looks++;
  (void)clock;
  *now = (struct timespec){.tv_sec = 1000 + milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  return 0;
}

enum { BLOCKS = 3000, FEW = 30, MANY = 40000, LARGE = 60000, WIDE = 20000, WAVES = 6000, WAVE = 64, AT_ONCE = 4 };

static void *passed_on[BLOCKS], *passed_twice[BLOCKS], *left[BLOCKS];

static void use_as_c(void) {
  static __thread void *blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = i % 3 != 0 ? malloc((size_t)i % 1025) : calloc(1, (size_t)i % 1025);
  }
  for (int i = 0; i < BLOCKS; i += 5) {
    blocks[i] = realloc(blocks[i], (size_t)i + 16);
  }
  for (int i = 0; i < BLOCKS; i++) {
    free(blocks[i]);
  }
  free(realloc(malloc(LARGE), 2 * LARGE));
  free(realloc(malloc(2 * LARGE), LARGE));
  free(realloc(malloc(1000), 100));
  free(calloc(1, LARGE));
  free(reallocarray(NULL, FEW, FEW));
  void *aligned = NULL;
  free(posix_memalign(&aligned, 64, 640) == 0 ? aligned : NULL);
  free(aligned_alloc(64, 640));
  free(aligned_alloc(4096, LARGE));
}

static void use_many(void) {
  static void *blocks[MANY];
  for (int i = 0; i < MANY; i++) {
    blocks[i] = malloc(100);
  }
  for (int i = 0; i < MANY; i++) {
    free(blocks[(long)i * 7919 % MANY]);
  }
}

static void use_long(void) {
  void *blocks[WAVE];
  for (int wave = 0; wave < WAVES; wave++) {
    for (int i = 0; i < WAVE; i++) {
      blocks[i] = malloc(WIDE);
    }
    for (int i = 0; i < WAVE; i++) {
      free(blocks[i]);
    }
  }
}

static void use_as_cxx(void) {
  void *(*make)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "_Znwm");
  void (*destroy)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "_ZdlPv");
  void (*destroy_sized)(void *, size_t) = (void (*)(void *, size_t))dlsym(RTLD_DEFAULT, "_ZdlPvm");
  destroy(make(100));
  destroy_sized(make(200), 200);
}

static void *second(void *unused) {
  use_as_c();
  for (int i = 0; i < BLOCKS; i++) {
    free(passed_on[i]);
    left[i] = malloc((size_t)i % 1025);
  }
  return unused;
}

static void *third(void *unused) {
  for (int i = 0; i < FEW; i++) {
    free(passed_twice[i]);
  }
  return unused;
}

static pthread_barrier_t all;

static void *one_of_some(void *unused) {
  void *block = malloc(FEW);
  pthread_barrier_wait(&all);
  free(block);
  return unused;
}

int main(void) {
  pthread_t threads[AT_ONCE];
  for (int i = 0; i < BLOCKS; i++) {
    passed_on[i] = malloc(64);
    passed_twice[i] = malloc((size_t)i % 1025);
  }
  use_as_c();
  use_as_cxx();
  pthread_create(&threads[0], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  for (int i = 0; i < BLOCKS; i++) {
    free(left[i]);
  }
  pthread_create(&threads[0], NULL, third, NULL);
  pthread_join(threads[0], NULL);
  pthread_barrier_init(&all, NULL, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) {
    pthread_create(&threads[i], NULL, one_of_some, NULL);
  }
  for (int i = 0; i < AT_ONCE; i++) {
    pthread_join(threads[i], NULL);
  }
  use_as_c();
  use_many();
  use_long();
  puts("done");
  return 0;
}
"""


@pytest.fixture(scope="module")
def places(library):
    if platform.machine() != "x86_64":
        pytest.skip("which functions run is looked at on x86-64")
    found = Places(library)
    if not found.files:
        pytest.skip("the compiler that made this library does not say where the functions of a file lie")
    return found


@pytest.fixture(scope="module")
def ran(places, compile_c, library, tool, tmp_path_factory):
    program = compile_c(ORDINARY, "ordinary", ["-ldl", "-rdynamic"])
    counts = executed(library, tool, tmp_path_factory.mktemp("ran"), [program], everything=True)
    return {address for addresses in counts.values() for address in addresses}


def skip_unless_all_has_room(places, compiler):
    """How long the functions are depends on the compiler."""
    if ".rodata.first" not in places.sections:
        pytest.skip("the linker that made this library puts nothing first")
    golden = golden_file.read(Path(__file__).parent / "x86_64-gcc.json")["compiler"]
    if " ".join(compiler) != golden:
        pytest.skip(f"the library was made by {' '.join(compiler)}, and all has room with {golden}")


def test_what_every_process_runs_is_first(places, compiler, ran, request):
    if request.config.getoption("--update"):
        FILE.write_text(script({place for place in map(places.of, ran) if place}), encoding="utf-8")
        return
    skip_unless_all_has_room(places, compiler)
    behind = without_seldom({places.of(address) for address in ran if address >= AROUND} - {None})
    assert not behind, f"not in src/first.ld: {sorted(behind)}; pytest tests/golden --update lists them"


def test_what_no_test_sees_run_is_first_too(places, compiler):
    skip_unless_all_has_room(places, compiler)
    assert not places.behind(AROUND, UNSEEN)


@pytest.mark.parametrize(("file", "function"), [*UNSEEN, *SELDOM])
def test_it_is_there_under_that_name(file, function):
    assert f"{function}(" in (FILE.parent / file).read_text(encoding="utf-8")


def test_the_library_begins_where_the_system_maps_around_a_page(library):
    """At multiples of so much: so its first 64 KiB are all of it that a process holds which needs no more."""
    with open(library, "rb") as file:
        segments = [one for one in ELFFile(file).iter_segments() if one["p_type"] == "PT_LOAD"]
    assert {one["p_align"] for one in segments} == {AROUND}
