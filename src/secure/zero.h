/* zero: blocks of size 0, which are addresses without memory: any use of one is a fault.
 *
 * A range of ZERO_BLOCKS addresses, 16 bytes apart, that nobody may read or write. They are handed out in an order
 * that is random within groups of ZERO_GROUP, and none again before all others have had their turn: that is their
 * quarantine.
 *
 * Owns:     the range, and one state for each address.
 * Promises: an address is unique while it is live; a double free and an address between two blocks stop the program.
 *           When ZERO_TRIES addresses in a row are live, as when all of them are, or when there is no memory for the
 *           range, there is none: the caller hands out a block of the smallest class instead, of which no byte was
 *           asked for.
 * Callers:  src/secure. Any thread, no lock; a child of fork() finds each state as it was.
 */
#ifndef HAKMEM_SECURE_ZERO_H
#define HAKMEM_SECURE_ZERO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { ZERO_BLOCKS = 1 << 20, ZERO_GROUP = 4096, ZERO_TRIES = 256, ZERO_GRAIN = 16 };

#define ZERO_BYTES ((size_t)ZERO_BLOCKS * ZERO_GRAIN)

extern HIDDEN uintptr_t zero_base; /* such that nothing lies in the range before there is one */

static inline bool zero_holds(const void *block) { return (uintptr_t)block - zero_base < ZERO_BYTES; }

/* Once, before the first block. */
void zero_start(void);

/* NULL: there is none. */
void *zero_allocate(void);

/* A block that lies in the range. */
void zero_free(const void *block);

/* Stops the program unless the block is live; `what` is tried. */
void zero_check(const void *block, const char *what);

/* Of which family of functions a live block is. */
void zero_set_family(const void *block, unsigned family);
unsigned zero_family(const void *block);

#endif
