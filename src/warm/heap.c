#include "warm/heap.h"

#include "warm/heap_hooks.h"

static struct thread_heap *heap_memory(void) {
  return pool_meta_alloc(sizeof(struct thread_heap) + hook_heap_bytes(), _Alignof(struct thread_heap));
}

struct thread_heap *heap_new(void) {
  struct thread_heap *heap = heap_memory();
  if (heap == NULL && reclaim() > 0) {
    heap = heap_memory();
  }
  if (heap == NULL) {
    return NULL;
  }
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->lost_top[size_class] = no_magazine_top();
  }
  critical_enter();
  if (!registry_enroll(&heap->link)) {
    critical_leave();
    return NULL;
  }
  hook_heap(heap);
  return heap;
}
