#include "sweep/mixed_run.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/shared_pool.h"
#include "config/options.h"
#include "hakmem.h"
#include "os/fatal.h"
#include "sweep/os_failures.h"
#include "warm/census.h"
#include "warm/tally.h"

enum {
  SLOTS = 160,
  STEPS = 600,
  SHORT_STEPS = 60,
  COLLECT_EVERY = 70,
  THREAD_EVERY = 120,
  HAND_OVER_SLOTS = 32,
  REFUSAL_MAX = 26, /* calls that one refused request may make, two of them to empty what CPUs have cached; without
                     * those that give back what is retained */
  ACTIVE_MAX = 4,   /* MiB in use when every block is free: slabs of the C library's blocks, units turned to metadata */
  ON_THEIR_WAY = 64 /* blocks that a thread may be moving between two of the library's stocks */
};

struct slot {
  unsigned char *block;
  size_t size;
  unsigned mark;
};

/* What one thread works on. */
struct worker {
  struct slot slots[SLOTS];
  struct slot *_Atomic busy; /* the one that is asked for or released just now, or `others`; NULL: none */
  unsigned long state;
  unsigned marks;
  size_t refused, dearest;
};

enum { THREADS_MAX = 8, SHORT_WORKERS = 8 };

static struct worker workers[THREADS_MAX], short_workers[SHORT_WORKERS];
static bool alone, must_succeed, limited; /* limited: there is a memory limit, which may refuse too */
static struct slot *_Atomic handed[HAND_OVER_SLOTS];
static struct slot handed_slots[HAND_OVER_SLOTS * 64];
static _Atomic size_t handed_count;

/* Stands for blocks of other threads, which a thread gathers until it ends. */
static struct slot others;

#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      wrong(__LINE__, #condition, __VA_ARGS__);                                                                        \
    }                                                                                                                  \
  } while (0)

static _Noreturn void wrong(int line, const char *what, size_t first, size_t second) {
  fprintf(stderr, "mixed_run.c:%d: not so: %s (%zu, %zu) after %zu calls, %zu failed\n", line, what, first, second,
          os_calls(), os_calls_failed());
  abort();
}

static unsigned long next(struct worker *worker) {
  unsigned long z = (worker->state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

static size_t below(struct worker *worker, size_t bound) { return next(worker) % bound; }

/* ---- contents: both ends, and a byte of every fourth page ---- */

enum { END_BYTES = 32, STRIDE_BYTES = 16384 };

static unsigned char mark_at(const struct slot *slot, size_t at) { return (unsigned char)(slot->mark + at); }

static bool is_marked(size_t at, size_t size) {
  return at < END_BYTES || size - at <= END_BYTES || at % STRIDE_BYTES == 0;
}

static size_t step_from(size_t at, size_t size) {
  if (is_marked(at + 1, size) || at + 1 >= size) {
    return at + 1;
  }
  size_t page = (at / STRIDE_BYTES + 1) * STRIDE_BYTES;
  return page < size - END_BYTES ? page : size - END_BYTES;
}

static void mark(struct slot *slot) {
  for (size_t at = 0; at < slot->size; at = step_from(at, slot->size)) {
    slot->block[at] = mark_at(slot, at);
  }
}

static void check_marks(const struct slot *slot, size_t size) {
  for (size_t at = 0; at < size; at = step_from(at, slot->size)) {
    CHECK(slot->block[at] == mark_at(slot, at), at, slot->size);
  }
}

static void check_zero(const unsigned char *block, size_t size) {
  for (size_t at = 0; at < size; at += at < 4096 ? 1 : 509) {
    CHECK(block[at] == 0, at, size);
  }
}

/* ---- requests ---- */

struct asked {
  size_t costly, failed;
};

/* What is retained is given back once: such a call was put off, not made for the request. */
static size_t costly_calls(void) { return os_calls() - os_calls_giving_back(); }

static struct asked ask(void) {
  errno = 0;
  return (struct asked){costly_calls(), os_calls_failed()};
}

/* Checks the answer to a request. */
static bool served(struct worker *worker, struct asked before, const void *block, int error) {
  size_t failed = os_calls_failed();
  if (block != NULL) {
    CHECK(error == 0, (size_t)error, 0);
    return true;
  }
  size_t calls = costly_calls() - before.costly;
  CHECK(error == ENOMEM, (size_t)error, 0);
  CHECK(!must_succeed && (limited || failed > (alone ? before.failed : 0)), failed, before.failed);
  worker->refused++;
  if (alone && !limited) {
    CHECK(calls <= REFUSAL_MAX, calls, 0);
    worker->dearest = calls > worker->dearest ? calls : worker->dearest;
  }
  return false;
}

static size_t any_size(struct worker *worker) {
  switch (below(worker, 24)) {
  case 0:
    return (2 << 20) + below(worker, 6 << 20); /* huge */
  case 1:
  case 2:
    return SIZE_CLASS_MAX + 1 + below(worker, (2 << 20) - SIZE_CLASS_MAX); /* large */
  default:
    return size_classes[below(worker, SIZE_CLASS_COUNT)].stride - below(worker, 8);
  }
}

static void *request(struct worker *worker, size_t size, int *error) {
  struct asked before = ask();
  void *block = NULL;
  size_t alignment = (size_t)16 << below(worker, 18);
  size_t how = below(worker, 8);
  if (how == 0) {
    block = hak_calloc(1, size);
  } else if (how == 1) {
    block = hak_aligned_alloc(alignment, size);
    CHECK(((uintptr_t)block & (alignment - 1)) == 0, alignment, size);
  } else if (how == 2) {
    *error = hak_posix_memalign(&block, alignment, size);
    CHECK(errno == *error && (*error == 0) == (block != NULL), alignment, size);
    return served(worker, before, block, *error) ? block : NULL;
  } else {
    block = hak_malloc(size);
  }
  *error = errno;
  if (!served(worker, before, block, *error)) {
    return NULL;
  }
  if (how == 0) {
    check_zero(block, size);
  }
  return block;
}

static void allocate(struct worker *worker, struct slot *slot) {
  int error = 0;
  slot->size = any_size(worker);
  slot->mark = worker->marks++;
  slot->block = request(worker, slot->size, &error);
  if (slot->block != NULL) {
    CHECK(hak_usable_size(slot->block) >= slot->size, slot->size, 0);
    mark(slot);
  }
}

static void release(struct slot *slot) {
  check_marks(slot, slot->size);
  errno = 4711;
  hak_free(slot->block);
  CHECK(errno == 4711, (size_t)errno, 0);
  slot->block = NULL;
}

static void resize(struct worker *worker, struct slot *slot) {
  size_t size = below(worker, 3) == 0 ? slot->size / 3 + 1 : slot->size + slot->size / 2 + 1;
  size_t kept = size < slot->size ? size : slot->size;
  if (size > (size_t)12 << 20) {
    return;
  }
  struct asked before = ask();
  unsigned char *block = hak_realloc(slot->block, size);
  int error = errno;
  if (served(worker, before, block, error)) {
    slot->block = block;
    check_marks(slot, kept < END_BYTES ? kept : END_BYTES);
    slot->size = size;
    mark(slot);
  } else {
    check_marks(slot, slot->size);
  }
}

/* Leaves a block for whoever comes by, and frees the one that lay there. */
static void hand_over(struct worker *worker, struct slot *slot) {
  size_t at = atomic_fetch_add(&handed_count, 1);
  if (at >= sizeof handed_slots / sizeof handed_slots[0]) {
    return;
  }
  handed_slots[at] = *slot;
  slot->block = NULL;
  struct slot *other = atomic_exchange(&handed[below(worker, HAND_OVER_SLOTS)], &handed_slots[at]);
  if (other != NULL) {
    release(other);
  }
}

static void work(struct worker *worker, unsigned steps);

static void *short_thread(void *argument) {
  struct worker *worker = argument;
  work(worker, SHORT_STEPS);
  return NULL;
}

static void thread_comes_and_goes(struct worker *worker) {
  static _Atomic size_t used;
  struct worker *other = &short_workers[atomic_fetch_add(&used, 1) % SHORT_WORKERS];
  if (!alone) {
    return; /* each thread would need its own */
  }
  pthread_t thread;
  *other = (struct worker){.state = next(worker), .marks = 77};
  if (pthread_create(&thread, NULL, short_thread, other) == 0) {
    pthread_join(thread, NULL);
    worker->refused += other->refused;
    worker->dearest = other->dearest > worker->dearest ? other->dearest : worker->dearest;
  } else {
    CHECK(!must_succeed && (limited || os_calls_failed() > 0), 0, 0);
  }
}

/* Between two steps. */
static void rest(struct worker *worker) { worker->busy = alone ? NULL : &others; }

static void step(struct worker *worker) {
  struct slot *slot = &worker->slots[below(worker, SLOTS)];
  worker->busy = slot;
  if (slot->block == NULL) {
    allocate(worker, slot);
  } else if (below(worker, 3) == 0) {
    resize(worker, slot);
  } else if (below(worker, 6) == 0) {
    hand_over(worker, slot);
  } else {
    release(slot);
  }
  rest(worker);
}

static void release_all(struct worker *worker) {
  const struct slot *unsure = worker->busy; /* a lost thread's */
  for (size_t i = 0; i < SLOTS; i++) {
    if (worker->slots[i].block != NULL && &worker->slots[i] != unsure) {
      worker->busy = &worker->slots[i];
      release(&worker->slots[i]);
    }
  }
  rest(worker);
}

static void work(struct worker *worker, unsigned steps) {
  for (unsigned i = 1; i <= steps; i++) {
    step(worker);
    if (i % COLLECT_EVERY == 0) {
      hak_collect();
    }
    if (i % THREAD_EVERY == 0) {
      thread_comes_and_goes(worker);
    }
  }
  release_all(worker);
}

static void *long_thread(void *argument) {
  struct worker *worker = argument;
  work(worker, STEPS);
  return NULL;
}

/* On the thread of the first worker. */
static void release_handed(void) {
  workers[0].busy = &others; /* one that is in `handed` no more */
  for (size_t i = 0; i < HAND_OVER_SLOTS; i++) {
    struct slot *slot = atomic_exchange(&handed[i], NULL);
    if (slot != NULL) {
      release(slot);
    }
  }
  workers[0].busy = NULL;
}

struct mixed_result mixed_run(unsigned threads, bool no_refusal) {
  pthread_t handles[THREADS_MAX];
  struct mixed_result result = {0};
  alone = threads == 1;
  size_t hard;
  hak_limit_get(NULL, &hard);
  limited = hard != 0;
  must_succeed = no_refusal && !limited;
  handed_count = 0;
  bool runs[THREADS_MAX] = {false};
  for (unsigned i = 0; i < threads; i++) {
    workers[i] = (struct worker){.state = 1000 + i};
    runs[i] = i > 0 && pthread_create(&handles[i], NULL, long_thread, &workers[i]) == 0;
  }
  work(&workers[0], STEPS);
  for (unsigned i = 0; i < threads; i++) {
    if (runs[i]) {
      pthread_join(handles[i], NULL);
      workers[i].busy = NULL;
    }
    result.refused += workers[i].refused;
    result.dearest_refusal = workers[i].dearest > result.dearest_refusal ? workers[i].dearest : result.dearest_refusal;
  }
  release_handed();
  return result;
}

/* Which of them may have had blocks besides: those are known by themselves only. */
static size_t release_of_lost_threads(void) {
  size_t unsure = 0;
  for (size_t i = 0; i < THREADS_MAX; i++) {
    unsure += workers[i].busy != NULL;
    release_all(&workers[i]);
  }
  for (size_t i = 0; i < SHORT_WORKERS; i++) {
    unsure += short_workers[i].busy != NULL;
    release_all(&short_workers[i]);
  }
  release_handed();
  return unsure;
}

/* ---- afterwards ---- */

size_t mixed_live_blocks(void) {
  size_t live = guarded_live_count();
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      struct heap_census census = heap_census(heap_of_link(link), size_class);
      live += census.capacity - census.free - census.remote - census.cached - census.depot;
    }
  }
  return live;
}

static size_t resident_bytes(void) {
  unsigned long total = 0;
  unsigned long resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%lu %lu", &total, &resident) != 2) {
    abort();
  }
  fclose(file);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory of the program's own, wherever addresses are free: where the library has just given some back, too. */
enum { STRANGERS = 1000, STRANGER_BYTES = 64 << 10 };

static unsigned char *strangers[STRANGERS];

static void map_strangers(void) {
  for (size_t i = 0; i < STRANGERS; i++) {
    strangers[i] = mmap(NULL, STRANGER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(strangers[i] != MAP_FAILED, i, (size_t)errno);
    *strangers[i] = 1;
  }
}

static void check_strangers(void) {
  for (size_t i = 0; i < STRANGERS; i++) {
    CHECK(*strangers[i] == 1, i, 0);
  }
}

void mixed_check_child(unsigned threads, size_t live) {
  map_strangers();
  if (options.guard_every != 0) {
    options.guard_every = 1; /* what samples have left serves again */
  }
  size_t unsure = release_of_lost_threads();
  mixed_run(threads, true);
  hak_collect();
  CHECK(pool_is_valid(), 0, 0);
  size_t now = mixed_live_blocks();
  size_t lost = unsure * (threads == 1 ? 1 : ON_THEIR_WAY); /* one alone is in a system call */
  CHECK(now <= live + lost, now, live + lost);
  check_strangers();
}

void mixed_check_nothing_lost(size_t live) {
  hak_collect();
  CHECK(pool_is_valid(), 0, 0);
  size_t now = mixed_live_blocks();
  CHECK(now <= live, now, live);
  CHECK(active_bytes() <= (size_t)ACTIVE_MAX << 20, active_bytes(), 0);
  CHECK(retained_bytes() == 0, retained_bytes(), 0);
  CHECK(counted_bytes() == tally_counted_bytes(), counted_bytes(), tally_counted_bytes());
  CHECK(resident_bytes() < (size_t)28 << 20, resident_bytes(), 0); /* a huge page may be resident for one unit of it */
}
