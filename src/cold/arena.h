/* arena: large ranges of the window, asked of the operating system and handed on as runs of superslabs.
 *
 * Owns:     what is left of the newest arena, and the place in the window up to which arenas have been placed.
 * Promises: few calls: an arena is at least 32 MiB and grows with what is in use; when memory or address space is
 *           short it falls back in steps to a single superslab, and asks for more again in steps only. Memory handed
 *           out is zero and not resident. What can be used of the newest arena is what has been cut from it, and an
 *           eighth of the heap ahead, or half of it where it comes in huge pages. Nothing here is half done at any
 *           moment, for a child of fork().
 * Callers:  cold/superslab.c, under the lock of the pool's first part; arena_tell: of any part; arena_start once, at
 *           process start.
 */
#ifndef HAKMEM_COLD_ARENA_H
#define HAKMEM_COLD_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the window with its first arena. False when not even a small one can be had; may be called again
 * then. */
bool arena_start(void);

/* The next range of SUPERSLAB_BYTES in the window, aligned to its size, which cannot be used yet; NULL when there is
 * none. */
void *arena_take(void);

/* So many bytes of the range that was taken last, from its start on, can be used. False: the system refuses. */
bool arena_open(char *start, size_t bytes);

/* The range that was taken last is served in huge pages or not. If so, what is ahead is too, and can be used: half of
 * what has been cut so far, 16 MiB at most. */
void arena_serve(char *start, bool huge);

/* Tells the system what the first arena and the window are for, and that the arena is not to be served in huge pages:
 * once more is used of the first superslab than cold/superslab.c has left open, where no huge page fits. Of later
 * arenas it is told at once. */
void arena_tell(void);

/* Takes back the range that arena_take returned last. */
void arena_untake(void *start);

/* Unmaps what no superslab has been cut from; returns its bytes. */
size_t arena_unmap_rest(void);

/* Arenas mapped so far. */
size_t arena_count(void);

#endif
