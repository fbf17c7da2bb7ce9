/* huge_cost: whether the system has huge pages at hand, by the time that the first touch of one takes.
 *
 * One that is at hand costs less than the small pages in its place. Where the system has to make it first, by moving
 * what is in the way, or where the host of a virtual machine has to find the memory, it may cost many times as much.
 *
 * Owns:     how many huge pages are not asked for before one is tried again.
 * Promises: after a first touch that took a millisecond, one huge page is not asked for; each further time, twice as
 *           many and one, up to 255. One that took less ends that. It is so by default alone: where HAKMEM_THP says
 *           always, no touch is looked at.
 * Callers:  cold/superslab_find.c, cold/shared_pool.c, cold/huge_pages.c and cold/huge_shared.c. Any thread, no lock.
 */
#ifndef HAKMEM_COLD_HUGE_COST_H
#define HAKMEM_COLD_HUGE_COST_H

#include <stdbool.h>
#include <stddef.h>

/* Memory for so many huge pages is about to be used: whether they should be asked for. */
bool huge_cost_is_low(size_t pages);

/* Fresh memory of the caller's, which may come in huge pages from here on, is touched; false: that took long. */
bool huge_cost_try(char *start);

#endif
