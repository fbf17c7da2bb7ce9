/* damage: which bytes of a block of a slab were written that nobody may write, and the line that says so.
 *
 * Owns:     nothing.
 * Promises: what is told of a live block's canary is the smallest change that explains it.
 * Callers:  src/secure, of a block that is found damaged. Any thread.
 */
#ifndef HAKMEM_SECURE_DAMAGE_H
#define HAKMEM_SECURE_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* Whether a block is as its state says: live and with a whole canary, or free and zero. What is on its way in or out
 * counts as whole; so does what changes its state meanwhile. */
bool damage_is_there(const void *block, size_t size_class);

/* The same, seen several times in a row: what another thread was about to change looks otherwise by then. */
bool damage_stays(const void *block, size_t size_class);

/* Stops the program: write past the end of the block, before the start of the next one, or after it was freed. */
_Noreturn RARE void damage_stop(const void *block, size_t size_class);

/* The eight bytes before a block are not whole. Stops the program if that is so of the block before it. */
NOINLINE void damage_before(const void *block, size_t size_class);

#endif
