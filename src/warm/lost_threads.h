/* lost_threads: in the child of fork(), the heaps of the threads that it does not have.
 *
 * Owns:     nothing; it works on all heaps and tokens.
 * Promises: every heap but the caller's has nobody, and is LOST or TORN, to be made whole by who claims it; the
 *           caller's is made whole should another have borrowed it (warm/lend.h); every slab can be published again;
 *           what lost threads were purging is free.
 * Callers:  warm/process.c, in the child while it has one thread, outside critical sections.
 */
#ifndef HAKMEM_WARM_LOST_THREADS_H
#define HAKMEM_WARM_LOST_THREADS_H

#include "warm/heap.h"

/* `mine`: the heap of the one thread that there is; NULL: it has none. */
void lost_threads_mend(struct thread_heap *mine);

/* The same for the caller's heap alone, before lost_threads_mend. */
void lost_threads_take_back(struct thread_heap *mine);

#endif
