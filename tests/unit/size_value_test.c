/* size_value: numbers of bytes as a user writes them. */
#include "config/size_value.h"

#include <stddef.h>
#include <string.h>

#include "config/options.h"
#include "os/os.h"
#include "unit/unit.h"

static void expect_bytes(const char *text, long bytes) {
  NOTE("%s", text);
  long found = -1;
  EXPECT_TRUE(size_value(text, LIMIT_MAX, &found) == NULL);
  EXPECT_EQ(found, bytes);
}

TEST(SizeValueTest, NumbersAndSuffixes) {
  expect_bytes("0", 0);
  expect_bytes("1", 1);
  expect_bytes("4096", 4096);
  expect_bytes("007", 7);
  expect_bytes("3K", 3L << 10);
  expect_bytes("512M", 512L << 20);
  expect_bytes("512m", 512L << 20);
  expect_bytes("2G", 2L << 30);
  expect_bytes("1T", 1L << 40);
  expect_bytes("128T", LIMIT_MAX);
  expect_bytes("140737488355328", LIMIT_MAX);
}

TEST(SizeValueTest, Percentages) {
  expect_bytes("100%", (long)os_memory_limit());
  expect_bytes("050%", (long)(os_memory_limit() / 100 * 50 + os_memory_limit() % 100 * 50 / 100));
}

static void expect_nearest(const char *text, const char *nearest) {
  NOTE("%s", text);
  long found = -1;
  const char *said = size_value(text, LIMIT_MAX, &found);
  EXPECT_TRUE(said != NULL && strcmp(said, nearest) == 0);
  EXPECT_EQ(found, -1);
}

TEST(SizeValueTest, NothingElse) {
  expect_nearest("", "");
  expect_nearest("-", "");
  expect_nearest("-1", "0");
  expect_nearest("+1", "");
  expect_nearest(" 1", "");
  expect_nearest("1 ", "");
  expect_nearest("12Q", "");
  expect_nearest("12MB", "");
  expect_nearest("M", "");
  expect_nearest("%", "");
  expect_nearest("50%%", "");
  expect_nearest("1.5G", "");
  expect_nearest("0x10", "");
  expect_nearest("0%", "1%");
  expect_nearest("101%", "100%");
  expect_nearest("99999999999999999999999%", "100%");
  expect_nearest("129T", "128T");
  expect_nearest("140737488355329", "128T");
  expect_nearest("99999999999999999999999", "128T");
  expect_nearest("99999999999999999999999K", "128T");
}
