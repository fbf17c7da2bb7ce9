/* figures_text: the forms; tests/inspect/test_stats_file.py has them parsed by others. */
#include "report/figures_text.h"

#include <errno.h>
#include <string.h>

#include "unit/heaps.h"

enum { ROOM = 64 << 10 };

static char text[ROOM];

static bool has(const char *part) { return strstr(text, part) != NULL; }

TEST(FiguresTextTest, JsonIsOneLine) {
  hak_free(hak_malloc(10));
  size_t length = hak_stats_json(text, sizeof text);
  EXPECT_LT(length, 32 << 10);
  EXPECT_EQ(strlen(text), length);
  EXPECT_EQ(strchr(text, '\n'), text + length - 1);
  EXPECT_EQ(strncmp(text, "{\"hakmem\":{\"format\":1,\"version\":\"" HAKMEM_VERSION "\",\"variant\":\"release\",", 60),
            0);
  EXPECT_TRUE(has("\"total\":{\"live\":") && has("\"classes\":[{\"size\":") && has("\"purged\":"));
}

TEST(FiguresTextTest, OpenMetricsEndsWithItsLastLine) {
  hak_free(hak_malloc(10));
  size_t length = hak_stats_openmetrics(text, sizeof text);
  EXPECT_LT(length, 32 << 10);
  EXPECT_EQ(strcmp(text + length - 6, "# EOF\n"), 0);
  EXPECT_TRUE(has("# TYPE hakmem_live_bytes gauge\n# UNIT hakmem_live_bytes bytes\n# HELP hakmem_live_bytes "));
  EXPECT_TRUE(has("\nhakmem_live_bytes ") && has("\nhakmem_mmap_calls_total ") &&
              has("\nhakmem_class_live_bytes{size=\""));
}

TEST(FiguresTextTest, ABufferThatIsTooSmallHasTheBeginning) {
  hak_free(hak_malloc(10));
  size_t whole = hak_stats_json(text, sizeof text);
  char small[20];
  memset(small, 'x', sizeof small);
  errno = UNTOUCHED_ERRNO;
  EXPECT_GE(hak_stats_json(small, 10) + 100, whole); /* a number may have a digit less by now */
  EXPECT_EQ(strcmp(small, "{\"hakmem\""), 0);
  EXPECT_EQ(small[10], 'x');
  EXPECT_GE(hak_stats_json(small, 1) + 100, whole);
  EXPECT_EQ(small[0], '\0');
  EXPECT_GE(hak_stats_json(NULL, 0) + 100, whole);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}
