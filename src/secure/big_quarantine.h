/* big_quarantine: the big blocks that were freed last, out of bounds until they leave it, and when they are used again.
 *
 * A smaller one whose pages are resident is zeroed and keeps them, as far as memory may be retained: a page that is
 * faulted in costs thirty times as much as one that is zeroed. The memory of the others goes back to the system.
 *
 * Owns:     a ring of up to 16 blocks and 256 MiB; the oldest leaves first, and is free then.
 * Promises: what is written in the ring is in no other place: a child of fork() can end all quarantine.
 * Callers:  secure/big.c, under its lock (LOCK_BIG); the first three functions without it.
 */
#ifndef HAKMEM_SECURE_BIG_QUARANTINE_H
#define HAKMEM_SECURE_BIG_QUARANTINE_H

#include <stdbool.h>

#include "cold/cold.h"

/* Makes a block zero and takes access to it away; how many bytes of it stay resident, at most. No other thread has
 * it. */
size_t big_quarantine_close(const struct huge_entry *entry);

/* What nobody could be given is free again. */
void big_quarantine_refuse(const struct huge_entry *entry);

/* Whether all that was free before is out of bounds. False: the system has refused it at least once (its bound on
 * mappings). */
bool big_quarantine_closes(void);

/* Such a block, of which so many bytes are resident. */
void big_quarantine_add(const struct huge_entry *entry, size_t kept);

void big_quarantine_release_all(void);

/* The same where the sums are not to be trusted. */
void big_quarantine_mend(void);

#endif
