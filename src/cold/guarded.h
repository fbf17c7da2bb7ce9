/* guarded: blocks each on pages of its own between two ranges without access: samples of what a program allocates.
 *
 *   | 32 KiB without access | 32 KiB: the block, its last byte at the end or its first at the start | 32 KiB with...
 *
 * A block ends where its slot does, or less than its alignment before; every fourth begins where its slot does. Of the
 * slot only the pages that the block lies in can be used. Their other bytes are filled, and checked when the block is
 * freed and when the process ends. When it is freed, access to its pages is taken away and their memory goes back to
 * the system; the slot that has been free for the longest time is used next. So a use of a freed block, or beyond the
 * pages of a live one, is a fault (os/fault.h), and its line names both stacks.
 *
 * Owns:     GUARDED_SLOTS slots in one reservation of 4 MiB of addresses, made for the first block, and a record of
 *           256 bytes for each.
 * Promises: a block's size is the one that was asked for. Its bytes are zero. What is resident is at most 2 MiB and
 *           the records, and is counted (cold/limit.h). No block where there is no free slot, the system or the limit
 *           refuses, the size is above GUARDED_MAX, or a page is larger than that: the caller serves the request in
 *           another way. A child of fork() may lose the slots that other threads were using at that moment.
 * Callers:  WARM. Any thread; one lock inside (LOCK_GUARDED), which is not held when a line ends the program.
 */
#ifndef HAKMEM_COLD_GUARDED_H
#define HAKMEM_COLD_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

#include "cold/guarded_table.h"

/* `size` is at least 1, `alignment` a power of two; `by` are the calls that allocate it. NULL: there is none. */
void *guarded_allocate(size_t size, size_t alignment, const struct stack *by);

/* False: the address is none of the range. Stops the program when no live block begins there, or bytes beside it have
 * been changed. */
bool guarded_free(void *block, const struct stack *by);

/* 0: the address is none of the range. Stops the program unless it is a live block's; `what` was tried. */
size_t guarded_usable_size(const void *block, const char *what);

/* Checks the bytes beside all live blocks; how many there are. */
size_t guarded_check(void);

/* Live blocks, and their bytes; bytes that are counted. Any thread, as figures. */
size_t guarded_live_count(void);
size_t guarded_live_bytes(void);

/* Calls `visit` for each live block, which may be freed meanwhile. False: `visit` wanted no more. */
bool guarded_each(bool (*visit)(void *block, size_t size, void *context), void *context);

size_t guarded_counted_bytes(void);

#endif
