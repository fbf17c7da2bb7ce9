/* arena: large ranges of the window, handed on as superslabs. The tests stand in for the shared pool, whose lock they
 * need not take: no other thread runs. */
#include "cold/arena.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/window.h"
#include "os/system.h"
#include "unit/unit.h"

/* What the system is told. */
static size_t told_huge, told_small, calls_huge;

int madvise(void *start, size_t bytes, int advice) {
  told_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  calls_huge += advice == MADV_HUGEPAGE;
  told_small += advice == MADV_NOHUGEPAGE ? bytes : 0;
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

TEST(ArenaTest, RangesAreAlignedInTheWindowAndNotResident) {
  char *previous = NULL;
  for (int i = 0; i < 40; i++) {
    char *start = arena_take();
    ASSERT_NE(start, NULL);
    EXPECT_NE(start, previous);
    EXPECT_EQ((uintptr_t)start % SUPERSLAB_BYTES, 0);
    EXPECT_LT(window_unit(start), window_units);
    EXPECT_LT(window_unit(start + SUPERSLAB_BYTES - 1), window_units);
    ASSERT_TRUE(arena_open(start, SUPERSLAB_BYTES));
    EXPECT_EQ(unit_resident(start, SUPERSLAB_BYTES), 0);
    previous = start;
  }
}

TEST(ArenaTest, MemoryThatIsOpenedIsZeroAndWritable) {
  unsigned char *start = arena_take();
  ASSERT_NE(start, NULL);
  ASSERT_TRUE(arena_open((char *)start, SUPERSLAB_BYTES));
  for (size_t at = 0; at < SUPERSLAB_BYTES; at += 512) {
    ASSERT_EQ(start[at], 0);
  }
  memset(start, 1, SUPERSLAB_BYTES);
}

TEST(ArenaTest, WhatIsTakenBackComesNext) {
  void *first = arena_take();
  void *second = arena_take();
  arena_untake(second);
  EXPECT_EQ(arena_take(), second);
  EXPECT_NE(arena_take(), first);
}

#if HAKMEM_VALIDATE
static void untake_another(void *unused) {
  (void)unused;
  void *first = arena_take();
  arena_take();
  arena_untake(first);
}

TEST(ArenaTest, DebugBuildsRefuseToTakeBackAnyOther) {
  EXPECT_STOPS(untake_another, NULL, "hakmem: invariant broken: .* at .*arena\\.c:[0-9]+\n");
}
#endif

static void cover_much(void *unused) {
  (void)unused;
  size_t arenas = arena_count();
  size_t calls = os_counts().map_calls;
  for (size_t bytes = 0; bytes < 4 * GIB; bytes += SUPERSLAB_BYTES) {
    ASSERT_NE(arena_take(), NULL);
  }
  EXPECT_GT(arena_count(), arenas);
  EXPECT_LE(arena_count() - arenas, 20);
  EXPECT_LE(os_counts().map_calls - calls, 30);
}

TEST(ArenaTest, FewCallsCoverMuchMemory) { EXPECT_RUNS(cover_much, NULL, ""); }

/* Memory of the process that may be written, in bytes; 0: not known. */
static size_t writable_bytes(void) {
  size_t kib = 0;
  char line[200];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "VmData: %zu", &kib) != 1) {
  }
  if (file != NULL) {
    fclose(file);
  }
  return kib * KIB;
}

static void open_much(void *unused) {
  (void)unused;
  size_t before = writable_bytes();
  for (size_t cut = SUPERSLAB_BYTES; cut <= GIB; cut += SUPERSLAB_BYTES) {
    char *start = arena_take();
    ASSERT_NE(start, NULL);
    ASSERT_TRUE(arena_open(start, SUPERSLAB_BYTES));
    start[0] = start[SUPERSLAB_BYTES - 1] = 1;
    if (cut % (32 * MIB) == 0) {
      ASSERT_GE(writable_bytes() - before, cut);
      ASSERT_LE(writable_bytes() - before, cut + cut / 8 + 2 * SUPERSLAB_BYTES);
    }
  }
}

TEST(ArenaTest, WhatIsNotCutCannotBeWrittenButForAnEighthAhead) {
  if (UNIT_SANITIZED || writable_bytes() == 0) {
    SKIP("what may be written is not known, or others have much of it");
  }
  EXPECT_RUNS(open_much, NULL, "");
}

static char *take_and_serve(bool huge) {
  char *start = arena_take();
  EXPECT_TRUE(arena_open(start, SUPERSLAB_BYTES));
  arena_serve(start, huge);
  return start;
}

/* One call for what is ahead, and one for what is served otherwise. */
static void serve_ahead(void *unused) {
  (void)unused;
  for (size_t arenas = arena_count(); arena_count() == arenas;) {
    take_and_serve(false);
  }
  EXPECT_EQ(told_huge, 0);
  told_small = 0;
  take_and_serve(true);
  EXPECT_GT(told_huge, 2 * SUPERSLAB_BYTES);
  size_t left = told_huge / SUPERSLAB_BYTES - 1;
  take_and_serve(false);
  EXPECT_EQ(told_small, SUPERSLAB_BYTES);
  for (left--; left > 0; left--) {
    take_and_serve(true);
  }
  EXPECT_EQ(calls_huge, 1);
  take_and_serve(true);
  EXPECT_EQ(calls_huge, 2);
  EXPECT_EQ(told_small, SUPERSLAB_BYTES);
}

TEST(ArenaTest, WhatIsAheadIsServedInHugePagesByOneCall) { EXPECT_RUNS(serve_ahead, NULL, ""); }

TEST(ArenaTest, AnArenaIsAtLeast32MiB) {
  size_t before = arena_count();
  while (arena_count() == before) {
    arena_take();
  }
  size_t superslabs = 1;
  for (before = arena_count(); arena_count() == before; superslabs++) {
    arena_take();
  }
  EXPECT_GE((superslabs - 1) * SUPERSLAB_BYTES, 32 * MIB);
}

/* ---- little memory ---- */

static void fall_back_in_steps(void *unused) {
  (void)unused;
  size_t arenas = arena_count();
  while (arena_count() == arenas) {
    arena_take(); /* until a new arena has begun ... */
  }
  for (arenas = arena_count(); arena_count() == arenas;) {
    arena_take(); /* ... and has been used up */
  }
  unit_limit_memory(10 * MIB + MIB);
  size_t had = 0;
  while (had < 1000 && arena_take() != NULL) {
    had++;
  }
  EXPECT_LT(had, 1000);
  /* The rest of an arena of at most 1 GiB, and then 8 and 2 MiB. */
  unit_limit_memory(SUPERSLAB_BYTES + 64 * KIB);
  EXPECT_NE(arena_take(), NULL);
  EXPECT_EQ(arena_take(), NULL);
  unit_limit_memory(0);
  EXPECT_EQ(arena_take(), NULL);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(arena_take(), NULL);
}

TEST(ArenaTest, FallsBackToASingleSuperslab) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(fall_back_in_steps, NULL, "");
}

static void window_within(void *limit) {
  /* No more than the process may map, to the next power of two. */
  EXPECT_LE(window_units << UNIT_SHIFT, 2 * (uintptr_t)limit);
  EXPECT_NE(arena_take(), NULL);
  EXPECT_GT(window_units, 0);
}

TEST(ArenaTest, TheWindowIsCutToTheLimitOfTheAddressSpace) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  struct rlimit before;
  getrlimit(RLIMIT_AS, &before);
  const size_t limits[] = {2 * GIB, 8 * GIB, 32 * GIB};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    struct rlimit limit = {limits[i], before.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
    EXPECT_RUNS(window_within, (void *)limits[i], "");
  }
  setrlimit(RLIMIT_AS, &before);
}
