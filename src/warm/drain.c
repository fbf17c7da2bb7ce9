#include "warm/drain.h"

#include "warm/heap_hooks.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/tidy.h"

void heap_drain(struct thread_heap *heap) {
  heap_post(heap);
  heap_tidy(heap);
}

void thread_drain(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **top = thread_cache.top[size_class];
    heap->lane[size_class].borrowed = 0;
    if (!magazine_is_none(magazine_of(top))) {
      thread_cache.top[size_class] = no_magazine_top();
      heap_put_magazine(heap, size_class, top);
    }
  }
  hook_drain(heap);
  heap_drain(heap);
}
