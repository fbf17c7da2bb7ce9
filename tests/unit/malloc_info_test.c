/* malloc_info: the heap's figures in the C library's forms. */
#include <malloc.h>

#include "base/base.h"
#include "unit/unit.h"

#ifdef __GLIBC__

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/summary.h"

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

TEST(MallocInfoTest, XmlHoldsTheSameFigures) {
  void *huge = hak_malloc(10 * MIB);
  char text[4096];
  memset(text, 0, sizeof text);
  FILE *stream = fmemopen(text, sizeof text, "w");
  ASSERT_NE(stream, NULL);
  setvbuf(stream, NULL, _IONBF, 0);
  struct memory_in_use memory = memory_in_use();
  EXPECT_EQ(malloc_info(0, stream), 0);
  fclose(stream);
  EXPECT_EQ(strncmp(text, "<malloc version=\"1\">\n", 21), 0);
  EXPECT_EQ(strcmp(text + strlen(text) - 10, "</malloc>\n"), 0);
  EXPECT_NE(strstr(text, "<allocator name=\"hakmem\" version=\"" HAKMEM_VERSION "\"/>"), NULL);
  EXPECT_EQ(number_of(text, "<huge ", "count"), memory.huge_blocks);
  EXPECT_EQ(number_of(text, "<huge ", "bytes"), memory.huge_bytes);
  EXPECT_EQ(number_of(text, "<slabs ", "bytes"), memory.slab_bytes);
  EXPECT_EQ(number_of(text, "<slabs ", "live_bytes"), memory.live_bytes);
  EXPECT_EQ(number_of(text, "<retained ", "bytes"), memory.retained_bytes);
  size_t tiers = number_of(text, "<superslabs ", "open") + number_of(text, "<superslabs ", "draining") +
                 number_of(text, "<superslabs ", "free");
  EXPECT_EQ(number_of(text, "<superslabs ", "total"), tiers);
  EXPECT_GE(number_of(text, "<peak_committed ", "bytes"), memory.slab_bytes + memory.huge_bytes);
  hak_free(huge);
}

TEST(MallocInfoTest, AStreamThatFailsIsMinusOne) {
  FILE *full = fopen("/dev/full", "w");
  ASSERT_NE(full, NULL);
  setvbuf(full, NULL, _IONBF, 0);
  errno = 0;
  EXPECT_EQ(malloc_info(0, full), -1);
  EXPECT_EQ(errno, ENOSPC);
  errno = 0;
  EXPECT_EQ(malloc_info(1, full), -1); /* there are no options */
  EXPECT_EQ(errno, EINVAL);
  fclose(full);
}

static void print(void *unused) {
  (void)unused;
  malloc_stats();
}

TEST(MallocInfoTest, PrintsAFewLines) {
  EXPECT_RUNS(print, NULL,
              "\\[ALLOCATOR\\] name=hakmem version=" HAKMEM_VERSION "\n"
              "\\[SUPERSLABS\\] total=[0-9]+ open=[0-9]+ draining=[0-9]+ free=[0-9]+\n"
              "\\[SLABS\\] bytes=[0-9]+ live_bytes=[0-9]+\n"
              "\\[HUGE\\] count=[0-9]+ bytes=[0-9]+\n"
              "\\[RETAINED\\] bytes=[0-9]+\n"
              "\\[PEAK_COMMITTED\\] bytes=[0-9]+\n");
}

TEST(MallocInfoTest, MallinfoTellsSlabsFromMappings) {
  void *huge = hak_malloc(10 * MIB);
  void *large = hak_malloc(2 * UNIT_BYTES);
  struct memory_in_use memory = memory_in_use();
  struct mallinfo2 wide = mallinfo2();
  EXPECT_EQ(wide.hblks, memory.huge_blocks);
  EXPECT_EQ(wide.hblkhd, memory.huge_bytes);
  EXPECT_EQ(wide.uordblks, memory.live_bytes);
  EXPECT_EQ(wide.arena, memory.slab_bytes + memory.retained_bytes);
  EXPECT_EQ(wide.uordblks + wide.fordblks, wide.arena);
  EXPECT_EQ(wide.keepcost, memory.retained_bytes);
  hak_free(large);
  hak_free(huge);
  EXPECT_EQ(wide.uordblks - mallinfo2().uordblks, 2 * UNIT_BYTES);
  EXPECT_EQ(wide.hblkhd - mallinfo2().hblkhd, 10 * MIB);
}

#else

TEST(MallocInfoTest, XmlHoldsTheSameFigures) { SKIP("this C library has no malloc_info"); }

#endif
