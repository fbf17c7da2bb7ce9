/* guarded: what a misuse of a block between guards is told as. */
#include "cold/guarded.h"

#include "config/config.h"
#include "unit/guarded_blocks.h"

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

TEST(GuardedMisuseTest, AUseBeyondItsEndsIsAFaultWithALine) {
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

TEST(GuardedMisuseTest, AUseAfterFreeIsAFaultWithBothStacks) {
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

TEST(GuardedMisuseTest, SoIsOneOfALargeBlock) {
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
TEST(GuardedMisuseTest, SoIsAUseFarFromTheOnlyBlock) {
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

TEST(GuardedMisuseTest, SoIsAnyUseOfABlockOfNoBytes) {
  EXPECT_FAULT(use_empty, NULL, "hakmem: overrun: pointer .*, used at byte 0, " SAMPLE(0) ".*; allocated" BY "\n");
  EXPECT_FAULT(use_empty, (void *)1, "hakmem: use after free: pointer .*, used at byte 0, .*; freed" BY "\n");
  EXPECT_FAULT(use_before_empty, NULL, "hakmem: underrun: pointer .*, used at byte -1, .*; allocated" BY "\n");
}

static void run_block(void *unused) {
  (void)unused;
  ((void (*)(void))(uintptr_t)allocate(4096))();
}

TEST(GuardedMisuseTest, CodeInABlockDoesNotRun) {
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

TEST(GuardedMisuseTest, EachStackNamesItsThread) {
  EXPECT_FAULT(use_freed_by_another, NULL,
               "allocated by (" ANY_NUMBER ")\nhakmem: use after free: .*; allocated by thread \\1 at .*; freed by "
               "thread " ANY_NUMBER " at .*\n");
}

/* Between the two, so many others of its size are freed. */
struct twice {
  size_t size;
  unsigned others;
};

static void free_twice(void *twice_value) {
  const struct twice *twice = twice_value;
  char *block = allocate(twice->size);
  give(block);
  for (unsigned i = 0; i < twice->others; i++) {
    give(allocate(twice->size));
  }
  give(block);
}

TEST(GuardedMisuseTest, ADoubleFreeStopsTheProgramWithBothStacks) {
  const char *line =
      "hakmem: double free: pointer " ANY_POINTER ", " SAMPLE(100) " at .*; allocated" BY "; freed" BY "\n";
  EXPECT_STOPS(free_twice, (&(struct twice){100, 0}), line);
  EXPECT_STOPS(free_twice, (&(struct twice){100, GUARDED_SMALL - 1}), line);
}

static void free_at(void *offset) { give(allocate(100) + (intptr_t)offset); }

static void ask_freed(void *what) {
  char *block = allocate(100);
  give(block);
  guarded_usable_size(block, what);
}

TEST(GuardedMisuseTest, APointerAtWhichNoBlockBeginsStopsTheProgram) {
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

TEST(GuardedMisuseTest, AChangedByteBesideABlockStopsTheProgramWhenItIsFreedOrChecked) {
  const char *over = "hakmem: overrun: pointer " ANY_POINTER
                     ", 1 bytes changed from byte 100 on, " SAMPLE(100) ".*; allocated" BY "\n";
  const char *under = "hakmem: underrun: pointer " ANY_POINTER
                      ", 1 bytes changed from byte -1 on, " SAMPLE(100) ".*; allocated" BY "\n";
  EXPECT_STOPS(damage_and_free, (void *)100, over);
  EXPECT_STOPS(damage_and_check, (void *)100, over);
  EXPECT_STOPS(damage_and_free, (void *)-1, under);
  EXPECT_STOPS(damage_and_check, (void *)-1, under);
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

TEST(GuardedMisuseTest, AMisuseOfALargeOneStopsTheProgram) {
  const char *line =
      "hakmem: double free: pointer " ANY_POINTER ", " SAMPLE(100000) " at .*; allocated" BY "; freed" BY "\n";
  EXPECT_STOPS(free_twice, (&(struct twice){100000, 0}), line);
  EXPECT_STOPS(free_twice, (&(struct twice){100000, GUARDED_LARGE - 1}), line);
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

TEST(GuardedMisuseTest, AWrongSizeIsNamedWithTheStacks) {
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

TEST(GuardedMisuseTest, AMixOfFamiliesStopsTheProgramWhereThatIsAskedFor) {
  EXPECT_FORKS(lawful, NULL);
  EXPECT_STOPS(mix, (void *)(uintptr_t)(16 * FAMILY_NEW + FAMILY_MALLOC),
               "hakmem: free of a block of new: pointer " ANY_POINTER ", " SAMPLE(100) " at .*; allocated" BY "\n");
  EXPECT_STOPS(mix, (void *)(uintptr_t)(16 * FAMILY_MALLOC + FAMILY_NEW_ARRAY),
               "hakmem: delete\\[\\] of a block of malloc: pointer .*; allocated" BY "\n");
}
