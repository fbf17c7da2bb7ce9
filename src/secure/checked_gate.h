/* checked_gate: the entry point of the secure library: hot/gate.h's path with a check at every step.
 *
 *   gate_malloc(size)                              gate_free(block)
 *     class of size + canary                         tag of the unit: mine, another's, big, or nothing
 *     pop the class's magazine, else refill          is it the start of a block?        else stop
 *     is its state free?              else stop      is its state live?                 else stop
 *     is every byte zero?             else stop      is the canary whole?               else stop
 *     state: live; write the canary                  state: free; zero every byte
 *                                                    into the quarantine; the block that leaves it: push
 *
 * Owns:     nothing; it is the path.
 * Promises: INVARIANT every byte of a block that is not live is zero. On the thread's own blocks no lock and no atomic
 *           read-modify-write; another thread's block is claimed by one.
 * Callers:  api/, through api/front.h, which says what each function promises. Any thread, started or not.
 */
#ifndef HAKMEM_SECURE_CHECKED_GATE_H
#define HAKMEM_SECURE_CHECKED_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "hot/hot.h"
#include "secure/canary.h"

enum { GATE_RESERVED_BYTES = CANARY_BYTES };

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

void *gate_malloc_class(size_t size_class);
void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed);

static inline void *gate_calloc(size_t size) {
  void *block = gate_malloc(size);
  return likely(block != NULL) ? memset(block, 0, size) : NULL;
}

void gate_free(void *block);

/* Nothing is loose here: realloc keeps no block of another class than a new one would be of, or a sized free of it
 * could not be told from a wrong one. A wrong size stops the program at once. */
bool gate_free_sized(void *block, size_t size, bool loose);
bool gate_free_aligned_sized(void *block, size_t alignment, size_t size);

size_t gate_usable_size(const void *block, const char *what);
size_t gate_good_size(size_t size);
bool gate_serves(const void *block, size_t usable, size_t size);
void *gate_resize(void *block, size_t size);

#endif
