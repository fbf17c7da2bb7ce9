#include "warm/exit_check.h"

#include "warm/collect.h"
#include "warm/post.h"
#include "warm/put.h"

void exit_check(struct thread_heap *heap) {
  size_t keep = heap->keep;
  heap->keep = SIZE_MAX;
  heap_put_caches(heap);
  heap_collect(heap);
  heap_put_depot(heap); /* what came home */
  heap->keep = keep;
  heap_post(heap);
}
