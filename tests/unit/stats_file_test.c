/* stats_file: when the file is written; tests/inspect/test_stats_file.py has whole programs. */
#include "report/stats_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hakmem.h"
#include "os/os.h"
#include "unit/unit.h"

static char path[512];

/* Whether the file is there; it is away afterwards. */
static bool is_there(void) {
  char text[100];
  const char *folder = getenv("HAKMEM_TEST_FOLDER");
  snprintf(path, sizeof path, "%s/%ld.json", folder == NULL ? "" : folder, os_process_id());
  os_file_read(path, text, sizeof text);
  unlink(path);
  return strncmp(text, "{\"hakmem\":{\"format\":1,", 22) == 0;
}

static void clear(const char *folder) {
  DIR *listing = opendir(folder);
  for (const struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  closedir(listing);
  rmdir(folder);
}

/* The process that runs the body comes here, too, with the folder that it was given. */
static void with_file(void (*body)(void *), const char *signals) {
  char folder[] = "/tmp/hakmem-stats-XXXXXX";
  bool is_first = getenv("HAKMEM_TEST_FOLDER") == NULL;
  if (is_first) {
    ASSERT_NE(mkdtemp(folder), NULL);
    snprintf(path, sizeof path, "%s/%%p.json", folder);
    setenv("HAKMEM_TEST_FOLDER", folder, 1);
    setenv("HAKMEM_STATS_FILE", path, 1);
    setenv("HAKMEM_STATS_SIGNAL", signals, 1);
  }
  EXPECT_RUNS(body, NULL, "");
  if (is_first) {
    unsetenv("HAKMEM_TEST_FOLDER");
    unsetenv("HAKMEM_STATS_FILE");
    unsetenv("HAKMEM_STATS_SIGNAL");
    clear(folder);
  }
}

static void at_the_end(void *unused) {
  (void)unused;
  EXPECT_FALSE(is_there());
  stats_file_end();
  EXPECT_TRUE(is_there());
}

static void by_signal(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
  raise(SIGUSR1);
  EXPECT_TRUE(is_there());
  critical_enter(); /* as if a malloc were interrupted */
  raise(SIGUSR1);
  EXPECT_FALSE(is_there());
  critical_leave();
  EXPECT_TRUE(is_there());
}

static void in_a_child(void *unused) {
  (void)unused;
  raise(SIGUSR1);
  EXPECT_TRUE(is_there());
}

static void by_signal_in_a_child(void *unused) {
  hak_free(hak_malloc(10));
  EXPECT_FORKS(in_a_child, unused);
  EXPECT_FALSE(is_there());
}

TEST(StatsFileTest, AtTheEnd) { with_file(at_the_end, "none"); }
TEST(StatsFileTest, AtASignalOrAfterTheCriticalSectionThatItInterrupts) { with_file(by_signal, "usr1,usr2"); }
TEST(StatsFileTest, AChildHasItsOwn) { with_file(by_signal_in_a_child, "usr1"); }
