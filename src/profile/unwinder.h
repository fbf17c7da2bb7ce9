/* unwinder: the calls that lead to an allocation, by the tables that compilers write for exceptions.
 *
 * Owns:     the compiler's library for it (libgcc_s), which is loaded when the process has started: never from within a
 *           malloc.
 * Promises: without that library, or before, there are no calls. It may take locks of the C library where that is older
 *           than glibc 2.35; whoever calls it holds none of ours.
 * Callers:  profile/call_walk.c, on any thread; unwinder_start: once.
 */
#ifndef HAKMEM_PROFILE_UNWINDER_H
#define HAKMEM_PROFILE_UNWINDER_H

#include "profile/frame_chain.h"

/* Loads it; may allocate. False: there is none. */
bool unwinder_start(void);

/* The calls, the innermost first; how many, at most `most`. Those of this library are left out. */
unsigned unwinder_walk(struct call *calls, unsigned most);

/* Whether an address lies in this library. */
bool unwinder_is_own(uintptr_t address);

#endif
