/* text: figures as lines, or as one JSON object. */
#include "report/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

enum { MANY = 1000 };

static void two_lines(void *json) {
  struct text text;
  text_begin(&text, json != NULL);
  text_line(&text, "free_path_stats");
  text_number(&text, "total", 0);
  text_number(&text, "cache", UINT64_MAX);
  text_line(&text, "cache_stats");
  text_percent(&text, "hit_percent", 2, 3);
  text_end(&text);
}

static void percents(void *unused) {
  (void)unused;
  struct text text;
  text_begin(&text, false);
  text_line(&text, "p");
  text_percent(&text, "none", 0, 0);
  text_percent(&text, "all", 7, 7);
  text_percent(&text, "few", 1, 20000);
  text_percent(&text, "tenth", 1, 1000);
  text_percent(&text, "nearly", UINT64_MAX - 1, UINT64_MAX);
  text_end(&text);
}

static void nothing(void *json) {
  struct text text;
  text_begin(&text, json != NULL);
  text_end(&text);
}

static void long_text(void *unused) {
  (void)unused;
  struct text text;
  errno = 4711;
  text_begin(&text, false);
  text_line(&text, "long");
  for (unsigned i = 0; i < MANY; i++) {
    text_number(&text, "x", 1000 + i);
  }
  text_end(&text);
  EXPECT_EQ(errno, 4711);
}

static void expect_written(void (*body)(void *), void *argument, const char *expected, size_t writes) {
  char written[3 * TEXT_BYTES];
  EXPECT_EQ(unit_capture(body, argument, written, sizeof written), writes);
  NOTE("%s", written);
  EXPECT_EQ(strcmp(written, expected), 0);
}

TEST(TextTest, LinesAreForPeople) {
  expect_written(two_lines, NULL,
                 "[FREE_PATH_STATS] total=0 cache=18446744073709551615\n[CACHE_STATS] hit_percent=66.66\n", 1);
}

TEST(TextTest, JsonIsOneObjectOnOneLine) {
  expect_written(two_lines, "json",
                 "{\"free_path_stats\":{\"total\":0,\"cache\":18446744073709551615},"
                 "\"cache_stats\":{\"hit_percent\":66.66}}\n",
                 1);
}

TEST(TextTest, PercentsHaveTwoPlaces) {
  expect_written(percents, NULL, "[P] none=0.00 all=100.00 few=0.00 tenth=0.10 nearly=99.99\n", 1);
}

TEST(TextTest, NoLineIsStillAText) {
  expect_written(nothing, "json", "{}\n", 1);
  expect_written(nothing, NULL, "", 0);
}

TEST(TextTest, WhatDoesNotFitIsWrittenInPieces) {
  static char expected[MANY * 8];
  size_t length = (size_t)snprintf(expected, sizeof expected, "[LONG]");
  for (unsigned i = 0; i < MANY; i++) {
    length += (size_t)snprintf(expected + length, sizeof expected - length, " x=%u", 1000 + i);
  }
  expected[length] = '\n';
  expect_written(long_text, NULL, expected, (length + 1 + TEXT_BYTES - 1) / TEXT_BYTES);
}
