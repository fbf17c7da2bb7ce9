/* sampler: takes samples: decides, walks the stack, places the block, enters it; and takes it out when it is freed.
 *
 * Owns:     when the next sample of a thread is due; how many bytes lie between two; what could not be sampled.
 * Promises: what profile/poisson.h says, for every allocation of a thread once the process has started. What the
 *           sampler itself calls is not sampled. A block for whose sample there is no memory or no place is an ordinary
 *           one, and is counted as missed. A block that realloc leaves where it is goes on as it was.
 * Callers:  hot/gate.h and warm/free_remote.c, through warm/sample_hooks.h. Any thread; sampler_start: once.
 */
#ifndef HAKMEM_PROFILE_SAMPLER_H
#define HAKMEM_PROFILE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* From here on blocks are sampled, one for every so many bytes on average. */
void sampler_start(size_t every);

/* 0: it has not started. */
size_t sampler_every(void);

/* Samples that could not be taken, or not be followed until they are freed. */
size_t sampler_missed(void);

/* Bytes that live by the samples; and the most that ever did. */
uint64_t sampler_live_bytes(void);

/* Whether the calling thread is within the sampler. */
bool sampler_is_busy(void);

/* Called on a thread that has just taken a sample, outside of all locks. */
extern HIDDEN void (*sampler_told)(void);

#endif
