/* text: figures as lines, as one JSON object, or as XML. */
#include "report/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

enum { MANY = 1000 };

static enum text_style styles[] = {TEXT_HUMAN, TEXT_JSON, TEXT_XML};

static void two_lines(void *style) {
  struct text text;
  text_begin(&text, *(enum text_style *)style, NULL);
  text_line(&text, "free_path_stats");
  text_number(&text, "total", 0);
  text_number(&text, "cache", UINT64_MAX);
  text_line(&text, "cache_stats");
  text_percent(&text, "hit_percent", 2, 3);
  text_word(&text, "said", "yes");
  EXPECT_TRUE(text_end(&text));
}

static void rows(void *style) {
  struct text text;
  text_begin(&text, *(enum text_style *)style, NULL);
  text_line(&text, "sum");
  text_number(&text, "n", 3);
  for (unsigned i = 1; i <= 2; i++) {
    text_row(&text, "part");
    text_number(&text, "n", i);
    text_number(&text, "m", 0);
  }
  text_row(&text, "other");
  text_number(&text, "n", 7);
  if (*(enum text_style *)style != TEXT_JSON) {
    text_line(&text, "last");
    text_number(&text, "n", 9);
  }
  EXPECT_TRUE(text_end(&text));
}

static void percents(void *unused) {
  (void)unused;
  struct text text;
  text_begin(&text, TEXT_HUMAN, NULL);
  text_line(&text, "p");
  text_percent(&text, "none", 0, 0);
  text_percent(&text, "all", 7, 7);
  text_percent(&text, "few", 1, 20000);
  text_percent(&text, "tenth", 1, 1000);
  text_percent(&text, "nearly", UINT64_MAX - 1, UINT64_MAX);
  text_end(&text);
}

static void nothing(void *style) {
  struct text text;
  text_begin(&text, *(enum text_style *)style, NULL);
  text_end(&text);
}

static void long_text(void *unused) {
  (void)unused;
  struct text text;
  errno = 4711;
  text_begin(&text, TEXT_HUMAN, NULL);
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
  expect_written(two_lines, &styles[TEXT_HUMAN],
                 "[FREE_PATH_STATS] total=0 cache=18446744073709551615\n[CACHE_STATS] hit_percent=66.66 said=yes\n", 1);
}

TEST(TextTest, JsonIsOneObjectOnOneLine) {
  expect_written(two_lines, &styles[TEXT_JSON],
                 "{\"free_path_stats\":{\"total\":0,\"cache\":18446744073709551615},"
                 "\"cache_stats\":{\"hit_percent\":66.66,\"said\":\"yes\"}}\n",
                 1);
}

TEST(TextTest, XmlIsAnElementALine) {
  expect_written(two_lines, &styles[TEXT_XML],
                 "<malloc version=\"1\">\n"
                 "  <free_path_stats total=\"0\" cache=\"18446744073709551615\"/>\n"
                 "  <cache_stats hit_percent=\"66.66\" said=\"yes\"/>\n"
                 "</malloc>\n",
                 1);
}

TEST(TextTest, RowsHaveOneName) {
  expect_written(rows, &styles[TEXT_HUMAN], "[SUM] n=3\n[PART] n=1 m=0\n[PART] n=2 m=0\n[OTHER] n=7\n[LAST] n=9\n", 1);
  expect_written(rows, &styles[TEXT_JSON],
                 "{\"sum\":{\"n\":3},\"part\":[{\"n\":1,\"m\":0},{\"n\":2,\"m\":0}],\"other\":[{\"n\":7}]}\n", 1);
  expect_written(rows, &styles[TEXT_XML],
                 "<malloc version=\"1\">\n"
                 "  <sum n=\"3\"/>\n"
                 "  <part n=\"1\" m=\"0\"/>\n"
                 "  <part n=\"2\" m=\"0\"/>\n"
                 "  <other n=\"7\"/>\n"
                 "  <last n=\"9\"/>\n"
                 "</malloc>\n",
                 1);
}

TEST(TextTest, PercentsHaveTwoPlaces) {
  expect_written(percents, NULL, "[P] none=0.00 all=100.00 few=0.00 tenth=0.10 nearly=99.99\n", 1);
}

TEST(TextTest, NoLineIsStillAText) {
  expect_written(nothing, &styles[TEXT_JSON], "{}\n", 1);
  expect_written(nothing, &styles[TEXT_HUMAN], "", 0);
  expect_written(nothing, &styles[TEXT_XML], "<malloc version=\"1\">\n</malloc>\n", 1);
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

/* ---- streams ---- */

static bool write_long(FILE *stream, enum text_style style, unsigned numbers) {
  struct text text;
  text_begin(&text, style, stream);
  text_line(&text, "long");
  for (unsigned i = 0; i < numbers; i++) {
    text_number(&text, "x", 1000 + i);
  }
  return text_end(&text);
}

static void write_to_streams(void *unused) {
  (void)unused;
  for (size_t style = 0; style < sizeof styles / sizeof styles[0]; style++) {
    static char written[MANY * 16];
    memset(written, 0, sizeof written);
    FILE *stream = fmemopen(written, sizeof written, "w");
    ASSERT_NE(stream, NULL);
    EXPECT_TRUE(write_long(stream, styles[style], MANY));
    fclose(stream);
    EXPECT_NE(strstr(written, "1000"), NULL);
    EXPECT_NE(strstr(written, "1999"), NULL);
    EXPECT_EQ(written[strlen(written) - 1], '\n');
  }
}

TEST(TextTest, AStreamGetsAllOfItAndStandardErrorNothing) {
  char said[100];
  EXPECT_EQ(unit_capture(write_to_streams, NULL, said, sizeof said), 0);
}

TEST(TextTest, AStreamThatFailsIsFalse) {
  for (size_t style = 0; style < sizeof styles / sizeof styles[0]; style++) {
    FILE *full = fopen("/dev/full", "w");
    ASSERT_NE(full, NULL);
    setvbuf(full, NULL, _IONBF, 0);
    for (unsigned numbers = 1; numbers <= MANY; numbers += MANY - 1) {
      errno = 0;
      EXPECT_FALSE(write_long(full, styles[style], numbers));
      EXPECT_EQ(errno, ENOSPC);
    }
    fclose(full);
  }
}

/* A failure of an early piece is not forgotten when the last one is written. */
TEST(TextTest, AStreamThatHasFailedOnceIsFalse) {
  struct text text;
  FILE *full = fopen("/dev/full", "w");
  FILE *rest = fopen("/dev/null", "w");
  ASSERT_TRUE(full != NULL && rest != NULL);
  setvbuf(full, NULL, _IONBF, 0);
  text_begin(&text, TEXT_XML, full);
  text_line(&text, "long");
  for (unsigned i = 0; i < MANY; i++) {
    text_number(&text, "x", i);
  }
  text.context = rest;
  EXPECT_FALSE(text_end(&text));
  fclose(full);
  fclose(rest);
}

/* ---- sinks ---- */

struct parts {
  char text[MANY * 8];
  size_t length, count, most; /* it fails at the most-th part */
};

static bool take_part(void *context, const char *part, size_t length) {
  struct parts *parts = context;
  memcpy(parts->text + parts->length, part, length);
  parts->length += length;
  return ++parts->count < parts->most;
}

TEST(TextTest, ASinkGetsAllOfItInParts) {
  static struct parts parts = {.most = 100};
  struct text text;
  text_begin_to(&text, TEXT_PLAIN, take_part, &parts);
  for (unsigned i = 0; i < MANY; i++) {
    text_plain(&text, "ab ");
    text_plain_number(&text, i % 10);
  }
  EXPECT_TRUE(text_end(&text));
  EXPECT_EQ(parts.length, 4 * MANY);
  EXPECT_EQ(strncmp(parts.text, "ab 0ab 1ab 2", 12), 0);
  EXPECT_EQ(parts.count, (4 * MANY + TEXT_BYTES - 1) / TEXT_BYTES);
}

TEST(TextTest, ASinkThatFailsIsFalse) {
  static struct parts parts = {.most = 1};
  struct text text;
  text_begin_to(&text, TEXT_JSON, take_part, &parts);
  text_line(&text, "a");
  EXPECT_FALSE(text_end(&text));
}
