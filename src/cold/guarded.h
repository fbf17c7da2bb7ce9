/* guarded: blocks each on pages of its own between two ranges without access: samples of what a program allocates.
 *
 * Of a slot, or of a range, only the pages that the block lies in can be used. Their other bytes are filled, and
 * checked when the block is freed and when the process ends. When it is freed, access to its pages is taken away and
 * their memory goes back to the system; what has been free for the longest time is used next. So a use of a freed
 * block, or beyond the pages of a live one, is a fault (os/fault.h), and its line names both stacks. Of a block of no
 * bytes there is no page at all.
 *
 * Owns:     the lock of the samples; how many there are. cold/guarded_table.h has the numbers.
 * Promises: a block's size is the one that was asked for. Its bytes are zero. What is resident are the pages of live
 *           samples and the records, and it is counted (cold/limit.h). Freed large blocks keep 64 GiB of addresses at
 *           the most, and none where the system has no more (guarded_release). No block where no record is free, or the
 *           system or the limit refuses: the caller serves the request in another way. A child of fork() may lose
 *           what other threads were using at that moment.
 * Callers:  WARM, the figures, cold/reclaim.c. Any thread; one lock inside (LOCK_GUARDED), which is not held when a
 *           line ends the program.
 */
#ifndef HAKMEM_COLD_GUARDED_H
#define HAKMEM_COLD_GUARDED_H

#include <stdbool.h>
#include <stddef.h>

#include "cold/guarded_table.h"

/* `alignment` is a power of two; `family` allocates it, and `by` are the calls that do. NULL: there is none. */
void *guarded_allocate(size_t size, size_t alignment, enum family family, const struct stack *by);

/* Whether the address lies where samples do. */
bool guarded_holds_some(const void *block);

static inline bool guarded_holds(const void *block) { return unlikely(guarded_exist()) && guarded_holds_some(block); }

/* False: the address is none of theirs. Stops the program when no live block begins there, bytes beside it have been
 * changed, or, where families differ (HAKMEM_SECURE_TYPES), another than `family` allocated it. */
bool guarded_free(void *block, enum family family, const struct stack *by);

/* The size that was asked for; GUARDED_FOREIGN: the address is none of theirs. Stops the program unless it is a live
 * block's; `what` was tried. */
#define GUARDED_FOREIGN SIZE_MAX
size_t guarded_usable_size(const void *block, const char *what);

/* A live block of theirs is one of a smaller size, where it is; one that new has allocated. */
void guarded_settle(void *block, size_t size);
void guarded_set_family(void *block, enum family family);

/* A live block of theirs is freed as one of another size, which stops the program. */
_Noreturn RARE void guarded_stop_size(const void *block, size_t size, const struct stack *here);

/* Checks the bytes beside all live blocks; how many there are. */
size_t guarded_check(void);

/* Live blocks, and their bytes; bytes that are counted. Any thread, as figures. */
size_t guarded_live_count(void);
size_t guarded_live_bytes(void);
size_t guarded_counted_bytes(void);

/* Calls `visit` for each live block, which may be freed meanwhile. False: `visit` wanted no more. */
bool guarded_each(bool (*visit)(void *block, size_t size, void *context), void *context);

/* Gives the memory of freed blocks back that the system would not take when they were freed. */
void guarded_purge(void);

/* Gives the addresses of freed large blocks back; how many bytes. */
size_t guarded_release(void);

#endif
