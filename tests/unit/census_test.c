/* census: finds what cannot be. */
#include "warm/census.h"

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

static void foreign_in_a_magazine(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  struct thread_heap *other = heap_new();
  void **magazine = full_magazine(heap, size_class_of(1024));
  depot_push(&heap->depot, size_class_of(1024), magazine);
  expect_census(heap, size_class_of(1024), 0);
  take(other, size_class_of(1024), &magazine[40], 1);
  notice("%zu",
         heap_census(heap, size_class_of(1024)).depot); /* it is not counted: its slab may have gone to that heap */
  magazine[40] = (char *)magazine[41] + 8;
  notice("%p", magazine[40]);
  heap_census(heap, size_class_of(1024));
}

static void free_in_a_magazine(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  void **magazine = full_magazine(heap, size_class_of(1024));
  depot_push(&heap->depot, size_class_of(1024), magazine);
  heap_put(heap, size_class_of(1024), &magazine[40], 1);
  notice("%p", magazine[40]);
  heap_census(heap, size_class_of(1024));
}

static void free_twice(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 5);
  heap_put(heap, size_class_of(1024), &blocks[3], 1);
  post_block(NULL, blocks[3]);
  notice("%p", blocks[0]);
  heap_census(heap, size_class_of(1024));
}

static void miscounted(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 5);
  place_of(blocks[0], size_class_of(1024)).slab->free_count++;
  notice("%p", blocks[0]);
  heap_census(heap, size_class_of(1024));
}

TEST(CensusTest, TheCensusStopsAtWhatIsWrong) {
  EXPECT_STOPS(foreign_in_a_magazine, NULL,
               "62\n(" ANY_POINTER ")\nhakmem: census: pointer \\1 in a magazine is no block of its heap and class\n");
  EXPECT_STOPS(free_in_a_magazine, NULL,
               "(" ANY_POINTER ")\nhakmem: census: pointer \\1 is in a magazine and free in its slab\n");
  EXPECT_STOPS(free_twice, NULL, "(" ANY_POINTER ")\nhakmem: census: slab \\1 has blocks that are free twice\n");
  EXPECT_STOPS(miscounted, NULL, "(" ANY_POINTER ")\nhakmem: census: slab \\1 is not valid\n");
}
