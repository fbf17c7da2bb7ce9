/* put: blocks go back to their slabs. */
#include "warm/put.h"

#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/drain.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(PutTest, PutsBlocksOfManySlabsInAnyOrder) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 1, 6, 20, 27, 31, SIZE_CLASS_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    const size_t size_class = classes[c];
    struct thread_heap *heap = new_heap();
    unsigned count = 4U * size_classes[size_class].capacity;
    count = count < MANY ? count : MANY;
    ASSERT_EQ(take(heap, size_class, blocks, count), count);
    for (unsigned i = count - 1; i > 0; i--) {
      size_t j = unit_below(&seed, i + 1);
      void *other = blocks[j];
      blocks[j] = blocks[i];
      blocks[i] = other;
    }
    for (unsigned at = 0; at < count;) {
      unsigned part = (unsigned)unit_below(&seed, 100) + 1;
      part = part < count - at ? part : count - at;
      heap_put(heap, size_class, &blocks[at], part);
      at += part;
      if (at % 7 == 0) {
        expect_census(heap, size_class, count - at);
      }
    }
    EXPECT_EQ(bound_in_use(heap), 0);
    heap_drain(heap);
  }
}

TEST(PutTest, TakesMagazinesBackFullOrInPart) {
  struct thread_heap *heap = new_heap();
  void **full = full_magazine(heap, size_class_of(64));
  void **part = empty_magazine(heap, size_class_of(64));
  EXPECT_EQ(take(heap, size_class_of(64), part + 1, 10), 10);
  void **none = empty_magazine(heap, size_class_of(64));
  expect_census(heap, size_class_of(64), size_classes[size_class_of(64)].magazine + 10U);

  heap_put_full(heap, size_class_of(64), full);
  expect_census(heap, size_class_of(64), 10);
  heap_put_magazine(heap, size_class_of(64), part + 10);
  heap_put_magazine(heap, size_class_of(64), none);
  EXPECT_EQ(bound_in_use(heap), 0);
  /* All three are the depot's empty ones now. */
  EXPECT_EQ(empty_magazine(heap, size_class_of(64)), none);
  EXPECT_EQ(empty_magazine(heap, size_class_of(64)), part);
  EXPECT_EQ(magazine_of(empty_magazine(heap, size_class_of(64))), full);
}

/* ---- misuse ---- */

static void put_one_block_twice_at_once(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  announce(blocks[66], blocks[0]);
  blocks[60] = blocks[66];
  heap_put(heap, size_class_of(64), blocks, 70);
}

static void put_one_block_twice(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  heap_put(heap, size_class_of(64), &blocks[10], 20);
  announce(blocks[15], blocks[0]);
  heap_put(heap, size_class_of(64), &blocks[15], 1);
}

static void put_with_another_thread(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(64), blocks, 70);
  heap_put(heap, size_class_of(64), &blocks[15], 1);
  post_block(NULL, blocks[15]);
  announce(blocks[15], blocks[0]);
  heap_collect(heap);
}

TEST(PutTest, ABlockThatIsPutTwiceIsADoubleFree) {
  const char *line = ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n";
  EXPECT_STOPS(put_one_block_twice_at_once, NULL, line);
  EXPECT_STOPS(put_one_block_twice, NULL, line);
  EXPECT_STOPS(put_with_another_thread, NULL, line);
}

static void put_inside(void *offset) {
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 8);
  char *start = blocks[0];
  blocks[5] = (char *)blocks[5] + (uintptr_t)offset;
  announce(blocks[5], start);
  heap_put(heap, size_class_of(1024), blocks, 8);
}

static void put_first_inside(void *offset) {
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(1024), blocks, 8);
  char *start = blocks[0];
  blocks[0] = start + (uintptr_t)offset;
  announce(blocks[0], start);
  heap_put(heap, size_class_of(1024), blocks, 8);
}

static void put_tail_of_slab(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  take(heap, size_class_of(48), blocks, 8); /* 1365 blocks of 48 bytes: 16 bytes are left at the end */
  char *start = blocks[0];
  blocks[1] = start + 1365 * 48;
  announce(blocks[1], start);
  heap_put(heap, size_class_of(48), blocks, 8);
}

TEST(PutTest, APointerThatIsNoBlockIsInterior) {
  const char *const interior =
      ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n";
  const char *const misaligned =
      ANNOUNCED "hakmem: misaligned free: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n";
  const struct {
    uintptr_t offset;
    const char *line;
  } cases[] = {{1, misaligned}, {8, interior}, {16, interior}, {1023, misaligned}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    EXPECT_STOPS(put_inside, (void *)cases[i].offset, cases[i].line);
    EXPECT_STOPS(put_first_inside, (void *)cases[i].offset, cases[i].line);
  }
  EXPECT_STOPS(put_tail_of_slab, NULL,
               ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 48 bytes, slab \\2, thread \\3\n");
}
