/* coalesce: adjacent free blocks of sparse slabs serve a larger class, before the heap takes fresh memory.
 *
 * A slab serves one class. When most of a program's blocks are freed and others of other sizes are wanted, each slab
 * that still has a live block would keep what is free of it from them. Here a run of its free blocks becomes one block
 * (warm/inside.h). Freed, it is cached by the class that it serves, and goes back to its slab as what it was made of.
 *
 * Owns:     in struct lane, how often runs were looked for in vain.
 * Promises: only in a heap of 4 MiB and more that would grow by memory which was never used, or was given back, while
 *           an eighth of what it uses lies idle in its slabs; from slabs of which three quarters are free, outside
 *           holes; and at most a sixteenth of such a block is unused, in a heap of 32 MiB a quarter. HOT is as it was:
 *           frees in a slab that has a coalesced block come to WARM. One is cached by the thread that owns it alone,
 *           and is aligned to 16 bytes, not as others of the class that it serves.
 * Callers:  warm/refill.c and warm/free_remote.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_COALESCE_H
#define HAKMEM_WARM_COALESCE_H

#include "warm/heap.h"
#include "warm/heap_hooks.h"

/* Of what a heap uses, so much must lie idle in its slabs: an eighth. */
enum { COALESCE_IDLE_SHARE = 8 };

/* Whether it is worth a try: in a small heap, or a dense one, it is not. */
static inline bool coalesce_may_serve(const struct thread_heap *heap) {
  enum { HEAP_LEAST = 4 * MIB };
  return HOOK_COALESCES && heap->bound_bytes >= HEAP_LEAST &&
         heap->bound_bytes - heap->used_bytes >= heap->used_bytes / COALESCE_IDLE_SHARE;
}

/* Takes up to `want` blocks for a class and stores them from `slot` downwards; returns how many. */
unsigned heap_coalesce(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* Frees a block of the thread's own, in a slab of this class that has coalesced blocks. */
void free_coalesced(void *block, size_t size_class);

#endif
