/* light: threads that have no heap: one of many that has done little yet, and one that has ended.
 *
 * A light thread (warm/light_work.h) takes and frees blocks by way of its CPU's magazines (warm/cpu_cache.h), which it
 * shares with others like it. An empty one is refilled from a heap that nobody has, so that light threads also share
 * slabs; the older half of a full one is posted to the blocks' owners. Where there are no such magazines, and when its
 * CPU has none at the moment, each block comes from a heap that nobody has, and is posted.
 *
 * Owns:     what light threads and their CPUs' magazines exchange with heaps.
 * Promises: a CPU's magazine holds 2 KiB at first, twice as much each time that it was used up, and as much as a heap's
 *           at most; or two blocks. A brief thread that outgrows being light leaves none in its CPU's.
 * Callers:  WARM, on the thread itself.
 */
#ifndef HAKMEM_WARM_LIGHT_H
#define HAKMEM_WARM_LIGHT_H

#include "warm/cpu_cache.h"
#include "warm/heap.h"
#include "warm/slab.h"

/* The calling thread, which has not started, needs a block, or has posted some. True: it goes on without a heap. False:
 * it takes one, and calls registry_ended when it has none any more. */
bool light_stays(void);

/* A heap for one call of a thread that has none, changing; heap_give ends it. NULL: no memory, or the thread has one,
 * or it has not started and is not light. */
struct thread_heap *light_claim(void);

/* A block that the thread's CPU has; NULL: it has none, or the thread is not light, or no longer. */
void *light_pop(size_t size_class);

/* The same with the CPU's magazine refilled. NULL: the CPU can have none, or there is no memory. */
void *light_refill(size_t size_class);

/* Frees a block, which lies there. False: the thread has no CPU's magazines, or is no longer light. */
bool light_free(size_t size_class, void *block, struct place place);

#endif
