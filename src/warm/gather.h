/* gather: begins a magazine of other threads' blocks, and sends the one home that is in its place.
 *
 * Owns:     nothing; warm/home.h has the magazines. The seam of gathering: swaps/ has another one, which posts each
 *           block.
 * Promises: the block is in a magazine, or posted. One that lies on top of its magazine already, or was posted and not
 *           collected yet, was freed twice, and stops the program.
 * Callers:  warm/free_remote.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_GATHER_H
#define HAKMEM_WARM_GATHER_H

#include "warm/heap.h"

/* A block whose entry gathers for others, or is full, or has it on top already. */
void gather(struct thread_heap *heap, struct home_entry *entry, void *block, unit_tag tag);

#endif
