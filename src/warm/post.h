/* post: a thread hands the bits of blocks that it does not own to their slabs, and tells the owner.
 *
 * Owns:     the count of publications.
 * Promises: one atomic operation a full magazine, or a word; one more a publication. An orphan, which collects nothing
 *           by itself, is collected by a thread that publishes to it, at every sixteenth of its publications.
 * Callers:  WARM. Any thread, with a heap or without one.
 */
#ifndef HAKMEM_WARM_POST_H
#define HAKMEM_WARM_POST_H

#include "warm/heap.h"

/* Posts bits of a slab for a thread that may have no heap (NULL), and publishes the slab to its owner if need be. */
void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits);

/* Posts the blocks of a magazine, from `top` down to its NULL, as bits. */
void heap_post_blocks(struct thread_heap *heap, size_t size_class, void *const *top);

/* Posts all that this heap's thread has gathered. */
void heap_post(struct thread_heap *heap);

/* Sends a full magazine home; one that is not, or whose owner is an orphan or has many to take, is posted. The entry
 * has none then. */
void heap_send_home(struct thread_heap *heap, struct home_entry *entry);

/* Posts all that CPUs have cached, where the system lets it (warm/cpu_cache.h). One system call or two, if any thread
 * has cached there. */
void heap_post_cpus(void);

/* Publications by all threads so far: of slabs, and of magazines. */
size_t heap_publications(void);

#endif
