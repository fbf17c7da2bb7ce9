/* exit_check: finds misuse among the blocks that a thread has cached.
 *
 * Owns:     nothing.
 * Promises: a block that was freed twice, or that is none, stops the program. All go back to their slabs, which stay
 *           bound: no system call is made, but for those of
 *           heap_post_cpus. What runs later may go on allocating.
 * Callers:  warm/process.c, on the thread that has the heap, which is changing.
 */
#ifndef HAKMEM_WARM_EXIT_CHECK_H
#define HAKMEM_WARM_EXIT_CHECK_H

#include "warm/heap.h"

/* How many blocks were cached. */
size_t exit_check(struct thread_heap *heap);

#endif
