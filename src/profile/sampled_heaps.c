#include "profile/sampled_heaps.h"

#include "warm/warm.h"

/* Of classes up to this one a heap keeps a block that it hands out to nobody: its slab is then never empty. Else slabs
 * are bound and released for every third sample, which takes half of all its instructions. */
enum { PIN_BYTES_MAX = 4096 };

static _Atomic(struct thread_heap *) heaps[SAMPLED_HEAPS];
static uint64_t
    pinned[SAMPLED_HEAPS]; /* bit c: there is such a block of class c; who has claimed the heap changes it */

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

static void pin(struct thread_heap *heap, size_t size_class, uint64_t *pins) {
  uint64_t bit = UINT64_C(1) << size_class;
  bool wanted = size_classes[size_class].stride <= PIN_BYTES_MAX && (*pins & bit) == 0;
  if (wanted && refill_from(heap, size_class) != NULL) {
    *pins |= bit;
  }
}

void *sampled_heaps_take(size_t size_class) {
  struct thread_heap *heap = NULL;
  unsigned place = 0;
  while (place < SAMPLED_HEAPS && (heap = claim(place)) == NULL) {
    place++;
  }
  if (heap == NULL) {
    return NULL;
  }
  void *block = refill_from(heap, size_class);
  pin(heap, size_class, &pinned[place]);
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
