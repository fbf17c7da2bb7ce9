/* file: a file is there whole, or not at all. */
#include "os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/unit.h"

static char folder[] = "/tmp/hakmem-file-XXXXXX";
static char path[64], found[100];

static void prepare(void) {
  ASSERT_NE(mkdtemp(folder), NULL);
  snprintf(path, sizeof path, "%s/it", folder);
}

static const char *now(void) {
  os_file_read(path, found, sizeof found);
  return found;
}

/* Files in the folder. */
static unsigned files(void) {
  unsigned count = 0;
  DIR *listing = opendir(folder);
  for (const struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
    count += entry->d_name[0] != '.';
  }
  closedir(listing);
  return count;
}

static int write_it(const char *text) {
  static struct os_file file;
  os_file_begin(&file, path);
  os_file_write(&file, text, strlen(text));
  return os_file_end(&file);
}

static void write_whole(void *unused) {
  (void)unused;
  prepare();
  static struct os_file file;
  errno = 4711;
  EXPECT_EQ(write_it("first"), 0);
  EXPECT_EQ(strcmp(now(), "first"), 0);
  os_file_begin(&file, path);
  EXPECT_TRUE(os_file_write(&file, "sec", 3));
  EXPECT_EQ(strcmp(now(), "first"), 0); /* until it is whole */
  EXPECT_EQ(files(), 2);
  EXPECT_TRUE(os_file_write(&file, "ond", 3));
  EXPECT_EQ(os_file_end(&file), 0);
  EXPECT_EQ(strcmp(now(), "second"), 0);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(errno, 4711);
  unlink(path);
  rmdir(folder);
}

TEST(FileTest, AReaderFindsItWhole) { EXPECT_RUNS(write_whole, NULL, ""); }

static void fail(void *unused) {
  (void)unused;
  prepare();
  char nowhere[100];
  EXPECT_EQ(write_it("first"), 0);
  snprintf(nowhere, sizeof nowhere, "%s/nowhere/it", folder);
  static struct os_file file;
  os_file_begin(&file, nowhere);
  EXPECT_FALSE(os_file_write(&file, "x", 1));
  EXPECT_EQ(os_file_end(&file), ENOENT);
  os_file_begin(&file, folder);
  EXPECT_FALSE(os_file_write(&file, "x", 1));
  EXPECT_EQ(os_file_end(&file), EISDIR);
  os_file_begin(&file, "/dev/full");
  EXPECT_FALSE(os_file_write(&file, "x", 1));
  EXPECT_FALSE(os_file_write(&file, "y", 1));
  EXPECT_EQ(os_file_end(&file), ENOSPC);
  struct stat device;
  EXPECT_EQ(stat("/dev/full", &device), 0);
  EXPECT_TRUE(S_ISCHR(device.st_mode));
  static char deep[OS_PATH_BYTES + 10];
  memset(deep, 'x', sizeof deep - 1);
  os_file_begin(&file, deep);
  EXPECT_EQ(os_file_end(&file), ENAMETOOLONG);
  EXPECT_EQ(strcmp(now(), "first"), 0);
  EXPECT_EQ(files(), 1);
  unlink(path);
  rmdir(folder);
}

TEST(FileTest, AFailureLeavesWhatWasThere) { EXPECT_RUNS(fail, NULL, ""); }

static void write_to_link(void *unused) {
  (void)unused;
  prepare();
  char link[64];
  EXPECT_EQ(write_it("first"), 0);
  snprintf(link, sizeof link, "%s/link", folder);
  EXPECT_EQ(symlink(path, link), 0);
  static struct os_file file;
  os_file_begin(&file, link);
  EXPECT_TRUE(os_file_write(&file, "2", 1));
  EXPECT_EQ(os_file_end(&file), 0);
  EXPECT_EQ(strcmp(now(), "2"), 0); /* the link is still one */
  unlink(link);
  unlink(path);
  rmdir(folder);
}

TEST(FileTest, ALinkIsFollowed) { EXPECT_RUNS(write_to_link, NULL, ""); }

TEST(FileTest, APathFromTheRoot) {
  static char absolute[OS_PATH_BYTES];
  static char here[OS_PATH_BYTES];
  ASSERT_NE(getcwd(here, sizeof here), NULL);
  EXPECT_TRUE(os_path_absolute(absolute, "/a/b"));
  EXPECT_EQ(strcmp(absolute, "/a/b"), 0);
  EXPECT_TRUE(os_path_absolute(absolute, "b"));
  EXPECT_EQ(strncmp(absolute, here, strlen(here)), 0);
  EXPECT_EQ(strcmp(absolute + strlen(here), "/b"), 0);
  static char deep[OS_PATH_BYTES + 10];
  memset(deep, 'x', sizeof deep - 1);
  EXPECT_FALSE(os_path_absolute(absolute, deep));
}

TEST(FileTest, EveryErrorHasWords) {
  for (int error = 1; error < 140; error++) {
    EXPECT_GT(strlen(os_file_error(error)), 8);
  }
  EXPECT_EQ(strcmp(os_file_error(ENOSPC), "no space is left"), 0);
}

TEST(FileTest, ASmallFileIsCutToFit) {
  char text[5];
  os_file_read("/proc/self/comm", text, sizeof text);
  EXPECT_EQ(strlen(text), 4);
  os_file_read("/nowhere", text, sizeof text);
  EXPECT_EQ(strlen(text), 0);
}

TEST(FileTest, TheProcessIsResident) {
  size_t before = os_process_resident();
  if (before == 0) {
    SKIP("the system does not say");
  }
  size_t bytes = 20 << 20;
  char *block = os_map(NULL, bytes);
  os_touch(block, bytes);
  EXPECT_GE(os_process_resident(), before + bytes - (1 << 20));
  os_unmap(block, bytes);
}
