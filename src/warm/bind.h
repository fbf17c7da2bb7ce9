/* bind: a heap that has used up a class's slabs gets another one.
 *
 * Owns:     the order in which more is looked for: what others have freed, pages of slabs that lie unused, an orphan's
 *           slabs, the warm pool, the shared pool.
 * Promises: only whole, empty units are bound.
 * Callers:  warm/take.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_BIND_H
#define HAKMEM_WARM_BIND_H

#include "warm/heap.h"

/* The class has a slab with recycled blocks, or one to carve; false: no memory. */
bool heap_bind(struct thread_heap *heap, size_t size_class);

#endif
