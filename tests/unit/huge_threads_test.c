/* huge: many threads, forks, and a thread that is lost. */
#include "cold/huge.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cold/huge_ranges.h"
#include "cold/huge_table.h"
#include "cold/residency.h"
#include "config/config.h"
#include "os/lock.h"
#include "os/system.h"
#include "unit/forks.h"
#include "unit/huge_blocks.h"
#include "unit/unit.h"

/* ---- many threads ---- */

static void churn(void *seed_value) {
  enum { SLOTS = 16 };
  char *blocks[SLOTS] = {NULL};
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < 2000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    size_t size = (unit_below(&seed, 200) + 1) * os_page_size();
    if (blocks[s] == NULL) {
      bool is_zeroed;
      blocks[s] = huge_allocate(size, 4096, &is_zeroed);
      ASSERT_NE(blocks[s], NULL);
      if (is_zeroed) {
        ASSERT_EQ(blocks[s][size - 1], 0);
      }
    } else {
      ASSERT_EQ(blocks[s][0], s + 1);
      if (unit_below(&seed, 3) != 0) {
        ASSERT_TRUE(huge_free(blocks[s]));
        blocks[s] = NULL;
        continue;
      }
      if (unit_below(&seed, 2) == 0 || huge_resize_in_place(blocks[s], size) < size) {
        blocks[s] = huge_resize(blocks[s], size);
      }
      ASSERT_NE(blocks[s], NULL);
      ASSERT_EQ(blocks[s][0], s + 1);
    }
    blocks[s][0] = (char)(s + 1);
    blocks[s][size - 1] = (char)(s + 1);
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (blocks[s] != NULL) {
      ASSERT_TRUE(huge_free(blocks[s]));
    }
  }
}

TEST(HugeTest, ManyThreads) {
  struct unit_thread threads[4];
  uint64_t seed = unit_seed() % 1000 + 1;
  size_t live = huge_live_count();
  for (size_t i = 0; i < 4; i++) {
    unit_start(&threads[i], churn, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(huge_live_count(), live);
}

/* Blocks that are used whole: they come in huge pages, and are put together from what is retained. */
static void churn_whole(void *seed_value) {
  enum { SLOTS = 6, TURNS = 300, LARGEST = 12, HALVES = 2 };
  unsigned char *blocks[SLOTS] = {NULL};
  size_t sizes[SLOTS];
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < TURNS; i++) {
    size_t s = unit_below(&seed, SLOTS);
    if (blocks[s] == NULL) {
      bool is_zeroed;
      sizes[s] = (unit_below(&seed, LARGEST * HALVES) + 1) * (MIB / HALVES);
      blocks[s] = huge_allocate(sizes[s], 4096, &is_zeroed);
      ASSERT_NE(blocks[s], NULL);
      ASSERT_TRUE(!is_zeroed || (blocks[s][0] == 0 && blocks[s][sizes[s] - 1] == 0));
      memset(blocks[s], (int)(seed % 100) + 1, sizes[s]);
    } else {
      ASSERT_EQ(memcmp(blocks[s], blocks[s] + 1, sizes[s] - 1), 0);
      ASSERT_TRUE(huge_free(blocks[s]));
      blocks[s] = NULL;
    }
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (blocks[s] != NULL) {
      ASSERT_TRUE(huge_free(blocks[s]));
    }
  }
}

static void churn_whole_in_threads(void *unused) {
  (void)unused;
  struct unit_thread threads[3];
  option_set("retain_kib", 128 * 1024);
  uint64_t seed = unit_seed() % 1000 + 1;
  size_t live = huge_live_count();
  size_t active = active_bytes();
  for (size_t i = 0; i < 3; i++) {
    unit_start(&threads[i], churn_whole, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < 3; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(huge_live_count(), live);
  EXPECT_EQ(active_bytes(), active);
  EXPECT_GT(os_counts().remap_calls, 0);
  size_t kept = retained_bytes();
  EXPECT_EQ(huge_purge(), kept);
}

TEST(HugeTest, ManyThreadsUseBlocksWhole) { EXPECT_RUNS(churn_whole_in_threads, NULL, ""); }

/* ---- a lost thread ---- */

enum { HELD = 30, FORKS = 80 };

static char *held[HELD];
static atomic_bool torn, done;

/* Every block that is held is there and whole, new ones lie elsewhere, and the sums are what there is. */
static void use_all(void *unused) {
  (void)unused;
  enum { NEW = 40 };
  static char *fresh[NEW];
  for (size_t i = 0; i < HELD; i++) {
    ASSERT_EQ(huge_usable_size(held[i]), (i % 7 + 1) * os_page_size());
    ASSERT_EQ(held[i][0], (char)(i + 1));
  }
  size_t live = huge_live_count();
  size_t bytes = huge_live_bytes();
  for (size_t i = 0; i < NEW; i++) {
    fresh[i] = allocate((i % 9 + 1) * os_page_size());
    ASSERT_NE(fresh[i], NULL);
    memset(fresh[i], 0xEE, huge_usable_size(fresh[i]));
  }
  for (size_t i = 0; i < NEW; i += 2) {
    fresh[i] = huge_resize(fresh[i], (i % 5 + 3) * os_page_size());
    ASSERT_NE(fresh[i], NULL);
    ASSERT_EQ(fresh[i][0], (char)0xEE);
  }
  EXPECT_EQ(huge_live_count() - live, NEW);
  for (size_t i = 0; i < NEW; i++) {
    ASSERT_TRUE(huge_free(fresh[i]));
  }
  EXPECT_EQ(huge_live_count(), live);
  EXPECT_EQ(huge_live_bytes(), bytes);
  for (size_t i = 0; i < HELD; i++) {
    ASSERT_EQ(held[i][0], (char)(i + 1));
    ASSERT_EQ(held[i][(i % 7 + 1) * os_page_size() - 1], (char)(i + 1));
    ASSERT_TRUE(huge_free(held[i]));
    ASSERT_FALSE(huge_free(held[i]));
  }
  EXPECT_EQ(huge_live_count(), live - HELD);
  huge_purge();
}

static void hold_some(void) {
  for (size_t i = 0; i < HELD; i++) {
    held[i] = allocate((i % 7 + 1) * os_page_size());
    memset(held[i], (int)(i + 1), (i % 7 + 1) * os_page_size());
  }
}

/* Has a block out of the table, whose bytes are in no sum any more, and one in it that is in no sum yet. */
static void tear(void *unused) {
  (void)unused;
  char *mine = allocate(5 * os_page_size());
  lock_take(LOCK_HUGE);
  struct huge_entry *entry = huge_table_find(mine);
  huge_table_remove(entry);
  struct huge_entry *other = huge_table_find(held[0]);
  size_t bytes = other->bytes;
  other->bytes = 0;
  huge_table_remove(other);
  other->bytes = bytes;
  other->start = held[0];
  huge_ranges_give((struct huge_range){mine, 5 * os_page_size(), 1});
  atomic_store(&torn, true);
  while (!atomic_load(&done)) {
    sched_yield();
  }
  lock_drop(LOCK_HUGE);
}

static void count_in_child(void *live) {
  EXPECT_EQ(huge_live_count(), (uintptr_t)live);
  EXPECT_EQ(retained_bytes(), huge_ranges_bytes());
  use_all(NULL);
  EXPECT_EQ(huge_ranges_bytes(), 0);
  EXPECT_EQ(retained_bytes(), 0);
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread thread;
  hold_some();
  size_t live = huge_live_count();
  unit_start(&thread, tear, NULL);
  while (!atomic_load(&torn)) {
    sched_yield();
  }
  EXPECT_FORKS(count_in_child, (void *)live);
  atomic_store(&done, true);
  unit_join(&thread);
}

static void hammer(void *seed_value) {
  while (!atomic_load(&done)) {
    churn(seed_value);
  }
}

static void fork_often(void *kib) {
  option_set("retain_kib", (long)(uintptr_t)kib);
  hold_some();
  fork_beside_two(FORKS, hammer, &done, use_all, 1);
  use_all(NULL);
}

TEST(HugeTest, TheTableOfALostThreadIsMended) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_beside, NULL, "");
}

TEST(HugeTest, AForkAtAnyMomentLeavesUsableBlocks) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_often, (void *)0, "");
  EXPECT_RUNS(fork_often, (void *)4096, "");
}
