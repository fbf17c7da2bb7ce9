/* purge_policy: how much of what is retained goes back to the system now.
 *
 * Owns:     nothing. The seam of purging: swaps/ has another policy, to measure against.
 * Promises: at least what is in excess of the budget, and a little more, so that the next few calls need no system
 *           call.
 * Callers:  cold/residency.c.
 */
#ifndef HAKMEM_COLD_PURGE_POLICY_H
#define HAKMEM_COLD_PURGE_POLICY_H

#include <stddef.h>

/* Of what is retained, `excess` bytes are beyond the budget and `within` bytes are not. */
static inline size_t purge_now(size_t excess, size_t within) {
  enum { MORE_SHARE = 8 };
  return excess + within / MORE_SHARE;
}

#endif
