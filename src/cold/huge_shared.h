/* huge_shared: fresh memory of huge blocks below 8 MiB, in huge pages that they share.
 *
 * Such pages lie one below another, if nothing else lies there. A block has the end of one or of several, and what the
 * block before it has left of its own, if that is retained still. So blocks that are allocated one after another lie
 * side by side, whatever their sizes, and leave one rest together.
 *
 * Owns:     the addresses of the pages to come: they are mapped, but neither resident nor counted anywhere.
 * Promises: an eighth of what is in use is mapped at a time, 4 to 16 MiB, or what the block needs where the system
 *           refuses that.
 * Callers:  cold/huge.c, in a critical section. Any thread; LOCK_HUGE inside, not held during system calls.
 */
#ifndef HAKMEM_COLD_HUGE_SHARED_H
#define HAKMEM_COLD_HUGE_SHARED_H

#include <stddef.h>

/* A block of whole pages. `*fresh` of its bytes are fresh memory, the others were retained; what the block leaves of
 * its huge pages is retained from now on. NULL: that would be more than half of what huge blocks have, or more than
 * may be retained, or there is no memory. */
char *huge_shared_map(size_t bytes, size_t *fresh);

#endif
