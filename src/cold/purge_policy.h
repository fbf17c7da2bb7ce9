/* purge_policy: how much of what is retained goes back to the system now.
 *
 * Owns:     nothing. The seam of purging: swaps/ has another policy, to measure against.
 * Promises: what is in excess of the budget, and no more, once the excess is worth a system call: each one that gives
 *           memory back interrupts every processor that runs a thread of the process.
 * Callers:  cold/residency.c.
 */
#ifndef HAKMEM_COLD_PURGE_POLICY_H
#define HAKMEM_COLD_PURGE_POLICY_H

#include <stddef.h>

#include "base/base.h"

/* Of what is retained, `excess` bytes are beyond the budget. `peak` is the most that was in use at once; 0: nothing may
 * be retained, and any excess is too much. */
static inline size_t purge_now(size_t excess, size_t peak) {
  enum { LEAST_SHARE = 64, LEAST_MAX = 2 * MIB };
  size_t least = peak / LEAST_SHARE < LEAST_MAX ? peak / LEAST_SHARE : LEAST_MAX;
  return excess > least ? excess : 0;
}

#endif
