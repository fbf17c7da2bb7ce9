/* cached: the free blocks that lie in magazines, found by walking over them.
 *
 * A block in a magazine is free, and its slab counts it as handed out: what the program holds is known by the bitmaps
 * less the magazines (threads' caches and CPUs', depots, blocks gathered for other heaps, magazines that came home, and those of
 * threads that fork() left behind), and in the secure library less the quarantines.
 *
 * Owns:     nothing.
 * Promises: no counter, and nothing that the owners of the magazines do for it, but that a thread's end takes a lock. A
 *           heap that changes while it is walked over is said to.
 * Callers:  warm/visit.c, report/. Any thread, also at the end of a critical section in a signal handler.
 */
#ifndef HAKMEM_WARM_CACHED_H
#define HAKMEM_WARM_CACHED_H

#include "warm/heap.h"

/* Called for a block of a slab, by its class. */
typedef void cached_visit(void *block, size_t size_class, void *context);

/* Calls `visit` for each block in a magazine of this heap. False: the heap changed meanwhile, and some may have been
 * missed, or found twice. What its thread takes and gives in its cache is no such change. */
bool each_cached_block(struct thread_heap *heap, cached_visit *visit, void *context);

/* The same for the magazines that CPUs have, of blocks of any heap. */
void each_block_cached_by_cpus(cached_visit *visit, void *context);

/* Adds up blocks by class, of all heaps and CPUs. A heap that changes is walked over again, some times; how many changed each
 * time. */
size_t cached_counts(size_t blocks[SIZE_CLASS_COUNT]);

enum { CACHED_TRIES = 16 };

#endif
