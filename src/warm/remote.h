/* remote: blocks freed by a thread that does not own them.
 *
 * What does not go home in a magazine (warm/home.h) is posted as bits, a bitmap word with one atomic OR. The slab is
 * published to its owner's queue on the first post only: whoever turns `token` from 0 to 1 holds the slab's
 * token, and only the holder of the token may queue the slab, release it, or move it to another heap. The owner takes
 * the whole queue and keeps the tokens until the slab's lane is empty; then it gives the token back first and collects
 * the bits second, and a bit posted in between finds the token free and publishes anew. So no bit is lost, no slab is
 * queued twice, and no slab is released while it is queued. A released slab keeps its token taken, so a thread that
 * posted its last bits but has not yet looked at the token finds nothing to do.
 *
 * Owns:     the second cache line of struct slab, as far as it is shared, and the queue of each heap.
 * Promises: no lock; one atomic read-modify-write per word, one more per publication.
 * Callers:  WARM. Posting: any thread. remote_queue_take: the queue's owner.
 */
#ifndef HAKMEM_WARM_REMOTE_H
#define HAKMEM_WARM_REMOTE_H

#include "events/events.h"
#include "warm/slab.h"

/* Slabs with posted bits, newest first. */
struct remote_queue {
  _Atomic(struct slab *) first;
};

/* Posts bits of one word. True: the caller now holds the slab's token and must queue it. */
bool remote_post(struct slab *slab, unsigned word, uint64_t bits);

/* Puts a slab, whose token the caller holds, on its owner's queue. */
void remote_enqueue(struct remote_queue *queue, struct slab *slab);

/* Takes all queued slabs, linked by queue_next. */
struct slab *remote_queue_take(struct remote_queue *queue);

static inline bool remote_queue_is_empty(struct remote_queue *queue) {
  return atomic_load_explicit(&queue->first, memory_order_relaxed) == NULL;
}

static inline bool remote_token_turn(struct slab *slab) {
  observe_shared_remote();
  return atomic_exchange(&slab->token, 1) == 0;
}

/* The token: true when the caller got it. */
static inline bool remote_token_take(struct slab *slab) {
  return atomic_load(&slab->token) == 0 && remote_token_turn(slab);
}

static inline void remote_token_give(struct slab *slab) { atomic_store(&slab->token, 0); }

#endif
