/* meta: memory for the allocator's own structures. */
#include "cold/meta.h"

#include <stdbool.h>
#include <string.h>

#include "os/system.h"
#include "unit/unit.h"

TEST(MetaTest, PiecesAreZeroAlignedAndApart) {
  enum { MANY = 400 };
  static struct {
    unsigned char *start;
    size_t bytes;
  } pieces[MANY];
  uint64_t seed = unit_seed();
  for (size_t i = 0; i < MANY; i++) {
    pieces[i].bytes = unit_below(&seed, i % 10 == 0 ? 20000 : 3000) + 1;
    size_t alignment = (size_t)1 << unit_below(&seed, 13);
    pieces[i].start = meta_alloc(pieces[i].bytes, alignment);
    ASSERT_NE(pieces[i].start, NULL);
    ASSERT_EQ((uintptr_t)pieces[i].start % alignment, 0);
    ASSERT_TRUE(unit_is_zero(pieces[i].start, pieces[i].bytes));
    memset(pieces[i].start, (int)(i % 255 + 1), pieces[i].bytes);
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(pieces[i].start[0], i % 255 + 1);
    ASSERT_EQ(memcmp(pieces[i].start, pieces[i].start + 1, pieces[i].bytes - 1), 0);
  }
}

TEST(MetaTest, FreedPiecesAreUsedAgainAndZero) {
  const size_t sizes[] = {8, 64, 128, 1000, 2048};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    char *piece = meta_alloc(sizes[i], 64);
    memset(piece, 0xFF, sizes[i]);
    meta_free(piece, sizes[i]);
    size_t bytes = meta_bytes();
    char *again = meta_alloc(sizes[i], 64);
    EXPECT_EQ(again, piece);
    EXPECT_TRUE(unit_is_zero(again, sizes[i]));
    EXPECT_EQ(meta_bytes(), bytes);
    /* Not for a piece that needs more than it offers. */
    meta_free(again, sizes[i]);
    EXPECT_NE(meta_alloc(sizes[i] + 64, 64), piece);
    char *aligned = meta_alloc(sizes[i], 4096);
    EXPECT_EQ((uintptr_t)aligned % 4096, 0);
    EXPECT_TRUE(unit_is_zero(aligned, sizes[i]));
  }
}

static void ask_rarely(void *unused) {
  (void)unused;
  size_t calls = os_counts().map_calls;
  size_t bytes = meta_bytes();
  for (int i = 0; i < 10000; i++) {
    ASSERT_NE(meta_alloc(1024, 64), NULL);
  }
  EXPECT_GE(meta_bytes() - bytes, 9 * MIB);
  EXPECT_LE(os_counts().map_calls - calls, 12);
}

TEST(MetaTest, AsksTheSystemRarely) { EXPECT_RUNS(ask_rarely, NULL, ""); }

TEST(MetaTest, DonatedMemoryOfAnyContentIsCutIntoZeroPieces) {
  static _Alignas(4096) char donated[16384];
  memset(donated, 0xEE, sizeof donated);
  meta_donate(donated, sizeof donated);
  size_t bytes = meta_bytes();
  char *first = meta_alloc(3000, 64);
  char *second = meta_alloc(4096, 4096);
  EXPECT_TRUE(first >= donated && first + 3000 <= donated + sizeof donated);
  EXPECT_TRUE(second > first && second + 4096 <= donated + sizeof donated);
  EXPECT_TRUE(unit_is_zero(first, 3000) && unit_is_zero(second, 4096));
  EXPECT_EQ(meta_bytes(), bytes); /* not taken from the system */
  char *beyond = meta_alloc(12000, 64);
  EXPECT_TRUE(beyond + 12000 <= donated || beyond >= donated + sizeof donated);
}

static void run_out_of_memory(void *unused) {
  (void)unused;
  unit_limit_memory(0);
  size_t had = 0;
  char *last = NULL;
  char *piece;
  while (had < 1000000 && (piece = meta_alloc(2048, 64)) != NULL) {
    last = piece;
    had++;
  }
  EXPECT_LT(had, 1000000);
  EXPECT_EQ(meta_alloc(2048, 64), NULL);
  meta_free(last, 2048);
  EXPECT_EQ(meta_alloc(2048, 64), last);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(meta_alloc(2048, 64), NULL);
}

static void make_do_with_little(void *unused) {
  (void)unused;
  while (meta_bytes() < 8 * MIB) {
    meta_alloc(64 * KIB, 64);
  }
  /* A chunk would be megabytes now; where there is no room for it a small one will do. */
  unit_limit_memory(512 * KIB);
  size_t had = 0;
  while (had < 1000000 && meta_alloc(64 * KIB, 64) != NULL) {
    had++;
  }
  EXPECT_GE(had, 7);
  EXPECT_LT(had, 1000000);
}

TEST(MetaTest, WithoutMemoryThereIsNullAndNoHarm) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
  EXPECT_RUNS(make_do_with_little, NULL, "");
}

enum { THREADS = 4, ROUNDS = 3000 };

static void allocate_and_free(void *seed_value) {
  enum { SLOTS = 32 };
  struct {
    size_t *piece;
    size_t bytes;
  } slots[SLOTS];
  memset(slots, 0, sizeof slots);
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < ROUNDS; i++) {
    size_t s = unit_below(&seed, SLOTS);
    if (slots[s].piece != NULL) {
      ASSERT_EQ(slots[s].piece[0], (uintptr_t)seed_value);
      meta_free(slots[s].piece, slots[s].bytes);
      slots[s].piece = NULL;
    } else {
      slots[s].bytes = unit_below(&seed, 2048 - sizeof(size_t)) + sizeof(size_t);
      slots[s].piece = meta_alloc(slots[s].bytes, 64);
      ASSERT_TRUE(slots[s].piece != NULL && unit_is_zero(slots[s].piece, slots[s].bytes));
      slots[s].piece[0] = (uintptr_t)seed_value;
    }
  }
}

TEST(MetaTest, ManyThreadsShareIt) {
  struct unit_thread threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], allocate_and_free, (void *)(i + 1));
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
}
