#include "warm/spot_check.h"

#include "warm/put.h"

enum { ROUNDS = 256 };

static bool has_cached(const struct thread_heap *heap, size_t size_class) {
  return heap->depot.full[size_class] != NULL || *thread_cache.top[size_class] != NULL;
}

/* The next class that has cached blocks; the same again where no other has. */
static size_t next_class(const struct thread_heap *heap) {
  size_t size_class = heap->checked;
  do {
    size_class = size_class + 1 < SIZE_CLASS_COUNT ? size_class + 1 : 0;
  } while (size_class != heap->checked && !has_cached(heap, size_class));
  return size_class;
}

NOINLINE void spot_check_round(struct thread_heap *heap) {
  heap->ticks = sample_next_round(heap);
  residency_settle();
  if (++heap->rounds % ROUNDS == 0) {
    heap_enter(heap);
    heap->checked = next_class(heap);
    heap_put_class(heap, heap->checked);
    heap_leave(heap);
  }
}
