/* spot_check: a program that runs for long finds what was freed twice, also where nothing empties its caches.
 *
 * After each 16,384 slow paths of a thread the cached blocks of one class go back to their slabs, where a double free
 * and an interior pointer stop the program; the classes that have some take turns.
 *
 * Owns:     the count of slow paths.
 * Promises: an instruction in 400 at the most, where a thread caches as much as it may.
 * Callers:  warm/refill.c at the beginning of a slow path, warm/spill.c at its end: on the thread that has the heap,
 *           which is not changing.
 */
#ifndef HAKMEM_WARM_SPOT_CHECK_H
#define HAKMEM_WARM_SPOT_CHECK_H

#include "warm/heap.h"
#include "warm/sample.h"

/* Some slow paths have ended: what has been retained for too long goes back, and once in a while a class is checked. */
void spot_check_round(struct thread_heap *heap);

/* A slow path begins or ends. True: with it a round does, and spot_check_round is to be called. */
static inline bool heap_tick(struct thread_heap *heap) { return unlikely(heap->ticks++ >= SAMPLE_ROUND); }

#endif
