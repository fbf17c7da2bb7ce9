/* drain: a heap gives back everything that it holds outside its slabs. */
#include "warm/drain.h"

#include "unit/heaps.h"

TEST(DrainTest, DrainingEmptiesTheDepotAndTheWarmPool) {
  struct thread_heap *heap = new_heap();
  const size_t classes[] = {2, 17, SIZE_CLASS_COUNT - 1};
  for (size_t i = 0; i < 3; i++) {
    for (int n = 0; n < 4; n++) {
      void **magazine = depot_take_empty(&heap->depot, classes[i]);
      unsigned holds = size_classes[classes[i]].magazine;
      ASSERT_EQ(take(heap, classes[i], magazine_bottom(magazine, classes[i]) + 1, holds), holds);
      depot_push(&heap->depot, classes[i], magazine);
    }
    struct heap_census census = heap_census(heap, classes[i]);
    EXPECT_EQ(census.depot, 4 * size_classes[classes[i]].magazine);
    expect_census(heap, classes[i], 0);
  }
  heap_drain(heap);
  EXPECT_EQ(heap->depot.bytes, 0);
  EXPECT_EQ(heap->warm_pool.count, 0);
  EXPECT_EQ(heap->bound_bytes, 0);
}
