/* meta: memory for the allocator's own structures, apart from everything a program is given.
 *
 * Owns:     its own mappings; they are never returned, so a structure's address stays valid for the life of the
 *           process.
 * Promises: zeroed memory; NULL when the system has none, or the limit is reached. Freed pieces are reused for pieces
 *           of the same size.
 * Callers:  COLD and WARM. Any thread; one lock inside (LOCK_META, the last in the order).
 */
#ifndef HAKMEM_COLD_META_H
#define HAKMEM_COLD_META_H

#include <stdbool.h>
#include <stddef.h>

/* `alignment` is a power of two of at most 4096. */
void *meta_alloc(size_t bytes, size_t alignment);

/* Takes back a piece of at most 2 KiB for reuse; `bytes` as at meta_alloc. */
void meta_free(void *piece, size_t bytes);

/* What is mapped has no place for such a piece: the operating system has refused. */
bool meta_is_short(size_t bytes);

/* Hands over memory of any content, which is counted (cold/limit.h), to be cut into pieces when the operating system
 * has none; it is never given back. */
void meta_donate(void *start, size_t bytes);

/* Hands over zeroed memory that is not resident, as if it had been mapped here. */
void meta_add(void *start, size_t bytes);

/* Bytes taken from the operating system so far. */
size_t meta_bytes(void);

/* Bytes of its own mappings that cold/limit.h has been told of. */
size_t meta_counted_bytes(void);

#endif
