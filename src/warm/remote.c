#include "warm/remote.h"

bool remote_post(struct slab *slab, unsigned word, uint64_t bits) {
  observe_shared_remote();
  uint64_t before = atomic_fetch_or(&slab->remote[word], bits);
  if (unlikely((before & bits) != 0)) {
    fatal_double_free(slab, word * 64 + (unsigned)__builtin_ctzll(before & bits));
  }
  return remote_token_take(slab);
}

void remote_enqueue(struct remote_queue *queue, struct slab *slab) {
  INVARIANT(atomic_load(&slab->token) == 1);
  struct slab *first = atomic_load_explicit(&queue->first, memory_order_relaxed);
  do {
    slab->queue_next = first;
    observe_shared_remote();
  } while (
      !atomic_compare_exchange_weak_explicit(&queue->first, &first, slab, memory_order_release, memory_order_relaxed));
}

struct slab *remote_queue_take(struct remote_queue *queue) {
  if (remote_queue_is_empty(queue)) {
    return NULL;
  }
  observe_shared_remote();
  return atomic_exchange_explicit(&queue->first, NULL, memory_order_acquire);
}
