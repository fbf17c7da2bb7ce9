/* big_edges: what lies between the guards of a big block and is not the program's.
 *
 * Owns:     nothing.
 * Promises: where the mapping's parts lie follows from its start, the block, and the size that was asked for.
 * Callers:  secure/big.c, of a block that no other thread changes meanwhile.
 */
#ifndef HAKMEM_SECURE_BIG_EDGES_H
#define HAKMEM_SECURE_BIG_EDGES_H

#include <stdbool.h>

#include "cold/cold.h"
#include "os/os.h"
#include "secure/stop.h"

/* From the end of the guard before the block to the beginning of the one behind it. */
static inline char *edges_first(const struct huge_entry *entry) {
  return entry->note.block == entry->start ? entry->start : entry->start + os_page_size();
}

static inline char *edges_end(const struct huge_entry *entry) {
  uintptr_t end = (uintptr_t)(entry->note.block + entry->note.size);
  return (char *)((end + os_page_size() - 1) & ~(uintptr_t)(os_page_size() - 1)); // NOLINT(performance-no-int-to-ptr)
}

/* Writes the canaries; what lies beside them is zero already. */
void edges_set(const struct huge_entry *entry);

/* Makes the canary behind the block zero. */
void edges_clear_end(const struct huge_entry *entry);

/* *damage: what is not whole. */
bool edges_hold(const struct huge_entry *entry, struct damage *damage);

#endif
