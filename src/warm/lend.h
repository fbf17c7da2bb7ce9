/* lend: the heap of a thread that sleeps is the helper's for a moment.
 *
 * A thread that does not call the allocator cannot collect what others freed to it, nor give anything back. So the
 * helper does it, by a hand-shake of which the thread's side is a load on slow paths:
 *
 *   the helper                                     the thread, in heap_enter
 *     lent = HEAP_LENT                                    state = CHANGING
 *     a barrier in every thread (membarrier)         lent?  yes: state = OWNED, and waits until it is not
 *     state == OWNED?  then it has the heap        in heap_leave
 *     lent = HEAP_LENT_NOT                                state = OWNED
 *
 * Either the thread says CHANGING before its barrier, and the helper finds it; or after it, and the thread finds
 * `lent`. tests/formal/lend.pml is a model of it.
 *
 * Owns:     `lent` and `helper` of every heap.
 * Promises: the helper has a heap only while its thread is not changing it, and never touches the thread's magazines
 *           nor what it gathers for others. A heap is borrowed once its thread has not entered it for a second, and
 *           again only when it has since, or something was freed to it. Where the system has no such barrier nothing is
 *           lent.
 * Callers:  warm/background.c, on the helper.
 */
#ifndef HAKMEM_WARM_LEND_H
#define HAKMEM_WARM_LEND_H

#include "warm/heap.h"

/* The calling thread is the helper. */
void lend_begin(void);

/* Puts the heaps in order that nobody has entered for so many milliseconds. */
void lend_look(uint32_t milliseconds);

/* Some thread's heap has changed since it was put in order. */
bool lend_is_pending(void);

#endif
