"""The accounts are exact: every function of the family, threads that end, forks, dlopen."""

import pytest

from stats_lines import BANDS, check, difference, objects, settled

HEADER = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *find(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) { fprintf(stderr, "no %s\n", name); _exit(9); }
  return found;
}
static void show(void) { if (!((_Bool (*)(void))find("hak_stats_print"))()) _exit(8); }
static void collect(void) { ((size_t (*)(void))find("hak_collect"))(); }
static void *must(void *block) { if (block == NULL) _exit(7); return block; }
"""


def bands(**counts):
    return {band: counts.get(band, 0) for band in BANDS}


def figures(change, kind):
    line = change[f"{kind}_path_stats_by_class"]
    return {**line, "large": change[f"{kind}_path_stats"]["large"], "huge": change[f"{kind}_path_stats"]["huge"]}


FAMILY = (
    HEADER
    + r"""
int main(void) {
  find("hak_stats_print");
  show();
  must(malloc(0));                                              /* empty 1 */
  must(malloc(1)), must(malloc(8));                             /* c0 2 */
  must(malloc(9)), must(malloc(16));                            /* c1 2 */
  must(calloc(5, 5));                                           /* c2 1 */
  must(aligned_alloc(64, 40));                                  /* c3 1: by the size asked for */
  void *block = NULL;
  if (posix_memalign(&block, 4096, 100) != 0) return 1;         /* c4 1 */
  must(memalign(1 << 16, 200));                                 /* large 1: no slab is so aligned */
  must(((void *(*)(size_t))find("_Znwm"))(512));                /* c6 1 */
  must(((void *(*)(size_t, size_t))find("_ZnwmSt11align_val_t"))(1024, 128)); /* c7 1 */
  must(reallocarray(NULL, 25, 41));                             /* mid 1: 1025 bytes */
  must(malloc(32768));                                          /* mid 1 */
  must(malloc(32769));                                          /* large 1 */
  must(calloc(1, 5000000));                                     /* huge 1 */
  show();
  free(must(malloc(0)));                                        /* empty both ways */
  char *grows = must(malloc(100));                              /* c4 */
  grows = must(realloc(grows, 112));                            /* in place: still c4 */
  grows = must(realloc(grows, 600));                            /* moves: c4 freed, c7 made */
  grows = must(realloc(grows, 500));                            /* in place: still c7 */
  grows = must(realloc(grows, 40000));                          /* moves: c7 freed, large made */
  grows = must(realloc(grows, 60000));                          /* in place */
  grows = must(realloc(grows, 4000000));                        /* moves: large freed, huge made */
  grows = must(realloc(grows, 9000000));                        /* remapped: neither */
  grows = must(realloc(grows, 10));                             /* moves: huge freed, c1 made */
  if (realloc(grows, 0) != NULL) return 2;                      /* c1 freed */
  free(NULL);
  show();
  if (malloc((size_t)-1) || malloc(PTRDIFF_MAX) || calloc((size_t)-1, 2) || reallocarray(NULL, (size_t)-1, 2)) return 3;
  if (aligned_alloc(3, 8) != NULL) return 4;                    /* no request at all */
  show();
  void *deleted = must(((void *(*)(size_t))find("_Znam"))(20));
  ((void (*)(void *))find("_ZdaPv"))(deleted);                  /* c2 both ways */
  deleted = must(malloc(30));
  ((void (*)(void *, size_t))find("_ZdlPvm"))(deleted, 30);
  ((void (*)(void *, size_t))find("free_sized"))(NULL, 30);
  ((void (*)(void *, size_t))find("hak_free_sized"))(must(((void *(*)(size_t))find("hak_malloc"))(20)), 20);
  show();
  collect();
  return 0;
}
"""
)


def test_every_function_of_the_family_is_one_malloc_or_one_free(stats, compile_c):
    start, allocated, resized, refused, deleted, end = stats(compile_c(FAMILY, "family", ["-ldl"]))
    made = difference(allocated, start)
    assert figures(made, "malloc") == bands(c0=2, c1=2, c2=1, c3=1, c4=1, c6=1, c7=1, mid=2) | {"large": 2, "huge": 1}
    assert made["malloc_path_stats"]["empty"] == 1
    assert made["free_path_stats"]["total"] == 0
    moved = difference(resized, allocated)
    assert figures(moved, "malloc") == bands(c4=1, c7=1, c1=1) | {"large": 1, "huge": 1}
    assert figures(moved, "free") == bands(c4=1, c7=1, c1=1) | {"large": 1, "huge": 1}
    assert moved["free_path_stats"]["null"] == 1
    assert moved["malloc_path_stats"]["empty"] == moved["free_path_stats"]["empty"] == 1
    failed = difference(refused, resized)
    assert failed["malloc_path_stats"] == {**dict.fromkeys(failed["malloc_path_stats"], 0), "total": 4, "failed": 4}
    last = difference(deleted, refused)
    assert last["free_path_stats"]["null"] == 1
    assert figures(last, "malloc") == figures(last, "free") == bands(c2=3) | {"large": 0, "huge": 0}
    for shown in (start, allocated, resized, refused, deleted):
        check(shown)
    settled(end)


THREADS = (
    HEADER
    + r"""
enum { THREADS = 3, BLOCKS = 3000, ROUNDS = 3 };
static void *mine[THREADS][BLOCKS], *given[THREADS][BLOCKS];
static pthread_barrier_t barrier;
static pthread_key_t late;

static void free_late(void *block) { free(block); }       /* round after round, so that some come after our own */
static void put_off(void *value) {
  static __thread int rounds;
  if (++rounds < 4) pthread_setspecific(late, value); else free_late(value);
}

static size_t size_at(int thread, int i) { return 1 + (size_t)(thread * 131 + i * 7) % 1500; }

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  pthread_setspecific(late, must(malloc(700)));           /* freed when the thread has ended: c7 */
  for (int i = 0; i < BLOCKS; i++) {
    mine[me][i] = must(malloc(size_at(me, i)));
    given[(me + 1) % THREADS][i] = must(malloc(50));      /* c3, freed by the next thread */
  }
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < BLOCKS; i++) {
    free(given[me][i]);
    free(mine[me][i]);
  }
  return NULL;
}

static void *idle(void *unused) { free(must(malloc(5))); return unused; }    /* c0 */
static void *only_frees(void *block) { free(block); return NULL; }

int main(void) {
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_key_create(&late, put_off);
  find("hak_stats_print");
  collect();
  show();
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t threads[THREADS], other;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 100; i++) {
      pthread_create(&other, NULL, idle, NULL);
      pthread_join(other, NULL);
      pthread_create(&other, NULL, only_frees, must(malloc(12)));            /* c1, freed by a thread without a heap */
      pthread_join(other, NULL);
    }
  }
  collect();
  show();
  return 0;
}
"""
)


@pytest.mark.parametrize("depot", ["0", "256"])
def test_threads_that_end_are_counted_exactly(stats, compile_c, depot):
    small = {"HAKMEM_LIMIT_SOFT": "256M"} if depot == "0" else {}  # a 64th is cached at most, in small magazines
    before, after, end = stats(compile_c(THREADS, "threads", ["-ldl"]), HAKMEM_DEPOT_KIB=depot, **small)
    change = difference(settled(after), settled(before))
    check(end)
    expected = {band: 0 for band in BANDS}
    for thread in range(3):
        for i in range(3000):
            size = 1 + (thread * 131 + i * 7) % 1500
            expected["mid" if size > 1024 else f"c{max(3, (size - 1).bit_length()) - 3}"] += 3
    expected["c3"] += 3 * 3 * 3000
    expected["c7"] += 3 * 3
    expected["c0"] += 3 * 100
    expected["c1"] += 3 * 100
    # The C library's own: a vector for each thread whose stack it does not keep for the next one.
    made, freed = change["malloc_path_stats_by_class"], change["free_path_stats_by_class"]
    own = {band: freed[band] - expected[band] for band in BANDS}
    assert all(extra >= 0 for extra in own.values()) and sum(own.values()) <= 3 * 3, own
    assert all(made[band] - freed[band] == change["live_stats_by_class"][band] for band in BANDS)
    remote = change["remote_stats"]
    # Threads that do little after others have ended have no heap: their CPUs cache what they free.
    returned = remote["gathered"] + remote["from_cpus"]
    assert returned >= 3 * (3 * 3000 + 100)
    assert returned == remote["posted_blocks"] + remote["blocks_sent_home"]
    assert remote["posted_blocks"] == remote["collected"]
    assert change["free_path_stats"]["spill" if depot == "0" else "depot"] > 0
    assert change["slab_stats"]["released"] > 0


CROWD = (
    HEADER
    + r"""
enum { THREADS = 48, BLOCKS = 300 };
static void *given[THREADS][BLOCKS];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  void *mine[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    mine[i] = must(malloc(900));                          /* c7 */
    given[(me + 1) % THREADS][i] = must(malloc(50));      /* c3, freed by the next thread */
  }
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < BLOCKS; i++) {
    free(given[me][i]);
    free(mine[i]);
  }
  pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  find("hak_stats_print");
  collect();
  show();
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  collect();
  show();
  return 0;
}
"""
)


def test_threads_that_have_no_heap_are_counted_exactly(stats, compile_c):
    before, after, _ = stats(compile_c(CROWD, "crowd", ["-ldl"]))
    change = difference(settled(after), settled(before))
    made, freed = change["malloc_path_stats_by_class"], change["free_path_stats_by_class"]
    assert made["c3"] >= freed["c3"] >= 48 * 300
    assert made["c7"] >= freed["c7"] >= 48 * 300
    remote = change["remote_stats"]
    assert remote["posted_blocks"] == remote["collected"] > 0


FORK = (
    HEADER
    + r"""
static void *churn(void *unused) {
  for (;;) free(must(malloc(300)));
  return unused;
}
static void *touch(void *unused) { free(must(malloc(300))); return unused; }

int main(int argc, char **argv) {
  (void)argv;
  void *blocks[100];
  pthread_t thread;
  for (int i = 0; i < 100; i++) blocks[i] = must(malloc(60));
  if (argc > 1) for (int i = 0; i < 3; i++) pthread_create(&thread, NULL, churn, NULL);
  if (argc > 1) usleep(20000);
  find("hak_stats_print");
  if (argc == 1) show();
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 50; i++) free(blocks[i]);
    pthread_create(&thread, NULL, touch, NULL);
    pthread_join(thread, NULL);
    show();
    syscall(SYS_exit_group, 0); /* _exit would print them once more */
  }
  int status = 1;
  waitpid(child, &status, 0);
  fflush(NULL);
  if (argc == 1) show();
  syscall(SYS_exit_group, status);
}
"""
)


def test_a_child_counts_on_from_its_parents_figures(stats, compile_c):
    parent, child, parent_after = stats(compile_c(FORK, "fork", ["-ldl"]))
    for shown in (parent, child, parent_after):
        check(shown)
    assert parent["process_stats"]["forked_from"] == 0
    assert child["process_stats"]["forked_from"] == parent["process_stats"]["pid"] != child["process_stats"]["pid"]
    done = difference(child, parent)
    assert done["free_path_stats_by_class"]["c3"] == 50
    assert done["live_stats_by_class"]["c3"] == -50
    assert done["free_path_stats_by_class"]["c6"] == 1
    assert difference(parent_after, parent)["free_path_stats"]["total"] == 0


def test_a_child_of_busy_threads_has_accounts_that_agree(stats, compile_c):
    (child,) = stats(compile_c(FORK, "fork", ["-ldl"]), "busy")
    free, made = child["free_path_stats"], child["malloc_path_stats"]
    assert free["total"] == sum(child["free_path_stats_by_class"].values()) + free["null"] > 50
    assert made["total"] == sum(child["malloc_path_stats_by_class"].values())
    live = child["live_stats_by_class"]
    for band in BANDS:
        # Each of three threads may have been in the middle of one call.
        balance = child["malloc_path_stats_by_class"][band] - child["free_path_stats_by_class"][band]
        assert abs(balance - live[band]) <= (3 if band == "c6" else 0)
    assert live["c3"] == 50


DLOPEN = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *(*allocate)(size_t);
static void (*release)(void *);
static void *work(void *unused) {
  for (int i = 0; i < 1000; i++) release(allocate(100));
  return unused;
}
int main(int argc, char **argv) {
  (void)argc;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) { fprintf(stderr, "%s\n", dlerror()); return 1; }
  allocate = (void *(*)(size_t))dlsym(library, "hak_malloc");
  release = (void (*)(void *))dlsym(library, "hak_free");
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  work(NULL);
  return !((_Bool (*)(void))dlsym(library, "hak_stats_print"))();
}
"""


def test_a_library_that_is_loaded_by_dlopen_counts(plain, compile_c, observe_library):
    done = plain([compile_c(DLOPEN, "opens", ["-ldl"]), observe_library], {"HAKMEM_STATS_FORMAT": "json"})
    assert done.code == 0, done
    shown, _ = map(check, objects(done.err))
    assert shown["free_path_stats_by_class"] == shown["malloc_path_stats_by_class"] == bands(c4=2000)


def test_a_real_program_balances(stats, tool):
    code = "import json; d = [{str(i): [i] * (i % 50)} for i in range(20000)]; json.loads(json.dumps(d)); print(len(d))"
    (shown,) = stats(tool("python3"), "-c", code, PYTHONMALLOC="malloc")
    check(shown)
    assert shown["free_path_stats"]["total"] > 100_000
