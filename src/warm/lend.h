/* lend: the heap of a thread that sleeps is another's for a moment.
 *
 * A thread that does not call the allocator cannot collect what others freed to it, nor give anything back. So the
 * helper does it, and a thread whose heap grows collects, by a hand-shake of which the other thread's side is a load on
 * slow paths:
 *
 *   who borrows                                    the thread, in heap_enter
 *     lent = HEAP_LENT                                    state = CHANGING
 *     a barrier in every thread (membarrier)         lent?  yes: state = OWNED, and waits until it is not
 *     state == OWNED?  then it has the heap        in heap_leave
 *     lent = HEAP_LENT_NOT                                state = OWNED
 *
 * Either the thread says CHANGING before its barrier, and who borrows finds it; or after it, and the thread finds
 * `lent`. tests/formal/lend.pml is a model of it.
 *
 * Owns:     `lent` and `borrower` of every heap.
 * Promises: one thread at a time borrows, and only heaps that no thread is changing; it never touches the magazines of
 *           a heap's thread nor what that gathers for others. The helper borrows a heap once its thread has not entered
 *           it for a second, and again only when it has since, or something was freed to it. A thread whose heap grows
 *           looks every 20 ms at most, and borrows eight heaps at most, to which something was freed and that were not
 *           entered for 20 ms. Where the system has no such barrier nothing is lent.
 * Callers:  warm/background.c, on the helper; warm/growth.c, on the thread whose heap grows; after a fork
 *           warm/process.c.
 */
#ifndef HAKMEM_WARM_LEND_H
#define HAKMEM_WARM_LEND_H

#include "warm/heap.h"

/* The calling thread is the helper. */
void lend_begin(void);

/* In the child of fork(), outside critical sections. */
void lend_forked(void);

/* Puts the heaps in order that nobody has entered for so many milliseconds. */
void lend_look(uint32_t milliseconds);

/* The calling thread's heap, which is changing, is about to take memory that the process has not had; it is `now`, in
 * milliseconds. Collects for threads that sleep, unless somebody has just looked. */
void lend_for_growth(uint64_t now);

/* Some thread's heap has changed since it was put in order. */
bool lend_is_pending(void);

#endif
