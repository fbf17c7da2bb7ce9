/* superslab: which of 32 units are in use, and what state they are in. The superslabs here are cut for the tests and
 * are on no list of the shared pool. */
#include "cold/superslab.h"

#include <signal.h>

#include "cold/arena.h"
#include "hakmem.h"
#include "unit/unit.h"

enum { ALL = SUPERSLAB_UNITS };

static unsigned used_units(const struct superslab *superslab) {
  return ALL - (unsigned)__builtin_popcount(superslab->free);
}

TEST(SuperslabTest, ACutSuperslabIsAllUnused) {
  struct superslab *superslab = superslab_cut(false);
  ASSERT_NE(superslab, NULL);
  EXPECT_EQ((uintptr_t)superslab->start % SUPERSLAB_BYTES, 0);
  EXPECT_EQ(superslab->free, UINT32_MAX);
  EXPECT_EQ(superslab->retained, 0);
  EXPECT_EQ(superslab->purged, 0);
  EXPECT_EQ(superslab->tier, TIER_OPEN);
  EXPECT_EQ(superslab_longest_run(superslab, RUN_FREE), ALL);
  EXPECT_TRUE(superslab_is_valid(superslab));
  EXPECT_EQ(unit_resident(superslab->start, SUPERSLAB_BYTES), 0);
}

TEST(SuperslabTest, EveryAddressFindsItsSuperslab) {
  struct superslab *superslab = superslab_cut(false);
  struct superslab *other = superslab_cut(false);
  EXPECT_NE(superslab->start, other->start);
  for (size_t at = 0; at < SUPERSLAB_BYTES; at += 4096) {
    ASSERT_EQ(superslab_of(superslab->start + at), superslab);
  }
  EXPECT_EQ(superslab_of(superslab->start + SUPERSLAB_BYTES - 1), superslab);
  EXPECT_EQ(superslab_of(other->start), other);
  EXPECT_EQ(superslab_of((void *)(window_base + (window_units << UNIT_SHIFT) - 1)), NULL);
}

TEST(SuperslabTest, EverySlabFindsItsSuperslabAndItsStart) {
  struct superslab *superslab = superslab_cut(false);
  for (unsigned unit = 0; unit < ALL; unit++) {
    struct slab *slab = superslab_take(superslab, 1);
    EXPECT_EQ(slab, &superslab->slab[unit]);
    EXPECT_EQ(slab->unit, unit);
    EXPECT_EQ(slab->units, 1);
    EXPECT_EQ(slab->dirty, 0);
    EXPECT_EQ(superslab_of_slab(slab), superslab);
    EXPECT_EQ(slab_start(slab), superslab->start + (size_t)unit * UNIT_BYTES);
    EXPECT_EQ(superslab->head[unit], unit);
    EXPECT_EQ(atomic_load(&slab->token), 1); /* nobody may publish what is not bound */
  }
  EXPECT_EQ(superslab->free, 0);
  EXPECT_EQ(superslab_longest_run(superslab, RUN_FREE), 0);
}

TEST(SuperslabTest, UnitsGoFromUnusedToActiveToRetainedAndBack) {
  struct superslab *superslab = superslab_cut(false);
  struct slab *slab = superslab_take(superslab, 3);
  EXPECT_EQ(superslab->free, ~7U);
  EXPECT_EQ(superslab->retained, 0);
  for (unsigned unit = 0; unit < 3; unit++) {
    EXPECT_EQ(superslab->head[unit], 0);
  }
  superslab_give(superslab, slab->unit, slab->units, slab->units);
  EXPECT_EQ(superslab->free, UINT32_MAX);
  EXPECT_EQ(superslab->retained, 7);
  EXPECT_TRUE(superslab_is_valid(superslab));
  slab = superslab_take(superslab, 2);
  EXPECT_GT(slab->dirty, 0);
  EXPECT_EQ(superslab->retained, 4);
  slab =
      superslab_take(superslab, 2); /* one RETAINED unit and one that was never used would do; two fresh ones as well */
  EXPECT_TRUE(superslab_is_valid(superslab));
  EXPECT_EQ(used_units(superslab), 4);
}

TEST(SuperslabTest, ResidentUnitsAreTakenFirst) {
  struct superslab *superslab = superslab_cut(false);
  struct slab *first = superslab_take(superslab, 4);
  struct slab *second = superslab_take(superslab, 2);
  struct slab *third = superslab_take(superslab, 4);
  (void)first;
  superslab_give(superslab, second->unit, 2, 2);
  superslab_give(superslab, third->unit, 4, 4);
  superslab->retained &= ~(3U << second->unit); /* as if those two had been purged */
  superslab->purged |= 3U << second->unit;
  EXPECT_EQ(superslab_take(superslab, 2), third);
  EXPECT_GT(third->dirty, 0);
  struct slab *again = superslab_take(superslab, 3); /* only two resident ones are left */
  EXPECT_EQ(again->units, 3);
  EXPECT_TRUE(superslab_is_valid(superslab));
}

TEST(SuperslabTest, TheShortestRunThatFitsIsTaken) {
  struct superslab *superslab = superslab_cut(false);
  static const unsigned lengths[] = {9, 1, 3, 1, 5, 1, 12}; /* every second one stays taken */
  struct slab *slabs[7];
  for (size_t i = 0; i < 7; i++) {
    slabs[i] = superslab_take(superslab, lengths[i]);
  }
  for (size_t i = 0; i < 7; i += 2) {
    superslab_give(superslab, slabs[i]->unit, lengths[i], lengths[i]);
  }
  EXPECT_EQ(superslab_take(superslab, 4), slabs[4]);
  EXPECT_EQ(superslab_take(superslab, 3), slabs[2]);
  EXPECT_EQ(superslab_take(superslab, 10), slabs[6]);
  EXPECT_EQ(superslab_take(superslab, 1)->unit, slabs[4]->unit + 4); /* what is left of the first */
  EXPECT_EQ(superslab_take(superslab, 9), slabs[0]);
}

TEST(SuperslabTest, OnlyUnitsThatWereUsedAreRetained) {
  struct superslab *superslab = superslab_cut(false);
  superslab_take(superslab, 8);
  superslab_give(superslab, 0, 8, 3);
  EXPECT_EQ(superslab->free, UINT32_MAX);
  EXPECT_EQ(superslab->retained, 7); /* the other five are UNUSED, as they were */
  EXPECT_TRUE(superslab_is_valid(superslab));
  struct slab *slab = superslab_take(superslab, 8); /* no run of eight is retained: the first free one is taken */
  EXPECT_EQ(slab->unit, 0);
  EXPECT_EQ(slab->dirty, 3);
  superslab_give(superslab, 0, 8, 0);
  EXPECT_EQ(superslab->retained, 0);
  EXPECT_EQ(superslab_take(superslab, 8)->dirty, 0);
  superslab_give(superslab, 0, 8, 8);
  EXPECT_EQ(superslab->retained, 0xFF);
  EXPECT_EQ(superslab_take(superslab, 10)->dirty, 8);
}

TEST(SuperslabTest, AWholeSuperslabIsOneRun) {
  struct superslab *superslab = superslab_cut(false);
  struct slab *slab = superslab_take(superslab, ALL);
  EXPECT_EQ(slab->units, ALL);
  EXPECT_EQ(superslab->free, 0);
  superslab_give(superslab, 0, ALL, ALL);
  EXPECT_EQ(superslab->retained, UINT32_MAX);
  EXPECT_EQ(superslab_longest_run(superslab, RUN_FREE), ALL);
  EXPECT_EQ(superslab_take(superslab, ALL), slab);
  EXPECT_GT(slab->dirty, 0);
}

TEST(SuperslabTest, ExtendsIntoFreeUnitsOnly) {
  struct superslab *superslab = superslab_cut(false);
  struct slab *slab = superslab_take(superslab, 2);
  struct slab *wall = superslab_take(superslab, 3);
  EXPECT_FALSE(superslab_extend(superslab, slab, 1));
  EXPECT_EQ(slab->units, 2);
  superslab_give(superslab, wall->unit, wall->units, wall->units);
  EXPECT_TRUE(superslab_extend(superslab, slab, 3));
  EXPECT_EQ(slab->units, 5);
  EXPECT_EQ(superslab->head[4], 0);
  EXPECT_EQ(superslab->retained, 0);
  EXPECT_FALSE(superslab_extend(superslab, slab, ALL - 5 + 1)); /* past the end */
  EXPECT_TRUE(superslab_extend(superslab, slab, ALL - 5));
  EXPECT_EQ(superslab->free, 0);
}

static unsigned longest_run_by_hand(uint32_t set) {
  unsigned longest = 0;
  unsigned run = 0;
  for (unsigned unit = 0; unit < ALL; unit++) {
    run = (set >> unit & 1) != 0 ? run + 1 : 0;
    longest = run > longest ? run : longest;
  }
  return longest;
}

TEST(SuperslabTest, LongestRunOfAnySet) {
  uint64_t seed = unit_seed();
  struct superslab superslab = {0};
  for (unsigned length = 0; length <= ALL; length++) {
    for (unsigned at = 0; at + length <= ALL; at++) {
      superslab.free = (uint32_t)(((UINT64_C(1) << length) - 1) << at);
      ASSERT_EQ(superslab_longest_run(&superslab, RUN_FREE), length);
    }
  }
  for (int i = 0; i < 20000; i++) {
    uint64_t random = unit_random(&seed);
    superslab.free = (uint32_t)(random | (i % 2 == 0 ? random >> 32 : 0));
    ASSERT_EQ(superslab_longest_run(&superslab, RUN_FREE), longest_run_by_hand(superslab.free));
  }
}

TEST(SuperslabTest, RandomTakesAndGivesAgreeWithAModel) {
  uint64_t seed = unit_seed();
  for (int round = 0; round < 50; round++) {
    struct superslab *superslab = superslab_cut(false);
    ASSERT_NE(superslab, NULL);
    struct slab *owner[ALL] = {NULL}; /* the model: which run a unit belongs to */
    bool resident[ALL] = {false};
    for (int step = 0; step < 400; step++) {
      unsigned unit = (unsigned)unit_below(&seed, ALL);
      if (owner[unit] != NULL && unit_random(&seed) % 2 == 0) {
        struct slab *slab = owner[unit];
        unsigned dirty = (unsigned)unit_below(&seed, slab->units + 1U);
        superslab_give(superslab, slab->unit, slab->units, dirty);
        for (unsigned i = slab->unit; i < slab->unit + slab->units; i++) {
          owner[i] = NULL;
          resident[i] = i < slab->unit + dirty;
        }
      } else if (owner[unit] != NULL) {
        struct slab *slab = owner[unit];
        unsigned end = slab->unit + slab->units;
        unsigned more = (unsigned)unit_below(&seed, 4) + 1;
        bool can = end + more <= ALL;
        for (unsigned i = end; can && i < end + more; i++) {
          can = owner[i] == NULL;
        }
        ASSERT_EQ(superslab_extend(superslab, slab, more), can);
        for (unsigned i = end; can && i < end + more; i++) {
          owner[i] = slab;
        }
      } else {
        unsigned units = (unsigned)unit_below(&seed, 6) + 1;
        if (superslab_longest_run(superslab, RUN_FREE) < units) {
          continue;
        }
        struct slab *slab = superslab_take(superslab, units);
        ASSERT_EQ(slab->units, units);
        unsigned dirty = 0; /* past the last resident one */
        for (unsigned i = slab->unit; i < slab->unit + units; i++) {
          ASSERT_EQ(owner[i], NULL);
          ASSERT_EQ(superslab->head[i], slab->unit);
          owner[i] = slab;
          dirty = resident[i] ? i - slab->unit + 1 : dirty;
        }
        ASSERT_EQ(slab->dirty, dirty);
      }
      unsigned used = 0;
      for (unsigned i = 0; i < ALL; i++) {
        ASSERT_EQ(superslab->free >> i & 1, owner[i] == NULL);
        used += owner[i] != NULL;
        resident[i] = resident[i] && owner[i] == NULL;
        ASSERT_EQ(superslab->retained >> i & 1, resident[i]);
      }
      ASSERT_EQ(used_units(superslab), used);
      ASSERT_TRUE(superslab_is_valid(superslab));
    }
  }
}

/* ---- tiers ---- */

TEST(SuperslabTest, DrainsAtAQuarterIsOpenAgainAtAHalfAndFreeAtNothing) {
  struct superslab *superslab = superslab_cut(false);
  struct slab *slabs[ALL];
  /* Filling up: OPEN all the way. */
  for (unsigned used = 1; used <= ALL; used++) {
    slabs[used - 1] = superslab_take(superslab, 1);
    EXPECT_EQ(superslab_tier(superslab, false), TIER_OPEN);
  }
  for (unsigned used = ALL - 1;; used--) {
    NOTE("%u units used", used);
    superslab_give(superslab, slabs[used]->unit, 1, 1);
    superslab->tier = (uint8_t)superslab_tier(superslab, true);
    EXPECT_EQ(superslab->tier, used == 0 ? TIER_FREE : used <= 8 ? TIER_DRAINING : TIER_OPEN);
    if (used == 3) {
      break;
    }
  }
  /* Taken from while DRAINING: it stays so until a half is in use. */
  for (unsigned used = 4; used <= ALL; used++) {
    NOTE("%u units used", used);
    superslab_take(superslab, 1);
    superslab->tier = (uint8_t)superslab_tier(superslab, false);
    EXPECT_EQ(superslab->tier, used < 16 ? TIER_DRAINING : TIER_OPEN);
  }
  superslab_give(superslab, 0, ALL, ALL);
  superslab->tier = (uint8_t)superslab_tier(superslab, true);
  EXPECT_EQ(superslab->tier, TIER_FREE);
  /* A FREE one that is used again is filling up anew. */
  superslab_take(superslab, 1);
  EXPECT_EQ(superslab_tier(superslab, false), TIER_OPEN);
}

/* ---- validators ---- */

TEST(SuperslabTest, TheValidatorSeesWhatIsWrong) {
  struct superslab *superslab = superslab_cut(false);
  superslab_take(superslab, 4);
  EXPECT_TRUE(superslab_is_valid(superslab));
  superslab->retained = 1; /* in use */
  EXPECT_FALSE(superslab_is_valid(superslab));
  superslab->retained = 0x100;
  EXPECT_TRUE(superslab_is_valid(superslab));
  superslab->purged = 0x100;
  EXPECT_FALSE(superslab_is_valid(superslab));
  superslab->purged = 0;
  superslab->tier = TIER_COUNT;
  EXPECT_FALSE(superslab_is_valid(superslab));
  superslab->tier = TIER_OPEN;
  superslab->start += UNIT_BYTES;
  EXPECT_FALSE(superslab_is_valid(superslab));
}

#if HAKMEM_VALIDATE
static void give_twice(void *unused) {
  (void)unused;
  struct superslab *superslab = superslab_cut(false);
  superslab_take(superslab, 2);
  superslab_give(superslab, 0, 2, 2);
  superslab_give(superslab, 1, 1, 1);
}

static void give_more_than_there_is(void *unused) {
  (void)unused;
  struct superslab *superslab = superslab_cut(false);
  superslab_take(superslab, 2);
  superslab_give(superslab, 0, 2, 3);
}

static void take_too_much(void *unused) {
  (void)unused;
  struct superslab *superslab = superslab_cut(false);
  superslab_take(superslab, 20);
  superslab_take(superslab, 13);
}

TEST(SuperslabTest, DebugBuildsStopAtWhatNoCallerMayDo) {
  EXPECT_STOPS(give_twice, NULL, "hakmem: invariant broken: .* at .*superslab\\.c:[0-9]+\n");
  EXPECT_STOPS(give_more_than_there_is, NULL, "hakmem: invariant broken: .* at .*superslab\\.c:[0-9]+\n");
  EXPECT_STOPS(take_too_much, NULL, "hakmem: invariant broken: .* at .*superslab\\.c:[0-9]+\n");
}
#endif

static void run_out_of_memory(void *unused) {
  (void)unused;
  unit_limit_memory(0);
  size_t had = 0;
  while (had < 100000 && superslab_cut(false) != NULL) {
    had++;
  }
  EXPECT_LT(had, 100000);
  size_t arenas = arena_count();
  unit_limit_memory(SIZE_MAX);
  struct superslab *superslab = superslab_cut(false);
  ASSERT_NE(superslab, NULL);
  EXPECT_TRUE(superslab_is_valid(superslab));
  EXPECT_LE(arena_count(), arenas + 1);
}

TEST(SuperslabTest, WithoutMemoryNoneIsCutAndNoneIsLost) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

/* ---- the first superslab of a process ---- */

static void write_to(void *address) { *(volatile char *)address = 1; }

static void write_past_what_was_handed_out(void *unused) {
  (void)unused;
  write_to((char *)hak_malloc(64) + SUPERSLAB_BYTES / 2);
}

static void write_past_the_last_large_block(void *unused) {
  (void)unused;
  size_t size = (size_t)10 * UNIT_BYTES;
  write_to((char *)hak_malloc(size) + size);
}

static void use_all_of_it(void *unused) {
  (void)unused;
  for (size_t bytes = 0; bytes < 2 * SUPERSLAB_BYTES; bytes += 1000) {
    char *block = hak_malloc(1000);
    ASSERT_NE(block, NULL);
    block[999] = 1;
  }
}

/* The process of a test starts it with few blocks. */
TEST(SuperslabTest, WhatWasNeverHandedOutOfTheFirstOneIsOutOfReach) {
#if UNIT_SANITIZED
  SKIP("a sanitizer ends the process otherwise");
#endif
  EXPECT_KILLED(write_past_what_was_handed_out, NULL, SIGSEGV);
  EXPECT_KILLED(write_past_the_last_large_block, NULL, SIGSEGV);
  EXPECT_RUNS(use_all_of_it, NULL, "");
}
