#include "warm/post.h"

#include "events/events.h"
#include "warm/claim.h"
#include "warm/collect.h"
#include "warm/lane.h"
#include "warm/trim.h"

enum { ORPHAN_COLLECT_EVERY = 16 };

static _Atomic size_t heapless_publications;

static void collect_for_orphan(struct thread_heap *heap) {
  struct thread_heap *orphan = heap_claim_this(heap);
  if (orphan != NULL) {
    heap_collect(orphan);
    lane_release_kept(orphan, 0);
    warm_pool_flush(&orphan->warm_pool);
    trim_after_put(orphan);
    heap_give(orphan);
  }
}

/* One more publication by this thread, or by all that have no heap; their number so far. */
static size_t count_publication(struct thread_heap *heap) {
  if (heap == NULL) {
    return atomic_fetch_add_explicit(&heapless_publications, 1, memory_order_relaxed) + 1;
  }
  size_t publications = atomic_load_explicit(&heap->words.publications, memory_order_relaxed) + 1;
  atomic_store_explicit(&heap->words.publications, publications, memory_order_relaxed);
  return publications;
}

static void publish(struct thread_heap *heap, struct slab *slab) {
  observe_remote_publication();
  struct thread_heap *owner = atomic_load(&slab->heap);
  remote_enqueue(&owner->queue, slab);
  if (count_publication(heap) % ORPHAN_COLLECT_EVERY == 0 && heap_has_nobody(&owner->link)) {
    collect_for_orphan(owner);
  }
}

void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits) {
  observe_remote_post(bits);
  critical_enter(); /* between the token and the queue */
  if (remote_post(slab, word, bits)) {
    publish(heap, slab);
  }
  critical_leave();
}

void heap_post_word(struct thread_heap *heap, struct remote_word *entry) {
  struct remote_word gathered = *entry;
  entry->slab = NULL;
  heap_post_bits(heap, gathered.slab, gathered.word, gathered.bits);
}

void heap_post(struct thread_heap *heap) {
  for (unsigned i = 0; i < REMOTE_WORDS; i++) {
    if (heap->words.entry[i].slab != NULL) {
      heap_post_word(heap, &heap->words.entry[i]);
    }
  }
}

size_t heap_publications(void) {
  size_t publications = atomic_load_explicit(&heapless_publications, memory_order_relaxed);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    publications += atomic_load_explicit(&heap_of_link(link)->words.publications, memory_order_relaxed);
  }
  return publications;
}
