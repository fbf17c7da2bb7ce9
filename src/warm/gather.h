/* gather: begins a magazine of other threads' blocks, and sends the one home that is in its place, or uses it here.
 *
 * Owns:     nothing; warm/home.h has the magazines. The seam of gathering: swaps/ has another one, which posts each
 *           block.
 * Promises: the block is in a magazine, or posted. One that lies on top of its magazine already, or was posted and not
 *           collected yet, was freed twice, and stops the program. Where another owner's or class's magazine is in the
 *           place, the thread's own cache takes the block while there is room: what is gathered for many would else be
 *           posted block by block. What is gathered serves before fresh memory does, and so does what has come home to
 *           other threads: these may sleep, and where threads free each other's blocks all would grow by what waits for
 *           them.
 * Callers:  warm/free_remote.c and warm/refill.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_GATHER_H
#define HAKMEM_WARM_GATHER_H

#include "warm/heap.h"

/* A block whose entry gathers for others, or is full, or has it on top already. The heap is not changing. */
void gather(struct thread_heap *heap, struct home_entry *entry, void *block, unit_tag tag);

/* Of a small heap little is on its way. */
static inline bool gather_may_serve(const struct thread_heap *heap) {
  enum { HEAP_LEAST = MIB };
  return heap->bound_bytes >= HEAP_LEAST;
}

/* The top of a magazine of this class that was being gathered, or had come home to another heap, which is the caller's
 * then; NULL: there is none, or its blocks are small, and would be freed to their one owner again and again for the
 * sake of little memory. */
void **gather_take(struct thread_heap *heap, size_t size_class);

#endif
