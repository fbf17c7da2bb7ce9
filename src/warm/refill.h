/* refill: a block for a malloc whose magazine is empty, and blocks for those that follow.
 *
 * Owns:     the order in which blocks are looked for: a full magazine of the depot, recycled blocks of slabs, a block
 *           of the next larger class, fresh memory.
 * Promises: works on a thread that has not started (it starts it) on a light one (its CPU's magazines
 *           serve it) and on one that has ended (it takes a heap for the call); a failure is NULL with ENOMEM; a
 *           success leaves errno alone.
 * Callers:  HOT and the gates. Any thread.
 */
#ifndef HAKMEM_WARM_REFILL_H
#define HAKMEM_WARM_REFILL_H

#include <stddef.h>

/* A block of this class or of the next larger one; or one of `size` bytes that is a guarded sample (warm/sample.h). */
void *refill(size_t size, size_t size_class);

/* As refill, with `size` bytes of the block zero: those of memory that was never used are not touched. */
void *refill_zero(size_t size, size_t size_class);

/* A block of this very class, or a sample that is aligned as its blocks are: for callers that need that. */
void *refill_exact(size_t size, size_t size_class);

/* The same in the place of a coalesced block (warm/coalesce.h), which the class's magazine had: these are not aligned
 * as others of the class are, and go back to their slabs. Not of the secure library. */
void *refill_placed(void *coalesced, size_t size, size_t size_class);

/* A block of this very class and this heap, which the caller has claimed and will give back (warm/claim.h). NULL: no
 * memory. */
struct thread_heap;
void *refill_from(struct thread_heap *heap, size_t size_class);

#endif
