/* family: the functions that a block is allocated and freed by, which belong together.
 *
 * Owns:     the families, and their functions' names in messages.
 * Promises: FAMILY_MALLOC is 0: what a block is of unless it is said otherwise. FAMILY_ANY is not told apart: aligned
 *           blocks of guarded samples.
 * Callers:  api/ and the gates.
 */
#ifndef HAKMEM_BASE_FAMILY_H
#define HAKMEM_BASE_FAMILY_H

enum family { FAMILY_MALLOC = 0, FAMILY_NEW, FAMILY_NEW_ARRAY, FAMILY_ANY };

/* For messages: what frees the blocks of a family, but FAMILY_ANY, and what allocates them. */
static inline const char *family_giver(enum family family) {
  static const char givers[][9] = {"free", "delete", "delete[]"};
  return givers[family];
}

static inline const char *family_taker(enum family family) {
  static const char takers[][9] = {"malloc", "new", "new[]"};
  return takers[family];
}

#endif
