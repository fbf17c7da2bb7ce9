/* option_text: options that take a text. */
#include "config/option_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

TEST(OptionTextTest, OnlySomeTakeOne) {
  EXPECT_TRUE(option_text_takes(&options.stats_file));
  EXPECT_FALSE(option_text_takes(&options.verbose));
}

TEST(OptionTextTest, AnEmptyOneIsNone) {
  EXPECT_TRUE(option_text_read(&options.stats_file, "here"));
  EXPECT_EQ(strcmp(option_texts.stats_file, "here"), 0);
  EXPECT_FALSE(option_text_read(&options.stats_file, ""));
  EXPECT_EQ(option_texts.stats_file, NULL);
}

static void read_it(void *unused) {
  (void)unused;
  EXPECT_EQ(strcmp(option_texts.stats_file, "/dev/null"), 0);
  long value = 0;
  EXPECT_EQ(option_get("stats_file", &value), 0);
  EXPECT_EQ(value, 1);
}

TEST(OptionTextTest, TheEnvironmentHasIt) {
  setenv("HAKMEM_STATS_FILE", "/dev/null", 1);
  EXPECT_RUNS(read_it, NULL, "");
  unsetenv("HAKMEM_STATS_FILE");
}
