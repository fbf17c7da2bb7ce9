/* output: where lines for people go. What a process prints at its end is seen in tests/options/test_output.py. */
#include "os/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

enum { UNTOUCHED = 4711, MUCH = 100 << 10 };

static void print(void *text) { os_print(text, strlen(text)); }

TEST(OutputTest, PrintsToStandardError) {
  char text[100];
  EXPECT_EQ(unit_capture(print, "some words\n", text, sizeof text), 1);
  EXPECT_EQ(strcmp(text, "some words\n"), 0);
}

static void print_to_nobody(void *unused) {
  (void)unused;
  close(STDERR_FILENO);
  errno = UNTOUCHED;
  os_print("words", 5);
  output_keep();
  output_begin();
  os_print("words", 5);
  output_end();
  EXPECT_EQ(errno, UNTOUCHED);
}

TEST(OutputTest, AClosedStreamIsNoHarm) { EXPECT_RUNS(print_to_nobody, NULL, ""); }

static void print_after_closing(void *unused) {
  (void)unused;
  output_keep();
  close(STDERR_FILENO);
  output_begin();
  os_print("the ", 4);
  os_print("end\n", 4);
  output_end();
}

TEST(OutputTest, WhatIsKeptOutlivesStandardError) { EXPECT_RUNS(print_after_closing, NULL, "the end\n"); }

static void print_without_keeping(void *unused) {
  (void)unused;
  output_begin();
  os_print("end\n", 4);
  output_end();
  os_print("more\n", 5);
}

TEST(OutputTest, WithoutItStandardErrorIsUsed) { EXPECT_RUNS(print_without_keeping, NULL, "end\nmore\n"); }

static long size_of(const char *path) {
  struct stat file;
  return stat(path, &file) == 0 ? (long)file.st_size : -1;
}

static void print_to_file(void *path) {
  static char much[MUCH];
  memset(much, 'x', sizeof much);
  errno = UNTOUCHED;
  EXPECT_EQ(output_keep_file(path), 0);
  for (int lost = 0; lost < 2; lost++) {
    long before = size_of(path);
    output_begin();
    os_print("a", 1);
    os_print(much, sizeof much);
    EXPECT_TRUE(size_of(path) > before); /* more than is collected is written on the way */
    os_print("b", 1);
    output_end();
    EXPECT_EQ(size_of(path), before + MUCH + 2);
    for (int i = 3; i < 1100; i++) { /* it is opened again */
      close(i);
    }
  }
  EXPECT_EQ(output_keep_file("/nowhere/at/all"), ENOENT);
  EXPECT_EQ(errno, EBADF); /* of close */
}

TEST(OutputTest, AFileIsAppendedToAndFoundAgain) {
  char path[] = "/tmp/hakmem-output-XXXXXX";
  int file = mkstemp(path);
  EXPECT_TRUE(file >= 0);
  close(file);
  EXPECT_RUNS(print_to_file, path, "");
  unlink(path);
}
