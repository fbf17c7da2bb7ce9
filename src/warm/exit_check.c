#include "warm/exit_check.h"

#include "warm/collect.h"
#include "warm/cpu_cache.h"
#include "warm/post.h"
#include "warm/put.h"

static uint64_t *word_of(struct place place) { return &place.slab->free[place.index / 64]; }
static uint64_t bit_of(struct place place) { return UINT64_C(1) << place.index % 64; }

/* It came home in a magazine after its slab had gone to another heap. */
static bool is_of_another(const struct thread_heap *heap, size_t size_class, unit_tag tag) {
  return route_of(tag) == ROUTE_SLAB && unit_tag_class(tag) == size_class && unit_tag_owner(tag) != heap->link.owner;
}

/* Marks a block as free in its slab, as if it were put back. */
static void mark(const struct thread_heap *heap, size_t size_class, void *block) {
  unit_tag tag = unit_tag_of(block);
  if (is_of_another(heap, size_class, tag)) {
    return;
  }
  if (tag != unit_tag_for(heap->link.owner, size_class)) {
    fatal_released(block, size_class);
  }
  struct place place = place_of(block, size_class);
  if (place.index == PLACE_NONE) {
    fatal_interior(block, size_class, "free");
  }
  uint64_t free_bits =
      *word_of(place) | atomic_load_explicit(&place.slab->remote[place.index / 64], memory_order_relaxed);
  if ((free_bits & bit_of(place)) != 0) {
    fatal_double_free(place.slab, place.index);
  }
  *word_of(place) |= bit_of(place);
}

static void unmark(const struct thread_heap *heap, size_t size_class, void *block) {
  if (is_of_another(heap, size_class, unit_tag_of(block))) {
    return;
  }
  struct place place = place_of(block, size_class);
  *word_of(place) &= ~bit_of(place);
}

typedef void visitor(const struct thread_heap *heap, size_t size_class, void *block);

static void visit_magazine(const struct thread_heap *heap, size_t size_class, void *const *top, visitor *visit) {
  void *const *lowest = magazine_of((void **)top) + 1; /* below it there may be a link */
  for (; top >= lowest && *top != NULL; top--) {
    visit(heap, size_class, *top);
  }
}

static void visit_cached(const struct thread_heap *heap, visitor *visit) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    visit_magazine(heap, size_class, thread_cache.top[size_class], visit);
    for (void **magazine = heap->depot.full[size_class]; magazine != NULL; magazine = magazine[0]) {
      visit_magazine(heap, size_class, magazine_full_top(magazine), visit);
    }
  }
}

void exit_check(struct thread_heap *heap) {
  heap_take_returned(heap);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    cpu_claim(size_class);
  }
  visit_cached(heap, mark);
  visit_cached(heap, unmark);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap_unclaim(heap, size_class);
  }
  heap_post(heap);
}
