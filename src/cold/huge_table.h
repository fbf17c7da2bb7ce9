/* huge_table: the live huge blocks, found by their first address.
 *
 * A block that was freed may stay there as cached: a thread's cache has it (cold/huge_cache.h). It is not live then.
 * Open addressing. A block that leaves is marked as gone by one store, so that every moment shows whole entries; a
 * marked entry is used again, and is cleared where a search ends anyway.
 *
 * Owns:     the table, which grows as needed, and the sums over it.
 * Promises: what has been reserved can be entered without memory.
 * Callers:  cold/huge.c, under its lock (LOCK_HUGE).
 */
#ifndef HAKMEM_COLD_HUGE_TABLE_H
#define HAKMEM_COLD_HUGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#if HAKMEM_SECURE
/* Where in the mapping the program's bytes begin, how many it asked for, and of which family of functions. `block` is
 * NULL while no thread has it whole, and `freed` is where they began once it was freed. */
struct huge_note {
  char *block, *freed;
  size_t size;
  unsigned family;
};
#endif

/* A bit of `bytes`: the block is cached. */
enum { HUGE_CACHED = 1 };

struct huge_entry {
  char *start; /* NULL: never used since the table is this one */
  size_t bytes;
#if HAKMEM_SECURE
  struct huge_note note;
#endif
};

/* Where the program's bytes begin; NULL: nowhere yet. */
static inline char *huge_entry_block(const struct huge_entry *entry) {
#if HAKMEM_SECURE
  return entry->note.block;
#else
  return entry->start;
#endif
}

struct huge_table {
  size_t size; /* entries, a power of two */
  struct huge_entry *entry;
};

/* Room for one more block; false when there is no memory. huge_table_enter or huge_table_unreserve follows. */
bool huge_table_reserve(void);
void huge_table_unreserve(void);

/* Enters a block for which there is room. */
void huge_table_enter(char *start, size_t bytes);

/* The entry of the live block that starts here; NULL: none does. */
struct huge_entry *huge_table_find(const void *start);

/* Takes a block out. Its room stays reserved. */
void huge_table_remove(struct huge_entry *entry);

/* A live block is cached from now on; and is live again, its entry is returned. */
void huge_table_cache(struct huge_entry *entry);
struct huge_entry *huge_table_uncache(const char *start);

/* The block has so many bytes from now on. */
void huge_table_resize(struct huge_entry *entry, size_t bytes);

/* The live block that holds an address; NULL: none does. Whether a cached one does. Slow. */
const void *huge_table_around(const void *address);
bool huge_table_caches(const void *address);

/* Live blocks, for who has no lock as a figure; and their bytes. */
size_t huge_table_count(void);
size_t huge_table_bytes(void);
size_t huge_table_cached_bytes(void);

/* Bytes of its own mapping, and of earlier ones that the system has refused to take back. */
size_t huge_table_own_bytes(void);

/* Calls `visit` for the live block that starts at `start`, or for each if that is NULL. */
void huge_table_visit(const void *start, void (*visit)(struct huge_entry *entry, void *context), void *context);

/* Counts anew what a lost thread may have left uncounted. */
void huge_table_mend(void);

#endif
