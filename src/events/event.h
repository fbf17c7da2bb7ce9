/* event: the one place where the code tells that something has happened.
 *
 * Each function is named by its event. In the observe library it adds to the calling thread's counters
 * (events/counting.h); in every other library it is empty (events/silent.h), so that the code around it is
 * compiled as if it were not there: tests/observe compares the instructions.
 *
 * Owns:     nothing.
 * Promises: no lock, no atomic read-modify-write on a thread that has a heap, no memory that a program was given.
 * Callers:  every box, on any thread, at any time.
 */
#ifndef HAKMEM_EVENTS_EVENT_H
#define HAKMEM_EVENTS_EVENT_H

#include "events/counters.h"

#if HAKMEM_OBSERVE
#include "events/counting.h"
#else
#include "events/silent.h"
#endif

/* ---- malloc: one event a call ---- */

/* The cache had a block for a request of `size`. */
static inline void observe_malloc_hit(void *block, size_t size) { observe_allocated(block, size, MALLOC_CACHE); }

static inline void observe_cache_asked(void) { observe_take_path(MALLOC_CACHE); }

/* A request of `size` got a block, or none (NULL): earlier events told on which path. */
static inline void observe_malloc_served(void *block, size_t size) {
  if (block != NULL && observe_path_taken() == MALLOC_EMPTY) {
    observe_add(COUNT_MALLOC_EMPTY, 1);
  } else if (block != NULL && observe_path_taken() == MALLOC_GUARDED) {
    observe_add(COUNT_MALLOC_GUARDED, 1);
  } else if (block != NULL) {
    observe_allocated(block, size, observe_path_taken());
  } else {
    observe_add(COUNT_MALLOC_FAILED, 1);
  }
}

static inline void observe_malloc_large(const void *block) { observe_add(COUNT_MALLOC_LARGE, block != NULL); }
static inline void observe_malloc_huge(const void *block) { observe_add(COUNT_MALLOC_HUGE, block != NULL); }
static inline void observe_malloc_guarded(const void *block) { observe_add(COUNT_MALLOC_GUARDED, block != NULL); }
static inline void observe_malloc_failed(bool failed) { observe_add(COUNT_MALLOC_FAILED, failed); }

/* ---- free: one event a call, before anyone else can have the block ---- */

static inline void observe_free(void *block, size_t stride, enum free_path path) {
  observe_released(block, stride, path);
}

static inline void observe_free_large(void) { observe_add(COUNT_FREE_LARGE, 1); }
static inline void observe_free_huge(void) { observe_add(COUNT_FREE_HUGE, 1); }
static inline void observe_free_empty(void) { observe_add(COUNT_FREE_EMPTY, 1); }
static inline void observe_free_guarded(void) { observe_add(COUNT_FREE_GUARDED, 1); }
static inline void observe_free_null(void) { observe_add(COUNT_FREE_NULL, 1); }

/* ---- cache, depot, warm pool ---- */

static inline void observe_refill(size_t blocks) {
  observe_add(COUNT_REFILLS, blocks != 0);
  observe_add(COUNT_REFILL_BLOCKS, blocks);
}

static inline void observe_spill(size_t blocks) {
  observe_add(COUNT_SPILLS, 1);
  observe_add(COUNT_SPILL_BLOCKS, blocks);
}

static inline void observe_borrow(void) { observe_take_path(MALLOC_BORROW); }

static inline void observe_depot_push(void) { observe_add(COUNT_DEPOT_PUSHES, 1); }

static inline void observe_depot_refill(void) {
  observe_take_path(MALLOC_DEPOT);
  observe_add(COUNT_DEPOT_REFILLS, 1);
}

static inline void observe_depot_taken_apart(void) { observe_add(COUNT_DEPOT_TAKEN_APART, 1); }

/* A unit was wanted for a slab of a class, when the pool had `before`; `left` are ahead of need. */
static inline void observe_warm_pool(size_t size_class, size_t before, size_t left) {
  observe_add((enum observe_counter)((before > 0 ? COUNT_WARM_POOL_HITS : COUNT_WARM_POOL_MISSES) + size_class), 1);
  observe_add((enum observe_counter)(COUNT_WARM_POOL_PREFILLED + size_class), before > 0 ? 0 : left);
}

/* A superslab's tier, of the order of COUNT_TO_OPEN, was `before` and is `now`. */
static inline void observe_tier(unsigned before, unsigned now) {
  observe_add((enum observe_counter)(COUNT_TO_OPEN + now), before != now);
}

/* A huge page was touched for the first time. */
static inline void observe_huge_tried(bool is_long) {
  observe_add(COUNT_HUGE_TRIED, 1);
  observe_add(COUNT_HUGE_LONG, is_long);
}

/* ---- slabs ---- */

static inline void observe_slab_bound(bool recycled) {
  observe_add(COUNT_SLABS_BOUND, 1);
  observe_add(COUNT_SLABS_RECYCLED, recycled);
}

static inline void observe_slab_released(void) { observe_add(COUNT_SLABS_RELEASED, 1); }
static inline void observe_slab_adopted(void) { observe_add(COUNT_SLABS_ADOPTED, 1); }
static inline void observe_slab_full(void) { observe_add(COUNT_SLABS_FULL, 1); }

static inline void observe_blocks_taken(size_t blocks) {
  observe_take_path(MALLOC_SLAB);
  observe_add(COUNT_BLOCKS_TAKEN, blocks);
}

static inline void observe_blocks_carved(size_t blocks) {
  observe_take_path(MALLOC_FRESH);
  observe_add(COUNT_BLOCKS_CARVED, blocks);
}

/* Blocks of the class that they serve. */
static inline void observe_blocks_coalesced(size_t blocks) {
  observe_take_path(MALLOC_COALESCED);
  observe_add(COUNT_BLOCKS_COALESCED, blocks);
}

static inline void observe_blocks_put(size_t blocks) { observe_add(COUNT_BLOCKS_PUT, blocks); }
static inline void observe_blocks_collected(size_t blocks) { observe_add(COUNT_BLOCKS_COLLECTED, blocks); }

/* ---- other threads' blocks ---- */

/* A word of the remote bitmap was posted. */
static inline void observe_remote_post(uint64_t bits) {
  observe_add(COUNT_REMOTE_WORDS, 1);
  observe_add(COUNT_REMOTE_BLOCKS, (size_t)__builtin_popcountll(bits));
}

/* Blocks that a CPU's magazines had, or did not take, are posted. */
static inline void observe_cpu_posted(size_t blocks) { observe_add(COUNT_CPU_BLOCKS_POSTED, blocks); }

/* A full magazine went to the owner of its blocks. */
static inline void observe_home_magazine(size_t blocks) {
  observe_add(COUNT_HOME_MAGAZINES, 1);
  observe_add(COUNT_HOME_BLOCKS, blocks);
}

/* One that is gathered is used by the thread that gathers it. */
static inline void observe_gathered_used(size_t blocks) {
  observe_take_path(MALLOC_GATHERED);
  observe_add(COUNT_HOME_BLOCKS, blocks);
}

/* A block that would be gathered is in the thread's own cache instead. */
static inline void observe_gathered_kept(void) {
  observe_add(COUNT_BLOCKS_KEPT, 1);
  observe_add(COUNT_HOME_BLOCKS, 1);
}

/* A block of one, whose slab belongs to another heap, goes there as a bit. */
static inline void observe_home_block_sent_on(uint64_t bit) {
  observe_add(COUNT_HOME_BLOCKS, (size_t)-1);
  observe_add(COUNT_BLOCKS_PUT, (size_t)-1);
  observe_remote_post(bit);
}

/* An atomic read-modify-write of memory that other threads write too, tried once: of a stack of magazines that come
 * home; of a slab's remote bits, its token, or a queue of slabs; of a figure that there is once for all threads. A
 * thread that holds a lock counts the last apart: that time is the lock's. */
static inline void observe_shared_home(void) { observe_add(COUNT_SHARED_HOME, 1); }
static inline void observe_shared_remote(void) { observe_add(COUNT_SHARED_REMOTE, 1); }
static inline void observe_shared_figure(void) {
  observe_add(observe_under_lock() ? COUNT_SHARED_UNDER_LOCKS : COUNT_SHARED_FIGURES, 1);
}

static inline void observe_remote_publication(void) { observe_add(COUNT_REMOTE_PUBLICATIONS, 1); }

#endif
