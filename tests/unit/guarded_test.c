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
  return guarded_allocate(size, alignment, FAMILY_MALLOC, &by);
}

static char *allocate(size_t size) { return allocate_aligned_to(size, 16); }

static NOINLINE bool give_as(void *block, enum family family) {
  struct stack by;
  stack_take(&by, STACK_FRAME());
  return guarded_free(block, family, &by);
}

static bool give(void *block) { return give_as(block, FAMILY_MALLOC); }

static size_t table_bytes(void) { return guarded_table_bytes(GUARDED_SMALL, GUARDED_LARGE); }

static bool is_filled(const char *block, size_t size, char value) {
  for (size_t i = 0; i < size; i++) {
    if (block[i] != value) {
      return false;
    }
  }
  return true;
}

/* ---- blocks ---- */

static bool is_at_the_front(const char *block) { return (uintptr_t)block % os_page_size() == 0; }

static bool ends_at_its_slot(const char *block, size_t size, size_t alignment) {
  uintptr_t end = (uintptr_t)block + size;
  return (end + alignment - 1) % os_page_size() < alignment && end % os_page_size() < os_page_size();
}

static void every_size(void *unused) {
  (void)unused;
  unsigned fronts = 0;
  unsigned tried = 0; /* blocks that can lie at one side alone */
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
      fronts += front && to_end >= alignment;
      tried += (size & (os_page_size() - 1)) + alignment <= os_page_size();
      memset(block, 'x', size);
      ASSERT_TRUE(give(block));
    }
  }
  NOTE("%u of %u blocks begin at a guard", fronts, tried);
  EXPECT_GT(fronts, tried / 6);
  EXPECT_LT(fronts, tried / 3);
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_live_bytes(), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, BlocksOfEverySizeEndOrBeginAtAGuard) { EXPECT_FORKS(every_size, NULL); }

static void what_there_is_none_of(void *unused) {
  (void)unused;
  EXPECT_EQ(allocate(OS_ADDRESSABLE), NULL);
  EXPECT_EQ(allocate_aligned_to(16, OS_ADDRESSABLE), NULL);
  char *blocks[GUARDED_SMALL];
  for (unsigned i = 0; i < GUARDED_SMALL; i++) {
    blocks[i] = allocate(100);
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], (int)i, 100);
  }
  EXPECT_EQ(allocate(100), NULL);
  EXPECT_EQ(guarded_live_count(), GUARDED_SMALL);
  EXPECT_EQ(guarded_live_bytes(), GUARDED_SMALL * 100);
  EXPECT_EQ(guarded_check(), GUARDED_SMALL);
  for (unsigned i = 0; i < GUARDED_SMALL; i++) {
    EXPECT_TRUE(is_filled(blocks[i], 100, (char)i));
    EXPECT_TRUE(give(blocks[i]));
  }
  EXPECT_NE(allocate(100), NULL);
}

TEST(GuardedTest, ThereAreAsManyAsSlots) { EXPECT_FORKS(what_there_is_none_of, NULL); }

static size_t slot_of(const char *block) { return (size_t)(block - guarded_table()->slots) / GUARDED_STRIDE; }

static void in_turn(void *unused) {
  (void)unused;
  size_t first = slot_of(allocate(10));
  char *second = allocate(10);
  size_t freed = slot_of(second);
  give(second);
  for (unsigned i = 2; i < GUARDED_SMALL; i++) {
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
  char *start = guarded_table()->slots;
  size_t slots = (size_t)GUARDED_SMALL * GUARDED_STRIDE;
  EXPECT_EQ(unit_resident(start, slots), GUARDED_MAX);
  EXPECT_EQ(guarded_counted_bytes(), GUARDED_MAX + table_bytes());
  give(block);
  EXPECT_EQ(unit_resident(start, slots), 0);
  allocate(1);
  EXPECT_EQ(unit_resident(start, slots), page);
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
  EXPECT_EQ(guarded_usable_size(&here, "test"), GUARDED_FOREIGN);
  EXPECT_EQ(guarded_check(), 0);
  allocate(1);
  EXPECT_FALSE(give(&here));
  EXPECT_EQ(guarded_usable_size(&here, "test"), GUARDED_FOREIGN);
}

TEST(GuardedTest, WhatIsOutsideIsNotTheirs) { EXPECT_FORKS(foreign, NULL); }

/* ---- large blocks, and blocks of no bytes ---- */

static void large_of_every_size(void *unused) {
  (void)unused;
  for (size_t size = GUARDED_MAX + 1; size < (8 << 20); size += size / 7) {
    for (size_t alignment = 16; alignment <= (1 << 21); alignment *= 32) {
      char *block = allocate_aligned_to(size, alignment);
      ASSERT_NE(block, NULL);
      ASSERT_EQ((uintptr_t)block % alignment, 0);
      ASSERT_EQ(guarded_usable_size(block, "test"), size);
      size_t to_end = -((uintptr_t)block + size) & (os_page_size() - 1);
      ASSERT_TRUE(is_at_the_front(block) || to_end < alignment);
      ASSERT_TRUE(is_filled(block, size, 0));
      memset(block, 'x', size);
      EXPECT_EQ(guarded_counted_bytes(), os_page_ceil(size) + table_bytes());
      char *pages = block - (uintptr_t)block % os_page_size();
      ASSERT_TRUE(give(block));
      ASSERT_EQ(unit_resident(pages, os_page_ceil(size)), 0);
    }
  }
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_live_bytes(), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, LargeBlocksEndOrBeginAtAGuardToo) { EXPECT_FORKS(large_of_every_size, NULL); }

static void large_in_turn(void *unused) {
  (void)unused;
  enum { SIZE = 100000 };
  char *blocks[GUARDED_LARGE];
  for (unsigned i = 0; i < GUARDED_LARGE; i++) {
    blocks[i] = allocate(SIZE);
    ASSERT_NE(blocks[i], NULL);
  }
  EXPECT_EQ(allocate(SIZE), NULL);
  give(blocks[3]);
  give(blocks[5]);
  ASSERT_NE(allocate(SIZE), NULL); /* in place of the third */
  EXPECT_TRUE(guarded_holds(blocks[5]));
  EXPECT_GT(guarded_release(), SIZE);
  EXPECT_FALSE(guarded_holds(blocks[5]));
  EXPECT_EQ(guarded_release(), 0);
  EXPECT_NE(allocate(SIZE), NULL);
  EXPECT_EQ(guarded_check(), GUARDED_LARGE);
}

TEST(GuardedTest, FreedLargeBlocksKeepTheirAddressesForAWhile) { EXPECT_FORKS(large_in_turn, NULL); }

/* One of 100 GiB is more than all freed ones may keep: it keeps none, nor do they. */
static void addresses(void *unused) {
  (void)unused;
  char *small = allocate(100000);
  give(small);
  char *huge = allocate((size_t)100 << 30);
  if (huge == NULL) {
    SKIP("the system has not so many addresses");
  }
  EXPECT_TRUE(guarded_holds(huge));
  EXPECT_TRUE(guarded_holds(small));
  give(huge);
  EXPECT_FALSE(guarded_holds(small));
  EXPECT_FALSE(guarded_holds(huge));
}

TEST(GuardedTest, FreedLargeBlocksKeepABoundedRangeOfAddresses) { EXPECT_FORKS(addresses, NULL); }

static void none_left(void *unused) {
  (void)unused;
  char *first = allocate((size_t)3 << 20);
  ASSERT_NE(first, NULL);
  give(first);
  unit_limit_memory((size_t)4 << 20); /* with guards a large block takes more */
  EXPECT_NE(allocate((size_t)3 << 20), NULL);
  EXPECT_EQ(guarded_ranges, 1); /* in place of the first, or of its addresses */
  EXPECT_EQ(allocate((size_t)30 << 20), NULL);
  EXPECT_EQ(guarded_ranges, 1);
  EXPECT_NE(allocate(100), NULL);
}

TEST(GuardedTest, WhereAddressesAreShortFreedBlocksGiveTheirs) { EXPECT_FORKS(none_left, NULL); }

static void empty(void *unused) {
  (void)unused;
  char *first = allocate(0);
  char *second = allocate(0);
  EXPECT_NE(first, NULL);
  EXPECT_NE(second, first);
  EXPECT_EQ(guarded_usable_size(first, "test"), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
  EXPECT_EQ(guarded_check(), 2);
  EXPECT_TRUE(give(first));
  EXPECT_TRUE(give(second));
  EXPECT_EQ(guarded_live_count(), 0);
}

TEST(GuardedTest, ABlockOfNoBytesHasNoMemory) { EXPECT_FORKS(empty, NULL); }

static void settled(void *unused) {
  (void)unused;
  char *block = allocate(1000);
  memset(block, 'x', 1000);
  guarded_settle(block, 700);
  EXPECT_EQ(guarded_usable_size(block, "test"), 700);
  EXPECT_EQ(guarded_live_bytes(), 700);
  EXPECT_TRUE(is_filled(block, 700, 'x'));
  EXPECT_TRUE(give(block));
  EXPECT_EQ(guarded_live_bytes(), 0);
}

TEST(GuardedTest, OneThatServesASmallerSizeIsOfThatSize) { EXPECT_FORKS(settled, NULL); }

static void many(void *unused) {
  (void)unused;
  options.guard_every = 1;
  char *freed = allocate(10);
  give(freed);
  for (unsigned i = 1; i < GUARDED_SMALL_OF_ALL; i++) {
    char *block = allocate(10);
    ASSERT_NE(block, NULL);
    ASSERT_NE(block, freed);
    give(block);
  }
  EXPECT_EQ(slot_of(allocate(10)), slot_of(freed));
}

TEST(GuardedTest, WhereEveryBlockIsOneThereAreManySlots) { EXPECT_FORKS(many, NULL); }

/* ---- misuse ---- */

static char *at_the_end(size_t size) {
  char *block;
  do {
    block = allocate(size);
  } while (!ends_at_its_slot(block, size, 16));
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

static void use_beyond_large(void *byte) { touch(allocate((size_t)256 << 10) + (intptr_t)byte); }

static void use_freed_large(void *byte) {
  char *block = allocate(100000);
  give(block);
  touch(block + (intptr_t)byte);
}

TEST(GuardedTest, SoIsOneOfALargeBlock) {
  EXPECT_FAULT(use_beyond_large, (void *)(256 << 10),
               "hakmem: overrun: pointer .*, used at byte 262144, " SAMPLE(262144) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_beyond_large, (void *)((256 << 10) + (1 << 20) - 1),
               "hakmem: overrun: pointer .*, used at byte 1310719, " SAMPLE(262144) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_beyond_large, (void *)-1,
               "hakmem: underrun: pointer .*, used at byte -1, " SAMPLE(262144) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_beyond_large, (void *)-(1 << 20),
               "hakmem: underrun: pointer .*, used at byte -1048576, " SAMPLE(262144) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_freed_large, (void *)99999,
               "hakmem: use after free: pointer .*, used at byte 99999, " SAMPLE(100000) ".*; allocated" BY "; freed" BY
                                                                                         "\n");
}

/* Where no other sample is, far from it. */
TEST(GuardedTest, SoIsAUseFarFromTheOnlyBlock) {
  EXPECT_FAULT(write_behind, (void *)(1 << 20),
               "hakmem: overrun: pointer .*, used at byte 1048672, " SAMPLE(96) ".*\n");
  EXPECT_FAULT(write_before, (void *)((1 << 20) - 1),
               "hakmem: underrun: pointer .*, used at byte -" ANY_NUMBER ", " SAMPLE(96) ".*\n");
}

static void use_empty(void *freed) {
  char *block = allocate(0);
  if (freed != NULL) {
    give(block);
  }
  touch(block);
}

static void use_before_empty(void *unused) {
  (void)unused;
  touch((char *)allocate(0) - 1);
}

TEST(GuardedTest, SoIsAnyUseOfABlockOfNoBytes) {
  EXPECT_FAULT(use_empty, NULL, "hakmem: overrun: pointer .*, used at byte 0, " SAMPLE(0) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_empty, (void *)1, "hakmem: use after free: pointer .*, used at byte 0, .*; freed" BY "\n");
  EXPECT_FAULT(use_before_empty, NULL, "hakmem: underrun: pointer .*, used at byte -1, .*; allocated" BY "\n");
}

static void run_block(void *unused) {
  (void)unused;
  ((void (*)(void))(uintptr_t)allocate(4096))();
}

TEST(GuardedTest, CodeInABlockDoesNotRun) {
  EXPECT_FAULT(run_block, NULL, "hakmem: run as code: pointer .*, used at byte 0, " SAMPLE(4096) ".*\n");
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
  EXPECT_STOPS(free_twice, (void *)(GUARDED_SMALL - 1), line);
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

static void free_large_twice(void *others) {
  char *block = allocate(100000);
  give(block);
  for (uintptr_t i = 0; i < (uintptr_t)others; i++) {
    give(allocate(100000));
  }
  give(block);
}

static void free_in_a_large_one(void *offset) { give(allocate(100000) + (intptr_t)offset); }

static void damage_large(void *offset) {
  char *block;
  do {
    block = allocate(100000);
  } while (is_at_the_front(block));
  touch(block + (intptr_t)offset);
  give(block);
}

TEST(GuardedTest, AMisuseOfALargeOneStopsTheProgram) {
  const char *line =
      "hakmem: double free: pointer " ANY_POINTER ", " SAMPLE(100000) " at .*; allocated" BY "; freed" BY "\n";
  EXPECT_STOPS(free_large_twice, NULL, line);
  EXPECT_STOPS(free_large_twice, (void *)(GUARDED_LARGE - 1), line);
  EXPECT_STOPS(free_in_a_large_one, (void *)4096,
               "hakmem: free of an interior pointer: pointer .*, 4096 bytes from the start .*; allocated" BY "\n");
  EXPECT_STOPS(free_in_a_large_one, (void *)(1 << 20),
               "hakmem: free of an invalid pointer: pointer .*, 1048576 bytes from the start .*; allocated" BY "\n");
  EXPECT_STOPS(damage_large, (void *)-1, "hakmem: underrun: .*1 bytes changed from byte -1 on, .*; allocated" BY "\n");
}

static void free_as_smaller(void *size) {
  struct stack here;
  stack_take(&here, STACK_FRAME());
  guarded_stop_size(allocate((size_t)size), 10, &here);
}

TEST(GuardedTest, AWrongSizeIsNamedWithTheStacks) {
  const char *line = "hakmem: free with a wrong size: pointer " ANY_POINTER ", size 10, a guarded sample of " ANY_NUMBER
                     " bytes, .*; allocated" BY "\n";
  EXPECT_STOPS(free_as_smaller, (void *)100, line);
  EXPECT_STOPS(free_as_smaller, (void *)100000, line);
}

static void mix(void *families) {
  options.secure_types = 1;
  enum family made = (enum family)((uintptr_t)families / 16);
  enum family freed = (enum family)((uintptr_t)families % 16);
  char *block = allocate(100);
  guarded_set_family(block, made);
  give_as(block, freed);
}

static void lawful(void *unused) {
  (void)unused;
  mix((void *)(uintptr_t)(16 * FAMILY_NEW + FAMILY_NEW));
  mix((void *)(uintptr_t)(16 * FAMILY_ANY + FAMILY_NEW_ARRAY));
  mix((void *)(uintptr_t)(16 * FAMILY_NEW + FAMILY_ANY));
  mix((void *)(uintptr_t)(16 * FAMILY_MALLOC + FAMILY_MALLOC));
  EXPECT_EQ(guarded_live_count(), 0);
  options.secure_types = 0;
  char *block = allocate(100);
  guarded_set_family(block, FAMILY_NEW);
  EXPECT_TRUE(give_as(block, FAMILY_MALLOC));
}

TEST(GuardedTest, AMixOfFamiliesStopsTheProgramWhereThatIsAskedFor) {
  EXPECT_FORKS(lawful, NULL);
  EXPECT_STOPS(mix, (void *)(uintptr_t)(16 * FAMILY_NEW + FAMILY_MALLOC),
               "hakmem: free of a block of new: pointer " ANY_POINTER ", " SAMPLE(100) " at .*; allocated" BY "\n");
  EXPECT_STOPS(mix, (void *)(uintptr_t)(16 * FAMILY_MALLOC + FAMILY_NEW_ARRAY),
               "hakmem: delete\\[\\] of a block of malloc: pointer .*; allocated" BY "\n");
}

/* ---- threads and forks ---- */

enum { THREADS = 8, ROUNDS = 400 };

static void churn(void *unused) {
  (void)unused;
  char *held[4] = {NULL};
  uint64_t seed = (uint64_t)os_thread_id();
  for (int i = 0; i < ROUNDS; i++) {
    char **one = &held[unit_below(&seed, 4)];
    size_t size = unit_below(&seed, 8) == 0 ? 33000 + unit_below(&seed, 100000) : unit_below(&seed, 6000);
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
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, ThreadsAndChildrenUseThemAtOnce) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("there is no thread in the child of fork()");
  }
  EXPECT_RUNS(churn_on_threads, NULL, "");
}
