/* huge_shared: fresh memory of huge blocks that are smaller than a huge page, in huge pages that such blocks share.
 *
 * Each such page lies below the one before it, if nothing else does. A block has the end of its page, and what the
 * block before it has left of its own, if that is retained still. So blocks that are allocated one after another lie
 * side by side, whatever their sizes, and leave one rest together.
 *
 * Owns:     the addresses of the pages to come: they are mapped, but neither resident nor counted anywhere.
 * Promises: an eighth of what is in use is mapped at a time, 4 to 16 MiB, or one page where the system refuses that.
 * Callers:  cold/huge.c, in a critical section. Any thread; LOCK_HUGE inside, not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_SHARED_H
#define HAKMEM_COLD_HUGE_SHARED_H

#include <stddef.h>

/* A block of whole pages, less than a huge page. `*fresh` of its bytes are fresh memory, the others were retained; what
 * the block leaves of its huge page is retained from now on. NULL: that would be more than a quarter of what is in use,
 * or there is no memory. */
char *huge_shared_map(size_t bytes, size_t *fresh);

#endif
