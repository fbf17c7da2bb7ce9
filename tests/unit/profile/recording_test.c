/* recording: a whole file, or none. */
#include "profile/recording.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hot/hot.h"
#include "profile/sampler.h"
#include "unit/heaps.h"

static char folder[64];
static char path[128];

static void make_folder(void) {
  strcpy(folder, "/tmp/hakmem-recording-XXXXXX");
  ASSERT_NE(mkdtemp(folder), NULL);
  snprintf(path, sizeof path, "%s/it", folder);
}

static bool is_there(const char *behind) {
  char name[160];
  snprintf(name, sizeof name, "%s%s", path, behind);
  return access(name, F_OK) == 0;
}

TEST(RecordingTest, IsWhole) {
  static char text[1 << 20];
  make_folder();
  sampler_start(1);
  thread_cache.until_sample = 0;
  void *block = gate_malloc(12345);
  EXPECT_TRUE(recording_write(path));
  EXPECT_FALSE(is_there(".part"));
  FILE *file = fopen(path, "rb");
  ASSERT_NE(file, NULL);
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  ASSERT_GT(length, 100);
  EXPECT_EQ(memcmp(text, "HEAD", 4), 0);
  EXPECT_EQ(memcmp(text + length - 16, "DONE", 4), 0);
  EXPECT_NE(memmem(text, length, "STCK", 4), NULL);
  EXPECT_NE(memmem(text, length, "[stack]", 7), NULL);
  uint64_t live[] = {12345, (uintptr_t)block};
  EXPECT_NE(memmem(text, length, live, sizeof live), NULL);
  gate_free(block);
  unlink(path);
  rmdir(folder);
}

static void no_space(void *unused) {
  (void)unused;
  make_folder();
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  for (rlim_t bytes = 0; bytes <= 512; bytes += 64) {
    struct rlimit little = {bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    EXPECT_FALSE(recording_write(path));
    EXPECT_FALSE(is_there(""));
    EXPECT_FALSE(is_there(".part"));
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(recording_write(path));
  unlink(path);
  rmdir(folder);
}

TEST(RecordingTest, WithoutSpaceThereIsNone) { EXPECT_RUNS(no_space, NULL, ""); }

static void no_files(void *unused) {
  (void)unused;
  make_folder();
  struct rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  struct rlimit none = {3, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_FALSE(recording_write(path));
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(is_there(""));
  rmdir(folder);
}

TEST(RecordingTest, WithoutADescriptorThereIsNone) { EXPECT_RUNS(no_files, NULL, ""); }

static void no_memory(void *unused) {
  (void)unused;
  make_folder();
  unit_limit_memory(0);
  EXPECT_FALSE(recording_write(path));
  unit_limit_memory(SIZE_MAX);
  EXPECT_FALSE(is_there(""));
  EXPECT_FALSE(is_there(".part"));
  rmdir(folder);
}

TEST(RecordingTest, WithoutMemoryThereIsNone) { EXPECT_RUNS(no_memory, NULL, ""); }

TEST(RecordingTest, APathThatIsTooLongIsNone) {
  static char name[8192];
  memset(name, 'x', sizeof name - 1);
  EXPECT_FALSE(recording_write(name));
  EXPECT_FALSE(recording_write("/nowhere/at/all"));
}
