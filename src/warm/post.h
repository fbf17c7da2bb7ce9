/* post: a thread hands the bits of blocks that it does not own to their slabs, and tells the owner.
 *
 * Owns:     the count of publications.
 * Promises: one atomic operation a word, one more a publication. An orphan, which collects nothing by itself, is collected
 *           by a thread that publishes to it, at every sixteenth of its publications.
 * Callers:  WARM. Any thread, with a heap or without one.
 */
#ifndef HAKMEM_WARM_POST_H
#define HAKMEM_WARM_POST_H

#include "warm/heap.h"

/* Posts bits of a slab for a thread that may have no heap (NULL), and publishes the slab to its owner if need be. */
void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits);

/* Posts a word that this heap's thread has gathered, or all of them. */
void heap_post_word(struct thread_heap *heap, struct remote_word *entry);
void heap_post(struct thread_heap *heap);

/* Publications of slabs by all threads so far. */
size_t heap_publications(void);

#endif
