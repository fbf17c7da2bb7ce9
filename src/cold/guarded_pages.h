/* guarded_pages: the memory of guarded samples: where a block lies in it, access to its pages, the bytes beside it.
 *
 * A block ends where its pages do, or less than its alignment before; one in four, chosen at random, begins where they
 * do. A block of whole pages does both. The bytes of its pages that are not the block's are filled.
 *
 * Owns:     the count of bytes that may be resident, the records included (cold/limit.h); the random numbers.
 * Promises: where the system or the limit refuses, nothing has changed. A freed block has no access and no memory, or
 *           its record is not used before it has none.
 * Callers:  cold/guarded.c, under its lock.
 */
#ifndef HAKMEM_COLD_GUARDED_PAGES_H
#define HAKMEM_COLD_GUARDED_PAGES_H

#include "cold/guarded_lines.h"
#include "cold/guarded_table.h"

/* Makes the reservation and the table; false where the system or the limit refuses. */
bool guarded_reserve(uint32_t small, uint32_t large);

/* Puts a block into the record's slot, or into a range of its own, and opens its pages, which are zero. */
bool guarded_open(uint32_t index, size_t size, size_t alignment);

/* Takes access to a block's pages away and gives their memory back. */
bool guarded_close(struct guarded_record *record);

/* Gives the range of the large block that was freed first back; its bytes, 0 where there is none or the system
 * refuses. */
size_t guarded_drop_oldest(void);

/* Bytes of the ranges of large blocks. */
size_t guarded_range_bytes(void);

/* The block is one of a smaller size, where it is. */
void guarded_shrink(struct guarded_record *record, size_t size);

/* The bytes beside a block that have been changed. */
struct guarded_damage guarded_look(const struct guarded_record *record);

/* Bytes that are counted; and the same anew, from the records. */
size_t guarded_counted(void);
void guarded_recount(void);

#endif
