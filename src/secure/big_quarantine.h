/* big_quarantine: the big blocks that were freed last, out of bounds until they leave it.
 *
 * Owns:     a ring of up to 16 blocks and 256 MiB; the oldest leaves first, and is free then.
 * Promises: what is written in the ring is in no other place: a child of fork() can end all quarantine.
 * Callers:  secure/big.c, under its lock (LOCK_BIG).
 */
#ifndef HAKMEM_SECURE_BIG_QUARANTINE_H
#define HAKMEM_SECURE_BIG_QUARANTINE_H

#include <stdbool.h>

#include "cold/cold.h"

void big_quarantine_add(const struct huge_entry *entry);

/* Whether a block is in quarantine; *note: what it was. */
bool big_quarantine_holds(const void *block, struct huge_note *note);

void big_quarantine_release_all(void);

/* The same where the sums are not to be trusted. */
void big_quarantine_mend(void);

#endif
