#include "warm/post.h"

#include "events/events.h"
#include "warm/claim.h"
#include "warm/cpu_cache.h"
#include "warm/heap_hooks.h"
#include "warm/tidy.h"

/* Publications from one collection to the next; of the profile library's heaps, which serve on, more. */
enum { ORPHAN_COLLECT_EVERY = 16, RESERVED_COLLECT_EVERY = 1024 };

static _Atomic size_t heapless_publications;

static void collect_for_orphan(struct thread_heap *heap) {
  struct thread_heap *orphan = heap_claim_this(heap);
  if (orphan != NULL) {
    heap_tidy_and_trim(orphan);
    heap_give(orphan);
  }
}

/* One more publication by this thread, or by all that have no heap; their number so far. */
static size_t count_publication(struct thread_heap *heap) {
  if (heap == NULL) {
    observe_shared_figure();
    return atomic_fetch_add_explicit(&heapless_publications, 1, memory_order_relaxed) + 1;
  }
  size_t publications = atomic_load_explicit(&heap->publications, memory_order_relaxed) + 1;
  atomic_store_explicit(&heap->publications, publications, memory_order_relaxed);
  return publications;
}

/* Something was published to a heap. */
static void published(struct thread_heap *heap, struct thread_heap *owner) {
  observe_remote_publication();
  unsigned every = owner_is_reserved(owner->link.owner) ? RESERVED_COLLECT_EVERY : ORPHAN_COLLECT_EVERY;
  if (count_publication(heap) % every == 0 && heap_has_nobody(&owner->link)) {
    collect_for_orphan(owner);
  }
}

void heap_post_bits(struct thread_heap *heap, struct slab *slab, unsigned word, uint64_t bits) {
  observe_remote_post(bits);
  critical_enter(); /* between the token and the queue */
  if (heap_send_bits(slab, word, bits)) {
    published(heap, atomic_load(&slab->heap));
  }
  critical_leave();
}

/* Blocks come in runs: a word is posted once. */
void heap_post_blocks(struct thread_heap *heap, size_t size_class, void *const *top) {
  while (*top != NULL) {
    struct place first = place_of(*top, size_class);
    uint64_t bits = 0;
    for (struct place place = first; place.slab == first.slab && place.index / 64 == first.index / 64;
         place = place_of(*top, size_class)) {
      uint64_t bit = UINT64_C(1) << place.index % 64;
      if (unlikely((bits & bit) != 0)) {
        fatal_double_free(place.slab, place.index);
      }
      bits |= bit;
      if (*--top == NULL) {
        break;
      }
    }
    heap_post_bits(heap, first.slab, first.index / 64, bits);
  }
}

static void post_entry(struct thread_heap *heap, struct home_entry *entry) {
  size_t size_class = unit_tag_class(entry->tag);
  void **top = home_leave(entry);
  heap_post_blocks(heap, size_class, top);
  depot_give_empty(&heap->depot, magazine_of(top));
}

void heap_post(struct thread_heap *heap) {
  for (unsigned i = 0; i < HOME_ENTRIES; i++) {
    if (heap->home[i].tag != 0) {
      post_entry(heap, &heap->home[i]);
    }
  }
}

/* Full, and of full size. */
static bool is_full(const struct home_entry *entry) {
  return !entry->small && entry->top == magazine_full_top(magazine_of(entry->top));
}

void heap_send_home(struct thread_heap *heap, struct home_entry *entry) {
  size_t size_class = unit_tag_class(entry->tag);
  struct thread_heap *owner = atomic_load(&place_of(*entry->top, size_class).slab->heap);
  if (!is_full(entry) || heap_has_nobody(&owner->link) || home_stack_is_full(&owner->returned)) {
    post_entry(heap, entry);
    return;
  }
  home_stack_push(&owner->returned, magazine_of(home_leave(entry)));
  observe_home_magazine(size_classes[size_class].magazine);
  published(heap, owner);
}

/* ---- what CPUs have cached ---- */

static void post_of_cpu(size_t size_class, void *const *top) {
  observe_cpu_posted(magazine_count(top));
  heap_post_blocks(NULL, size_class, top);
}

void heap_post_cpus(void) {
  critical_enter();
  hook_post_shared(post_of_cpu);
  cpu_empty(post_of_cpu);
  critical_leave();
}

/* ---- publications ---- */

size_t heap_publications(void) {
  size_t publications = atomic_load_explicit(&heapless_publications, memory_order_relaxed);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    publications += atomic_load_explicit(&heap_of_link(link)->publications, memory_order_relaxed);
  }
  return publications;
}
