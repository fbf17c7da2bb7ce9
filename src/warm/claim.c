#include "warm/claim.h"

#include "warm/heap_hooks.h"
#include "warm/put.h"
#include "warm/rebuild.h"

/* What a lost thread had cached goes back to the slabs: these may then move to other heaps. */
static void put_lost(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = heap->lost_top[size_class];
    if (!magazine_is_none(magazine_of(top))) {
      heap_put_magazine(heap, size_class, top);
      heap->lost_top[size_class] = no_magazine_top();
    }
  }
  hook_drain(heap);
  heap_put_depot(heap);
}

static struct thread_heap *claimed(struct heap_link *link, enum heap_state was) {
  struct thread_heap *heap = heap_of_link(link);
  heap->keep = 0;
  if (was == HEAP_TORN) {
    heap_rebuild(heap);
    hook_drain(heap);
  } else if (was == HEAP_LOST) {
    put_lost(heap);
  }
  return heap;
}

static struct thread_heap *claim(enum registry_choice choice) {
  enum heap_state was;
  critical_enter();
  struct heap_link *link = registry_take(choice, &was);
  if (link == NULL) {
    critical_leave();
    return NULL;
  }
  return claimed(link, was);
}

struct thread_heap *heap_claim_oldest(void) {
  return claim(REGISTRY_OLDEST);
}
struct thread_heap *heap_claim_newest(void) {
  return claim(REGISTRY_NEWEST);
}
struct thread_heap *heap_claim_spare(void) {
  return claim(REGISTRY_SPARE);
}

struct thread_heap *heap_claim_this(struct thread_heap *heap) {
  enum heap_state was;
  critical_enter();
  if (!registry_take_this(&heap->link, &was)) {
    critical_leave();
    return NULL;
  }
  return claimed(&heap->link, was);
}

void heap_give(struct thread_heap *heap) {
  registry_give(&heap->link);
  critical_leave();
}
