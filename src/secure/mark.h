/* mark: what the canary and the state of a live block of a slab say of it, and how to say something else.
 *
 * Owns:     nothing.
 * Promises: while a block is marked anew nobody who checks it sees it as live or as free.
 * Callers:  secure/asked.c and secure/families.c, on any thread, of a block that is the caller's.
 */
#ifndef HAKMEM_SECURE_MARK_H
#define HAKMEM_SECURE_MARK_H

#include "secure/canary.h"
#include "secure/state.h"

/* The state of a live block; it stops the program when the block is none. `what` is tried. */
struct block_state *mark_state(const void *block, size_t size_class, const char *what);

/* Which family's canary a live block has; false: none's. */
bool mark_family(const void *block, size_t size_class, enum family *family);

/* The block is of another size or family. What it leaves is zero. */
void mark_anew(void *block, size_t size_class, size_t size, enum family family);

#endif
