/* call_stacks: each different call stack once, and what has been allocated by it.
 *
 * Owns:     the table of stacks, in memory of its own (cold/meta.h), at most CALL_STACKS_BYTES.
 * Promises: a stack is never changed or freed once it is there. No lock: a child of fork() finds every stack whole.
 *           When the table is full, or there is no memory, all further stacks are one without frames, and
 *           call_stacks_lost says how often it served.
 * Callers:  src/profile. Any thread.
 */
#ifndef HAKMEM_PROFILE_CALL_STACKS_H
#define HAKMEM_PROFILE_CALL_STACKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "profile/poisson.h"

enum { CALL_STACK_FRAMES = 256 }; /* of a deeper stack those next to the allocation are kept */

#define CALL_STACKS_BYTES (64 * MIB)

struct call_stack {
  struct call_stack *next;
  uint64_t hash;
  _Atomic uint64_t samples, blocks, bytes; /* allocated so far: as counted, and weighed */
  uint32_t number;                         /* from 1 on */
  uint32_t depth;
  _Atomic uint32_t chain; /* frames at its beginning that frame pointers alone have been found to yield; 0: not known */
  uintptr_t frame[];      /* an address within each call, the innermost first */
};

/* The stack of these frames. */
struct call_stack *call_stacks_intern(const uintptr_t *frames, unsigned depth);

/* A sample was allocated by it. */
void call_stack_count(struct call_stack *stack, struct weight weight);

/* Calls `visit` for each stack there is, the one without frames too. False as soon as `visit` says so. */
bool call_stacks_each(bool (*visit)(const struct call_stack *stack, void *context), void *context);

/* Samples of all stacks so far. */
size_t call_stacks_samples(void);

/* How often the table had no place. */
size_t call_stacks_lost(void);

/* A test may set it. */
extern HIDDEN size_t call_stacks_most_bytes;

uint64_t frames_hash(const uintptr_t *frames, unsigned depth);

#endif
