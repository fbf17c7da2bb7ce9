/* reclaim: when the operating system refuses, everything that is retained goes back to it.
 *
 * Owns:     nothing; it says what is given back, and in which order.
 * Promises: the ranges of huge blocks and of freed samples are unmapped, superslabs that are wholly free give up
 *           their addresses (which is what `ulimit -v` counts), and so does what is left of the newest arena. Who was
 *           refused may then ask once more: a refusal costs a bounded number of calls, and none of them is made again
 *           before something has been freed.
 * Callers:  WARM, after a failure, holding no lock. Any thread.
 */
#ifndef HAKMEM_COLD_RECLAIM_H
#define HAKMEM_COLD_RECLAIM_H

#include <stddef.h>

/* Bytes of address space given back; 0: asking again is in vain. */
size_t reclaim(void);

#endif
