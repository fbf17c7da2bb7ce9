/* harden: where WARM lets the secure library take part; in the others, nothing.
 *
 * Owns:     the choice between the two.
 * Promises: in the release library every name here is empty.
 * Callers:  WARM.
 */
#ifndef HAKMEM_WARM_HARDEN_H
#define HAKMEM_WARM_HARDEN_H

#if HAKMEM_SECURE

#include "secure/harden.h"

#else

struct thread_heap;

enum { HEAP_EXTRA_BYTES = 0 };

static inline void harden_process(void) {}
static inline void harden_heap(struct thread_heap *heap) { (void)heap; }
static inline void harden_refilled(struct thread_heap *heap, void **blocks, unsigned count) {
  (void)heap;
  (void)blocks;
  (void)count;
}
static inline void harden_drain(struct thread_heap *heap) { (void)heap; }
static inline void harden_collect(void) {}
static inline void harden_fork_lock(void) {}
static inline void harden_fork_unlock(void) {}

#endif

#endif
