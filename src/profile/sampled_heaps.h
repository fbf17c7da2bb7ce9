/* sampled_heaps: the slabs that sampled blocks lie in.
 *
 * They are those of a few heaps with reserved owner numbers (cold/registry.h), which are nobody's between two calls:
 * who needs a block claims one of them for the moment. So every rule of slabs holds for sampled blocks too: sizes,
 * bitmaps, double frees, what fork() leaves, what a reader from outside sees.
 *
 * Owns:     those heaps, one for each thread that samples at the same moment, at most SAMPLED_HEAPS.
 * Promises: waits for nobody; no block is ever cached. A block of each smaller class is kept from everybody.
 * Callers:  profile/sampler.c. Any thread, outside critical sections.
 */
#ifndef HAKMEM_PROFILE_SAMPLED_HEAPS_H
#define HAKMEM_PROFILE_SAMPLED_HEAPS_H

#include <stddef.h>

enum { SAMPLED_HEAPS = 8 };

/* A block of a class; NULL: no memory, or all heaps are in use. */
void *sampled_heaps_take(size_t size_class);

/* Gives back what is free of them. */
void sampled_heaps_collect(void);

#endif
