/* resize: a large or huge block becomes longer or shorter where it lies, or by moving its pages.
 *
 * Owns:     nothing.
 * Promises: a block that cannot be resized is as it was. A size that the machine cannot address, or that exceeds the
 *           process's own limit, gives back nothing that is retained.
 * Callers:  hot/gate.h, by warm/sample_hooks.h; the profile library. Any thread.
 */
#ifndef HAKMEM_WARM_RESIZE_H
#define HAKMEM_WARM_RESIZE_H

#include <stddef.h>

/* NULL: not possible, as always where a small block is given or asked for. */
void *resize_large(void *block, size_t size);

#endif
