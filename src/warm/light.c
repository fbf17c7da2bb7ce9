#include "warm/light.h"

#include <string.h>

#include "events/events.h"
#include "warm/claim.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/take.h"
#include "warm/thread.h"

#if HAKMEM_CPU_CACHES

/* An empty magazine, filled by half; its new top. */
static void **fill(struct thread_heap *heap, size_t size_class, void **magazine) {
  unsigned all = share_of_class(heap, size_class);
  void **bottom = magazine_bottom(magazine, all);
  *bottom = NULL;
  unsigned want = (all + 1) / 2;
  unsigned had = heap_take(heap, size_class, bottom + want, want);
  if (had == 0) {
    had = heap_grow(heap, size_class, bottom + want, want);
  }
  memmove(bottom + 1, bottom + 1 + (want - had), had * sizeof *bottom);
  observe_refill(had);
  return bottom + had;
}

static void *refill_from(struct thread_heap *heap, size_t size_class) {
  void **top = cpu_take(size_class);
  if (magazine_is_none(magazine_of(top))) {
    top = depot_take_empty(&heap->depot, share_of_class(heap, size_class));
    if (top == NULL) {
      return NULL;
    }
  }
  if (*top == NULL) {
    top = fill(heap, size_class, magazine_of(top));
  }
  void *block = *top;
  top = block == NULL ? top : top - 1;
  if (!cpu_give(size_class, top)) {
    heap_put_magazine(heap, size_class, top);
  }
  return block;
}

void *light_refill(size_t size_class) {
  if (thread_cache.light_calls == 0 || (thread_cache.cpu == NULL && !cpu_join())) {
    return NULL;
  }
  void *block = cpu_pop(size_class); /* it has just joined, or changed its CPU */
  struct thread_heap *heap;
  if (block == NULL && (heap = thread_claim()) != NULL) {
    share_renew(heap);
    heap->keep = 0;
    block = refill_from(heap, size_class);
    heap_put_depot(heap); /* what came home; an orphan holds no block outside its slabs */
    heap_give(heap);
  }
  return block;
}

/* A full magazine's older half goes to the blocks' owners. */
static void **post_half(size_t size_class, void **top) {
  unsigned count = magazine_count(top);
  unsigned keep = count / 2;
  void **bottom = top - count;
  heap_post_blocks(NULL, size_class, top - keep);
  memmove(bottom + 1, top - keep + 1, keep * sizeof *bottom);
  return bottom + keep;
}

/* The CPU's magazine has no place for the block, or has it on top; or another one by now. */
static NOINLINE bool spill_light(size_t size_class, void *block) {
  void **top = cpu_take(size_class);
  if (magazine_is_none(magazine_of(top))) {
    return false;
  }
  if (unlikely(*top == block)) {
    struct place place = place_of(block, size_class);
    fatal_double_free(place.slab, place.index);
  }
  if (top == magazine_full_top(magazine_of(top))) {
    top = post_half(size_class, top);
    observe_spill(magazine_count(top));
  }
  *++top = block;
  if (!cpu_give(size_class, top)) {
    heap_post_blocks(NULL, size_class, top);
    struct thread_heap *heap = thread_claim();
    if (heap != NULL) {
      depot_give_empty(&heap->depot, magazine_of(top));
      heap_give(heap);
    }
  }
  return true;
}

bool light_free(size_t size_class, void *block) {
  return thread_cache.cpu != NULL && (cpu_push(size_class, block) || spill_light(size_class, block));
}

static void put(void *heap, size_t size_class, void **top) { heap_put_magazine(heap, size_class, top); }

void light_put(struct thread_heap *heap) { cpu_empty(put, heap); }

#endif
