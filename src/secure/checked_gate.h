/* checked_gate: the entry point of the secure library: hot/gate.h's path with a check at every step.
 *
 *   gate_malloc(size)                              gate_free(block)
 *     class of size + canary                         tag of the unit: mine, another's, big, of size 0, or nothing
 *     pop the class's magazine, else refill          is it the start of a block?        else stop
 *     is its state free?              else stop      is its state live?                 else stop
 *     is it zero as it was filled?    else stop      is its canary whole?               else stop
 *     state: changing                                are the bytes before it whole?     else stop
 *     write the canary                               state: changing; zero it
 *     state: live                                    state: free
 *                                                    into the quarantine; the block that leaves it: push
 *
 * Owns:     nothing; it is the path.
 * Promises: INVARIANT every byte of a free block that fill.h covers is zero. On the thread's own blocks no lock and
 *           no atomic read-modify-write; another thread's block is claimed by one.
 * Callers:  api/, through api/front.h, which says what each function promises. Any thread, started or not.
 */
#ifndef HAKMEM_SECURE_CHECKED_GATE_H
#define HAKMEM_SECURE_CHECKED_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "hot/hot.h"
#include "secure/canary.h"
#include "secure/fill.h"

enum { GATE_RESERVED_BYTES = CANARY_BYTES, GATE_SIZE_MAX = SIZE_CLASS_MAX - GATE_RESERVED_BYTES };

/* The class of a size; the smallest class has no room for a canary and stays unused. */
static inline size_t gate_class(size_t size) { return size_class_of(size + GATE_RESERVED_BYTES + (size == 0)); }

void *gate_malloc(size_t size);

/* `slow` is asked when there is no memory. */
static inline void *gate_malloc_or(size_t size, void *(*slow)(size_t size_class, size_t size)) {
  void *block = gate_malloc(size);
  return likely(block != NULL) ? block : slow(0, size);
}

static inline void *gate_uncached(size_t size_class, size_t size) {
  (void)size_class;
  return gate_malloc(size);
}

/* Of all that a block of the class can hold. */
void *gate_malloc_class(size_t size_class);
void *gate_malloc_placed(size_t size_class, size_t size, size_t alignment);
void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed);
void *gate_malloc_aligned(size_t size, size_t alignment);

/* What is filled as a whole, and a big block, is zero. */
static inline void *gate_calloc(size_t size) {
  void *block = gate_malloc(size);
  return likely(block != NULL) && size <= FILL_ENDS_UP_TO ? memset(block, 0, size) : block;
}

void gate_free(void *block);

static inline bool gate_is_exact(const void *block) {
  (void)block;
  return false;
}

static inline void gate_free_expected(void *block, enum family family) {
  (void)family;
  gate_free(block);
}

#endif
