/* slab: blocks of one class, and which of them are free. */
#include "warm/slab.h"

#include <string.h>

#include "cold/shared_pool.h"
#include "unit/slabs.h"
#include "unit/unit.h"
#include "warm/collect.h"
#include "warm/heap.h"
#include "warm/remote.h"

TEST(SlabTest, ABoundSlabIsAllFree) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    struct slab *slab = new_slab(size_class);
    EXPECT_EQ(slab->free_count, size_classes[size_class].capacity);
    EXPECT_TRUE(slab_is_empty(slab));
    EXPECT_TRUE(slab_is_valid(slab));
    EXPECT_EQ(atomic_load(&slab->heap), own_heap());
    EXPECT_EQ(atomic_load(&slab->token), 0);
    unit_tag tag = own_heap()->link.owner << UNIT_TAG_CLASS_BITS | (unit_tag)size_class;
    for (size_t unit = 0; unit < slab->units; unit++) {
      EXPECT_EQ(unit_tag_of(slab_start(slab) + unit * UNIT_BYTES), tag);
    }
    drop_slab(slab);
  }
}

TEST(SlabTest, UnbindingClearsTheTagsAndKeepsTheToken) {
  const size_t classes[] = {0, size_class_of(1024), size_class_of(4096), size_class_of(4097), SIZE_CLASS_COUNT - 1};
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    struct slab *slab = new_slab(classes[i]);
    EXPECT_TRUE(remote_token_take(slab));
    slab_unbind(slab);
    EXPECT_EQ(slab->free, NULL);
    for (size_t unit = 0; unit < slab->units; unit++) {
      EXPECT_EQ(unit_tag_of(slab_start(slab) + unit * UNIT_BYTES), UNIT_TAG_NONE);
    }
    EXPECT_FALSE(remote_token_take(slab));
    pool_give(slab);
  }
}

TEST(SlabTest, UsedMemoryIsRecycledAtOnce) {
  struct slab *slab = used_slab(size_class_of(64));
  EXPECT_EQ(slab_recycled(slab), size_classes[size_class_of(64)].capacity);
  EXPECT_TRUE(slab_is_carved(slab));
  EXPECT_TRUE(slab_is_empty(slab));
  drop_slab(slab);
}

TEST(SlabTest, FreshMemoryIsCarvedAPageAtATime) {
  const size_t page = os_page_size();
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const size_t stride = size_classes[size_class].stride;
    const unsigned capacity = size_classes[size_class].capacity;
    struct slab *slab = fresh_slab(size_class);
    void *slot[UNIT_BYTES / 8];
    unsigned carved = 0;
    EXPECT_EQ(slab_recycled(slab), 0);
    EXPECT_EQ(slab_take(slab, &slot[10], 1), 0);
    for (unsigned want = 1; !slab_is_carved(slab); want = want % 5000 * 3 + 1) {
      unsigned had = slab_carve(slab, &slot[UNIT_BYTES / 8 - 1], want);
      ASSERT_GT(had, 0);
      ASSERT_LE(had, want);
      for (unsigned i = 0; i < had; i++) {
        ASSERT_EQ(slot[UNIT_BYTES / 8 - 1 - i], block_of(slab, carved + i));
      }
      /* All of them begin in one page, and unless fewer were wanted none is left that does. */
      size_t first = carved * stride;
      size_t last = (carved + had - 1) * stride;
      ASSERT_EQ(first / page, last / page);
      carved += had;
      ASSERT_TRUE(had == want || carved == capacity || carved * stride / page > last / page);
      ASSERT_EQ(slab->carved, carved);
      ASSERT_EQ(slab->free_count, capacity - carved);
      ASSERT_TRUE(slab_is_valid(slab));
    }
    EXPECT_EQ(carved, capacity);
    for (unsigned index = 0; index < capacity; index++) {
      put_index(slab, index);
    }
    EXPECT_EQ(slab_recycled(slab), capacity);
    drop_slab(slab);
  }
}

TEST(SlabTest, FreshBlocksAreNotTakenForRecycledOnes) {
  struct slab *slab = fresh_slab(size_class_of(64));
  void *slot[64];
  EXPECT_EQ(slab_carve(slab, &slot[63], 10), 10);
  slab_put(slab, 0, 1U << 3 | 1U << 7, 2);
  EXPECT_EQ(slab_recycled(slab), 2);
  EXPECT_EQ(slab_take(slab, &slot[63], 64), 2);
  EXPECT_EQ(slot[63], block_of(slab, 3));
  EXPECT_EQ(slot[62], block_of(slab, 7));
  EXPECT_EQ(slab_take(slab, &slot[63], 64), 0);
  EXPECT_EQ(slab_carve(slab, &slot[63], 1), 1);
  EXPECT_EQ(slot[63], block_of(slab, 10));
  EXPECT_TRUE(slab_is_valid(slab));
  slab_put(slab, 0, (1U << 11) - 1, 11);
  EXPECT_TRUE(slab_is_empty(slab));
  drop_slab(slab);
}

/* Of a wide slab three blocks are carved: so much of it goes back as used, and the rest as it was. */
TEST(SlabTest, OnlyWhatWasCarvedGoesBackAsUsed) {
  const size_t size_class = SIZE_CLASS_SMALL_COUNT - 1;
  const size_t stride = size_classes[size_class].stride;
  const unsigned used_units = (unsigned)((3 * stride + UNIT_BYTES - 1) / UNIT_BYTES);
  size_t fresh = hole_bytes();
  pool_purge(SIZE_MAX);
  struct slab *slab = fresh_slab(size_class);
  EXPECT_EQ(hole_bytes() - fresh, size_classes[size_class].capacity * stride);
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  ASSERT_EQ(take(slab, 3), 3);
  EXPECT_EQ(hole_bytes() - fresh, (size_classes[size_class].capacity - 3) * stride);
  memset(slots[0], 0xEE, 3 * stride);
  for (size_t index = 0; index < 3; index++) {
    put_index(slab, index);
  }
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  EXPECT_EQ(slab->dirty, used_units);
  EXPECT_EQ(hole_bytes(), fresh); /* what is free is not in use */
  pool_give(slab);
  EXPECT_EQ(active - active_bytes(), size_classes[size_class].units * UNIT_BYTES);
  EXPECT_EQ(retained_bytes() - retained, used_units * UNIT_BYTES);
  pool_purge(SIZE_MAX);
}

/* Bound again, in memory of which the first part was used: that serves first, and the rest page by page. */
TEST(SlabTest, ASlabCanBeRecycledInPart) {
  const size_t classes[] = {size_class_of(5000), size_class_of(10000), size_class_of(20000), SIZE_CLASS_COUNT - 2,
                            SIZE_CLASS_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    NOTE("class %zu", classes[c]);
    const size_t stride = size_classes[classes[c]].stride;
    const unsigned capacity = size_classes[classes[c]].capacity;
    const unsigned units = size_classes[classes[c]].units;
    for (uint8_t dirty = 0; dirty <= units; dirty++) {
      struct slab *slab = pool_take(units, USE_PARTS);
      ASSERT_NE(slab, NULL);
      slab->dirty = dirty;
      size_t fresh = hole_bytes();
      bind(slab, classes[c]);
      /* A block that lies partly in used memory counts as recycled. */
      size_t recycled = (dirty * (size_t)UNIT_BYTES + stride - 1) / stride;
      recycled = recycled > capacity ? capacity : recycled;
      EXPECT_EQ(slab_recycled(slab), recycled);
      EXPECT_EQ(slab->carved, recycled);
      EXPECT_EQ(slab_is_carved(slab), recycled == capacity);
      EXPECT_EQ(slab->free_count, capacity);
      /* What of it was never used is fresh, and so much less than a block, or than larger pages, is a hole. */
      EXPECT_GE(hole_bytes() - fresh, (capacity - recycled) * stride);
      EXPECT_LT(hole_bytes() - fresh,
                (capacity - recycled) * stride + (os_page_size() > 4 * KIB ? os_page_ceil(stride) : stride));
      EXPECT_TRUE(slab_is_valid(slab));
      void *slot[64];
      size_t had = 0;
      while (had < recycled) {
        unsigned part = slab_take(slab, &slot[63], 7);
        ASSERT_GT(part, 0);
        for (unsigned i = 0; i < part; i++) {
          ASSERT_EQ(slot[63 - i], block_of(slab, had++));
        }
      }
      EXPECT_EQ(slab_take(slab, &slot[63], 1), 0);
      if (!slab_is_carved(slab)) {
        EXPECT_EQ(slab_carve(slab, &slot[63], 1), 1);
        EXPECT_EQ(slot[63], block_of(slab, had++));
      }
      EXPECT_TRUE(slab_is_valid(slab));
      while (had > 0) {
        put_index(slab, --had);
      }
      EXPECT_TRUE(remote_token_take(slab));
      slab_unbind(slab);
      EXPECT_GE(slab->dirty, dirty); /* behind the last block, too */
      EXPECT_EQ(hole_bytes(), fresh);
      pool_give(slab);
    }
  }
}

TEST(SlabTest, HandsOutLowestAddressesFirst) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const unsigned capacity = size_classes[size_class].capacity;
    struct slab *slab = new_slab(size_class);
    unsigned taken = 0;
    for (unsigned want = 1; taken < capacity; want = want % 70 + 1) {
      unsigned had = take(slab, want);
      ASSERT_EQ(had, want < capacity - taken ? want : capacity - taken);
      for (unsigned i = 0; i < had; i++) {
        ASSERT_EQ(slots[i], block_of(slab, taken + i));
      }
      taken += had;
      ASSERT_EQ(slab->free_count, capacity - taken);
      ASSERT_TRUE(slab_is_valid(slab));
    }
    EXPECT_EQ(take(slab, 1), 0);
    for (unsigned index = 0; index < capacity; index++) {
      put_index(slab, index);
    }
    EXPECT_TRUE(slab_is_empty(slab));
    drop_slab(slab);
  }
}

TEST(SlabTest, StoresFromTheSlotDownwards) {
  struct slab *slab = used_slab(size_class_of(64));
  void *slot[8] = {NULL};
  EXPECT_EQ(slab_take(slab, &slot[5], 3), 3);
  EXPECT_EQ(slot[5], block_of(slab, 0));
  EXPECT_EQ(slot[4], block_of(slab, 1));
  EXPECT_EQ(slot[3], block_of(slab, 2));
  EXPECT_EQ(slot[2], NULL);
  EXPECT_EQ(slot[6], NULL);
  slab_put(slab, 0, 7, 3);
  drop_slab(slab);
}

TEST(SlabTest, RandomTakesAndPutsAgreeWithAModel) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 3, 12, 25, 31, SIZE_CLASS_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    const unsigned capacity = size_classes[classes[c]].capacity;
    static bool live[BLOCKS_MAX];
    memset(live, 0, sizeof live);
    unsigned live_count = 0;
    struct slab *slab = new_slab(classes[c]);
    for (int step = 0; step < 3000; step++) {
      if (unit_random(&seed) % 2 == 0) {
        unsigned had = take(slab, (unsigned)unit_below(&seed, 64) + 1);
        size_t lowest = 0;
        for (unsigned i = 0; i < had; i++) {
          while (live[lowest]) {
            lowest++;
          }
          ASSERT_EQ(slots[i], block_of(slab, lowest));
          live[lowest] = true;
        }
        live_count += had;
      } else {
        /* Some live blocks of one word, at once. */
        size_t word = unit_below(&seed, size_classes[classes[c]].words);
        uint64_t choice = unit_random(&seed);
        uint64_t bits = 0;
        for (size_t bit = 0; bit < 64 && word * 64 + bit < capacity; bit++) {
          if (live[word * 64 + bit] && (choice >> bit & 1) != 0) {
            live[word * 64 + bit] = false;
            bits |= UINT64_C(1) << bit;
          }
        }
        unsigned count = (unsigned)__builtin_popcountll(bits);
        slab_put(slab, (unsigned)word, bits, count);
        live_count -= count;
      }
      ASSERT_EQ(slab->free_count, capacity - live_count);
      ASSERT_TRUE(slab_is_valid(slab));
    }
    for (size_t index = 0; index < capacity; index++) {
      if (live[index]) {
        put_index(slab, index);
      }
    }
    EXPECT_TRUE(slab_is_empty(slab));
    drop_slab(slab);
  }
}

TEST(SlabTest, PlaceOfIsExactForEveryByte) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const struct size_class *shape = &size_classes[size_class];
    struct slab *slab = new_slab(size_class);
    char *start = slab_start(slab);
    size_t bytes = (size_t)shape->units * UNIT_BYTES;
    size_t index = 0;
    for (size_t offset = 0; offset < bytes; offset++) {
      bool is_start = offset == index * shape->stride && index < shape->capacity;
      struct place place = place_of(start + offset, size_class);
      ASSERT_EQ(place.slab, slab);
      ASSERT_EQ(place.index, is_start ? index : (size_t)PLACE_NONE);
      index += is_start;
    }
    EXPECT_EQ(index, shape->capacity);
    drop_slab(slab);
  }
}

TEST(SlabTest, NoBlockIsReadOrWritten) {
  /* What is not resident has been neither: reading, too, would map a page. */
  struct slab *slab = fresh_slab(size_class_of(128));
  EXPECT_EQ(take(slab, 512), 512);
  for (size_t index = 0; index < 512; index++) {
    put_index(slab, index);
  }
  EXPECT_EQ(take(slab, 100), 100);
  for (size_t index = 0; index < 100; index++) {
    put_index(slab, index);
  }
  EXPECT_EQ(unit_resident(slab_start(slab), UNIT_BYTES), 0);
  drop_slab(slab);
}

TEST(SlabTest, CollectTurnsRemoteBitsIntoFreeBlocks) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 12, 30};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    const unsigned capacity = size_classes[classes[c]].capacity;
    struct slab *slab = new_slab(classes[c]);
    EXPECT_EQ(take(slab, capacity), capacity);
    EXPECT_EQ(slab_collect(slab), 0);
    unsigned posted = 0;
    for (unsigned index = 0; index < capacity; index++) {
      if (unit_random(&seed) % 3 == 0) {
        atomic_fetch_or(&slab->remote[index / 64], UINT64_C(1) << index % 64);
        posted++;
      }
    }
    EXPECT_EQ(slab_collect(slab), posted);
    EXPECT_EQ(slab->free_count, posted);
    EXPECT_TRUE(slab_is_valid(slab));
    EXPECT_EQ(slab_collect(slab), 0);
    for (unsigned index = 0; index < capacity; index++) {
      if ((slab->free[index / 64] >> index % 64 & 1) == 0) {
        put_index(slab, index);
      }
    }
    EXPECT_TRUE(slab_is_empty(slab));
    drop_slab(slab);
  }
}

TEST(SlabTest, TheValidatorSeesWhatIsWrong) {
  struct slab *slab = used_slab(size_class_of(48)); /* 1365 blocks: the last word is not full */
  EXPECT_EQ(take(slab, 100), 100);
  EXPECT_TRUE(slab_is_valid(slab));
  slab->free_count++;
  EXPECT_FALSE(slab_is_valid(slab));
  slab->free_count--;
  slab->first_word = 2;
  EXPECT_FALSE(slab_is_valid(slab));
  slab->first_word = 1;
  unsigned last = size_classes[size_class_of(48)].words - 1U;
  slab->free[last] |= UINT64_C(1) << 63;
  slab->free_count++;
  EXPECT_FALSE(slab_is_valid(slab));
  slab->free[last] &= ~(UINT64_C(1) << 63);
  slab->free_count--;
  slab->carved = 50; /* of what lies beyond, some is not free */
  EXPECT_FALSE(slab_is_valid(slab));
  slab->carved = size_classes[size_class_of(48)].capacity;
  slab->units = 2;
  EXPECT_FALSE(slab_is_valid(slab));
  slab->units = 1;
  EXPECT_TRUE(slab_is_valid(slab));
  for (size_t index = 0; index < 100; index++) {
    put_index(slab, index);
  }
  drop_slab(slab);
}

static struct {
  const struct slab *slabs[3];
  size_t met[3];
} seen;

static void meet(struct slab *slab, unit_tag tag, void *context) {
  EXPECT_EQ(context, &seen);
  for (size_t i = 0; i < 3; i++) {
    if (slab == seen.slabs[i]) {
      EXPECT_EQ(tag, unit_tag_for(own_heap()->link.owner, slab->size_class));
      seen.met[i]++;
    }
  }
}

TEST(SlabTest, EachBoundSlabIsVisitedOnce) {
  struct slab *narrow = new_slab(4);
  struct slab *wide = new_slab(SIZE_CLASS_COUNT - 1);
  struct slab *dropped = new_slab(20);
  EXPECT_TRUE(remote_token_take(dropped));
  slab_unbind(dropped);
  seen.slabs[0] = narrow;
  seen.slabs[1] = wide;
  seen.slabs[2] = dropped;
  each_bound_slab(meet, &seen);
  EXPECT_EQ(seen.met[0], 1);
  EXPECT_EQ(seen.met[1], 1);
  EXPECT_EQ(seen.met[2], 0);
  pool_give(dropped);
  drop_slab(narrow);
  drop_slab(wide);
}

TEST(SlabTest, WhatIsNeitherFreeNorPostedIsLive) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class += 7) {
    struct slab *slab = used_slab(size_class);
    EXPECT_EQ(slab_live_count(slab, size_class), 0);
    EXPECT_EQ(take(slab, 3), 3);
    EXPECT_EQ(slab_live_count(slab, size_class), 3);
    atomic_fetch_or(&slab->remote[0], 2);
    EXPECT_EQ(slab_live_count(slab, size_class), 2);
    slab_collect(slab);
    EXPECT_EQ(slab_live_count(slab, size_class), 2);
    put_index(slab, 0);
    put_index(slab, 2);
    drop_slab(slab);
  }
}

TEST(SlabTest, TheUsesOfItsBytesAddUp) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class += 7) {
    const struct size_class *shape = &size_classes[size_class];
    struct slab *slab = fresh_slab(size_class);
    unsigned taken = take(slab, 3);
    atomic_fetch_or(&slab->remote[0], 2);
    struct slab_use use = slab_use(slab, size_class);
    EXPECT_EQ(use.bound, (size_t)shape->units * UNIT_BYTES);
    EXPECT_EQ(use.live, (taken - 1) * (size_t)shape->stride);
    EXPECT_EQ(use.fresh, (size_t)(shape->capacity - slab->carved) * shape->stride);
    EXPECT_EQ(use.free, (slab->carved - taken + 1) * (size_t)shape->stride);
    EXPECT_EQ(use.holes, 0);
    EXPECT_EQ(use.live + use.free + use.fresh + use.rest, use.bound);
    slab_collect(slab);
    put_index(slab, 0);
    put_index(slab, 2);
    drop_slab(slab);
  }
}
