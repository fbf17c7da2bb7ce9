/* tally: counts anew what cold/limit.h has counted, by walking over everything.
 *
 * Owns:     nothing.
 * Promises: exact while no other thread works; what a lost thread had between two boxes is not found and not counted.
 *           Slow.
 * Callers:  warm/lost_threads.c, in the child of fork(); tests.
 */
#ifndef HAKMEM_WARM_TALLY_H
#define HAKMEM_WARM_TALLY_H

#include <stddef.h>

size_t tally_counted_bytes(void);

#endif
