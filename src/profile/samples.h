/* samples: the sampled blocks that live, found by their address.
 *
 * Owns:     a table of at most SAMPLES_MOST blocks, in memory of its own (cold/meta.h), 40 bytes each.
 * Promises: each step is one store, so that a child of fork() finds a whole table. When it is full, or there is no
 *           memory, a block is not entered, which the caller counts.
 * Callers:  src/profile. Any thread; one lock inside (LOCK_SAMPLES).
 */
#ifndef HAKMEM_PROFILE_SAMPLES_H
#define HAKMEM_PROFILE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_stack;

enum { SAMPLES_MOST = 1 << 20 };

struct sample {
  const void *block;
  size_t size;    /* as it was asked for */
  uint64_t bytes; /* that it stands for */
  struct call_stack *stack;
};

/* False: no place. */
bool samples_put(const struct sample *sample);

/* Takes a block out; false: it is not there. */
bool samples_take(const void *block, struct sample *sample);

/* Whether a block that lies in no slab may be there; nearly exact, without the lock. */
bool samples_may_have_big(const void *block);

/* How many there are. A figure, without the lock. */
size_t samples_count(void);

/* Copies as many as there is room for, and returns how many there are. */
size_t samples_copy(struct sample *to, size_t room);

#endif
