/* families: which functions a block came from, where HAKMEM_SECURE_TYPES=1 asks for it; else all are malloc's.
 *
 * A block of new or new[] is marked as such when it is handed out; what deletes it says so first, and makes it one of
 * malloc's. So the common path of free knows no families, and finds one by a canary that is not malloc's.
 *
 * Owns:     whether families differ.
 * Promises: a block of malloc, new or new[] that is freed by what belongs to another of them stops the program.
 * Callers:  api/, through api/front.h, and src/secure. Any thread.
 */
#ifndef HAKMEM_SECURE_FAMILIES_H
#define HAKMEM_SECURE_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

extern HIDDEN bool families_differ; /* HAKMEM_SECURE_TYPES */

void families_start(void);

void families_set(void *block, enum family family);
void families_check(void *block, enum family family);

/* Of a live block; and the end of a program that frees it by what belongs to another. */
enum family families_of(const void *block);
_Noreturn RARE void families_stop(const void *block, enum family given, enum family taken);

static inline void *gate_typed(void *block, enum family family) {
  if (unlikely(families_differ) && block != NULL) {
    families_set(block, family);
  }
  return block;
}

/* What gate_typed does is enough. */
static inline void *gate_typed_slow(void *block, enum family family) {
  (void)family;
  return block;
}

static inline void gate_expect(void *block, enum family family) {
  if (unlikely(families_differ) && block != NULL) {
    families_check(block, family);
  }
}

#endif
