/* holes: pages of a slab that are given back while other blocks of it live. */
#include "warm/holes.h"

#include <string.h>

#include "cold/superslab_lists.h"
#include "os/fatal.h"
#include "unit/unit.h"
#include "warm/heap.h"
#include "warm/remote.h"
#include "warm/slab.h"

/* The slabs here belong to a heap that no thread uses, so nothing else touches them. */
static struct thread_heap *own_heap(void) {
  static struct thread_heap *heap;
  if (heap == NULL) {
    heap = heap_new();
  }
  return heap;
}

static struct slab *bind(struct slab *slab, size_t size_class) {
  if (slab == NULL || !slab_bind(slab, size_class, own_heap(), own_heap()->link.owner)) {
    fatal("no memory for a test");
  }
  return slab;
}

/* In memory that was another slab's. */
static struct slab *used_slab(size_t size_class) {
  struct slab *slab = pool_take(size_classes[size_class].units, USE_PARTS);
  if (slab != NULL) {
    slab->dirty = slab->units;
  }
  return bind(slab, size_class);
}

static void drop_slab(struct slab *slab) {
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  pool_give(slab);
}

static char *block_of(const struct slab *slab, size_t index) {
  return slab_start(slab) + index * size_classes[slab->size_class].stride;
}

static void put_index(struct slab *slab, size_t index) {
  slab_put(slab, (unsigned)(index / 64), UINT64_C(1) << index % 64, 1);
}

enum { BLOCKS_MAX = UNIT_BYTES / 8 };

/* Takes every block. */
static void take_all(struct slab *slab) {
  static void *slots[BLOCKS_MAX];
  const unsigned capacity = size_classes[slab->size_class].capacity;
  EXPECT_EQ(slab_take(slab, &slots[BLOCKS_MAX - 1], capacity), capacity);
}

/* ---- the model ---- */

static bool is_free[BLOCKS_MAX];
static bool is_absent[SLAB_PAGES_MAX];

static size_t page_count(const struct slab *slab) { return (size_t)slab->units * UNIT_BYTES / os_page_size(); }

static bool block_is_in_hole(const struct slab *slab, size_t index) {
  const size_t stride = size_classes[slab->size_class].stride;
  for (size_t page = index * stride / os_page_size(); page <= (index * stride + stride - 1) / os_page_size(); page++) {
    if (is_absent[page]) {
      return true;
    }
  }
  return false;
}

/* A page can be a hole when every byte of it lies in blocks that are free; those from `carved` on were never used. Returns how many
 * pages become holes. */
static size_t find_holes(const struct slab *slab) {
  const size_t page = os_page_size();
  const size_t stride = size_classes[slab->size_class].stride;
  size_t found = 0;
  for (size_t p = 0; p < page_count(slab); p++) {
    bool all_free = true;
    for (size_t index = p * page / stride; index * stride < (p + 1) * page; index++) {
      all_free = all_free && index < slab->carved && is_free[index];
    }
    found += all_free && !is_absent[p];
    is_absent[p] = is_absent[p] || all_free;
  }
  return found;
}

static size_t count_holes(const struct slab *slab) {
  size_t pages = 0;
  for (size_t p = 0; p < page_count(slab); p++) {
    pages += is_absent[p];
  }
  return pages;
}

static void expect_like_the_model(const struct slab *slab) {
  size_t holes = count_holes(slab);
  ASSERT_EQ(slab->has_holes, holes > 0);
  ASSERT_EQ(holes_bytes(slab), holes * os_page_size());
  for (size_t p = 0; slab->has_holes && p < page_count(slab); p++) {
    ASSERT_EQ(slab->absent >> p & 1, is_absent[p]);
  }
}

static void put_some(struct slab *slab, uint64_t *seed, size_t from, size_t to) {
  for (size_t index = from; index < to; index++) {
    if (!is_free[index] && unit_random(seed) % 2 == 0) {
      is_free[index] = true;
      put_index(slab, index);
    }
  }
}

static size_t give_back(struct slab *slab) {
  struct holes holes = {.count = 0};
  holes_find(&holes, slab);
  holes_flush(&holes);
  EXPECT_EQ(holes.count, 0);
  return holes.given_back;
}

/* ---- giving back ---- */

static void give_back_of_each_class(size_t size_class, uint64_t *seed) {
  const size_t stride = size_classes[size_class].stride;
  const unsigned capacity = size_classes[size_class].capacity;
  struct slab *slab = used_slab(size_class);
  const size_t bytes = (size_t)slab->units * UNIT_BYTES;
  char *start = slab_start(slab);
  take_all(slab);
  memset(start, 0x5A, bytes);
  memset(is_free, 0, sizeof is_free);
  memset(is_absent, 0, sizeof is_absent);
  EXPECT_EQ(give_back(slab), 0); /* every block is in use */

  /* A long run of free blocks, then some here and there. */
  for (size_t index = capacity / 8 + 1; index < capacity / 2; index++) {
    is_free[index] = true;
    put_index(slab, index);
  }
  put_some(slab, seed, capacity / 2, capacity);
  size_t expected = find_holes(slab) * os_page_size();
  size_t before = hole_bytes();
  EXPECT_TRUE(expected > 0 || os_page_size() > 4 * KIB);
  EXPECT_EQ(give_back(slab), expected);
  EXPECT_EQ(hole_bytes() - before, expected);
  EXPECT_EQ(unit_resident(start, bytes), bytes - expected);
  expect_like_the_model(slab);
  EXPECT_EQ(give_back(slab), 0); /* what is a hole is not given back again */
  EXPECT_EQ(hole_bytes() - before, expected);
  for (size_t index = 0; index < capacity; index++) {
    for (size_t i = 0; !is_free[index] && i < stride; i++) {
      ASSERT_EQ(start[index * stride + i], 0x5A);
    }
  }
  for (size_t index = 0; index < capacity; index++) {
    if (!is_free[index]) {
      put_index(slab, index);
    }
  }
  drop_slab(slab);
  EXPECT_EQ(hole_bytes(), before); /* what lay in the slab counts no more */
}

TEST(HolesTest, GivesBackExactlyThePagesOfFreeBlocks) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 4, 10, 21, 28, 29, 33, SIZE_CLASS_SMALL_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    give_back_of_each_class(classes[c], &seed);
  }
}

TEST(HolesTest, WhatWasNeverUsedIsNoHole) {
  pool_purge(SIZE_MAX);
  const size_t size_class = size_class_of(1024);
  const size_t page = os_page_size();
  struct slab *slab = bind(pool_take(1, USE_WHOLE), size_class);
  ASSERT_EQ(slab->carved, 0);
  void *slot[64];
  unsigned carved = 0;
  while (carved < 3 * page / 1024) {
    carved += slab_carve(slab, &slot[63], 64);
  }
  ASSERT_EQ(carved, 3 * page / 1024);
  size_t before = hole_bytes();
  for (size_t index = 1; index < carved; index++) {
    put_index(slab, index);
  }
  EXPECT_EQ(give_back(slab), 2 * page); /* not the first page, nor those after the third */
  EXPECT_EQ(hole_bytes() - before, 2 * page);
  EXPECT_EQ(slab->absent, 6);
  struct slab_use use = slab_use(slab, size_class);
  EXPECT_EQ(use.bound, UNIT_BYTES);
  EXPECT_EQ(use.live, 1024);
  EXPECT_EQ(use.free, page - 1024);
  EXPECT_EQ(use.holes, 2 * page);
  EXPECT_EQ(use.fresh, UNIT_BYTES - 3 * page);
  EXPECT_EQ(use.rest, 0);
  put_index(slab, 0);
  EXPECT_EQ(give_back(slab), page);
  drop_slab(slab);
}

static size_t purge_calls(void) { return os_counts().purge_calls; }

/* Whether the system takes several ranges at once. */
static bool takes_several(void) {
  const size_t page = os_page_size();
  char *start = os_map(NULL, 3 * page);
  size_t before = purge_calls();
  EXPECT_EQ(os_purge_ranges((struct os_range[]){{start, page}, {start + 2 * page, page}}, 2), 2 * page);
  os_unmap(start, 3 * page);
  return purge_calls() - before == 1;
}

/* Slabs of blocks of a page, of which every other is free: so many ranges as free blocks. */
TEST(HolesTest, ManyRangesNeedFewCalls) {
  enum { SLABS = 20 };
  if (os_page_size() != 4096) {
    SKIP("speaks of pages of 4 KiB");
  }
  const size_t size_class = size_class_of(4096);
  const size_t capacity = size_classes[size_class].capacity;
  bool several = takes_several();
  struct slab *slabs[SLABS];
  for (size_t s = 0; s < SLABS; s++) {
    slabs[s] = used_slab(size_class);
    take_all(slabs[s]);
    for (size_t index = 0; index < capacity; index += 2) {
      put_index(slabs[s], index);
    }
  }
  size_t ranges = SLABS * capacity / 2;
  struct holes holes = {.count = 0};
  size_t before = purge_calls();
  for (size_t s = 0; s < SLABS; s++) {
    holes_find(&holes, slabs[s]);
    EXPECT_LE(holes.count, OS_RANGES_MAX);
  }
  holes_flush(&holes);
  EXPECT_EQ(holes.given_back, ranges * 4096);
  EXPECT_EQ(purge_calls() - before, several ? (ranges + OS_RANGES_MAX - 1) / OS_RANGES_MAX : ranges);
  before = purge_calls();
  holes_flush(&holes); /* nothing is left */
  EXPECT_EQ(purge_calls(), before);

  /* Neighbours are one range, of two slabs too. */
  for (size_t s = 0; s < SLABS; s++) {
    for (size_t index = 1; index < capacity; index += 2) {
      put_index(slabs[s], index);
    }
    drop_slab(slabs[s]);
  }
  struct slab *low = pool_take(2, USE_PARTS);
  ASSERT_NE(low, NULL);
  pool_shrink(low, 1);
  struct slab *high = pool_take(1, USE_WHOLE);
  bool neighbours = slab_start(high) == slab_start(low) + UNIT_BYTES;
  low->dirty = high->dirty = 1;
  bind(low, size_class);
  bind(high, size_class);
  holes = (struct holes){.count = 0};
  holes_find(&holes, low);
  EXPECT_EQ(holes.count, 1);
  EXPECT_EQ(holes.range[0].bytes, UNIT_BYTES);
  holes_find(&holes, high);
  EXPECT_EQ(holes.count, neighbours ? 1 : 2);
  before = hole_bytes();
  holes_flush(&holes);
  EXPECT_EQ(holes.given_back, 2 * UNIT_BYTES);
  EXPECT_EQ(hole_bytes() - before, 2 * UNIT_BYTES);
  drop_slab(low);
  drop_slab(high);
  EXPECT_EQ(hole_bytes(), before);
}

/* ---- taking ---- */

TEST(HolesTest, BlocksOutsideHolesAreTakenFirst) {
  if (os_page_size() != 4096) {
    SKIP("speaks of pages of 4 KiB");
  }
  const size_t size_class = size_class_of(1024);
  struct slab *slab = used_slab(size_class);
  take_all(slab);
  const unsigned freed[] = {0, 4, 5, 6, 7, 9, 12, 13, 14, 15, 63}; /* pages 1 and 3, and here and there */
  for (size_t i = 0; i < sizeof freed / sizeof freed[0]; i++) {
    put_index(slab, freed[i]);
  }
  size_t before = hole_bytes();
  EXPECT_EQ(give_back(slab), 2 * 4096);
  EXPECT_EQ(slab->absent, 10);
  void *slot[64];
  EXPECT_EQ(slab_take(slab, &slot[63], 2), 2);
  EXPECT_EQ(slot[63], block_of(slab, 0));
  EXPECT_EQ(slot[62], block_of(slab, 9));
  EXPECT_EQ(slab_take(slab, &slot[63], 3), 3);
  EXPECT_EQ(slot[63], block_of(slab, 63));
  EXPECT_EQ(slot[62], block_of(slab, 4)); /* the first hole is filled */
  EXPECT_EQ(slot[61], block_of(slab, 5));
  EXPECT_EQ(slab->absent, 8);
  EXPECT_EQ(holes_bytes(slab), 4096);
  EXPECT_EQ(hole_bytes() - before, 4096);
  EXPECT_EQ(slab_take(slab, &slot[63], 3), 3); /* what else lies in that page is outside holes now */
  EXPECT_EQ(slot[63], block_of(slab, 6));
  EXPECT_EQ(slot[62], block_of(slab, 7));
  EXPECT_EQ(slot[61], block_of(slab, 12));
  EXPECT_FALSE(slab->has_holes);
  EXPECT_EQ(hole_bytes(), before);
  EXPECT_TRUE(slab_is_valid(slab));
  for (unsigned index = 0; index < size_classes[size_class].capacity; index++) {
    if (index < 13 || index > 15) {
      put_index(slab, index);
    }
  }
  drop_slab(slab);
}

/* The lowest block that may be taken next: of those outside holes, or of all. */
static size_t next_to_take(const struct slab *slab, bool also_in_holes) {
  for (size_t index = 0; index < slab->carved; index++) {
    if (is_free[index] && (also_in_holes || !block_is_in_hole(slab, index))) {
      return index;
    }
  }
  return SIZE_MAX;
}

static void fill_holes_of(const struct slab *slab, size_t index) {
  const size_t stride = size_classes[slab->size_class].stride;
  for (size_t p = index * stride / os_page_size(); p <= (index * stride + stride - 1) / os_page_size(); p++) {
    is_absent[p] = false;
  }
}

/* One call takes those outside holes first, the lowest address first; then, when there are none, the others in the same order: so it
 * fills no page while one that it has filled has free blocks. */
static void take_and_compare(struct slab *slab, unsigned want) {
  static void *slots[64];
  unsigned had = slab_take(slab, &slots[63], want);
  unsigned taken = 0;
  bool in_holes = false; /* it has come to the second part */
  for (; taken < had; taken++) {
    size_t index = (size_t)((char *)slots[63 - taken] - slab_start(slab)) / size_classes[slab->size_class].stride;
    in_holes = in_holes || next_to_take(slab, false) == SIZE_MAX;
    ASSERT_EQ(index, next_to_take(slab, in_holes));
    fill_holes_of(slab, index);
    is_free[index] = false;
  }
  size_t left = 0;
  for (size_t index = 0; index < slab->carved; index++) {
    left += is_free[index];
  }
  ASSERT_EQ(slab_recycled(slab), left);
  ASSERT_LE(had, want);
  ASSERT_TRUE(had > 0 || left == 0 || want == 0);
}

/* One thread: a sanitizer of threads sees nothing here, and takes a minute. */
enum { STEPS = UNIT_THREAD_SANITIZED ? 30 : 300 };

static void agree_with_a_model(size_t size_class, uint64_t *seed) {
  const unsigned capacity = size_classes[size_class].capacity;
  size_t before = hole_bytes();
  struct slab *slab = used_slab(size_class);
  ASSERT_EQ(hole_bytes(), before); /* all of it was used before */
  take_all(slab);
  memset(is_free, 0, sizeof is_free);
  memset(is_absent, 0, sizeof is_absent);
  for (int step = 0; step < STEPS; step++) {
    size_t at = unit_below(seed, capacity);
    switch (unit_below(seed, 4)) {
    case 0: /* a run of blocks, as pages become free by */
      for (size_t index = at; index < at + capacity / 6 + 1 && index < capacity; index++) {
        if (!is_free[index]) {
          is_free[index] = true;
          put_index(slab, index);
        }
      }
      break;
    case 1:
      put_some(slab, seed, at, at + (capacity - at) / 4);
      break;
    case 2:
      ASSERT_EQ(give_back(slab), find_holes(slab) * os_page_size());
      break;
    default:
      for (size_t i = unit_below(seed, capacity / 16 + 2); i > 0; i--) {
        take_and_compare(slab, (unsigned)unit_below(seed, 64) + 1);
      }
      break;
    }
    expect_like_the_model(slab);
    ASSERT_EQ(hole_bytes() - before, count_holes(slab) * os_page_size());
    ASSERT_TRUE(slab_is_valid(slab));
  }
  for (size_t index = 0; index < capacity; index++) {
    if (!is_free[index]) {
      put_index(slab, index);
    }
  }
  drop_slab(slab);
  EXPECT_EQ(hole_bytes(), before);
}

TEST(HolesTest, RandomTakesAndPutsAgreeWithAModel) {
  uint64_t seed = unit_seed();
  const size_t classes[] = {0, 4, 12, 21, 28, 29, 33, SIZE_CLASS_SMALL_COUNT - 1, SIZE_CLASS_COUNT - 1};
  for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
    agree_with_a_model(classes[c], &seed);
  }
}

/* The system would fill them again. */
TEST(HolesTest, WhatHasHolesIsNotServedInHugePages) {
  struct slab *slab = used_slab(size_class_of(2048));
  struct superslab *superslab = superslab_of_slab(slab);
  pool_lock(0);
  superslab->dense = true;
  lists_place(superslab, false);
  pool_unlock(0);
  EXPECT_GT(give_back(slab), 0);
  EXPECT_FALSE(superslab->dense);
  EXPECT_TRUE(pool_is_valid());
  drop_slab(slab);
}

TEST(HolesTest, ASlabThatIsBoundAgainHasNone) {
  const size_t size_class = size_class_of(2048);
  struct slab *slab = used_slab(size_class);
  EXPECT_GT(give_back(slab), 0);
  size_t before = hole_bytes() - holes_bytes(slab);
  EXPECT_TRUE(remote_token_take(slab));
  slab_unbind(slab);
  EXPECT_EQ(hole_bytes(), before);
  EXPECT_FALSE(slab->has_holes);
  bind(slab, size_class_of(512));
  EXPECT_FALSE(slab->has_holes);
  EXPECT_EQ(holes_bytes(slab), 0);
  EXPECT_EQ(give_back(slab), UNIT_BYTES / os_page_size() * os_page_size()); /* and can have them all */
  drop_slab(slab);
  EXPECT_EQ(hole_bytes(), before);
}
