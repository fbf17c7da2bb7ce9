/* counting: each thread's counters, and the band of each live block.
 *
 * A thread that has a heap counts in a tally of its own, by plain loads and stores. Tallies are on one list for ever:
 * when a thread ends, a later one counts on in its tally, so that the sums are exact whoever has ended. A thread
 * without a heap (not started, or ended) counts in one shared tally, by atomic additions.
 *
 * The band is that of the requested size, which free() is not told. So each superslab has a table of bytes, one per 8
 * bytes of it, apart from all user memory: malloc notes the block's band there, and free takes it away.
 *
 * Owns:     the tallies, the tables of bands.
 * Promises: nothing is freed; relaxed atomics, so that reading while others count is no race. The child of a fork
 *           counts on from its parent's sums, as its heap is its parent's.
 * Callers:  events/event.h, on any thread; WARM and COLD for the functions below that say so.
 */
#ifndef HAKMEM_EVENTS_COUNTING_H
#define HAKMEM_EVENTS_COUNTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/counters.h"
#include "os/os.h"

enum {
  OBSERVE_COUNTS = true,
  BAND_GRAIN_SHIFT = 3,  /* the least block */
  BAND_TABLE_SHIFT = 21, /* a superslab */
  BAND_TABLE_BYTES = 1 << (BAND_TABLE_SHIFT - BAND_GRAIN_SHIFT)
};

struct tally {
  _Alignas(128) _Atomic uint64_t value[COUNTERS];
  struct tally *next; /* fixed once on the list */
  atomic_bool taken;  /* a thread counts here */
};

struct observe_thread {
  struct tally *tally; /* NULL while the thread has no heap */
  uint8_t path;        /* enum malloc_path of the refill that is under way */
};

/* Bytes: 0, or a live block's band + 1 at the place of its first byte. */
typedef _Atomic uint8_t band_table;

struct band_map {
  uintptr_t window;             /* first address that has tables */
  size_t superslabs;            /* how many; 0 until there is a superslab */
  _Atomic(band_table *) *table; /* one per superslab, NULL where none was cut */
};

extern HIDDEN _Thread_local struct observe_thread observe_thread;
extern HIDDEN struct band_map band_map;

/* Adds on behalf of a thread that has no tally. */
void observe_add_shared(enum observe_counter counter, size_t by);

static inline void observe_add(enum observe_counter counter, size_t by) {
  struct tally *tally = observe_thread.tally;
  if (unlikely(tally == NULL)) {
    observe_add_shared(counter, by);
    return;
  }
  uint64_t before = atomic_load_explicit(&tally->value[counter], memory_order_relaxed);
  atomic_store_explicit(&tally->value[counter], before + by, memory_order_relaxed);
}

/* Whether the calling thread holds a lock of the library. */
static inline bool observe_under_lock(void) { return lock_held_ranks() != 0; }

/* Where the refill that is under way has its block from; the last call counts. */
static inline void observe_take_path(enum malloc_path path) { observe_thread.path = (uint8_t)path; }

static inline enum malloc_path observe_path_taken(void) { return (enum malloc_path)observe_thread.path; }

static inline size_t band_of(size_t size) {
  if (size <= 8) {
    return 0;
  }
  size_t band = 61U - (size_t)__builtin_clzll(size - 1);
  return band < BAND_MID ? band : BAND_MID;
}

/* The place of a slab block's mark. */
static inline band_table *band_mark(const void *block) {
  size_t offset = (uintptr_t)block - band_map.window;
  band_table *table = atomic_load_explicit(&band_map.table[offset >> BAND_TABLE_SHIFT], memory_order_relaxed);
  return &table[(offset & ((UINT32_C(1) << BAND_TABLE_SHIFT) - 1)) >> BAND_GRAIN_SHIFT];
}

/* A slab's block was handed out for a request of `size` bytes. */
static inline void observe_allocated(void *block, size_t size, enum malloc_path path) {
  size_t band = band_of(size);
  atomic_store_explicit(band_mark(block), (uint8_t)(band + 1), memory_order_relaxed);
  observe_add((enum observe_counter)(COUNT_MALLOC + path * BAND_COUNT + band), 1);
}

/* A slab's block was freed. One that is not live counts by its stride: the slab will stop the program. */
static inline void observe_released(void *block, size_t stride, enum free_path path) {
  band_table *mark = band_mark(block);
  size_t marked = atomic_load_explicit(mark, memory_order_relaxed);
  atomic_store_explicit(mark, 0, memory_order_relaxed);
  size_t band = likely(marked != 0) ? marked - 1 : band_of(stride);
  observe_add((enum observe_counter)(COUNT_FREE + path * BAND_COUNT + band), 1);
}

/* Makes the table of a superslab that is being cut: the one at `index` of a window of `superslabs`. False: no memory.
 * Called by COLD, under the lock of the shared pool's first part. */
bool observe_superslab(uintptr_t window, size_t superslabs, size_t index);

/* The thread has a heap; it has none any more. Called by warm/thread.c. */
void observe_thread_started(void);
void observe_thread_ended(void);

/* In the child of fork(): the tallies of the threads that are gone are free for others. Called by warm/process.c. */
void observe_forked(void);

/* ---- reading ---- */

struct observe_sums {
  uint64_t value[COUNTERS];
};

/* The sums over all threads, also those that have ended. */
struct observe_sums observe_sums(void);

/* Live blocks of slabs by band, counted in the tables: an account of its own, apart from all counters. */
void observe_live(uint64_t live[BAND_COUNT]);

/* What counting itself asked of the operating system. */
struct observe_own {
  size_t map_calls, mapped_bytes;
};
struct observe_own observe_own(void);

/* The process that this one was forked from since it began to count; 0: none. */
int observe_forked_from(void);

#endif
