/* arena_size: how much memory the system is asked for at once.
 *
 * Owns:     nothing. The seam of the arena: swaps/ has another size, to measure against.
 * Promises: constants, multiples of a superslab.
 * Callers:  cold/arena.c.
 */
#ifndef HAKMEM_COLD_ARENA_SIZE_H
#define HAKMEM_COLD_ARENA_SIZE_H

/* An arena is as large as half of what has been asked for so far, within these bounds. */
enum { ARENA_MIN = 32 << 20, ARENA_MAX = 1 << 30 };

#endif
