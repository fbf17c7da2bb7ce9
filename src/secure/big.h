/* big: blocks above what a class serves: each at the end of a mapping of its own, between two pages out of bounds.
 *
 *   | guard | zero, canary | the size that was asked for | canary, zero | guard |
 *           ^ page         ^ 16 bytes                                   ^ page
 *
 * They are cold/huge.h's. A block ends less than 16 bytes before its guard, or less than its alignment if that is
 * more; where realloc resized one of BIG_MOVES_FROM bytes or more without a copy, or the alignment is above a page,
 * less than a page. All bytes between the two guards that are not the program's are checked. Freed blocks wait in a
 * quarantine: they are zeroed or their memory goes back to the system, their access is taken away, and they stay so
 * until they are used again (big_quarantine.h). A write after free is a fault there, and memory comes back as zero.
 *
 * Owns:     the notes of big blocks (cold/huge_note.h), and which of them are live.
 * Promises: NULL with ENOMEM when the system refuses memory or another mapping (vm.max_map_count: two a block).
 * Callers:  src/secure. Any thread; one lock inside (LOCK_BIG).
 */
#ifndef HAKMEM_SECURE_BIG_H
#define HAKMEM_SECURE_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "secure/canary.h"

enum { BIG_MOVES_FROM = 1 << 20 };

#define BIG_NONE SIZE_MAX

/* Zero in every byte. `alignment` is a power of two. */
void *big_allocate(size_t size, size_t alignment);

/* False: no big block starts here, nor did one that is in quarantine, which stops the program. */
bool big_free(void *block);

/* The size that was asked for; BIG_NONE: no live big block starts here. Stops the program when it is in quarantine;
 * `what` was tried. */
size_t big_usable_size(const void *block, const char *what);

/* Whether any block can have this size. */
bool big_is_possible(size_t size);

/* A live block is one of another size, where it is: if what is behind it stays the same, or by force, of a smaller
 * size. */
bool big_settle(void *block, size_t size, bool force);

/* Moves a live block if it must; NULL leaves it as it was. */
void *big_resize(void *block, size_t size);

/* Of a live block; FAMILY_MALLOC of none. */
void big_set_family(const void *block, enum family family);
enum family big_family(const void *block);

/* Checks all live blocks; how many. A damaged one stops the program. */
size_t big_check_all(void);

/* Ends the quarantine of all blocks in it. */
void big_release_all(void);

#endif
