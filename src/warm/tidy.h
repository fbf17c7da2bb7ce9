/* tidy: a heap gives back all that its slabs in use do not need.
 *
 * Owns:     nothing; it says what is given back, and in which order.
 * Promises: what others have freed is collected; afterwards the heap has slabs in use in part, and nothing else but its
 *           magazines and what it gathers for other heaps.
 * Callers:  WARM, on the thread that has the heap, or has claimed or borrowed it; the heap is changing.
 */
#ifndef HAKMEM_WARM_TIDY_H
#define HAKMEM_WARM_TIDY_H

#include "warm/heap.h"

void heap_tidy(struct thread_heap *heap);

/* Free pages inside the slabs in use go back as well, as far as the heap's decline asks for it (warm/trim.h). */
void heap_tidy_and_trim(struct thread_heap *orphan);

#endif
