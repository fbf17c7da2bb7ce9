#include "events/counting.h"

#include <unistd.h>

enum { TALLIES_AT_ONCE = 32 };

_Thread_local struct observe_thread observe_thread;
struct band_map band_map;

static struct tally shared;
static _Atomic(struct tally *) tallies;
static _Atomic size_t own_map_calls, own_mapped_bytes;
static int forked_from;

void observe_add_shared(enum observe_counter counter, size_t by) {
  atomic_fetch_add_explicit(&shared.value[counter], by, memory_order_relaxed);
}

/* Memory for counting: the figures of the operating system are told without it. */
static void *map_own(size_t bytes) {
  void *start = os_map(NULL, bytes);
  atomic_fetch_add_explicit(&own_map_calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&own_mapped_bytes, start == NULL ? 0 : bytes, memory_order_relaxed);
  return start;
}

/* ---- tallies ---- */

static bool tally_take(struct tally *tally) {
  return !atomic_load_explicit(&tally->taken, memory_order_relaxed) &&
         !atomic_exchange_explicit(&tally->taken, true, memory_order_acquire);
}

static void tally_list(struct tally *tally) {
  tally->next = atomic_load_explicit(&tallies, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&tallies, &tally->next, tally, memory_order_release,
                                                memory_order_relaxed)) {
  }
}

/* A tally of a thread that has ended, or a new one; NULL: no memory, the thread counts in the shared one. */
static struct tally *tally_for_thread(void) {
  for (struct tally *tally = atomic_load_explicit(&tallies, memory_order_acquire); tally != NULL; tally = tally->next) {
    if (tally_take(tally)) {
      return tally;
    }
  }
  struct tally *several = map_own(os_page_ceil(TALLIES_AT_ONCE * sizeof *several));
  if (several == NULL) {
    return NULL;
  }
  atomic_init(&several[0].taken, true);
  for (unsigned i = 0; i < TALLIES_AT_ONCE; i++) {
    tally_list(&several[i]);
  }
  return &several[0];
}

void observe_thread_started(void) { observe_thread.tally = tally_for_thread(); }

void observe_thread_ended(void) {
  struct tally *tally = observe_thread.tally;
  observe_thread.tally = NULL;
  if (tally != NULL) {
    atomic_store_explicit(&tally->taken, false, memory_order_release);
  }
}

void observe_forked(void) {
  forked_from = (int)getppid();
  for (struct tally *tally = atomic_load_explicit(&tallies, memory_order_relaxed); tally != NULL; tally = tally->next) {
    atomic_store_explicit(&tally->taken, tally == observe_thread.tally, memory_order_relaxed);
  }
}

/* ---- bands ---- */

/* The window's list of tables, at the first superslab. */
static bool map_list(uintptr_t window, size_t superslabs) {
  void *list = map_own(os_page_ceil(superslabs * sizeof *band_map.table));
  if (list == NULL) {
    return false;
  }
  band_map.window = window;
  band_map.superslabs = superslabs;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds all of it, or no table */
  band_map.table = list;
  return true;
}

bool observe_superslab(uintptr_t window, size_t superslabs, size_t index) {
  if (band_map.table == NULL && !map_list(window, superslabs)) {
    return false;
  }
  band_table *table = atomic_load_explicit(&band_map.table[index], memory_order_relaxed);
  if (table == NULL) { /* not the second try, after memory was short for something else */
    table = map_own(BAND_TABLE_BYTES);
    atomic_store_explicit(&band_map.table[index], table, memory_order_relaxed);
  }
  return table != NULL;
}

/* ---- reading ---- */

static void add_up(struct observe_sums *sums, const struct tally *tally) {
  for (unsigned i = 0; i < COUNTERS; i++) {
    sums->value[i] += atomic_load_explicit(&tally->value[i], memory_order_relaxed);
  }
}

struct observe_sums observe_sums(void) {
  struct observe_sums sums = {{0}};
  add_up(&sums, &shared);
  for (struct tally *tally = atomic_load_explicit(&tallies, memory_order_acquire); tally != NULL; tally = tally->next) {
    add_up(&sums, tally);
  }
  return sums;
}

static void live_in(band_table *table, uint64_t live[BAND_COUNT]) {
  for (size_t i = 0; i < BAND_TABLE_BYTES; i++) {
    uint8_t mark = atomic_load_explicit(&table[i], memory_order_relaxed);
    if (mark != 0) {
      live[mark - 1]++;
    }
  }
}

void observe_live(uint64_t live[BAND_COUNT]) {
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    live[band] = 0;
  }
  for (size_t i = 0; i < band_map.superslabs; i++) {
    band_table *table = atomic_load_explicit(&band_map.table[i], memory_order_relaxed);
    if (table != NULL) {
      live_in(table, live);
    }
  }
}

struct observe_own observe_own(void) {
  return (struct observe_own){
      .map_calls = atomic_load_explicit(&own_map_calls, memory_order_relaxed),
      .mapped_bytes = atomic_load_explicit(&own_mapped_bytes, memory_order_relaxed),
  };
}

int observe_forked_from(void) { return forked_from; }
