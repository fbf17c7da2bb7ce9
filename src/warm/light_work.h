/* light_work: which threads are light, and for how long.
 *
 * Of the threads alive at once as many have a heap as can run at once, and four at least; each further one is light
 * until it has done much work. One of the former is light, too, and brief, where threads have ended before and no
 * blocks are guarded samples: until it has done a little. A brief thread that does more has the next 128 or so begin
 * with a heap.
 *
 * Owns:     the work that each light thread has done, and what is expected of those that begin.
 * Promises: a light thread is given 256 blocks without its CPU's magazines, large ones among them, or 512 with a
 *           refill, or 16,384 that the CPU has, or of each a part; a brief one an eighth of that. A block that it frees
 *           counts as one of the CPU's where the magazine is full, and as one without where there is none; a thread
 *           that only frees posts 32 of them before it is light or has a heap. Where many threads have a heap it stays
 *           light while most of the blocks that its CPU has are too large for a heap to cache some of them; the more
 *           threads have a heap, the less each may cache.
 * Callers:  warm/light.c, warm/thread.c. The thread itself.
 */
#ifndef HAKMEM_WARM_LIGHT_WORK_H
#define HAKMEM_WARM_LIGHT_WORK_H

#include "warm/heap.h"

/* How many threads have a heap before they have done much. */
size_t light_heaps_at_once(void);

/* The calling thread, which needs a block, was brief until now, and has done more than that. Threads that begin are
 * expected to do so, too, for a while. */
bool light_work_outgrows(void);

/* Whether the calling thread, which needs a block or has posted some, goes on without a heap. If not, it counts in
 * cold/registry.h as one that has one. */
bool light_work_goes_on(void);

/* The calling thread, which has not started, posts a block by itself. False: it has posted some before. */
bool light_posts(void);

/* It has done what a thread without a heap may do. */
bool light_work_is_done(void);

/* It has had a block that lay at its CPU; has had its CPU's magazine refilled, after light_work_goes_on; has posted so
 * many that its CPU's magazine had no place for; or one that its CPU had no magazine for. */
void light_work_popped(size_t size_class);
void light_work_refilled(void);
void light_work_posted(unsigned blocks);
void light_work_called(void);

/* Blocks of which a heap with this one's share could cache some: only they count as work where many threads have
 * heaps. */
void light_work_fit(const struct thread_heap *heap);

#endif
