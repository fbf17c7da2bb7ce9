/* big: blocks above what a class serves: each a mapping of its own with a guard page behind it.
 *
 * They are cold/huge.h's. On top of that: a guard page, a canary in front of it, and a quarantine of freed blocks whose
 * access is taken away, whose memory goes back to the system, and which stay so until they are used again. A write
 * after free is a fault there, and memory comes back as zero.
 *
 * Owns:     the quarantine of big blocks.
 * Promises: NULL with ENOMEM when the system refuses memory or another mapping (vm.max_map_count: two a block).
 * Callers:  secure/checked_gate.c; secure/heap_hooks_secure.c. Any thread; one lock inside (LOCK_BIG).
 */
#ifndef HAKMEM_SECURE_BIG_H
#define HAKMEM_SECURE_BIG_H

#include <stdbool.h>
#include <stddef.h>

/* Zero in every byte. `alignment` is a power of two. */
void *big_allocate(size_t size, size_t alignment);

/* False: no big block starts here, nor did one that is in quarantine, which stops the program. */
bool big_free(void *block);

/* Usable bytes; 0: no live big block starts here. Stops the program when it is in quarantine; `what` was tried. */
size_t big_usable_size(const void *block, const char *what);

/* The size that big_allocate would make usable; 0: none can. */
size_t big_good_size(size_t size);

/* Moves a live block if it must; NULL leaves it as it was. */
void *big_resize(void *block, size_t size);

/* Ends the quarantine of all blocks in it. */
void big_release_all(void);

#endif
