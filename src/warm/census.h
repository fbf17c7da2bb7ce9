/* census: counts a heap's blocks by walking over them, and finds inconsistencies.
 *
 * Owns:     nothing.
 * Promises: stops the program when a list, bitmap or magazine is not as it must be. Slow. Not in the release library.
 * Callers:  WARM at the transitions of a heap, in debug builds; tests. The thread that has the heap.
 */
#ifndef HAKMEM_WARM_CENSUS_H
#define HAKMEM_WARM_CENSUS_H

#include "warm/heap.h"

/* Blocks of slabs of a class, for the invariant of warm/heap.h; live is what the program holds, blocks gathered for
 * other owners, or cached by others, included. A coalesced block (warm/inside.h) counts as one, whichever class caches
 * it. */
struct heap_census {
  size_t capacity, free, remote, cached, depot;
};

struct heap_census heap_census(struct thread_heap *heap, size_t size_class);

/* The census of every class: what is not free or cached is live, and is never negative. */
#if HAKMEM_VALIDATE
void heap_check(struct thread_heap *heap);
#else
static inline void heap_check(struct thread_heap *heap) { (void)heap; }
#endif

#endif
