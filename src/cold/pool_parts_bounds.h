/* pool_parts_bounds: how many parts the shared pool begins with, and how many it may have.
 *
 * Owns:     nothing. The seam of the parts: swaps/ has other bounds, to measure against.
 * Promises: constants, 1 to POOL_PARTS.
 * Callers:  cold/pool_parts.c.
 */
#ifndef HAKMEM_COLD_POOL_PARTS_BOUNDS_H
#define HAKMEM_COLD_POOL_PARTS_BOUNDS_H

enum { PARTS_FIRST = 1, PARTS_MOST = 8 };

#endif
