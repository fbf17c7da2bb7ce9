/* call_walk: the call stack of an allocation that is sampled.
 *
 * Three ways, the cheapest first:
 *   1. what was found last with the same frame and the same caller is found again if each return address still lies
 *      where it lay: a loop is walked once;
 *   2. frame pointers, where they are known to be right (profile/frame_chain.h);
 *   3. the unwinder.
 * Without an unwinder: frame pointers as they are.
 *
 * Owns:     CALL_WALKS walks that were found last. A thread takes one for the moment; none is made per thread.
 * Promises: holds no lock; allocates nothing but its own records.
 * Callers:  profile/sampler.c, which sees that it does not call itself. Any thread.
 */
#ifndef HAKMEM_PROFILE_CALL_WALK_H
#define HAKMEM_PROFILE_CALL_WALK_H

#include <stdint.h>

struct call_stack;

enum { CALL_WALKS = 32 };

/* `frame`: __builtin_frame_address(0) of the function that the allocation entered. */
struct call_stack *call_walk(uintptr_t frame);

#endif
