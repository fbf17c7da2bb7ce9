/* cgroup: how much memory the process may have, read from trees of files that the test makes; and a load that is killed where
 * such a tree says it must be, unless it keeps to a percentage of it. */
#include "os/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/options.h"
#include "config/size_value.h"
#include "hakmem.h"
#include "os/machine.h"
#include "os/system.h"
#include "unit/unit.h"

/* ---- made-up trees ---- */

static char tree[64], list[80];

static void make_tree(void) {
  strcpy(tree, "/tmp/hakmem-cgroup-XXXXXX");
  if (mkdtemp(tree) == NULL) {
    abort();
  }
  snprintf(list, sizeof list, "%s/self", tree);
  cgroup_tree = tree;
  cgroup_of_process = list;
}

/* A file below the tree, with the folders above it. */
static void put_file(const char *path, const char *text) {
  char name[256];
  snprintf(name, sizeof name, "%s%s", tree, path);
  for (char *slash = name + strlen(tree) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
    *slash = '\0';
    mkdir(name, 0700);
  }
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  EXPECT_EQ(write(file, text, strlen(text)), strlen(text));
  close(file);
}

static void remove_tree(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", tree);
  EXPECT_EQ(system(command), 0);
  cgroup_of_process = "/proc/self/cgroup";
  cgroup_tree = "/sys/fs/cgroup";
}

static size_t limit_of(const char *groups) {
  put_file("/self", groups);
  errno = 4711;
  size_t limit = os_memory_limit();
  EXPECT_EQ(errno, 4711);
  return limit;
}

TEST(CgroupTest, TheGroupOfVersionTwo) {
  make_tree();
  put_file("/a/b/memory.max", "104857600\n");
  EXPECT_EQ(limit_of("0::/a/b\n"), 100 * MIB);
  EXPECT_EQ(limit_of("0::/a/b/\n"), 100 * MIB);
  EXPECT_EQ(limit_of("0::/a\n"), os_physical_memory());
  remove_tree();
}

TEST(CgroupTest, AndAllAboveIt) {
  make_tree();
  put_file("/a/b/c/memory.max", "max\n");
  put_file("/a/b/memory.max", "73400320\n");
  put_file("/a/memory.max", "83886080\n");
  EXPECT_EQ(limit_of("0::/a/b/c\n"), 70 * MIB);
  EXPECT_EQ(limit_of("0::/a/b/c/d/e\n"), 70 * MIB); /* as inside a container, where the outer names are not there */
  EXPECT_EQ(limit_of("0::/a\n"), 80 * MIB);
  put_file("/memory.max", "62914560\n");
  EXPECT_EQ(limit_of("0::/a/b/c\n"), 60 * MIB);
  EXPECT_EQ(limit_of("0::/\n"), 60 * MIB);
  remove_tree();
}

TEST(CgroupTest, TheGroupOfVersionOne) {
  make_tree();
  put_file("/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"); /* its word for none */
  put_file("/memory/a/memory.limit_in_bytes", "52428800\n");
  EXPECT_EQ(limit_of("7:cpu:/a\n4:memory:/a/b\n0::/\n"), 50 * MIB);
  EXPECT_EQ(limit_of("4:cpu,memory:/a/b\n"), 50 * MIB);
  EXPECT_EQ(limit_of("4:memory,cpu:/a/b\n"), 50 * MIB);
  EXPECT_EQ(limit_of("4:memoryless:/a/b\n"), os_physical_memory());
  EXPECT_EQ(limit_of("4:memory:/\n"), os_physical_memory());
  remove_tree();
}

TEST(CgroupTest, WhatCannotBeReadLimitsNothing) {
  make_tree();
  size_t all = os_physical_memory();
  EXPECT_EQ(limit_of(""), all);
  EXPECT_EQ(limit_of("nonsense\n:\n::\n0:\n"), all);
  EXPECT_EQ(limit_of("0::/a"), all); /* cut off */
  put_file("/a/memory.max", "");
  EXPECT_EQ(limit_of("0::/a\n"), all);
  put_file("/a/memory.max", "99999999999999999999999999999999\n");
  EXPECT_EQ(limit_of("0::/a\n"), all);
  static char deep[3000];
  memset(deep, 'x', sizeof deep - 2);
  memcpy(deep, "0::/", 4);
  deep[sizeof deep - 2] = '\n';
  EXPECT_EQ(limit_of(deep), all);
  cgroup_of_process = "/nowhere/at/all";
  EXPECT_EQ(os_memory_limit(), all);
  remove_tree();
}

TEST(CgroupTest, APercentageIsOfIt) {
  make_tree();
  put_file("/a/memory.max", "104857600\n");
  put_file("/self", "0::/a\n");
  long bytes = -1;
  EXPECT_TRUE(size_value("80%", LIMIT_MAX, &bytes) == NULL);
  EXPECT_EQ(bytes, 80 * MIB);
  EXPECT_TRUE(size_value("100%", LIMIT_MAX, &bytes) == NULL);
  EXPECT_EQ(bytes, 100 * MIB);
  EXPECT_TRUE(size_value("1%", LIMIT_MAX, &bytes) == NULL);
  EXPECT_EQ(bytes, MIB);
  remove_tree();
}

/* ---- a load that is killed beyond it ---- */

enum { GROUP_BYTES = 96 << 20, LOAD_BLOCKS = 1 << 14 };

/* Fills what it is given, 200 MiB and more if it may; what it is refused it does without. */
static _Noreturn void load(const char *share) {
  long bytes = 0;
  if (share != NULL && size_value(share, LIMIT_MAX, &bytes) != NULL) {
    _exit(3);
  }
  if (!hak_limit_set(0, (size_t)bytes)) {
    _exit(4);
  }
  static char *block[LOAD_BLOCKS];
  uint64_t seed = 1;
  size_t refused = 0;
  for (int i = 0; i < 3 * LOAD_BLOCKS; i++) {
    char **place = &block[unit_below(&seed, LOAD_BLOCKS)];
    size_t size = unit_below(&seed, 32) == 0 ? 100000 + unit_below(&seed, 200000) : 1000 + unit_below(&seed, 20000);
    free(*place);
    *place = malloc(size);
    if (*place == NULL) {
      refused++;
    } else {
      memset(*place, 1, size);
    }
  }
  _exit(refused > 0 ? 0 : 5);
}

static size_t resident_of(pid_t process) {
  char name[64];
  char text[128];
  snprintf(name, sizeof name, "/proc/%d/statm", (int)process);
  int file = open(name, O_RDONLY);
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  char *second = strchr(text, ' ');
  return second == NULL ? 0 : strtoul(second, NULL, 10) * os_page_size();
}

/* Does what the system does: kills who passes the group's limit. The status of the load. */
static int run_in_group(const char *share) {
  pid_t process = fork();
  if (process == 0) {
    load(share);
  }
  int status;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (resident_of(process) > GROUP_BYTES) {
      kill(process, SIGKILL);
    }
    usleep(100);
  }
  return status;
}

TEST(CgroupTest, ALoadThatIsKilledSurvivesWithAPercentage) {
  if (UNIT_SANITIZED) {
    SKIP("most memory is the sanitizer's");
  }
  char text[32];
  make_tree();
  snprintf(text, sizeof text, "%d\n", (int)GROUP_BYTES);
  put_file("/a/memory.max", text);
  put_file("/self", "0::/a\n");
  int without = run_in_group(NULL);
  EXPECT_TRUE(WIFSIGNALED(without) && WTERMSIG(without) == SIGKILL);
  EXPECT_EQ(run_in_group("80%"), 0);
  remove_tree();
}
