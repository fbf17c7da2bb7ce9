/* counters: the names under which events are counted.
 *
 * Owns:     the names of bands, paths and counters.
 * Promises: a malloc or free of a slab's block is one count, at the crossing of its path and its band: so the sums over
 *           paths and over bands agree at any moment, whoever counts meanwhile.
 * Callers:  events/, and report/stats_lines.c.
 */
#ifndef HAKMEM_EVENTS_COUNTERS_H
#define HAKMEM_EVENTS_COUNTERS_H

#include "base/base.h"

/* Requests by size: C0 up to 8 bytes, C1 up to 16, and so on to C7, up to 1024; beyond that, mid. */
enum { BAND_MID = 8, BAND_COUNT };

/* Where the block of a malloc came from. */
enum malloc_path {
  MALLOC_CACHE,     /* the thread's magazine, or its CPU's */
  MALLOC_DEPOT,     /* a full magazine of the depot */
  MALLOC_SLAB,      /* recycled blocks of a slab */
  MALLOC_FRESH,     /* blocks that were never handed out */
  MALLOC_BORROW,    /* the next larger class */
  MALLOC_COALESCED, /* adjacent blocks of a smaller class */
  MALLOC_GATHERED,  /* blocks of other threads that this one has freed */
  MALLOC_STOLEN,    /* what had come home to another thread */
  MALLOC_SLAB_PATHS,
  MALLOC_EMPTY = MALLOC_SLAB_PATHS, /* of no slab: a block of no bytes */
  MALLOC_GUARDED                    /* and a guarded sample */
};

/* Where the block of a free went. */
enum free_path {
  FREE_CACHE,  /* the thread's magazine, or its CPU's */
  FREE_DEPOT,  /* the magazine was full and went to the depot */
  FREE_SPILL,  /* the magazine was full and went to its slabs in part */
  FREE_REMOTE, /* the slab's remote bits, for its owner to collect */
  FREE_SLAB_PATHS
};

enum observe_counter {
  COUNT_MALLOC = 0,
  COUNT_FREE = COUNT_MALLOC + MALLOC_SLAB_PATHS * BAND_COUNT,

  COUNT_MALLOC_LARGE = COUNT_FREE + FREE_SLAB_PATHS * BAND_COUNT,
  COUNT_MALLOC_HUGE,
  COUNT_MALLOC_EMPTY,
  COUNT_MALLOC_GUARDED,
  COUNT_MALLOC_FAILED,
  COUNT_FREE_LARGE,
  COUNT_FREE_HUGE,
  COUNT_FREE_EMPTY,
  COUNT_FREE_GUARDED,
  COUNT_FREE_NULL,

  COUNT_REFILLS,
  COUNT_REFILL_BLOCKS,
  COUNT_SPILLS,
  COUNT_SPILL_BLOCKS,
  COUNT_DEPOT_PUSHES,
  COUNT_DEPOT_REFILLS,
  COUNT_DEPOT_TAKEN_APART,

  COUNT_WARM_POOL_HITS, /* of the first size class, then of the others; so the two below */
  COUNT_WARM_POOL_MISSES = COUNT_WARM_POOL_HITS + SIZE_CLASS_COUNT,
  COUNT_WARM_POOL_PREFILLED = COUNT_WARM_POOL_MISSES + SIZE_CLASS_COUNT,

  COUNT_TO_OPEN = COUNT_WARM_POOL_PREFILLED + SIZE_CLASS_COUNT, /* superslabs that changed their tier */
  COUNT_TO_DRAINING,
  COUNT_TO_FREE,

  COUNT_HUGE_TRIED, /* first touches of huge pages, and those that took long */
  COUNT_HUGE_LONG,

  COUNT_SLABS_BOUND,
  COUNT_SLABS_RECYCLED,
  COUNT_SLABS_RELEASED,
  COUNT_SLABS_ADOPTED,
  COUNT_SLABS_FULL,
  COUNT_BLOCKS_TAKEN,
  COUNT_BLOCKS_CARVED,
  COUNT_BLOCKS_COALESCED,
  COUNT_BLOCKS_PUT,
  COUNT_BLOCKS_COLLECTED,
  COUNT_REMOTE_WORDS,
  COUNT_REMOTE_BLOCKS,
  COUNT_HOME_MAGAZINES,
  COUNT_HOME_BLOCKS,
  COUNT_BLOCKS_KEPT,
  COUNT_REMOTE_PUBLICATIONS,
  COUNT_CPU_BLOCKS_POSTED,

  COUNT_SHARED_HOME, /* atomic read-modify-writes of memory that other threads write too */
  COUNT_SHARED_REMOTE,
  COUNT_SHARED_FIGURES,
  COUNT_SHARED_UNDER_LOCKS, /* figures as well, by a thread that holds a lock */

  COUNTERS
};

#endif
