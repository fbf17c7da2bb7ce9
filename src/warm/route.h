/* route: what is asked of a block, or of a size, that no class serves goes to the box that does.
 *
 * Owns:     nothing.
 * Promises: every call works on any thread; a failure is NULL with ENOMEM; a success leaves errno alone. A size that
 *           the machine cannot address, or that exceeds the process's own limit, gives back nothing that is retained.
 * Callers:  HOT, the gates, api/. Any thread.
 */
#ifndef HAKMEM_WARM_ROUTE_H
#define HAKMEM_WARM_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

/* A block above SIZE_CLASS_MAX. */
void *allocate_large(size_t size);

/* The same, aligned to a power of two; of a smaller size, too, where that is more than SIZE_CLASS_MAX. */
void *allocate_large_aligned(size_t size, size_t alignment);

/* As that, of any size, in no slab; *zeroed says whether its bytes are known to be zero. */
void *allocate_aligned(size_t size, size_t alignment, bool *zeroed);

/* Bytes usable in a live block; stops the program when the pointer is none of ours. `what` names the caller in that
 * line. */
size_t block_usable_size(const void *block, const char *what);

/* Bytes that a request of `size` would be given at least. */
size_t size_usable(size_t size);

/* Whether the usable size of a live block is the size that was asked for, as that of a guarded sample is. */
bool is_exact(const void *block);

/* A live block serves a smaller size, for want of a smaller block: of a guarded sample that is noted. */
void settle_sample(void *block, size_t size);

/* Large blocks that were served by what a thread had freed, in total: the shared pool counts the others. */
size_t large_blocks_reused(void);

/* Stops the program: `block` is nothing of ours. */
_Noreturn void fatal_foreign(const void *block, const char *what);

/* Stops the program: `block` has `usable` bytes and was freed as one of `size` bytes. Not declared so: called last, it
 * finds the frame of the program's call, which costs its callers nothing. */
void stop_wrong_size(const void *block, size_t usable, size_t size);

/* Makes room after a request of `size` was refused. False: asking again is in vain. */
bool make_way_for(size_t size);

#endif
