/* huge_resize: huge blocks that grow or shrink by remapping.
 *
 * Owns:     how much address space a block that grows takes ahead.
 * Promises: no copy: the system moves the pages. No lock is held meanwhile; the block is in no table then.
 * Callers:  WARM. Any thread, which has the block.
 */
#ifndef HAKMEM_COLD_HUGE_RESIZE_H
#define HAKMEM_COLD_HUGE_RESIZE_H

#include <stddef.h>

/* Moves the block if it must; NULL leaves it as it was, or says that no live huge block starts at `block`. */
void *huge_resize(void *block, size_t size);

#endif
