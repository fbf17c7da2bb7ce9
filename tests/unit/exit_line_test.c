/* exit_line: the line that shows who served a program. */
#include "report/exit_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/options.h"
#include "os/system.h"
#include "unit/unit.h"

static hak_heap_summary now(void) {
  hak_heap_summary summary = {.struct_size = sizeof summary};
  heap_summary_fill(&summary);
  return summary;
}

static void free_it(void *block) { hak_free(block); }

static void do_nothing(void *unused) { (void)unused; }

static void start_and_end(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
}

/* ---- the figures ---- */

TEST(ExitLineTest, EveryFigureFollowsWhatItCounts) {
  hak_free(hak_malloc(10));
  hak_heap_summary before = now();
  EXPECT_GT(before.arenas, 0);
  EXPECT_GT(before.superslabs, 0);
  EXPECT_GT(before.slabs_bound, 0);
  EXPECT_GT(before.mmap_calls, 0);

  void *large[3] = {hak_malloc(100000), hak_malloc(100000), hak_malloc(200000)};
  EXPECT_EQ(now().large - before.large, 3);
  EXPECT_EQ(now().slabs_bound, before.slabs_bound);
  void *huge[2] = {hak_malloc(5 * MIB), hak_malloc(5 * MIB)};
  EXPECT_EQ(now().huge - before.huge, 2);
  EXPECT_EQ(now().active_bytes - before.active_bytes, 10 * MIB + 2 * 2 * 65536 + 4 * 65536);
  EXPECT_GE(now().mmap_calls - before.mmap_calls, 1);
  EXPECT_GE(now().peak_committed_bytes, now().active_bytes + now().retained_bytes);

  enum { BLOCKS = 3000 };
  static void *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(1000);
  }
  EXPECT_GE(now().slabs_bound - before.slabs_bound, BLOCKS / 64 / 2);
  EXPECT_EQ(now().superslabs_open + now().superslabs_draining + now().superslabs_free, now().superslabs);

  size_t batches = now().remote_batches;
  unit_in_thread(free_it, blocks[0]);
  EXPECT_EQ(now().remote_batches - batches, 1);
  for (size_t i = 1; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    hak_free(large[i]);
  }
  hak_free(huge[0]);
  hak_free(huge[1]);
  hak_collect();
  hak_heap_summary after = now();
  EXPECT_GT(after.purged_bytes, before.purged_bytes);
  EXPECT_EQ(after.retained_bytes, 0);
  EXPECT_LE(after.active_bytes, before.active_bytes);
  EXPECT_GT(after.munmap_calls, 0);
  size_t recycled = after.slabs_recycled;
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(500);
  }
  EXPECT_GT(now().slabs_recycled, recycled); /* where blocks of another class were */
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
}

TEST(ExitLineTest, AdoptedOrphansAreCounted) {
  unit_in_thread(start_and_end, NULL);
  size_t before = now().orphans_adopted;
  unit_in_thread(start_and_end, NULL);
  EXPECT_EQ(now().orphans_adopted - before, 1);
}

/* ---- the line ---- */

static void print(void *unused) {
  (void)unused;
  exit_line_print();
}

TEST(ExitLineTest, NamesEveryFigureInOneLine) {
  hak_free(hak_malloc(5 * MIB));
  char line[1000];
  char expected[1000];
  EXPECT_EQ(unit_capture(print, NULL, line, sizeof line), 1);
  hak_heap_summary s = now();
  snprintf(expected, sizeof expected,
           "[HAKMEM] version=%s pid=%d arenas=%zu superslabs=%zu slabs_bound=%zu slabs_recycled=%zu remote_batches=%zu "
           "orphans_adopted=%zu large=%zu huge=%zu mmap=%zu munmap=%zu purge_kib=%zu retained_kib=%zu "
           "peak_committed_kib=%zu\n",
           HAKMEM_VERSION, (int)getpid(), s.arenas, s.superslabs, s.slabs_bound, s.slabs_recycled, s.remote_batches,
           s.orphans_adopted, s.large, s.huge, s.mmap_calls, s.munmap_calls, s.purged_bytes / 1024,
           s.retained_bytes / 1024, s.peak_committed_bytes / 1024);
  EXPECT_EQ(strcmp(line, expected), 0);
}

#define LINE                                                                                                           \
  "\\[HAKMEM\\] version=" HAKMEM_VERSION                                                                               \
  " pid=[0-9]+ arenas=[1-9][0-9]* superslabs=[1-9][0-9]* slabs_bound=[1-9][0-9]* "                                     \
  "slabs_recycled=[0-9]+ remote_batches=[0-9]+ orphans_adopted=[0-9]+ large=[0-9]+ huge=[0-9]+ mmap=[1-9][0-9]* "      \
  "munmap=[0-9]+ purge_kib=[0-9]+ retained_kib=[0-9]+ peak_committed_kib=[1-9][0-9]*\n"

static void allocate(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
}

static void switch_on(void *unused) {
  allocate(unused);
  option_set("verbose", 1);
}

static void switch_off(void *unused) {
  allocate(unused);
  option_set("verbose", 0);
}

TEST(ExitLineTest, IsPrintedOnceAtExitWhenAskedFor) {
  EXPECT_RUNS(do_nothing, NULL, "");
  EXPECT_RUNS(switch_on, NULL, LINE);
  setenv("HAKMEM_VERBOSE", "1", 1);
  EXPECT_RUNS(allocate, NULL, LINE);
  EXPECT_RUNS(switch_off, NULL, "");
  unsetenv("HAKMEM_VERBOSE");
}
