/* shared_quarantine: where what threads without a heap free waits, as in secure/quarantine.h.
 *
 * Such threads, one of very many that does little or one that has ended, share the blocks of their CPU
 * (warm/light.h), and this quarantine.
 *
 * Owns:     for each class up to QUARANTINE_SLOTS blocks.
 * Promises: what is in it counts as handed out by its slab. It is given back with what the CPUs have. A child of fork()
 *           finds a block here, or in one other place, or loses it.
 * Callers:  secure/checked_gate.c and secure/heap_hooks_secure.c. Any thread; one atomic exchange, no lock.
 */
#ifndef HAKMEM_SECURE_SHARED_QUARANTINE_H
#define HAKMEM_SECURE_SHARED_QUARANTINE_H

#include "secure/quarantine.h"

extern HIDDEN _Atomic(void *) shared_quarantine[SIZE_CLASS_COUNT][QUARANTINE_SLOTS]; /* for report/layout.def */

/* Takes a block and returns the one whose place it got; NULL: that place was empty. */
void *shared_quarantine_exchange(size_t size_class, void *block);

/* Empties it; `visit` is told of each block, `top` of a magazine that has it alone. A damaged one stops the program. */
void shared_quarantine_drain(void (*visit)(size_t size_class, void *const *top));

/* Calls `visit` for each block in it. Exact while no other thread works. */
void shared_quarantine_each(void (*visit)(void *block, void *context), void *context);

#endif
