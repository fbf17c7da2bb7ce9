/* tier_bounds: from how many used units on a superslab changes its tier.
 *
 * Owns:     nothing. The seam of the tiers: swaps/ has other bounds, to measure against.
 * Promises: constants, in units of the 32 of a superslab.
 * Callers:  cold/superslab.c.
 */
#ifndef HAKMEM_COLD_TIER_BOUNDS_H
#define HAKMEM_COLD_TIER_BOUNDS_H

/* DRAINING at a quarter and below; OPEN again at a half. */
enum { TIER_DRAINING_AT = 16, TIER_OPEN_AGAIN_AT = 32 };

#endif
