/* big_find: the big block that begins at an address.
 *
 * Owns:     nothing; the notes of big blocks say it.
 * Promises: one that was freed is found until its quarantine ends.
 * Callers:  secure/big.c. Any thread; what is found may be freed meanwhile unless LOCK_BIG is held.
 */
#ifndef HAKMEM_SECURE_BIG_FIND_H
#define HAKMEM_SECURE_BIG_FIND_H

#include <stdbool.h>

#include "cold/cold.h"

enum found { FOUND_NONE, FOUND_LIVE, FOUND_FREED };

/* *entry: of what was found. */
enum found big_find(const void *block, struct huge_entry *entry);

static inline bool big_find_live(const void *block, struct huge_entry *entry) {
  return big_find(block, entry) == FOUND_LIVE;
}

#endif
