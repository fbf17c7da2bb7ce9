/* depot: full magazines behind a thread's cache. */
#include "warm/depot.h"

#include "unit/unit.h"

/* A full magazine of blocks that nobody may touch. */
static void **full_magazine(struct depot *depot, size_t size_class) {
  void **bottom = depot_take_empty(depot, size_classes[size_class].magazine);
  if (bottom == NULL) {
    return NULL;
  }
  void **magazine = magazine_of(bottom);
  for (void **slot = bottom + 1; slot < magazine + MAGAZINE_SLOTS; slot++) {
    *slot = (void *)(uintptr_t)0x1000;
  }
  return magazine;
}

TEST(DepotTest, SpareMagazinesAreAlignedAndEmpty) {
  enum { MANY = 100 };
  struct depot depot = {0};
  void **magazines[MANY];
  for (size_t i = 0; i < MANY; i++) {
    unsigned blocks = 2 + (unsigned)(i % (MAGAZINE_SLOTS - 2));
    void **bottom = depot_take_empty(&depot, blocks);
    ASSERT_NE(bottom, NULL);
    EXPECT_EQ(*bottom, NULL);
    magazines[i] = magazine_of(bottom);
    EXPECT_EQ(bottom, magazine_bottom(magazines[i], blocks));
    EXPECT_EQ((uintptr_t)magazines[i] % MAGAZINE_BYTES, 0);
    EXPECT_EQ(magazines[i][0], NULL);
    for (size_t j = 0; j < i; j++) {
      ASSERT_NE(magazines[i], magazines[j]);
    }
  }
}

TEST(DepotTest, SparesAreUsedAgainWhateverTheyMayHold) {
  struct depot depot = {0};
  void **first = full_magazine(&depot, 4);
  void **second = full_magazine(&depot, 4);
  depot_give_empty(&depot, first);
  depot_give_empty(&depot, second);
  EXPECT_EQ(depot_take_empty(&depot, 3), magazine_bottom(second, 3));
  EXPECT_EQ(*magazine_bottom(second, 3), NULL);
  EXPECT_EQ(depot_take_empty(&depot, 63), magazine_bottom(first, 63));
  EXPECT_EQ(first[0], NULL);
}

/* So that no processor reads ahead what another one writes. */
TEST(DepotTest, MagazinesOfTwoBusyHeapsLieApart) {
  enum { FEW = 8, MANY = 256 };
  struct depot depots[2] = {0};
  void **last[2] = {NULL};
  size_t together = 0;
  for (size_t i = 0; i < 2 * MANY; i++) {
    void **magazine = magazine_of(depot_take_empty(&depots[i % 2], 1));
    together += magazine == last[i % 2] + MAGAZINE_SLOTS;
    last[i % 2] = magazine;
    if (i == 2 * FEW) {
      EXPECT_LE(depots[0].empties, FEW / 4); /* one that needs few has few to spare */
    }
  }
  EXPECT_GT(together, MANY * 8 / 5);
  for (size_t i = 0; i < 2; i++) {
    EXPECT_LE(depots[i].made, MANY + 16);
  }
}

enum { CHAIN = 64, FEW_CHAINS = 4 }; /* as in warm/depot.c */

/* Takes as many empty magazines as so many chains have, and gives them back. */
static void make_wave(struct depot *depot, size_t chains) {
  static void **magazines[16 * CHAIN];
  for (size_t i = 0; i < chains * CHAIN; i++) {
    void **bottom = depot_take_empty(depot, 8);
    ASSERT_NE(bottom, NULL);
    magazines[i] = magazine_of(bottom);
  }
  for (size_t i = 0; i < chains * CHAIN; i++) {
    depot_give_empty(depot, magazines[i]);
  }
}

TEST(DepotTest, AHeapKeepsAsManyEmptyMagazinesAsItWasShortOf) {
  struct depot one = {0};
  struct depot other = {0};
  make_wave(&one, 16);
  EXPECT_EQ(one.chain_count, FEW_CHAINS);
  make_wave(&other, 6);
  EXPECT_EQ(other.chains_short, 6); /* the stock had twelve */
  EXPECT_EQ(other.chain_count, 6);
  make_wave(&other, 6);
  EXPECT_EQ(other.chains_short, 6);
  make_wave(&one, 8);
  EXPECT_EQ(one.chain_count, 8);
  depot_tidy(&one);
  EXPECT_EQ(one.chain_count, FEW_CHAINS);
  EXPECT_EQ(one.chains_short, 0);
}

/* From here on a depot that has no empty magazine must have one made. */
static void empty_the_stock(void) {
  struct depot other = {0};
  while (other.made == 0) {
    ASSERT_NE(depot_take_empty(&other, 1), NULL);
  }
}

/* How many full magazines a heap whose slabs have so many bytes may keep, beyond those that the depot has. */
static unsigned fill_depot(struct depot *depot, size_t size_class, size_t held) {
  enum { FAR_TOO_MANY = 10000 };
  static struct depot makes;
  unsigned count = 0;
  while (count < FAR_TOO_MANY) {
    void **magazine = full_magazine(&makes, size_class);
    void **bottom = depot_exchange(depot, size_class, magazine, held);
    if (bottom == NULL) {
      depot_give_empty(&makes, magazine);
      break;
    }
    EXPECT_EQ(bottom, magazine_bottom(magazine_of(bottom), size_classes[size_class].magazine));
    EXPECT_EQ(*bottom, NULL);
    EXPECT_EQ(depot->full[size_class], magazine);
    count++;
  }
  return count;
}

enum { LEAST = 128, AT_ONCE = 16, PART = 64, MISSES = 4 }; /* as in warm/depot.c */

TEST(DepotTest, MagazinesTakeASmallPartOfWhatTheHeapHas) {
  enum { MORE = 500 };
  empty_the_stock();
  struct depot depot = {0};
  unsigned few = fill_depot(&depot, 3, 0);
  EXPECT_GE(few, LEAST);
  EXPECT_LT(few, LEAST + AT_ONCE);
  EXPECT_EQ(depot.made, few);
  unsigned more = fill_depot(&depot, 3, (size_t)MORE * PART * MAGAZINE_BYTES);
  EXPECT_GE(few + more, LEAST + MORE);
  EXPECT_LT(few + more, LEAST + MORE + AT_ONCE);
  EXPECT_EQ(fill_depot(&depot, 3, 0), 0);
  depot_give_empty(&depot, depot_pop(&depot, 3)); /* one that there is takes the place of a full one */
  EXPECT_EQ(fill_depot(&depot, 3, 0), 1);
}

TEST(DepotTest, WhatIsMissedAgainAndAgainIsMade) {
  enum { WANTING = 5 };
  empty_the_stock();
  struct depot depot = {0};
  unsigned count = fill_depot(&depot, 3, 0);
  depot_missed(&depot);
  for (unsigned i = 0; i < 1000; i++) {
    depot_missed(&depot); /* as nothing was refused since, no magazine would have served */
  }
  EXPECT_EQ(depot.missed, 1);
  unsigned made = 0;
  for (unsigned i = 0; i < WANTING * AT_ONCE * MISSES; i++) {
    made += fill_depot(&depot, 3, 0);
    depot_missed(&depot);
  }
  EXPECT_GE(made, (WANTING - 1) * AT_ONCE);
  EXPECT_LE(made, (WANTING + 1) * AT_ONCE);
  EXPECT_EQ(depot.made, count + made);
}

TEST(DepotTest, FullMagazinesComeBackNewestFirst) {
  struct depot depot = {0};
  EXPECT_EQ(depot_pop(&depot, 5), NULL);
  void **a = full_magazine(&depot, 5);
  void **b = full_magazine(&depot, 5);
  void **c = full_magazine(&depot, 6);
  depot_push(&depot, 5, a);
  depot_push(&depot, 5, b);
  depot_push(&depot, 6, c);
  EXPECT_EQ(depot_pop(&depot, 5), b);
  EXPECT_EQ(b[0], NULL);
  EXPECT_EQ(depot_pop(&depot, 5), a);
  EXPECT_EQ(depot_pop(&depot, 5), NULL);
  EXPECT_EQ(depot_pop(&depot, 6), c);
  EXPECT_EQ(depot.bytes, 0);
  EXPECT_EQ(depot.filled, 0);
}

TEST(DepotTest, BytesAndClassesAgreeWithAModel) {
  enum { DEPTH = 6 };
  uint64_t seed = unit_seed();
  struct depot depot = {0};
  void **model[SIZE_CLASS_COUNT][DEPTH];
  size_t count[SIZE_CLASS_COUNT] = {0};
  size_t bytes = 0;
  for (int step = 0; step < 50000; step++) {
    size_t size_class = unit_below(&seed, SIZE_CLASS_COUNT);
    if (unit_random(&seed) % 2 == 0 && count[size_class] < DEPTH) {
      void **magazine = full_magazine(&depot, size_class);
      ASSERT_NE(magazine, NULL);
      depot_push(&depot, size_class, magazine);
      model[size_class][count[size_class]++] = magazine;
      bytes += magazine_block_bytes(size_class);
    } else {
      void **magazine = depot_pop(&depot, size_class);
      ASSERT_EQ(magazine, count[size_class] == 0 ? NULL : model[size_class][count[size_class] - 1]);
      if (magazine != NULL) {
        count[size_class]--;
        bytes -= magazine_block_bytes(size_class);
        ASSERT_EQ(*magazine_bottom(magazine, size_classes[size_class].magazine), NULL);
        depot_give_empty(&depot, magazine);
      }
    }
    ASSERT_EQ(depot.bytes, bytes);
    ASSERT_EQ(depot.filled >> size_class & 1, count[size_class] > 0);
  }
}

TEST(DepotTest, ClassesPayInTurn) {
  struct depot depot = {0};
  EXPECT_EQ(depot_victim(&depot), SIZE_CLASS_COUNT);
  const size_t classes[] = {0, 7, 8, 39, 40};
  const size_t of = sizeof classes / sizeof classes[0];
  for (size_t i = 0; i < of; i++) {
    depot_push(&depot, classes[i], full_magazine(&depot, classes[i]));
  }
  size_t asked[SIZE_CLASS_COUNT] = {0};
  for (size_t i = 0; i < 10 * of; i++) {
    size_t victim = depot_victim(&depot);
    ASSERT_LT(victim, SIZE_CLASS_COUNT);
    asked[victim]++;
  }
  for (size_t i = 0; i < of; i++) {
    EXPECT_EQ(asked[classes[i]], 10);
  }
}

TEST(DepotTest, TheOnlyClassPaysEachTime) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct depot depot = {0};
    depot_push(&depot, size_class, full_magazine(&depot, size_class));
    EXPECT_EQ(depot_victim(&depot), size_class);
    EXPECT_EQ(depot_victim(&depot), size_class);
  }
}

static void run_out_of_memory(void *unused) {
  (void)unused;
  struct depot depot = {0};
  unit_limit_memory(0);
  size_t had = 0;
  while (had < 1000000 && depot_take_empty(&depot, 4) != NULL) {
    had++;
  }
  EXPECT_LT(had, 1000000);
  EXPECT_EQ(depot_take_empty(&depot, 4), NULL);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(depot_take_empty(&depot, 4), NULL);
}

TEST(DepotTest, WithoutMemoryThereIsNoSpareButNoHarm) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}
