/* huge_note: what the secure library keeps of a huge block beyond its mapping; the other libraries have none of it.
 *
 * Owns:     nothing; the notes lie in the table of huge blocks.
 * Promises: a block that was just allocated or resized has an empty note.
 * Callers:  secure/big.c, on any thread, under its own lock (LOCK_BIG).
 */
#ifndef HAKMEM_COLD_HUGE_NOTE_H
#define HAKMEM_COLD_HUGE_NOTE_H

#include <stdbool.h>

#include "cold/huge_table.h"

#if HAKMEM_SECURE

/* The entry of the live huge block that starts at `start`; false: none does. */
bool huge_note_get(const void *start, struct huge_entry *entry);

void huge_note_set(const void *start, struct huge_note note);

#endif

#endif
