#include "warm/exit_check.h"

#include "warm/collect.h"
#include "warm/post.h"
#include "warm/put.h"

static size_t count_cached(const struct thread_heap *heap) {
  size_t blocks = 0;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    blocks += magazine_count(thread_cache.top[size_class]);
    for (void **magazine = heap->depot.full[size_class]; magazine != NULL; magazine = magazine[0]) {
      blocks += size_classes[size_class].magazine;
    }
  }
  return blocks;
}

size_t exit_check(struct thread_heap *heap) {
  size_t blocks = count_cached(heap);
  size_t keep = heap->keep;
  heap->keep = SIZE_MAX;
  heap_post_cpus();
  heap_put_caches(heap);
  heap_collect(heap);
  blocks += count_cached(heap); /* what came home */
  heap_put_depot(heap);
  heap->keep = keep;
  heap_post(heap);
  return blocks;
}
