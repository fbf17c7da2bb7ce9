/* guarded: blocks each between two ranges without access. */
#include "cold/guarded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cold/limit.h"
#include "config/config.h"
#include "unit/unit.h"

enum { SEGMENT = 11 };

/* A sanitizer has a handler of its own. */
#define EXPECT_FAULT(body, argument, text)                                                                             \
  do {                                                                                                                 \
    if (!UNIT_SANITIZED) {                                                                                             \
      unit_expect_process(__FILE__, __LINE__, body, argument, SEGMENT, text);                                          \
    }                                                                                                                  \
  } while (0)

/* How lines go on. */
#define BY " by thread " ANY_NUMBER " at [^ ;]+.*"
#define SAMPLE(size) "a guarded sample of " #size " bytes, thread " ANY_NUMBER

static NOINLINE void *allocate_aligned_to(size_t size, size_t alignment) {
  struct stack by;
  stack_take(&by, STACK_FRAME());
  return guarded_allocate(size, alignment, &by);
}

static char *allocate(size_t size) { return allocate_aligned_to(size, 16); }

static NOINLINE bool give(void *block) {
  struct stack by;
  stack_take(&by, STACK_FRAME());
  return guarded_free(block, &by);
}

static bool is_filled(const char *block, size_t size, char value) {
  for (size_t i = 0; i < size; i++) {
    if (block[i] != value) {
      return false;
    }
  }
  return true;
}

/* ---- blocks ---- */

static bool is_at_the_front(const char *block) {
  return ((uintptr_t)block - guarded_base) % GUARDED_STRIDE == GUARDED_MAX;
}

static bool ends_at_its_slot(const char *block, size_t size, size_t alignment) {
  uintptr_t end = (uintptr_t)block + size;
  return (end + alignment - 1) % os_page_size() < alignment && end % os_page_size() < os_page_size();
}

static void every_size(void *unused) {
  (void)unused;
  unsigned fronts = 0;
  for (size_t size = 1; size <= GUARDED_MAX; size += size < 300 ? 1 : 997) {
    for (size_t alignment = 8; alignment <= os_page_size(); alignment *= alignment < 64 ? 2 : 8) {
      char *block = allocate_aligned_to(size, alignment);
      ASSERT_NE(block, NULL);
      ASSERT_EQ((uintptr_t)block % alignment, 0);
      ASSERT_EQ(guarded_usable_size(block, "test"), size);
      ASSERT_TRUE(is_filled(block, size, 0));
      bool front = is_at_the_front(block);
      size_t to_end = -((uintptr_t)block + size) & (os_page_size() - 1);
      ASSERT_TRUE(front || to_end < alignment);
      fronts += front;
      memset(block, 'x', size);
      ASSERT_TRUE(give(block));
    }
  }
  EXPECT_GT(fronts, 100);
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_live_bytes(), 0);
  EXPECT_EQ(guarded_counted_bytes(), os_page_ceil(sizeof(struct guarded_table)));
}

TEST(GuardedTest, BlocksOfEverySizeEndOrBeginAtAGuard) { EXPECT_FORKS(every_size, NULL); }

static void what_there_is_none_of(void *unused) {
  (void)unused;
  EXPECT_EQ(allocate(GUARDED_MAX + 1), NULL);
  EXPECT_EQ(allocate_aligned_to(16, 2 * os_page_size()), NULL);
  char *blocks[GUARDED_SLOTS];
  for (unsigned i = 0; i < GUARDED_SLOTS; i++) {
    blocks[i] = allocate(100);
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], (int)i, 100);
  }
  EXPECT_EQ(allocate(100), NULL);
  EXPECT_EQ(guarded_live_count(), GUARDED_SLOTS);
  EXPECT_EQ(guarded_live_bytes(), GUARDED_SLOTS * 100);
  EXPECT_EQ(guarded_check(), GUARDED_SLOTS);
  for (unsigned i = 0; i < GUARDED_SLOTS; i++) {
    EXPECT_TRUE(is_filled(blocks[i], 100, (char)i));
    EXPECT_TRUE(give(blocks[i]));
  }
  EXPECT_NE(allocate(100), NULL);
}

TEST(GuardedTest, ThereAreAsManyAsSlots) { EXPECT_FORKS(what_there_is_none_of, NULL); }

static size_t slot_of(const char *block) { return ((uintptr_t)block - guarded_base) / GUARDED_STRIDE; }

static void in_turn(void *unused) {
  (void)unused;
  size_t first = slot_of(allocate(10));
  char *second = allocate(10);
  size_t freed = slot_of(second);
  give(second);
  for (unsigned i = 2; i < GUARDED_SLOTS; i++) {
    char *block = allocate(10);
    ASSERT_NE(slot_of(block), first);
    ASSERT_NE(slot_of(block), freed);
    ASSERT_TRUE(give(block)); /* freed later than the second */
  }
  EXPECT_EQ(slot_of(allocate(10)), freed);
}

TEST(GuardedTest, TheSlotThatHasBeenFreeForTheLongestTimeIsNext) { EXPECT_FORKS(in_turn, NULL); }

static void resident(void *unused) {
  (void)unused;
  size_t page = os_page_size();
  char *block = allocate(GUARDED_MAX);
  memset(block, 'x', GUARDED_MAX);
  char *start = (char *)guarded_base; // NOLINT(performance-no-int-to-ptr)
  EXPECT_EQ(unit_resident(start, GUARDED_BYTES), GUARDED_MAX);
  EXPECT_EQ(guarded_counted_bytes(), GUARDED_MAX + os_page_ceil(sizeof(struct guarded_table)));
  give(block);
  EXPECT_EQ(unit_resident(start, GUARDED_BYTES), 0);
  allocate(1);
  EXPECT_EQ(unit_resident(start, GUARDED_BYTES), page);
}

TEST(GuardedTest, WhatIsFreedIsNotResident) { EXPECT_FORKS(resident, NULL); }

static void limited(void *unused) {
  (void)unused;
  ASSERT_NE(allocate(1), NULL);
  size_t counted = counted_bytes();
  options.limit = (long)(counted + os_page_size());
  char *block = allocate(1);
  EXPECT_NE(block, NULL);
  EXPECT_EQ(counted_bytes(), counted + os_page_size());
  EXPECT_EQ(allocate(1), NULL);
  EXPECT_TRUE(give(block));
  EXPECT_EQ(counted_bytes(), counted);
  EXPECT_EQ(allocate(os_page_size() + 1), NULL);
  EXPECT_NE(allocate(os_page_size()), NULL);
}

TEST(GuardedTest, TheLimitCountsThem) { EXPECT_FORKS(limited, NULL); }

static void foreign(void *unused) {
  (void)unused;
  int here;
  EXPECT_FALSE(give(&here));
  EXPECT_EQ(guarded_usable_size(&here, "test"), 0);
  EXPECT_EQ(guarded_check(), 0);
  allocate(1);
  EXPECT_FALSE(give(&here));
  EXPECT_EQ(guarded_usable_size(&here, "test"), 0);
}

TEST(GuardedTest, WhatIsOutsideIsNotTheirs) { EXPECT_FORKS(foreign, NULL); }

/* ---- misuse ---- */

static char *at_the_end(size_t size) {
  char *block = allocate(size);
  EXPECT_TRUE(ends_at_its_slot(block, size, 16));
  return block;
}

static char *at_the_front(size_t size) {
  char *block;
  do {
    block = allocate(size);
  } while (!is_at_the_front(block));
  return block;
}

static void touch(char *byte) { *(volatile char *)byte = 'x'; }

static void write_behind(void *bytes) { touch(at_the_end(96) + 96 + (uintptr_t)bytes); }
static void write_before(void *bytes) { touch(at_the_front(96) - 1 - (uintptr_t)bytes); }
static void read_behind(void *bytes) { notice("%d", at_the_end(4096)[4096 + (uintptr_t)bytes]); }

TEST(GuardedTest, AUseBeyondItsEndsIsAFaultWithALine) {
  EXPECT_FAULT(write_behind, NULL,
               "hakmem: overrun: pointer " ANY_POINTER ", used at byte 96, " SAMPLE(96) ".*; allocated" BY "\n");
  EXPECT_FAULT(write_behind, (void *)1000,
               "hakmem: overrun: pointer " ANY_POINTER ", used at byte 1096, " SAMPLE(96) ".*; allocated" BY "\n");
  EXPECT_FAULT(read_behind, (void *)8,
               "hakmem: overrun: pointer " ANY_POINTER ", used at byte 4104, " SAMPLE(4096) ".*; allocated" BY "\n");
  EXPECT_FAULT(write_before, NULL,
               "hakmem: underrun: pointer " ANY_POINTER ", used at byte -1, " SAMPLE(96) ".*; allocated" BY "\n");
  EXPECT_FAULT(write_before, (void *)999,
               "hakmem: underrun: pointer " ANY_POINTER ", used at byte -1000, " SAMPLE(96) ".*; allocated" BY "\n");
}

static void use_freed(void *byte) {
  char *block = allocate(5000);
  give(block);
  touch(block + (uintptr_t)byte);
}

TEST(GuardedTest, AUseAfterFreeIsAFaultWithBothStacks) {
  EXPECT_FAULT(use_freed, (void *)4999,
               "hakmem: use after free: pointer " ANY_POINTER ", used at byte 4999, " SAMPLE(5000) ".*; allocated" BY
                                                                                                   "; freed" BY "\n");
}

static void use_freed_by_another(void *unused) {
  (void)unused;
  char *block = allocate(24);
  struct unit_thread thread;
  unit_start(&thread, (void (*)(void *))(void (*)(void))give, block);
  unit_join(&thread);
  notice("allocated by %ld", os_thread_id());
  touch(block);
}

TEST(GuardedTest, EachStackNamesItsThread) {
  EXPECT_FAULT(use_freed_by_another, NULL,
               "allocated by (" ANY_NUMBER ")\nhakmem: use after free: .*; allocated by thread \\1 at .*; freed by "
               "thread " ANY_NUMBER " at .*\n");
}

static void free_twice(void *others) {
  char *block = allocate(100);
  give(block);
  for (uintptr_t i = 0; i < (uintptr_t)others; i++) {
    give(allocate(100));
  }
  give(block);
}

TEST(GuardedTest, ADoubleFreeStopsTheProgramWithBothStacks) {
  const char *line =
      "hakmem: double free: pointer " ANY_POINTER ", " SAMPLE(100) " at .*; allocated" BY "; freed" BY "\n";
  EXPECT_STOPS(free_twice, NULL, line);
  EXPECT_STOPS(free_twice, (void *)(GUARDED_SLOTS - 1), line);
}

static void free_at(void *offset) { give(allocate(100) + (intptr_t)offset); }

static void ask_freed(void *what) {
  char *block = allocate(100);
  give(block);
  guarded_usable_size(block, what);
}

TEST(GuardedTest, APointerAtWhichNoBlockBeginsStopsTheProgram) {
  EXPECT_STOPS(free_at, (void *)8,
               "hakmem: free of an interior pointer: pointer " ANY_POINTER
               ", 8 bytes from the start of the block " ANY_POINTER ", " SAMPLE(100) " at .*; allocated" BY "\n");
  EXPECT_STOPS(free_at, (void *)1, "hakmem: misaligned free: pointer .*, 1 bytes from .*; allocated" BY "\n");
  EXPECT_STOPS(free_at, (void *)-16, "hakmem: free of an invalid pointer: pointer .*, -16 bytes .*; allocated" BY "\n");
  EXPECT_STOPS(ask_freed, "realloc", "hakmem: realloc of a freed block: pointer .*; allocated" BY "; freed" BY "\n");
}

/* A byte beside the block, on its own pages: 100 bytes end 12 before the guard. */
static void damage_and_free(void *offset) {
  char *block = at_the_end(100);
  touch(block + (intptr_t)offset);
  give(block);
}

static void damage_and_check(void *offset) {
  touch(at_the_end(100) + (intptr_t)offset);
  guarded_check();
}

TEST(GuardedTest, AChangedByteBesideABlockStopsTheProgramWhenItIsFreedOrChecked) {
  const char *over = "hakmem: overrun: pointer " ANY_POINTER
                     ", 1 bytes changed from byte 100 on, " SAMPLE(100) ".*; allocated" BY "\n";
  const char *under = "hakmem: underrun: pointer " ANY_POINTER
                      ", 1 bytes changed from byte -1 on, " SAMPLE(100) ".*; allocated" BY "\n";
  EXPECT_STOPS(damage_and_free, (void *)100, over);
  EXPECT_STOPS(damage_and_check, (void *)100, over);
  EXPECT_STOPS(damage_and_free, (void *)-1, under);
  EXPECT_STOPS(damage_and_check, (void *)-1, under);
}

/* ---- threads and forks ---- */

enum { THREADS = 8, ROUNDS = 400 };

static void churn(void *unused) {
  (void)unused;
  char *held[4] = {NULL};
  uint64_t seed = (uint64_t)os_thread_id();
  for (int i = 0; i < ROUNDS; i++) {
    char **one = &held[unit_below(&seed, 4)];
    size_t size = 1 + unit_below(&seed, 6000);
    if (*one != NULL) {
      size_t had = guarded_usable_size(*one, "test");
      EXPECT_TRUE(is_filled(*one, had, (char)(uintptr_t)*one >> 3 | 1));
      EXPECT_TRUE(give(*one));
    }
    *one = allocate(size);
    if (*one != NULL) {
      memset(*one, (char)(uintptr_t)*one >> 3 | 1, size);
    }
  }
  for (int i = 0; i < 4; i++) {
    EXPECT_TRUE(held[i] == NULL || give(held[i]));
  }
}

static void churn_on_threads(void *unused) {
  struct unit_thread threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    unit_start(&threads[i], churn, unused);
  }
  for (int i = 0; i < 20; i++) {
    EXPECT_FORKS(churn, NULL); /* whatever the others are at */
    guarded_check();
  }
  for (int i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_counted_bytes(), os_page_ceil(sizeof(struct guarded_table)));
}

TEST(GuardedTest, ThreadsAndChildrenUseThemAtOnce) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("there is no thread in the child of fork()");
  }
  EXPECT_RUNS(churn_on_threads, NULL, "");
}
