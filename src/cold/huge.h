/* huge: blocks of whole pages, in ranges that were retained or in mappings of their own.
 *
 * Owns:     the choice between a range that is retained, several, huge pages that are shared, and a mapping.
 * Promises: page granular; what is freed is retained as long as cold/residency.h says; fresh mappings are known to be zero.
 *           Where the program has used whole what it had last, fresh memory may come in huge pages (HAKMEM_THP).
 * Callers:  WARM. Any thread; one lock inside (cold/huge_lock.h), not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_H
#define HAKMEM_COLD_HUGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "cold/huge_cache.h"

/* `size` is at most PTRDIFF_MAX, `alignment` a power of two. NULL when there is no memory. */
void *huge_allocate(size_t size, size_t alignment, bool *zeroed);

/* The same of what is retained; NULL when no range does. Its bytes are not known to be zero. */
void *huge_allocate_retained(size_t size, size_t alignment);

/* The same for a block of `had` usable bytes that grows, and is to be copied: where a range begins that is longer than
 * it by a quarter, so that it grows on in place. That costs less than having fresh memory cleared. NULL, too, where
 * blocks are used sparsely: the copy would make all of it resident. */
void *huge_allocate_roomy(size_t had, size_t size);

/* False when no live huge block starts at `block`. */
bool huge_free(void *block);

/* The same of what the calling thread's cache has, and for it: short blocks are cached, as long as all of them are
 * `most` bytes at most. At a page's start; NULL when none fits. */
void *huge_allocate_cached(struct huge_cache *cache, size_t size);
bool huge_free_cached(struct huge_cache *cache, void *block, size_t most);

/* What is cached is freed. */
void huge_flush(struct huge_cache *cache);

/* Usable bytes; 0 when no live huge block starts at `block`. */
size_t huge_usable_size(const void *block);

/* The huge block that holds an address beyond its start; NULL when there is none. Slow: for messages. */
const void *huge_around(const void *address);

/* A block that was freed lay here, or around: it is cached, or what it had is retained. For messages. */
bool huge_was_freed(const void *address);

/* Calls `visit` under the lock, for the live huge block that starts at `start`, or for each if that is NULL. */
struct huge_entry;
void huge_visit(const void *start, void (*visit)(struct huge_entry *entry, void *context), void *context);

/* Huge blocks allocated in total; bytes of the live ones. */
size_t huge_count(void);
size_t huge_live_count(void);
size_t huge_live_bytes(void);

/* Bytes of blocks, live and cached, of what is retained, and of the table: as cold/limit.h was told of them. */
size_t huge_counted_bytes(void);

/* In the child of fork(): counted anew, as a lost thread may have had a mapping that is in no table. */
void huge_recount(void);

#endif
