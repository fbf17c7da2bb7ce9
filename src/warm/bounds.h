/* bounds: setting the memory limits of cold/limit.h while the program runs.
 *
 * Owns:     nothing; the limits are options.
 * Promises: as hak_limit_set and hak_limit_get (include/hakmem.h).
 * Callers:  api/hak.c. Any thread.
 */
#ifndef HAKMEM_WARM_BOUNDS_H
#define HAKMEM_WARM_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

/* 0 or EINVAL. */
int bounds_set(size_t soft_bytes, size_t hard_bytes);
void bounds_get(size_t *soft_bytes, size_t *hard_bytes);

/* An option has been set, perhaps one of them: what they ask for is done. */
void bounds_changed(void);

#endif
