/* free_remote: a free of what is not in the calling thread's own slabs.
 *
 * Owns:     nothing; warm/home.h has the magazines that are gathered.
 * Promises: another thread's block is gathered in a magazine, which goes to its owner with one atomic operation; a
 *           light thread's goes to its CPU's (warm/light.h); large and huge blocks go to COLD; NULL is nothing;
 *           anything else stops the program. Works on any thread, started, ended or neither.
 * Callers:  HOT and the gates. Any thread.
 */
#ifndef HAKMEM_WARM_FREE_REMOTE_H
#define HAKMEM_WARM_FREE_REMOTE_H

#include <stdint.h>

void free_remote(void *block);

/* The same for who has compared the tag of the block's unit with thread_cache.self: their difference. */
void free_compared(void *block, uint64_t difference);

#endif
