/* prefault: optionally makes fresh memory resident before it is asked for (HAKMEM_SS_PREFAULT; off; never while
 * there is a limit).
 *
 * Owns:     nothing.
 * Promises: one superslab at a time: populating more made start-up many times slower.
 * Callers:  cold/superslab.c.
 */
#ifndef HAKMEM_COLD_PREFAULT_H
#define HAKMEM_COLD_PREFAULT_H

#include <stdbool.h>
#include <stddef.h>

/* Fresh memory is made resident at once. */
bool prefault_is_chosen(void);

void prefault(void *start, size_t bytes);

#endif
