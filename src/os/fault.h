/* fault: tells a box of the library's about faults in its own range of addresses, before they end the program.
 *
 * It takes a handler of SIGSEGV, and only where the program has none: where its disposition is the default one at that
 * moment. A handler that the program installs later replaces it, and nothing is told from then on; one that the program
 * has is never replaced, and nothing is ever told. Every fault ends the program as it would have without the handler:
 * the default action is restored and the instruction runs again, so that the signal, its address and the core file are
 * the program's own. One thing differs: where a thread overflows its stack and has no other one for signals
 * (sigaltstack), the system cannot call the handler; it kills the program by SIGSEGV all the same, but names no
 * address.
 *
 * Owns:     that handler.
 * Promises: no lock, no malloc; errno is kept.
 * Callers:  cold/guarded.c, once. Any thread.
 */
#ifndef HAKMEM_OS_FAULT_H
#define HAKMEM_OS_FAULT_H

#include <stdbool.h>

#include "os/stack.h"

/* `is_ours` says whether an address lies in the range, `tell` is called for a fault there: on the thread that caused
 * it, within the handler. False: the program has a handler, or the system refuses one. */
bool fault_watch(bool (*is_ours)(const void *address), void (*tell)(const void *address, const struct stack *here));

#endif
