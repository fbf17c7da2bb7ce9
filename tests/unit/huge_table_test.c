/* huge_table: the live huge blocks, found by their first address. The tests stand in for cold/huge.h, whose lock they need not
 * take: no other thread runs. No memory lies at the addresses that they enter. */
#include "cold/huge_table.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "cold/limit.h"
#include "os/system.h"
#include "unit/unit.h"

enum { PAGE = 4096 };

static char *address(size_t page) { return (char *)(((uintptr_t)1 << 40) + page * PAGE); }

static bool enter(char *start, size_t bytes) {
  if (!huge_table_reserve()) {
    return false;
  }
  huge_table_enter(start, bytes);
  return true;
}

static void leave(const char *start) {
  struct huge_entry *entry = huge_table_find(start);
  ASSERT_NE(entry, NULL);
  ASSERT_EQ(entry->start, start);
  huge_table_remove(entry);
  huge_table_unreserve();
}

TEST(HugeTableTest, FindsWhatWasEnteredAndNothingElse) {
  size_t count = huge_table_count();
  size_t bytes = huge_table_bytes();
  ASSERT_TRUE(enter(address(10), 3 * PAGE));
  EXPECT_EQ(huge_table_find(address(10))->bytes, 3 * PAGE);
  EXPECT_EQ(huge_table_find(address(10) + 1), NULL);
  EXPECT_EQ(huge_table_find(address(11)), NULL);
  EXPECT_EQ(huge_table_around(address(13) - 1), address(10));
  EXPECT_EQ(huge_table_around(address(13)), NULL);
  EXPECT_EQ(huge_table_around(address(10) - 1), NULL);
  EXPECT_EQ(huge_table_count() - count, 1);
  EXPECT_EQ(huge_table_bytes() - bytes, 3 * PAGE);
  leave(address(10));
  EXPECT_EQ(huge_table_find(address(10)), NULL);
  EXPECT_EQ(huge_table_around(address(10)), NULL);
  EXPECT_EQ(huge_table_count(), count);
  EXPECT_EQ(huge_table_bytes(), bytes);
}

/* ---- a model ---- */

enum { PAGES = 3000, STEPS = 200000 };

static size_t model[PAGES]; /* bytes of the block at each page; 0: none */
static size_t model_count, model_bytes;

static void expect_model(size_t count, size_t bytes) {
  ASSERT_EQ(huge_table_count() - count, model_count);
  ASSERT_EQ(huge_table_bytes() - bytes, model_bytes);
  for (size_t page = 0; page < PAGES; page++) {
    const struct huge_entry *entry = huge_table_find(address(page));
    ASSERT_EQ(entry == NULL ? 0 : entry->bytes, model[page]);
  }
}

TEST(HugeTableTest, RandomEntersAndRemovesAgreeWithAModel) {
  uint64_t seed = unit_seed();
  size_t count = huge_table_count();
  size_t bytes = huge_table_bytes();
  size_t range = PAGES;
  for (size_t step = 0; step < STEPS; step++) {
    if (step % 5000 == 0) { /* few blocks at times, so that the table has many marks, and many at others */
      range = unit_below(&seed, 3) == 0 ? PAGES : unit_below(&seed, 60) + 1;
      expect_model(count, bytes);
    }
    size_t page = unit_below(&seed, range);
    if (model[page] == 0) {
      size_t wanted = (unit_below(&seed, 100) + 1) * PAGE;
      ASSERT_TRUE(enter(address(page), wanted));
      model[page] = wanted;
      model_count++;
      model_bytes += wanted;
    } else {
      ASSERT_EQ(huge_table_find(address(page))->bytes, model[page]);
      leave(address(page));
      model_count--;
      model_bytes -= model[page];
      model[page] = 0;
    }
    ASSERT_EQ(huge_table_count() - count, model_count);
    ASSERT_EQ(huge_table_bytes() - bytes, model_bytes);
  }
  for (size_t page = 0; page < PAGES; page++) {
    if (model[page] != 0) {
      leave(address(page));
      model[page] = 0;
    }
  }
  model_count = model_bytes = 0;
  EXPECT_EQ(huge_table_count(), count);
  EXPECT_EQ(huge_table_bytes(), bytes);
}

/* ---- marks ---- */

static void come_and_go(void *unused) {
  (void)unused;
  size_t calls = os_counts().map_calls;
  for (size_t page = 0; page < 100000; page++) {
    ASSERT_TRUE(enter(address(page), PAGE));
    leave(address(page));
  }
  EXPECT_EQ(os_counts().map_calls, calls);
}

TEST(HugeTableTest, MarksAreClearedWhereNoSearchGoesOn) { EXPECT_RUNS(come_and_go, NULL, ""); }

static void fill_and_empty(void *unused) {
  (void)unused;
  enum { MANY = 1000, ROUNDS = 100 };
  size_t mapped = 0;
  for (size_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < MANY; i++) {
      ASSERT_TRUE(enter(address(round * MANY + i), PAGE));
    }
    for (size_t i = 0; i < MANY; i++) {
      leave(address(round * MANY + (i * 7) % MANY));
    }
    size_t now = os_counts().mapped_bytes - os_counts().unmapped_bytes;
    if (round == 1) {
      mapped = now;
    }
    EXPECT_TRUE(round < 2 || now <= mapped);
  }
}

TEST(HugeTableTest, ATableThatIsRenewedGrowsForBlocksNotForMarks) { EXPECT_RUNS(fill_and_empty, NULL, ""); }

/* ---- the limit's count ---- */

static bool unmaps_fail;

int munmap(void *start, size_t bytes) {
  if (unmaps_fail) {
    errno = EINVAL;
    return -1;
  }
  return (int)syscall(SYS_munmap, start, bytes);
}

/* What the system has given and not taken back. */
static size_t mapped(void) { return os_counts().mapped_bytes - os_counts().unmapped_bytes; }

static void refuse_to_unmap(void *unused) {
  (void)unused;
  enum { MANY = 1000 };
  size_t not_counted = mapped() - huge_table_own_bytes();
  size_t others = counted_bytes() - huge_table_own_bytes();
  for (size_t i = 0; i < 2 * MANY; i++) {
    unmaps_fail = i < MANY;
    ASSERT_TRUE(enter(address(i), PAGE));
    EXPECT_EQ(counted_bytes() - huge_table_own_bytes(), others);
    EXPECT_EQ(mapped() - huge_table_own_bytes(), not_counted);
  }
}

TEST(HugeTableTest, ATableThatTheSystemDoesNotTakeBackIsCountedOn) { EXPECT_RUNS(refuse_to_unmap, NULL, ""); }

/* ---- reserving ---- */

static void enter_without_memory(void *unused) {
  (void)unused;
  enum { RESERVED = 5000 };
  for (size_t i = 0; i < RESERVED; i++) {
    ASSERT_TRUE(huge_table_reserve());
  }
  unit_limit_memory(0);
  size_t calls = os_counts().map_calls;
  for (size_t i = 0; i < RESERVED; i++) {
    huge_table_enter(address(i), PAGE);
  }
  EXPECT_EQ(os_counts().map_calls, calls);
  size_t more = 0;
  while (more < 100000 && enter(address(RESERVED + more), PAGE)) {
    more++;
  }
  EXPECT_LT(more, 100000); /* the table is full, and no other to be had */
  EXPECT_EQ(huge_table_count(), RESERVED + more);
  EXPECT_FALSE(huge_table_reserve());
  for (size_t i = 0; i < RESERVED + more; i++) {
    ASSERT_NE(huge_table_find(address(i)), NULL);
  }
  /* The room of what has left is still reserved, though every mark were there. */
  for (size_t i = 0; i < 100; i++) {
    huge_table_remove(huge_table_find(address(i)));
  }
  for (size_t i = 0; i < 100; i++) {
    huge_table_enter(address(200000 + i), PAGE);
  }
  unit_limit_memory(SIZE_MAX);
  EXPECT_TRUE(enter(address(300000), PAGE));
  for (size_t i = 0; i < 100; i++) {
    ASSERT_EQ(huge_table_find(address(i)), NULL);
    ASSERT_NE(huge_table_find(address(200000 + i)), NULL);
  }
  EXPECT_EQ(huge_table_count(), RESERVED + more + 1);
}

TEST(HugeTableTest, WhatIsReservedIsEnteredWithoutMemory) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(enter_without_memory, NULL, "");
}

static void reserve_in_vain(void *unused) {
  (void)unused;
  size_t calls = os_counts().map_calls;
  for (size_t i = 0; i < 10000; i++) {
    ASSERT_TRUE(huge_table_reserve());
    huge_table_unreserve();
  }
  EXPECT_EQ(os_counts().map_calls, calls);
}

TEST(HugeTableTest, RoomThatIsNotUsedIsGivenUp) { EXPECT_RUNS(reserve_in_vain, NULL, ""); }

/* ---- mending ---- */

static void count_anew(void *unused) {
  (void)unused;
  enum { BLOCKS = 500 };
  size_t count = huge_table_count();
  size_t bytes = huge_table_bytes();
  for (size_t i = 0; i < BLOCKS; i++) {
    ASSERT_TRUE(enter(address(i), PAGE));
  }
  for (size_t i = 0; i < BLOCKS; i += 3) {
    leave(address(i));
  }
  size_t left = BLOCKS - (BLOCKS + 2) / 3;
  /* A lost thread had reserved room, and was changing the sums. */
  for (size_t i = 0; i < 40; i++) {
    ASSERT_TRUE(huge_table_reserve());
  }
  huge_table_remove(huge_table_find(address(1)));
  huge_table_find(address(2))->bytes = 5 * PAGE;
  huge_table_mend();
  EXPECT_EQ(huge_table_count() - count, left - 1);
  EXPECT_EQ(huge_table_bytes() - bytes, (left - 1 + 4) * PAGE);
  huge_table_enter(address(BLOCKS), PAGE); /* for which the thread that forked had reserved room */
  EXPECT_EQ(huge_table_count() - count, left);
  for (size_t i = BLOCKS + 1; i < 4 * BLOCKS; i++) {
    ASSERT_TRUE(enter(address(i), PAGE));
  }
  for (size_t i = BLOCKS; i < 4 * BLOCKS; i++) {
    leave(address(i));
  }
  EXPECT_EQ(huge_table_count() - count, left - 1);
}

TEST(HugeTableTest, SumsAreCountedAnew) { EXPECT_RUNS(count_anew, NULL, ""); }
