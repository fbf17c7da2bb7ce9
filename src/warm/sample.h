/* sample: which blocks of a program are guarded samples (cold/guarded.h), so that a misuse that happens often enough is
 * found in a program that runs as always.
 *
 * HAKMEM_GUARD_EVERY=N: a thread is given about one for each N of its slow paths, refills and spills; the distance is
 * random. With 1 every block is one as long as there are free slots, and threads have no magazines: for tests.
 *
 * A request that no class serves is a slow path too, and may be given a sample.
 *
 * Owns:     the count of rounds to the next sample (struct thread_heap).
 * Promises: no instruction on the path of a malloc or free, nor of a refill that is no end of a round (spot_check.h).
 *           Unless every block is one, samples hold a 128th of the memory in use at most. Not in the secure library,
 *           whose blocks are all checked.
 * Callers:  warm/refill.c, warm/route.c and warm/spot_check.c, on the thread itself.
 */
#ifndef HAKMEM_WARM_SAMPLE_H
#define HAKMEM_WARM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "os/os.h"
#include "warm/sample_rate.h"

struct thread_heap;

/* Slow paths of a round. */
enum { SAMPLE_ROUND = 64 };

/* A round ends: how many slow paths of the next one count as done. */
unsigned sample_next_round(struct thread_heap *heap);

/* A sample of `size` bytes, aligned as its class is if `exact`, else as malloc promises; NULL: none is due, or there is
 * none. `heap` may be NULL; `frame` is that of the function that malloc has called last. */
void *sample_take(struct thread_heap *heap, size_t size, size_t size_class, bool exact, const void *frame);

/* The same of what no class serves, for its size or its alignment. */
void *sample_take_large(struct thread_heap *heap, size_t size, size_t alignment, const void *frame);

/* A block that has come by a slow path, or NULL, is one of new or new[]: a sample of its kind, if it is one. */
void sample_set_family_of(void *block, enum family family);

static inline void *sample_typed(void *block, enum family family) {
  if (sample_may_be()) {
    sample_set_family_of(block, family);
  }
  return block;
}

#endif
