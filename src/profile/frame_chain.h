/* frame_chain: the calls that lead to an allocation, by frame pointers; and which chains of them are known to be right.
 *
 * Code may be compiled without frame pointers. Then the register holds any number, or the frame of an outer caller, and
 * a chain through it lacks calls. So a chain is followed only through memory that is there, and is believed only after
 * the unwinder has found the same calls once (frame_chain_learn). Whether a function keeps a frame pointer at one of
 * its calls does not change; so a chain of the same calls is right the next time, too. The unwinder may find at most
 * CHAIN_START calls more: those of the C library that start a thread or main, which keep none.
 *
 * Owns:     the table of chains that are known, CHAINS of them; an older one gives way.
 * Promises: reads the stack alone, and only pages that are resident.
 * Callers:  profile/call_walk.c. Any thread.
 */
#ifndef HAKMEM_PROFILE_FRAME_CHAIN_H
#define HAKMEM_PROFILE_FRAME_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "profile/call_stacks.h"

enum { CHAINS = 1 << 12, CHAIN_START = 2 };

/* Calls found, the innermost first, and where on the stack each return address lies. */
struct call {
  uintptr_t address; /* within the call: the return address less 1 */
  uintptr_t slot;    /* 0: not known */
};

/* An address within a call, for where it returns to. */
static inline uintptr_t call_of_return(uintptr_t returns_to) {
#if defined(__aarch64__)
  returns_to &= (UINT64_C(1) << 48) - 1; /* without its signature */
#endif
  return returns_to - 1;
}

/* From the frame whose address is given; returns how many calls there are, at most `most`. */
unsigned frame_chain_walk(uintptr_t frame, struct call *calls, unsigned most);

/* The stack that a chain is known to be of; NULL: none. */
struct call_stack *frame_chain_find(const struct call *calls, unsigned depth);

/* The unwinder has found this stack when there was this chain. */
void frame_chain_learn(const struct call *calls, unsigned depth, struct call_stack *stack);

#endif
