/* spill: a place for a block whose magazine is full. */
#include "warm/spill.h"

#include <errno.h>
#include <string.h>

#include "config/config.h"
#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/drain.h"
#include "warm/share.h"
#include "warm/thread.h"

static void free_many_of_each_class(void *unused) {
  (void)unused;
  enum { MAGAZINES = 7 };
  static void *blocks[MAGAZINES * MAGAZINE_SLOTS];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const size_t count = (size_t)MAGAZINES * size_classes[size_class].magazine;
    for (size_t i = 0; i < count; i++) {
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
    }
    expect_own_census(size_class, count);
    errno = UNTOUCHED_ERRNO;
    for (size_t i = 0; i < count; i++) {
      gate_free(blocks[i]);
      void *top = *thread_cache.top[size_class]; /* also the one that did not fit, unless the cache was emptied */
      ASSERT_TRUE(top == blocks[i] || top == NULL);
      if (i % 16 == 0) {
        expect_own_census(size_class, count - 1 - i);
      }
    }
    EXPECT_EQ(errno, UNTOUCHED_ERRNO);
    expect_own_census(size_class, 0);
  }
}

TEST(SpillTest, SpillLosesNothing) { on_a_fresh_thread(free_many_of_each_class, NULL); }

static void make_waves(void *unused) {
  (void)unused;
  enum { WAVE = 1600 };
  static void *blocks[WAVE];
  size_t taken = 0;
  for (int wave = 0; wave < 20; wave++) {
    for (size_t i = 0; i < WAVE; i++) {
      blocks[i] = gate_malloc_class(size_class_of(128));
    }
    if (wave > 0) {
      ASSERT_EQ(pool_figures().slabs_taken, taken); /* a wave is served from what the last one left */
    }
    taken = pool_figures().slabs_taken;
    for (size_t i = 0; i < WAVE / 2; i++) {
      gate_free(blocks[i]);
    }
    for (size_t i = WAVE; i-- > WAVE / 2;) {
      gate_free(blocks[i]);
    }
    expect_own_census(size_class_of(128), 0);
  }
}

TEST(SpillTest, WavesNeedNoNewSlabs) { on_a_fresh_thread(make_waves, NULL); }

/* While blocks are freed it may hold as much as the thread may cache; when the heap grows, no more than the option says. */
static void keep_the_depot_within(void *kib) {
  enum { BLOCKS = 40000 };
  static void *blocks[BLOCKS];
  const size_t least = (uintptr_t)kib * KIB;
  option_set("depot_kib", (long)(uintptr_t)kib);
  uint64_t seed = unit_seed();
  struct thread_heap *heap = thread_heap();
  size_t fullest = 0;
  for (int wave = 0; wave < 5; wave++) {
    for (size_t i = 0; i < BLOCKS; i++) {
      size_t size_class = unit_below(&seed, i % 8 == 0 ? 24 : 12);
      size_t bound = heap->bound_bytes;
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
      ASSERT_TRUE(heap->bound_bytes <= bound || heap->depot.bytes <= least);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
      gate_free(blocks[i]);
      ASSERT_LE(heap->depot.bytes, heap->share);
      fullest = heap->depot.bytes > fullest ? heap->depot.bytes : fullest;
    }
  }
  EXPECT_GT(fullest, heap->share / 8);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    expect_own_census(size_class, 0);
  }
}

static void keep_the_depot_within_on_a_thread(void *kib) { on_a_fresh_thread(keep_the_depot_within, kib); }

TEST(SpillTest, TheDepotStaysWithinItsBound) {
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)256, "");
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)2048, "");
  EXPECT_RUNS(keep_the_depot_within_on_a_thread, (void *)0, "");
}

/* ---- magazines that hold as much as the thread's share allows ---- */

enum { BLOCK_BYTES = 1024, CLASS_BLOCKS = 200 };

#define CLASS size_class_of(BLOCK_BYTES)

/* The share by which a magazine of the class may hold so many blocks. */
static void share_is(unsigned blocks) {
  struct thread_heap *heap = thread_heap();
  heap->share = (size_t)blocks * BLOCK_BYTES * MAGAZINE_SHARE;
  heap->has_small_magazines = true;
  heap->trim_below = 0; /* else it would be computed anew when less is used */
  ASSERT_EQ(share_of_class(heap, CLASS), blocks);
}

/* How many the magazine holds of those it may hold at most. */
static unsigned cached(void) {
  void **top = thread_cache.top[CLASS];
  return magazine_is_none(magazine_of(top)) ? 0 : magazine_count(top);
}

static void resize_magazines(void *unused) {
  (void)unused;
  static void *blocks[CLASS_BLOCKS];
  const unsigned full = size_classes[CLASS].magazine;
  for (size_t i = 0; i < CLASS_BLOCKS; i++) {
    blocks[i] = gate_malloc_class(CLASS);
    memset(blocks[i], 1, BLOCK_BYTES);
  }
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  thread_drain(heap); /* no magazine, and no slab with room but those of these blocks */
  heap_leave(heap);
  size_t freed = 0;
  share_is(8);
  for (; freed < 40; freed++) {
    gate_free(blocks[freed]);
    EXPECT_EQ(*thread_cache.top[CLASS], blocks[freed]);
    EXPECT_LE(cached(), 8);
    expect_own_census(CLASS, CLASS_BLOCKS - 1 - freed);
  }
  EXPECT_GE(cached(), 4);
  EXPECT_EQ(heap_census(heap, CLASS).depot, 0); /* one that is not of full size does not go there */
  /* The share grows: so does the magazine, when it is full, and keeps what it has. */
  share_is(20);
  while (cached() < 8) {
    gate_free(blocks[freed++]);
  }
  for (unsigned had = cached(); had < 20; had++) {
    gate_free(blocks[freed++]);
    EXPECT_EQ(cached(), had + 1);
    expect_own_census(CLASS, CLASS_BLOCKS - freed);
  }
  share_is(full);
  for (unsigned had = 20; had < full; had++) {
    gate_free(blocks[freed++]);
    EXPECT_EQ(cached(), had + 1);
  }
  expect_own_census(CLASS, CLASS_BLOCKS - freed);
  EXPECT_EQ(thread_cache.top[CLASS], magazine_full_top(magazine_of(thread_cache.top[CLASS])));
  /* It shrinks: half of what it may hold stays. */
  share_is(6);
  gate_free(blocks[freed++]);
  EXPECT_EQ(cached(), 4);
  EXPECT_EQ(*thread_cache.top[CLASS], blocks[freed - 1]);
  expect_own_census(CLASS, CLASS_BLOCKS - freed);
  /* Those freed last are handed out first. */
  EXPECT_EQ(gate_malloc_class(CLASS), blocks[freed - 1]);
  EXPECT_EQ(gate_malloc_class(CLASS), blocks[freed - 2]);
  expect_own_census(CLASS, CLASS_BLOCKS - freed + 2);
  gate_free(blocks[freed - 2]);
  gate_free(blocks[freed - 1]);
  /* So many may be refilled at once. */
  share_is(2);
  while (cached() > 0) {
    blocks[--freed] = gate_malloc_class(CLASS);
  }
  blocks[--freed] = gate_malloc_class(CLASS);
  EXPECT_EQ(cached(), 0);
  expect_own_census(CLASS, CLASS_BLOCKS - freed);
  for (; freed < CLASS_BLOCKS; freed++) {
    gate_free(blocks[freed]);
  }
  expect_own_census(CLASS, 0);
}

static void resize_magazines_on_a_thread(void *unused) { on_a_fresh_thread(resize_magazines, unused); }

TEST(SpillTest, AMagazineGrowsAndShrinksWithTheShare) { EXPECT_RUNS(resize_magazines_on_a_thread, NULL, ""); }

/* ---- a block that is freed twice in a row ---- */

static void free_twice_at_once(void *others) {
  void *block = gate_malloc_class(size_class_of(64));
  void *first[MAGAZINE_SLOTS];
  for (uintptr_t i = 0; i < (uintptr_t)others; i++) {
    first[i] = gate_malloc_class(size_class_of(64));
  }
  heap_enter(thread_cache.heap);
  thread_drain(thread_cache.heap); /* an empty cache */
  heap_leave(thread_cache.heap);
  for (uintptr_t i = 0; i < (uintptr_t)others; i++) {
    gate_free(first[i]);
  }
  gate_free(block);
  announce(block, unit_of(block));
  gate_free(block);
  notice("it went on");
}

TEST(SpillTest, ABlockThatLiesOnTopOfItsMagazineStopsTheProgramAtOnce) {
  const char *line = ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n";
  const uintptr_t others[] = {0, 1, 30, 61, 62}; /* after the last, the magazine is full */
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    NOTE("after %zu others", (size_t)others[i]);
    EXPECT_STOPS(free_twice_at_once, (void *)others[i], line);
  }
}

static void free_inside_twice(void *unused) {
  (void)unused;
  char *block = gate_malloc_class(size_class_of(1024));
  announce(block + 16, unit_of(block));
  gate_free(block + 16); /* found when the magazine goes back */
  gate_free(block + 16);
}

TEST(SpillTest, AnInteriorPointerThatIsFreedTwiceInARowIsNamedSo) {
  EXPECT_STOPS(free_inside_twice, NULL,
               ANNOUNCED
               "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n");
}

static void free_a_b_a(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  void *b = gate_malloc_class(size_class_of(64));
  gate_free(a);
  gate_free(b);
  gate_free(a);
  announce(a, unit_of(a));
  heap_enter(thread_cache.heap);
  thread_drain(thread_cache.heap);
}

TEST(SpillTest, OneThatLiesDeeperStopsItWhenTheMagazineGoesBack) {
  EXPECT_STOPS(free_a_b_a, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
}
