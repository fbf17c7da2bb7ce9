/* adopt: a heap that needs slabs takes them from an orphan, one by one.
 *
 * Owns:     nothing.
 * Promises: a slab changes its owner only while the token is held, and with all that has been posted to it.
 * Callers:  warm/bind.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_ADOPT_H
#define HAKMEM_WARM_ADOPT_H

#include "warm/heap.h"

/* One orphan that can be spared (warm/claim.h) is collected, which may empty slabs of any class, and its slabs of this
 * class are adopted until one has room. */
void adopt_from_orphan(struct thread_heap *heap, size_t size_class);

#endif
