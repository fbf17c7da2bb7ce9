/* growth: what is given up before a heap takes memory that the process has not had: what its thread has cached, and
 * what was freed to threads that sleep.
 *
 * A cached block costs more than its own bytes: the slab that it lies in serves no other class and cannot go back, were
 * all its other blocks free.
 *
 * Owns:     in struct thread_heap, what lies idle in its slabs although the caches were emptied for it.
 * Promises: before a heap binds units that it does not keep, what was freed to threads that sleep is collected
 *           (warm/lend.h), and its depot is taken apart, or its caches are emptied, magazines too: if it has been given
 *           more than its share since they were emptied last, or if more lies idle than then, by an eighth of what it
 *           uses. Before a large or huge block that begins or grows raises the peak of the process, the caches of the
 *           thread that asks are emptied too, if what its depot holds and what lies idle is more than then, by an
 *           eighth of the block; and of the slabs that it has kept empty for 20 ms, as many bytes go to the shared
 *           pool. What a soft limit asks for (warm/relief.h) comes first.
 * Callers:  warm/bind.c, warm/route.c and, of heap_idle_bytes, warm/coalesce.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_GROWTH_H
#define HAKMEM_WARM_GROWTH_H

#include "warm/heap.h"

/* In its slabs: of memory that was used before, what is free. Empty slabs that it keeps serve any class already. */
size_t heap_idle_bytes(const struct thread_heap *heap);

/* The heap is about to bind units that it does not keep. It is changing. */
void growth_of_heap(struct thread_heap *heap);

/* A large block of so many bytes is about to be taken; or a huge one, which may have some of them and which units of
 * the shared pool do not serve: what the pool gets for it goes back to the system. The calling thread's heap, if it has
 * one, is not changing. */
void growth_by_large(size_t size);
void growth_by_huge(size_t had, size_t size);

#endif
