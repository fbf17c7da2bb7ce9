/* canary: eight secret bytes behind every block, from the first byte on that the program did not ask for.
 *
 *   | the size that was asked for | canary | slack, zero where fill.h says |
 *                                 ^ size   ^ size + 8                      ^ stride
 *
 * The size is part of the block's state. The last eight bytes of a block are those of the canary that lie there, and
 * zero: so what is written before the start of the next block shows, too.
 *
 * Owns:     the key.
 * Promises: the bytes differ for every block, family of functions and process, and the first of them is never zero,
 *           so that a string that is one byte too long shows.
 * Callers:  src/secure. Any thread; canary_start once, before the first block.
 */
#ifndef HAKMEM_SECURE_CANARY_H
#define HAKMEM_SECURE_CANARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { CANARY_BYTES = 8 };

typedef uint64_t __attribute__((may_alias, aligned(1))) canary;

/* The factor is odd. */
extern HIDDEN struct canary_key { uint64_t mask, factor; } canary_key;

void canary_start(void);

static inline canary *canary_at(const void *block, size_t offset) {
  return (canary *)(void *)((uintptr_t)block + offset); // NOLINT(performance-no-int-to-ptr)
}

/* Odd: its first byte is. */
static inline uint64_t canary_of(const void *block, enum family family) {
  return (((uintptr_t)block ^ canary_key.mask) + 2 * (uint64_t)family) * canary_key.factor;
}

/* The last eight bytes of a block that ends with a canary and so much slack. */
static inline uint64_t canary_end(uint64_t value, size_t slack) {
  int bytes = CANARY_BYTES - (int)slack;
  bytes = CANARY_BYTES -
          (bytes & ~(bytes >> 31));       /* of the canary that lie before them: no branch, nobody could foretell it */
  return value >> 4 * bytes >> 4 * bytes; /* twice: a shift by 64 is not defined */
}

#endif
