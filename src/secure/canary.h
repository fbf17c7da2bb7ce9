/* canary: eight secret bytes at the end of every block, written when it is handed out and looked at when it is freed.
 *
 * Owns:     the key.
 * Promises: the bytes differ for every block and process, and the first of them is never zero, so that a string that is
 *           one byte too long shows. What is usable of a block ends where they begin; what a program writes between
 *           the size that it asked for and there is not found.
 * Callers:  secure/checked_gate.c and secure/big.c. Any thread; canary_start once, before the first block.
 */
#ifndef HAKMEM_SECURE_CANARY_H
#define HAKMEM_SECURE_CANARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { CANARY_BYTES = 8 };

typedef uint64_t __attribute__((may_alias)) canary;

extern HIDDEN struct canary_key { uint64_t mask, factor; } canary_key;

void canary_start(void);

/* Where the canary of a block of `bytes` lies. */
static inline canary *canary_at(void *block, size_t bytes) {
  return (canary *)(void *)((char *)block + bytes - CANARY_BYTES);
}

static inline canary canary_of(const void *block) { return ((uintptr_t)block ^ canary_key.mask) * canary_key.factor; }

static inline void canary_set(void *block, size_t bytes) { *canary_at(block, bytes) = canary_of(block); }

static inline bool canary_holds(void *block, size_t bytes) { return *canary_at(block, bytes) == canary_of(block); }

#endif
