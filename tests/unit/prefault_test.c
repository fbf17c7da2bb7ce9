/* prefault: fresh memory made resident before it is asked for, when that is wanted. */
#include "cold/prefault.h"

#include "cold/arena.h"
#include "cold/superslab.h"
#include "config/config.h"
#include "os/system.h"
#include "unit/unit.h"

static size_t resident_after(long mode, size_t bytes) {
  char *range = os_map(NULL, 8 * MIB);
  EXPECT_EQ(option_set("ss_prefault", mode), 0);
  prefault(range + MIB, bytes);
  option_set("ss_prefault", 0);
  size_t resident = unit_resident(range, 8 * MIB);
  EXPECT_EQ(unit_resident(range + MIB, bytes), resident); /* nothing beside it */
  for (size_t at = 0; at < bytes; at += 512) {
    EXPECT_EQ(range[MIB + at], 0);
  }
  os_unmap(range, 8 * MIB);
  return resident;
}

TEST(PrefaultTest, IsOffByDefault) {
  long mode = -1;
  EXPECT_EQ(option_get("ss_prefault", &mode), 0);
  EXPECT_EQ(mode, 0);
  EXPECT_EQ(resident_after(0, SUPERSLAB_BYTES), 0);
}

TEST(PrefaultTest, PopulatesOrTouchesTheWholeRange) {
  EXPECT_EQ(resident_after(1, SUPERSLAB_BYTES), SUPERSLAB_BYTES);
  EXPECT_EQ(resident_after(2, SUPERSLAB_BYTES), SUPERSLAB_BYTES);
  EXPECT_EQ(resident_after(1, 64 * KIB), 64 * KIB);
  EXPECT_EQ(resident_after(2, 64 * KIB), 64 * KIB);
}

static void cut(void *mode) {
  EXPECT_EQ(option_set("ss_prefault", (long)(uintptr_t)mode), 0);
  size_t arenas = arena_count();
  struct superslab *superslab = superslab_cut(false);
  ASSERT_NE(superslab, NULL);
  EXPECT_EQ(unit_resident(superslab->start, SUPERSLAB_BYTES), mode == NULL ? 0 : SUPERSLAB_BYTES);
  EXPECT_EQ(superslab->start[12345], 0);
  /* One superslab at a time: what comes after it is untouched. */
  EXPECT_EQ(arena_count(), arenas);
  EXPECT_EQ(unit_resident(superslab->start + SUPERSLAB_BYTES, SUPERSLAB_BYTES), 0);
  struct slab *slab = superslab_take(superslab, 3);
  EXPECT_EQ(slab->dirty, 0);
}

TEST(PrefaultTest, CoversEachSuperslabAsItIsCut) {
  EXPECT_RUNS(cut, (void *)0, "");
  EXPECT_RUNS(cut, (void *)1, "");
  EXPECT_RUNS(cut, (void *)2, "");
}
