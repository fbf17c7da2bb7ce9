/* pool_parts_bounds: how many parts the shared pool begins with, and of how many processors each may be one.
 *
 * Owns:     nothing. The seam of the parts: swaps/ has other bounds, to measure against.
 * Promises: constants; the first is 1 to POOL_PARTS.
 * Callers:  cold/pool_parts.c.
 */
#ifndef HAKMEM_COLD_POOL_PARTS_BOUNDS_H
#define HAKMEM_COLD_POOL_PARTS_BOUNDS_H

enum { PARTS_FIRST = 1, PROCESSORS_EACH = 2 };

#endif
