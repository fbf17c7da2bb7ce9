#include "warm/medium.h"

#include "events/events.h"
#include "warm/refill.h"
#include "warm/thread_cache.h"

void *medium_allocate(size_t size) {
  size_t size_class = size_class_of_medium(size);
  void **top = thread_cache.top[size_class];
  void *block = *top;
  if (likely(block != NULL)) {
    cache_set_top(size_class, top - 1);
    observe_malloc_hit(block, size);
    return block;
  }
  block = refill(size, size_class);
  observe_malloc_served(block, size);
  return block;
}
