/* whole, inside: adjacent blocks of a slab that are one coalesced block. */
#include "warm/whole.h"

#include <string.h>

#include "os/fatal.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/remote.h"

enum { STRIDE = 64, WORD_BITS = 64, BLOCKS = UNIT_BYTES / STRIDE };

/* A slab of a heap that no thread uses, with `live` blocks taken, the lowest; all of it was handed out before. */
static struct slab *new_slab(unsigned live) {
  static struct thread_heap *heap;
  static void *slots[BLOCKS];
  if (heap == NULL) {
    heap = heap_new();
  }
  struct slab *slab = pool_take(1, USE_WHOLE);
  slab->dirty = 1;
  if (!slab_bind(slab, size_class_of(STRIDE), heap, heap->link.owner)) {
    fatal("no memory for a test");
  }
  EXPECT_EQ(slab_take(slab, &slots[BLOCKS - 1], live), live);
  return slab;
}

static void drop_slab(struct slab *slab) {
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  EXPECT_FALSE(inside_has_bitmap(slab));
  pool_give(slab);
}

static char *block_of(const struct slab *slab, unsigned index) { return slab_start(slab) + (size_t)index * STRIDE; }
static bool is_told(const struct slab *slab) { return unit_tag_is_coalesced(unit_tag_of(slab_start(slab))); }
static uint64_t bit(unsigned index) { return UINT64_C(1) << index % WORD_BITS; }
static unsigned put(struct slab *slab, unsigned index) { return slab_put_whole(slab, index); }

static size_t bytes_of(const struct slab *slab, unsigned index) {
  return slab_whole_bytes(block_of(slab, index), slab->size_class, "free");
}

TEST(WholeTest, ARunIsOneBlockUntilItIsPut) {
  struct slab *slab = new_slab(2);
  EXPECT_FALSE(is_told(slab));
  ASSERT_TRUE(slab_coalesce(slab, 3, 5));
  EXPECT_TRUE(is_told(slab));
  EXPECT_EQ(slab->free_count, BLOCKS - 7);
  EXPECT_EQ(slab->insides, 4);
  EXPECT_TRUE(slab_is_valid(slab));
  EXPECT_EQ(bytes_of(slab, 3), 5 * STRIDE);
  EXPECT_EQ(bytes_of(slab, 0), STRIDE);
  EXPECT_EQ(put(slab, 0), 1);
  EXPECT_EQ(put(slab, 3), 5);
  EXPECT_FALSE(is_told(slab));
  EXPECT_EQ(slab->free_count, BLOCKS - 1);
  EXPECT_EQ(put(slab, 1), 1);
  EXPECT_TRUE(slab_is_empty(slab));
  EXPECT_TRUE(slab_is_valid(slab));
  drop_slab(slab);
}

TEST(WholeTest, RunsSideBySideAreBlocksOfTheirOwn) {
  struct slab *slab = new_slab(0);
  const unsigned first[] = {0, 2, 5, 37, 60}, parts[] = {2, 3, 32, 23, 4}; /* a whole word */
  for (size_t i = 0; i < 5; i++) {
    ASSERT_TRUE(slab_coalesce(slab, 1 * 64 + first[i], parts[i]));
  }
  EXPECT_EQ(slab->free[1], 0);
  EXPECT_TRUE(slab_is_valid(slab));
  for (size_t i = 0; i < 5; i++) {
    EXPECT_EQ(bytes_of(slab, 64 + first[i]), parts[i] * STRIDE);
  }
  EXPECT_EQ(put(slab, 64) + put(slab, 64 + 37), 25);
  EXPECT_EQ(slab->free[1], (bit(60) - bit(37)) | 3);
  EXPECT_EQ(put(slab, 64 + 60), 4);
  EXPECT_EQ(put(slab, 64 + 2), 3);
  EXPECT_TRUE(is_told(slab));
  EXPECT_EQ(put(slab, 64 + 5), 32);
  EXPECT_FALSE(is_told(slab));
  drop_slab(slab);
}

TEST(WholeTest, ASlabOfSeveralUnitsIsTaggedInAll) {
  enum { WIDE = 12 * 1024 };
  struct slab *slab = pool_take(size_classes[size_class_of(WIDE)].units, USE_PARTS);
  ASSERT_TRUE(slab_bind(slab, size_class_of(WIDE), heap_new(), 1));
  EXPECT_EQ(slab->units, 2);
  ASSERT_TRUE(slab_coalesce(slab, 4, 3)); /* across the end of the first unit */
  char *block = slab_start(slab) + (size_t)4 * WIDE;
  EXPECT_TRUE(unit_tag_is_coalesced(unit_tag_of(slab_start(slab))));
  EXPECT_TRUE(unit_tag_is_coalesced(unit_tag_of(slab_start(slab) + UNIT_BYTES)));
  EXPECT_EQ(slab_whole_bytes(block, size_class_of(WIDE), "free"), 3 * WIDE);
  EXPECT_EQ(slab_put_whole(slab, 4), 3);
  EXPECT_FALSE(unit_tag_is_coalesced(unit_tag_of(slab_start(slab) + UNIT_BYTES)));
  drop_slab(slab);
}

/* The same as a model of it, at random. */
TEST(WholeTest, TakesAndPutsAnyRuns) {
  uint64_t seed = unit_seed();
  static unsigned char parts[BLOCKS]; /* 0: free, or inside */
  memset(parts, 0, sizeof parts);
  struct slab *slab = new_slab(0);
  unsigned free_blocks = BLOCKS;
  for (int step = 0; step < 20000; step++) {
    unsigned index = (unsigned)unit_below(&seed, BLOCKS), word = index / WORD_BITS;
    if (parts[index] > 0) {
      ASSERT_EQ(bytes_of(slab, index), parts[index] * (size_t)STRIDE);
      ASSERT_EQ(put(slab, index), parts[index]);
      free_blocks += parts[index];
      parts[index] = 0;
    } else {
      unsigned want = 2 + (unsigned)unit_below(&seed, 31);
      uint64_t run =
          want + index % WORD_BITS > WORD_BITS ? 0 : (~UINT64_C(0) >> (WORD_BITS - want)) << index % WORD_BITS;
      if (run != 0 && (slab->free[word] & run) == run) {
        ASSERT_TRUE(slab_coalesce(slab, index, want));
        parts[index] = (unsigned char)want;
        free_blocks -= want;
      }
    }
    ASSERT_EQ(slab->free_count, free_blocks);
    ASSERT_TRUE(slab_is_valid(slab));
  }
  for (unsigned index = 0; index < BLOCKS; index++) {
    if (parts[index] > 0) {
      ASSERT_EQ(put(slab, index), parts[index]);
    }
  }
  EXPECT_TRUE(slab_is_empty(slab));
  drop_slab(slab);
}

TEST(WholeTest, WhatIsPostedComesBackWhole) {
  struct slab *slab = new_slab(1);
  ASSERT_TRUE(slab_coalesce(slab, 8, 8));
  ASSERT_TRUE(slab_coalesce(slab, 2 * 64 + 0, 20));
  unsigned live = slab_live_count(slab, slab->size_class);
  EXPECT_EQ(live, 29);
  critical_enter();
  heap_send_bits(slab, 0, bit(8) | bit(0));
  critical_leave();
  EXPECT_EQ(slab_live_count(slab, slab->size_class), 20);
  struct thread_heap *heap = atomic_load(&slab->heap);
  EXPECT_EQ(remote_queue_take(&heap->queue), slab);
  remote_token_give(slab);
  EXPECT_EQ(slab_collect(slab), 9);
  EXPECT_EQ(put(slab, 128), 20);
  EXPECT_TRUE(slab_is_empty(slab));
  drop_slab(slab);
}

TEST(WholeTest, TheyAreCountedAnew) {
  struct slab *slab = new_slab(1);
  ASSERT_TRUE(slab_coalesce(slab, 4, 4));
  ASSERT_TRUE(slab_coalesce(slab, 40, 10));
  slab->insides = 0; /* as a thread left it that is lost */
  inside_recount(slab);
  EXPECT_EQ(slab->insides, 12);
  EXPECT_TRUE(slab_is_valid(slab));
  EXPECT_EQ(put(slab, 4) + put(slab, 40) + put(slab, 0), 15);
  inside_recount(slab);
  EXPECT_FALSE(is_told(slab));
  EXPECT_TRUE(slab_is_empty(slab));
  drop_slab(slab);
}

/* ---- misuse ---- */

static struct slab *with_a_run(void) {
  struct slab *slab = new_slab(4);
  EXPECT_TRUE(slab_coalesce(slab, 8, 8));
  announce(block_of(slab, 10), slab_start(slab));
  return slab;
}

static void put_inside(void *unused) {
  (void)unused;
  put(with_a_run(), 10);
}

static void put_twice(void *unused) {
  (void)unused;
  struct slab *slab = with_a_run();
  put(slab, 8);
  put(slab, 8);
}

static void ask_inside(void *offset) {
  slab_whole_bytes(block_of(with_a_run(), 10) + (uintptr_t)offset, size_class_of(STRIDE), "malloc_usable_size");
}

#define STOPPED_AT(what, pointer)                                                                                      \
  ANNOUNCED "hakmem: " what ": pointer " pointer ", class of 64 bytes, slab \\2, thread \\3\n"

TEST(WholeTest, AnAddressInsideStopsTheProgram) {
  EXPECT_STOPS(put_inside, NULL, STOPPED_AT("free of an interior pointer", "\\1"));
  EXPECT_STOPS(put_twice, NULL, STOPPED_AT("double free", ANY_POINTER));
  EXPECT_STOPS(ask_inside, (void *)0, STOPPED_AT("malloc_usable_size of an interior pointer", "\\1"));
  EXPECT_STOPS(ask_inside, (void *)16, STOPPED_AT("malloc_usable_size of an interior pointer", ANY_POINTER));
}
