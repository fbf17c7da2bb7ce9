/* medium: blocks of 32 to 128 KiB from slabs, for a heap that has many of them (warm/medium_count.h).
 *
 * A slab's blocks come and go without a lock, but it has room for few, of one class: it pays where the heap has enough
 * of them to fill some. Where they are few, and for calloc, realloc and larger alignments, runs and ranges serve
 * (warm/route.c), which fit any length, and let a block grow where it lies.
 *
 * Owns:     nothing.
 * Promises: as malloc of smaller sizes: the thread's magazine first, then a refill (warm/refill.h).
 * Callers:  warm/route.c, on a thread that has a heap.
 */
#ifndef HAKMEM_WARM_MEDIUM_H
#define HAKMEM_WARM_MEDIUM_H

#include <stddef.h>

enum { MEDIUM_ALIGNMENT = 4096 }; /* of every block of theirs */

/* A block for a size of SIZE_CLASS_MAX to SIZE_CLASS_MEDIUM_MAX; NULL with ENOMEM: there is no memory. */
void *medium_allocate(size_t size);

#endif
