/* free_remote: a free of what is not in the calling thread's own slabs.
 *
 * Owns:     nothing; warm/home.h has the magazines that are gathered.
 * Promises: another thread's block is gathered in a magazine, which goes to its owner with one atomic operation; a
 *           light thread's goes to its CPU's (warm/light.h), and one of a thread that only frees is posted at first;
 *           large and huge blocks go to COLD; NULL is nothing; anything else stops the program. Works on any thread,
 *           started, ended or neither.
 * Callers:  HOT and the gates. Any thread.
 */
#ifndef HAKMEM_WARM_FREE_REMOTE_H
#define HAKMEM_WARM_FREE_REMOTE_H

#include <stdint.h>

#include "base/base.h"

void free_remote(void *block);

/* The same for who has compared the tag of the block's unit with thread_cache.self: their difference. */
void free_compared(void *block, uint64_t difference);

/* The same by delete and delete[]: of a guarded sample it is known what allocated it. */
void free_remote_new(void *block);
void free_compared_new(void *block, uint64_t difference);
void free_remote_new_array(void *block);
void free_compared_new_array(void *block, uint64_t difference);

/* Both for a family. */
struct free_way {
  void (*outside)(void *block);
  void (*compared)(void *block, uint64_t difference);
};

static ALWAYS_INLINE struct free_way free_way_of(enum family family) {
  return family == FAMILY_NEW         ? (struct free_way){free_remote_new, free_compared_new}
         : family == FAMILY_NEW_ARRAY ? (struct free_way){free_remote_new_array, free_compared_new_array}
                                      : (struct free_way){free_remote, free_compared};
}

#endif
