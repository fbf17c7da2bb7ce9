/* heap_part: where a heap's quarantine lies.
 *
 * Owns:     nothing; the memory behind struct thread_heap is the quarantine's.
 * Promises: constant time, never NULL.
 * Callers:  src/secure.
 */
#ifndef HAKMEM_SECURE_HEAP_PART_H
#define HAKMEM_SECURE_HEAP_PART_H

#include "secure/quarantine.h"
#include "warm/heap.h"

static inline struct quarantine *quarantine_of(struct thread_heap *heap) {
  return (struct quarantine *)(void *)(heap + 1);
}

#endif
