/* remote: blocks freed by a thread that does not own them.
 *
 * The freeing thread gathers bits, one bitmap word at a time, and posts a word with one atomic OR. The slab is
 * published to its owner's queue on the first post only: whoever turns `published` from 0 to 1 holds the slab's
 * token, and only the holder of the token may queue the slab, release it, or move it to another heap. The owner takes
 * the whole queue and keeps the tokens until the slab's class runs dry; then it gives the token back first and collects
 * the bits second, and a bit posted in between finds the token free and publishes anew. So no bit is lost, no slab is
 * queued twice, and no slab is released while it is queued. A released slab keeps its token taken, so a thread that
 * posted its last bits but has not yet looked at the token finds nothing to do.
 *
 * Owns:     the second cache line of struct slab, the queue of each heap, and each thread's gathered words.
 * Promises: no lock; one atomic read-modify-write per word, one more per publication. A thread gathers at most 64
 *           words of at most 32 KiB of blocks each.
 * Callers:  WARM. Posting: any thread. remote_queue_take: the queue's owner.
 */
#ifndef HAKMEM_WARM_REMOTE_H
#define HAKMEM_WARM_REMOTE_H

#include "warm/slab.h"

enum { REMOTE_WORDS = 16, REMOTE_WORD_BYTES = 32 * 1024 };

/* A bitmap word being gathered. `slab` is NULL while the entry is unused. */
struct remote_word {
  struct slab *slab;
  uint64_t bits;
  uint32_t word;
  uint32_t left; /* blocks that may still be gathered before the word is posted */
};

/* What a thread has freed of others' and not posted yet; a slab's word has one possible entry. */
struct remote_words {
  struct remote_word entry[REMOTE_WORDS];
  _Atomic size_t published; /* slabs that this heap's threads have published; written by them alone */
};

/* Slabs with posted bits, newest first. On a cache line of its own: other threads write it. */
struct remote_queue {
  _Alignas(64) _Atomic(struct slab *) first;
};

/* The one entry that may gather a place's word. */
static inline struct remote_word *remote_word_of(struct remote_words *words, struct place place) {
  uintptr_t key = ((uintptr_t)place.slab >> 7) + (uintptr_t)(place.index / 64) * 37;
  return &words->entry[key % REMOTE_WORDS];
}

/* Posts bits of one word. True: the caller now holds the slab's token and must queue it. */
bool remote_post(struct slab *slab, unsigned word, uint64_t bits);

/* Puts a slab, whose token the caller holds, on its owner's queue. */
void remote_enqueue(struct remote_queue *queue, struct slab *slab);

/* Takes all queued slabs, linked by queue_next. */
struct slab *remote_queue_take(struct remote_queue *queue);

static inline bool remote_queue_is_empty(struct remote_queue *queue) {
  return atomic_load_explicit(&queue->first, memory_order_relaxed) == NULL;
}

/* The token: true when the caller got it. */
static inline bool remote_token_take(struct slab *slab) {
  return atomic_load(&slab->published) == 0 && atomic_exchange(&slab->published, 1) == 0;
}

static inline void remote_token_give(struct slab *slab) { atomic_store(&slab->published, 0); }

#endif
