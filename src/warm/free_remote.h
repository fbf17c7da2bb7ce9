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

#include "base/base.h"

void free_remote(void *block);

/* The same by delete and delete[]: of a guarded sample it is known what allocated it. */
void free_remote_new(void *block);
void free_remote_new_array(void *block);

typedef void free_way(void *block);

static inline free_way *free_remote_by(enum family family) {
  return family == FAMILY_NEW ? free_remote_new : family == FAMILY_NEW_ARRAY ? free_remote_new_array : free_remote;
}

#endif
