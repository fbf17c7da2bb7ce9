/* pool_parts: into how many parts the shared pool is divided, and from which one a thread takes.
 *
 * Each part has a lock and superslabs of its own. A superslab moves to the part that needs it (cold/superslab_find.h),
 * so that a further part needs no further memory.
 *
 * Owns:     the number of parts, and each thread's own.
 * Promises: there is one part, and twice as many each time that a quarter of the takings of some part's lock, or two
 *           thirds of those of the huge blocks' lock, looked at a thousand at a time, have waited: up to POOL_PARTS.
 *           There are never fewer again. A thread's own part changes with their number only.
 * Callers:  the shared pool's boxes, and cold/huge_lock.c, as what many threads wait for there comes from the parts
 *           then. Any thread; parts_look and parts_waited under the lock.
 */
#ifndef HAKMEM_COLD_POOL_PARTS_H
#define HAKMEM_COLD_POOL_PARTS_H

#include "os/os.h"

enum { POOL_PARTS = LOCK_POOL_PARTS };

/* In a box of the pool: a variable of `type` for each part, and a function `of` that finds it. Few programs need more
 * than the first part. */
// NOLINTBEGIN(bugprone-macro-parentheses): they are declared
#define EACH_PART(type, of)                                                                                            \
  static type of##_first;                                                                                              \
  static RARE_ZEROES type of##_more[POOL_PARTS - 1];                                                                   \
  static type *of(unsigned part) { return part == 0 ? &of##_first : &of##_more[part - 1]; }
// NOLINTEND(bugprone-macro-parentheses)

unsigned parts_count(void);

/* That of the calling thread, below parts_count. */
unsigned parts_own(void);

/* This lock, LOCK_HUGE or a part's, has been taken. Now and then its counts are looked at. */
void parts_look(enum lock_rank lock);

/* What is done then: `now` are the lock's counts. */
void parts_waited(enum lock_rank lock, struct lock_counts now);

/* There are so many parts from now on, 1 to POOL_PARTS, or as many as there were if these are more. */
void parts_raise(unsigned parts);

#endif
