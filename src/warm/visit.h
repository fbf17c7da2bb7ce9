/* visit: calls a function for each block that the program holds.
 *
 * First a set is made of what is free: a bit for each 8 bytes of the superslabs, from the magazines, the bitmaps, and
 * the magazines again, because a block may go from one to the other meanwhile. Then the function is called for the
 * others.
 *
 * Owns:     the set, while it works.
 * Promises: no lock is held while the function is called: it may allocate and free. A block that is live from the
 *           beginning to the end is visited once, one that is free all the time not at all, unless it goes from bitmap
 *           to magazine and back meanwhile, or its heap changes each time that it is walked over. The set takes a 64th
 *           of the superslabs at most, from the system; it is counted (cold/limit.h).
 * Callers:  report/hak_report.c. Any thread, outside critical sections.
 */
#ifndef HAKMEM_WARM_VISIT_H
#define HAKMEM_WARM_VISIT_H

#include <stdbool.h>
#include <stddef.h>

/* What is no block of a class. */
enum { VISIT_LARGE = -1, VISIT_HUGE = -2 };

/* Gets a block, the bytes that the heap has for it, and its class. False: no more of them. */
typedef bool visit_function(void *block, size_t bytes, int size_class, void *context);

/* 0, or ENOMEM: there is no memory for the set, and nothing was visited. */
int visit_live(visit_function *visit, void *context);

#endif
