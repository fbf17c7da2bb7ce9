/* report: the heap's figures in the forms that callers know. */
#include "report/heap_info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cold/retain.h"
#include "hakmem.h"
#include "os/system.h"
#include "unit/unit.h"

TEST(ReportTest, SaysWhatIsInUseAndWhatIsKept) {
  hak_free(hak_malloc(3 * MIB));
  struct report before = report_now();
  void *huge = hak_malloc(10 * MIB);
  struct report with_huge = report_now();
  EXPECT_EQ(with_huge.huge_blocks - before.huge_blocks, 1);
  EXPECT_EQ(with_huge.huge_bytes - before.huge_bytes, 10 * MIB);
  EXPECT_EQ(with_huge.slab_bytes, before.slab_bytes);
  EXPECT_EQ(with_huge.slab_bytes + with_huge.huge_bytes, active_bytes());
  void *large = hak_malloc(MIB);
  struct report with_large = report_now();
  EXPECT_EQ(with_large.slab_bytes - with_huge.slab_bytes, MIB);
  hak_free(large);
  hak_free(huge);
  struct report after = report_now();
  EXPECT_EQ(after.huge_blocks, before.huge_blocks);
  EXPECT_EQ(after.huge_bytes, before.huge_bytes);
  EXPECT_EQ(after.retained_bytes, retained_bytes());
  hak_collect();
  EXPECT_EQ(report_now().retained_bytes, 0);
}

/* The number in  <element ... name="number". */
static size_t number_of(const char *xml, const char *element, const char *name) {
  const char *at = strstr(xml, element);
  const char *end = at == NULL ? NULL : strstr(at, "/>");
  at = at == NULL ? NULL : strstr(at, name);
  if (at == NULL || end == NULL || at > end) {
    unit_fail(__FILE__, __LINE__, element);
    return SIZE_MAX;
  }
  return strtoul(at + strlen(name) + 2, NULL, 10);
}

TEST(ReportTest, XmlHoldsTheSameFigures) {
  void *huge = hak_malloc(10 * MIB);
  char text[4096];
  memset(text, 0, sizeof text);
  FILE *stream = fmemopen(text, sizeof text, "w");
  ASSERT_NE(stream, NULL);
  setvbuf(stream, NULL, _IONBF, 0);
  struct report report = report_now();
  EXPECT_EQ(report_xml(stream), 0);
  fclose(stream);
  EXPECT_EQ(strncmp(text, "<malloc version=\"1\">\n", 21), 0);
  EXPECT_EQ(strcmp(text + strlen(text) - 10, "</malloc>\n"), 0);
  EXPECT_NE(strstr(text, "<allocator name=\"hakmem\" version=\"" HAKMEM_VERSION "\"/>"), NULL);
  EXPECT_EQ(number_of(text, "<huge ", "count"), report.huge_blocks);
  EXPECT_EQ(number_of(text, "<huge ", "bytes"), report.huge_bytes);
  EXPECT_EQ(number_of(text, "<slabs ", "bytes"), report.slab_bytes);
  EXPECT_EQ(number_of(text, "<retained ", "bytes"), report.retained_bytes);
  size_t tiers = number_of(text, "<superslabs ", "hot") + number_of(text, "<superslabs ", "draining") +
                 number_of(text, "<superslabs ", "free");
  EXPECT_EQ(number_of(text, "<superslabs ", "total"), tiers);
  EXPECT_GE(number_of(text, "<peak_committed ", "bytes"), report.slab_bytes + report.huge_bytes);
  hak_free(huge);
}

TEST(ReportTest, AStreamThatFailsIsMinusOne) {
  FILE *full = fopen("/dev/full", "w");
  ASSERT_NE(full, NULL);
  setvbuf(full, NULL, _IONBF, 0);
  errno = 0;
  EXPECT_EQ(report_xml(full), -1);
  EXPECT_EQ(errno, ENOSPC);
  fclose(full);
}

static void print(void *unused) {
  (void)unused;
  report_print();
}

TEST(ReportTest, PrintsAFewLines) {
  EXPECT_RUNS(print, NULL,
              "hakmem " HAKMEM_VERSION "\n"
              "superslabs     = [0-9]+ \\(hot [0-9]+, draining [0-9]+, free [0-9]+\\)\n"
              "slab bytes     = [0-9]+\n"
              "huge blocks    = [0-9]+ \\([0-9]+ bytes\\)\n"
              "retained bytes = [0-9]+\n"
              "peak committed = [0-9]+\n");
}
