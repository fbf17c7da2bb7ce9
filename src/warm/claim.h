/* claim: a heap that nobody has becomes the caller's, and is made whole; and the other way round.
 *
 * Owns:     nothing; cold/registry.h has the states, warm/rebuild.h mends what is TORN.
 * Promises: a claimed heap is CHANGING, holds no block outside its slabs, and is the caller's alone until heap_leave
 *           (it keeps the heap) or heap_give.
 * Callers:  WARM. Any thread.
 */
#ifndef HAKMEM_WARM_CLAIM_H
#define HAKMEM_WARM_CLAIM_H

#include "warm/heap.h"

/* The heap that has had nobody for the longest time; NULL: there is none. Who asks for more asks each in turn. */
struct thread_heap *heap_claim_oldest(void);

/* The one that somebody had last: for a thread that is served by it, so that few heaps serve many such threads, and
 * few have slabs of a class. */
struct thread_heap *heap_claim_newest(void);

/* The oldest, unless it is the only one and its thread ended just now (cold/registry.h): for one who takes slabs from
 * it. A thread that starts meanwhile would find no heap, and make one more. */
struct thread_heap *heap_claim_spare(void);

/* This very heap; NULL: somebody has it. */
struct thread_heap *heap_claim_this(struct thread_heap *heap);

/* The end of the caller's use of a heap that is changing: it is an orphan. */
void heap_give(struct thread_heap *heap);

#endif
