/* guard: the last unit of every superslab is out of bounds.
 *
 * Owns:     that unit: no access, never handed out, so nothing reaches from one superslab into the next. And the moments
 *           at which the states of blocks (secure/state.h) come to be.
 * Promises: a superslab that cannot be guarded is not used, nor is a slab without states.
 * Callers:  cold/superslab.c, under the shared pool's lock; warm/slab.c, for a slab of its own.
 */
#ifndef HAKMEM_SECURE_GUARD_H
#define HAKMEM_SECURE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct slab;

enum { GUARD_UNITS = 1 };

/* False when the system refuses; may be called again then. */
bool guard_superslab(char *start);

/* A slab is about to be bound to a class: what another class left in its memory goes. False: there is no memory. */
bool guard_slab(const struct slab *slab, size_t size_class);

#endif
