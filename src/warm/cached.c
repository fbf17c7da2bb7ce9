#include "warm/cached.h"

#include <string.h>

#include "warm/cpu_cache.h"
#include "warm/heap_hooks.h"
#include "warm/inside.h"

/* No list is as long: one that is changed while it is followed may lead round. */
enum { LONGEST_LIST = 1 << 20 };

struct walk {
  cached_visit *visit;
  void *context;
};

/* What lies in a magazine that changes may be a block of another class by now: its tag decides. */
static void visit_block(void *block, void *walk) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) == ROUTE_SLAB && place_of(block, unit_tag_class(tag)).index != PLACE_NONE) {
    struct walk *to = walk;
    to->visit(block, unit_tag_class(tag), to->context);
  }
}

/* From `top` down to the NULL, not below slot `lowest`. */
LOOKS_ON static void walk_down(void **top, size_t lowest, struct walk *walk) {
  void **lowest_slot = magazine_of(top) + lowest;
  for (; top >= lowest_slot && *top != NULL; top--) {
    visit_block(*top, walk);
  }
}

LOOKS_ON static void walk_list(void **magazine, struct walk *walk) {
  for (size_t i = 0; magazine != NULL && i < LONGEST_LIST; i++) {
    walk_down(magazine_full_top(magazine), 1, walk);
    magazine = magazine[0];
  }
}

/* The magazines' addresses lie in the thread's TLS, which is gone soon after its end; the magazines stay. */
LOOKS_ON static void copy_tops(const struct thread_heap *heap, void **tops[SIZE_CLASS_COUNT]) {
  registry_lock();
  const struct thread_cache *cache = heap->cache;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    tops[size_class] = cache != NULL ? cache->top[size_class] : heap->lost_top[size_class];
  }
  registry_unlock();
}

LOOKS_ON static void walk_all(struct thread_heap *heap, struct walk *walk) {
  void **tops[SIZE_CLASS_COUNT];
  copy_tops(heap, tops);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    if (tops[size_class] != NULL) {
      walk_down(tops[size_class], 0, walk);
    }
    walk_list(heap->depot.full[size_class], walk);
  }
  walk_list(atomic_load(&heap->returned.first), walk);
  for (size_t i = 0; i < HOME_ENTRIES; i++) {
    void **top = heap->home[i].tag != 0 ? heap->home[i].top : NULL;
    if (top != NULL) {
      walk_down(top, 0, walk);
    }
  }
  hook_each_quarantined(heap, visit_block, walk);
}

bool each_cached_block(struct thread_heap *heap, cached_visit *visit, void *context) {
  struct walk walk = {visit, context};
  enum heap_state state = heap_state_of(&heap->link);
  uint32_t uses = atomic_load(&heap->uses);
  uint32_t steals = atomic_load(&heap->returned.steals);
  walk_all(heap, &walk);
  atomic_thread_fence(memory_order_seq_cst);
  return state != HEAP_CHANGING && state == heap_state_of(&heap->link) && uses == atomic_load(&heap->uses) &&
         steals % 2 == 0 && steals == atomic_load(&heap->returned.steals);
}

void each_block_cached_by_cpus(cached_visit *visit, void *context) {
  struct walk walk = {visit, context};
  cpu_each(visit_block, &walk);
  hook_each_shared(visit_block, &walk);
}

static void count(void *block, size_t size_class, void *blocks) {
  struct place place = place_of(block, size_class);
  ((size_t *)blocks)[size_class] += inside_parts(place.slab, place.index);
}

size_t cached_counts(size_t blocks[SIZE_CLASS_COUNT]) {
  size_t changing = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    size_t of_heap[SIZE_CLASS_COUNT];
    bool stood = false;
    for (unsigned i = 0; !stood && i < CACHED_TRIES; i++) {
      memset(of_heap, 0, sizeof of_heap);
      stood = each_cached_block(heap_of_link(link), count, of_heap);
    }
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      blocks[size_class] += of_heap[size_class];
    }
    changing += !stood;
  }
  each_block_cached_by_cpus(count, blocks);
  return changing;
}
