/* exit_line: the line that shows who served a program. */
#include "report/exit_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "report/summary.h"
#include "unit/unit.h"

static hak_heap_summary now(void) {
  hak_heap_summary summary = {.struct_size = sizeof summary};
  summary_fill(&summary);
  return summary;
}

static void do_nothing(void *unused) { (void)unused; }

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
