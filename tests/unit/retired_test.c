/* retired: which names have an answer, and which row gives it. */
#include "config/retired.h"

#include <string.h>

#include "unit/unit.h"

static const char *answer(const char *name) {
  const char *found = retired_answer(name, strlen(name));
  return found == NULL ? "none" : found;
}

static void expect_same(const char *said, const char *wanted) {
  NOTE("%s, not %s", said, wanted);
  EXPECT_EQ(strcmp(said, wanted), 0);
}

TEST(RetiredTest, EachPatternAnswers) {
  static const struct {
    const char *pattern, *answer;
  } rows[] = {
#define RETIRED(pattern, answer) {pattern, answer},
#include "config/retired.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[64] = "HAKMEM_";
    size_t length = strlen(name);
    for (const char *letter = rows[i].pattern; *letter != '\0'; letter++) {
      name[length++] = *letter == '*' ? '7' : *letter;
    }
    NOTE("%s", name);
    expect_same(answer(name), rows[i].answer);
  }
}

TEST(RetiredTest, AStarStandsForNothingToo) {
  expect_same(answer("HAKMEM_ULTRA"), "ULTRA lanes are the thread cache of every class");
  expect_same(answer("HAKMEM_TINY"), "tiny classes are size classes like all others");
}

TEST(RetiredTest, TheFirstRowThatFitsAnswers) {
  expect_same(answer("HAKMEM_TINY_C7_ULTRA_HEADER_LIGHT"), answer("HAKMEM_X_ULTRA"));
  expect_same(answer("HAKMEM_POOL_V2_X"),
              "Pool v2 is size classes up to 32 KiB, found by the same tag as the smallest");
}

TEST(RetiredTest, OtherNamesHaveNone) {
  static const char *const names[] = {"HAKMEM_", "HAKMEM_X", "HAKMEM_TIN", "HAKMEM_UTRA",
                                      "TINY",    "ULTRA",    "",           "HAKMEM"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    NOTE("%s", names[i]);
    expect_same(answer(names[i]), "none");
  }
}

TEST(RetiredTest, AnEndlessNameHasNone) {
  char name[200];
  memset(name, 'A', sizeof name);
  memcpy(name, "HAKMEM_TINY", strlen("HAKMEM_TINY"));
  EXPECT_TRUE(retired_answer(name, sizeof name) == NULL);
  EXPECT_TRUE(retired_answer(name, strlen("HAKMEM_TINY")) != NULL); /* it need not end there */
}
