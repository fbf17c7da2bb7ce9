/* cached: the blocks in magazines are found, wherever these are. */
#include "warm/cached.h"

#include "hakmem.h"
#include "unit/heaps.h"

static const size_t size_class = 7;

struct seen {
  size_t count;
  const void *block; /* that is looked for */
  bool found;
};

static void see(void *block, size_t of_class, void *context) {
  struct seen *seen = context;
  EXPECT_EQ(of_class, class_of(block));
  seen->count += of_class == size_class;
  seen->found = seen->found || block == seen->block;
}

/* Of a heap that its thread, or a test in its place, is not changing. */
static struct seen look(struct thread_heap *heap, const void *block) {
  struct seen seen = {0, block, false};
  bool changing = heap_state_of(&heap->link) == HEAP_CHANGING;
  if (changing) {
    heap_leave(heap);
  }
  EXPECT_TRUE(each_cached_block(heap, see, &seen));
  if (changing) {
    heap_enter(heap);
  }
  return seen;
}

static void in_the_cache(void *unused) {
  (void)unused;
  void *some[10];
  for (size_t i = 0; i < 10; i++) {
    some[i] = hak_malloc(100);
  }
  struct thread_heap *heap = thread_cache.heap;
  struct seen before = look(heap, some[3]);
  EXPECT_FALSE(before.found);
  EXPECT_EQ(before.count, magazine_count(thread_cache.top[size_class]));
  hak_free(some[3]);
  struct seen after = look(heap, some[3]);
  EXPECT_TRUE(after.found);
  EXPECT_EQ(after.count, before.count + 1);
}

TEST(CachedTest, OfAThreadsCache) { on_a_fresh_thread(in_the_cache, NULL); }

TEST(CachedTest, OfTheDepotAndOfWhatCameHome) {
  struct thread_heap *heap = new_heap();
  unsigned each = size_classes[size_class].magazine;
  EXPECT_EQ(look(heap, NULL).count, 0);
  depot_push(&heap->depot, size_class, full_magazine(heap, size_class));
  depot_push(&heap->depot, size_class, full_magazine(heap, size_class));
  EXPECT_EQ(look(heap, NULL).count, 2 * each);
  home_stack_push(&heap->returned, full_magazine(heap, size_class));
  EXPECT_EQ(look(heap, NULL).count, 3 * each);
}

TEST(CachedTest, OfWhatIsGatheredForOthers) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *heap = heap_new();
  void *blocks[5];
  EXPECT_EQ(take(owner, size_class, blocks, 5), 5);
  gather_blocks(heap, blocks, 5);
  EXPECT_EQ(look(heap, NULL).count, 5);
  EXPECT_TRUE(look(heap, blocks[4]).found);
  EXPECT_EQ(look(owner, NULL).count, 0);
}

TEST(CachedTest, OfAThreadThatForkLeftBehind) {
  struct thread_heap *heap = new_heap();
  void **magazine = full_magazine(heap, size_class);
  heap->lost_top[size_class] = magazine_full_top(magazine);
  EXPECT_EQ(look(heap, magazine[MAGAZINE_SLOTS - 1]).count, size_classes[size_class].magazine);
}

TEST(CachedTest, AHeapThatChangesIsSaidTo) {
  struct thread_heap *heap = new_heap(); /* CHANGING */
  struct seen seen = {0};
  EXPECT_FALSE(each_cached_block(heap, see, &seen));
  heap_leave(heap);
  EXPECT_TRUE(each_cached_block(heap, see, &seen));
}

static void enter_it(void *block, size_t of_class, void *context) {
  (void)block;
  (void)of_class;
  heap_enter(context);
  heap_leave(context);
}

TEST(CachedTest, AHeapThatHasChangedMeanwhileIsSaidTo) {
  struct thread_heap *heap = new_heap();
  depot_push(&heap->depot, size_class, full_magazine(heap, size_class));
  heap_leave(heap);
  EXPECT_FALSE(each_cached_block(heap, enter_it, heap));
}

static void steal_from_it(void *block, size_t of_class, void *context) {
  (void)block;
  struct thread_heap *heap = context;
  home_stack_steal(&heap->returned, of_class);
}

TEST(CachedTest, AHeapThatIsStolenFromMeanwhileIsSaidTo) {
  struct thread_heap *heap = new_heap();
  home_stack_push(&heap->returned, full_magazine(heap, size_class));
  heap_leave(heap);
  struct seen seen = {0};
  EXPECT_TRUE(each_cached_block(heap, see, &seen));
  EXPECT_FALSE(each_cached_block(heap, steal_from_it, heap));
  EXPECT_TRUE(each_cached_block(heap, see, &seen));
  atomic_store(&heap->returned.steals, 1); /* some thread is at it */
  EXPECT_FALSE(each_cached_block(heap, see, &seen));
}

static void count_two_threads(void *unused) {
  (void)unused;
  size_t before[SIZE_CLASS_COUNT] = {0};
  size_t after[SIZE_CLASS_COUNT] = {0};
  void *blocks[40];
  for (size_t i = 0; i < 40; i++) {
    blocks[i] = hak_malloc(100);
  }
  cached_counts(before);
  for (size_t i = 0; i < 40; i++) {
    hak_free(blocks[i]);
  }
  cached_counts(after);
  EXPECT_EQ(after[size_class], before[size_class] + 40);
}

TEST(CachedTest, AllHeapsAreAddedUp) { on_a_fresh_thread(count_two_threads, NULL); }
