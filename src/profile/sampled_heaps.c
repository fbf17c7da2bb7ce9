#include "profile/sampled_heaps.h"

#include "warm/warm.h"

/* Bytes of empty slabs, little of them resident, that stay bound: else samples bind and release one again and again. */
static const size_t sampled_keep = 2 * MIB;

static _Atomic(struct thread_heap *) heaps[SAMPLED_HEAPS];

/* The heap at a place, changing, and made if there is none; NULL: somebody has it, or there is no memory. */
static struct thread_heap *claim(unsigned place) {
  struct thread_heap *heap = atomic_load_explicit(&heaps[place], memory_order_acquire);
  if (heap != NULL) {
    return heap_claim_this(heap);
  }
  struct thread_heap *made = heap_new_reserved();
  if (made != NULL && !atomic_compare_exchange_strong(&heaps[place], &heap, made)) {
    heap_give(made); /* another thread was first; it stays unused */
    return NULL;
  }
  return made;
}

void *sampled_heaps_take(size_t size_class) {
  struct thread_heap *heap = NULL;
  for (unsigned place = 0; heap == NULL && place < SAMPLED_HEAPS; place++) {
    heap = claim(place);
  }
  if (heap == NULL) {
    return NULL;
  }
  heap->keep = sampled_keep;
  void *block = refill_from(heap, size_class);
  heap_give(heap);
  return block;
}

void sampled_heaps_collect(void) {
  for (unsigned place = 0; place < SAMPLED_HEAPS; place++) {
    struct thread_heap *heap = atomic_load_explicit(&heaps[place], memory_order_acquire);
    if (heap != NULL && heap_claim_this(heap) != NULL) {
      heap_tidy(heap);
      trim_all(heap);
      heap_give(heap);
    }
  }
}
