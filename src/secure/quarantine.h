/* quarantine: the blocks that a heap has freed last, and the random order in which they and others are used again.
 *
 * A freed block takes the place of a random one of its class, and that one may be used again. So a block is never
 * handed out by the next call, and nobody knows by which; and at the cost of one load and one store.
 *
 * Owns:     per heap and class up to QUARANTINE_SLOTS blocks, half as many above 8 KiB and a quarter above 16 KiB; and
 *           the heap's random numbers, which are for placing, not for secrets. They lie behind struct thread_heap.
 * Promises: what is in it counts as live in the heap's census; it is given back when the thread ends, on collect, and
 *           in the child of fork().
 * Callers:  secure/checked_gate.c and secure/heap_hooks_secure.c, on the thread that has the heap.
 */
#ifndef HAKMEM_SECURE_QUARANTINE_H
#define HAKMEM_SECURE_QUARANTINE_H

#include "warm/warm.h"

enum { QUARANTINE_LOG2 = 3, QUARANTINE_SLOTS = 1 << QUARANTINE_LOG2 };

/* Of the class so many wait, as a power of two: of large blocks fewer, for each thread may have as many. */
static inline unsigned quarantine_log2(size_t size_class) {
  enum { ALL_UP_TO = 8 << 10, HALF_UP_TO = 16 << 10 };
  size_t stride = size_classes[size_class].stride;
  return stride <= ALL_UP_TO ? QUARANTINE_LOG2 : stride <= HALF_UP_TO ? QUARANTINE_LOG2 - 1 : QUARANTINE_LOG2 - 2;
}

struct quarantine {
  uint64_t random;
  void *slot[SIZE_CLASS_COUNT][QUARANTINE_SLOTS];
};

/* A heap's quarantine. */
static inline struct quarantine *quarantine_of(struct thread_heap *heap) {
  return (struct quarantine *)(void *)(heap + 1);
}

/* The next random number, good in its upper half. */
static inline uint32_t quarantine_random(struct quarantine *quarantine) {
  quarantine->random = quarantine->random * 0x5851F42D + 0x14057B7F;
  return (uint32_t)(quarantine->random >> 32);
}

/* Takes a block and returns the one whose place it got, of 1 << log2; NULL: that place was empty. */
static inline void *quarantine_exchange(struct quarantine *quarantine, size_t size_class, unsigned log2, void *block) {
  void **slot = &quarantine->slot[size_class][quarantine_random(quarantine) >> (32 - log2)];
  void *evicted = *slot;
  *slot = block;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds a block here or in its magazine, not in both */
  return evicted;
}

void quarantine_start(struct quarantine *quarantine);

/* Gives everything back to the slabs of `heap`, whose quarantine it is. */
void quarantine_drain(struct thread_heap *heap);

/* Brings the blocks of a refill into a random order. */
void quarantine_shuffle(struct thread_heap *heap, void **blocks, unsigned count);

#endif
