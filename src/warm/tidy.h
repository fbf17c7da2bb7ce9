/* tidy: an orphan gives back all that its slabs in use do not need.
 *
 * Owns:     nothing; it says what is given back, and in which order.
 * Promises: what others have freed is collected; afterwards the heap has slabs in use in part, and nothing else.
 * Callers:  warm/post.c and warm/adopt.c, on a heap that they have claimed.
 */
#ifndef HAKMEM_WARM_TIDY_H
#define HAKMEM_WARM_TIDY_H

#include "warm/heap.h"

void heap_tidy(struct thread_heap *orphan);

#endif
