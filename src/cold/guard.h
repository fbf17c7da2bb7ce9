/* guard: what the secure library does to superslabs and slabs before they are used; in the others, nothing.
 *
 * Owns:     the choice between the two.
 * Promises: GUARD_UNITS at the end of every superslab are not handed out.
 * Callers:  cold/superslab.c, warm/slab.c.
 */
#ifndef HAKMEM_COLD_GUARD_H
#define HAKMEM_COLD_GUARD_H

#if HAKMEM_SECURE

#include "secure/guard.h"

#else

#include <stdbool.h>
#include <stddef.h>

struct slab;

enum { GUARD_UNITS = 0 };

/* NOLINTNEXTLINE(readability-non-const-parameter): the secure library takes access to it away */
static inline bool guard_superslab(char *start) {
  (void)start;
  return true;
}

static inline bool guard_slab(const struct slab *slab, size_t size_class) {
  (void)slab;
  (void)size_class;
  return true;
}

#endif

#endif
