#include "warm/gather.h"

#include "warm/post.h"

/* Each block is posted at once, as a bit; the entry stays empty. */
NOINLINE void gather(struct thread_heap *heap, struct home_entry *entry, void *block, unit_tag tag) {
  (void)entry;
  struct place place = place_of(block, unit_tag_class(tag));
  uint64_t bit = UINT64_C(1) << place.index % 64;
  heap_enter(heap);
  heap_post_bits(heap, place.slab, place.index / 64, bit);
  heap_leave(heap);
}

void **gather_take(struct thread_heap *heap, size_t size_class) {
  (void)heap;
  (void)size_class;
  return NULL;
}
