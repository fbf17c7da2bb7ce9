"""HAKMEM_BACKGROUND=1: programs shrink without calling the allocator, and notice nothing else of the helper."""

import pytest

PROGRAM = r"""
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 20000, CHILDREN = 40, SIGNALS = 2000 };

static volatile int stop;
static volatile sig_atomic_t handled, by_helper;
static long helper;

static long number_in(const char *path, const char *key) {
  char text[4096];
  FILE *file = fopen(path, "r");
  size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
  text[length] = 0;
  if (file) fclose(file);
  const char *at = strstr(text, key);
  return at ? atol(at + strlen(key)) : -1;
}

static long resident_kib(void) { return number_in("/proc/self/status", "VmRSS:"); }

static void find_helper(void) {
  DIR *threads = opendir("/proc/self/task");
  struct dirent *entry;
  while ((entry = readdir(threads))) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE *file = fopen(path, "r");
    if (file && fgets(name, sizeof name, file) && !strcmp(name, "hakmem\n")) helper = atol(entry->d_name);
    if (file) fclose(file);
  }
  closedir(threads);
}

static void fill_and_free(void) {
  static char *blocks[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) memset(blocks[i] = malloc(5000), 1, 5000);
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
  char *huge = memset(malloc(50 << 20), 1, 50 << 20);
  free(huge);
}

static void *be_busy(void *seed) {
  void *blocks[100] = {0};
  for (unsigned i = (unsigned)(size_t)seed; !stop; i++) {
    free(blocks[i % 100]);
    blocks[i % 100] = malloc(i % 97 == 0 ? 3 << 20 : i * 7 % 5000);
  }
  for (unsigned i = 0; i < 100; i++) free(blocks[i]);
  return seed;
}

static void *work_on(void *seed) { /* after main has ended */
  usleep(300000);
  fill_and_free();
  puts("done");
  return seed;
}

static void on_signal(int number) {
  handled++;
  by_helper += syscall(SYS_gettid) == helper;
  (void)number;
}

static char *of_sleepers[4][BLOCKS];
static atomic_int asleep;

static void *fill_and_sleep(void *index) {
  char **blocks = of_sleepers[(size_t)index];
  for (int i = 0; i < BLOCKS; i++) memset(blocks[i] = malloc(i % 2000 + 1), 1, i % 2000 + 1);
  asleep++;
  pause();
  return index;
}

static void *stay(void *unused) {
  pause();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argc;
  for (int i = 0; i < 2000 && helper == 0 && atoi(getenv("HAKMEM_BACKGROUND")) != 0; i++) {
    find_helper();
    usleep(1000);
  }
  if (!strcmp(argv[1], "idle")) {
    char path[64];
    fill_and_free();
    long before = resident_kib();
    sleep(5);
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", helper);
    long spent = helper ? number_in(path, "") : 0;
    if (helper) sleep(5);
    printf("%ld %ld %ld %ld\n", helper, before, resident_kib(), helper ? number_in(path, "") - spent : 0);
  } else if (!strcmp(argv[1], "exit")) {
    for (long i = 0; i < 3; i++) pthread_create(&thread, NULL, be_busy, (void *)i);
    usleep(atoi(argv[2]));
    puts("done");
  } else if (!strcmp(argv[1], "pthread_exit")) {
    pthread_create(&thread, NULL, work_on, NULL);
    pthread_exit(NULL);
  } else if (!strcmp(argv[1], "sleepers")) {
    for (long i = 0; i < 4; i++) pthread_create(&thread, NULL, fill_and_sleep, (void *)i);
    while (asleep < 4) usleep(1000);
    long full = resident_kib();
    for (int i = 0; i < 4 * BLOCKS; i++) free(of_sleepers[i % 4][i / 4]);
    sleep(4);
    printf("%ld %ld\n", full, resident_kib());
  } else if (!strcmp(argv[1], "signals")) {
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, stay, NULL);
    for (int i = 0; i < SIGNALS; i++) {
      kill(getpid(), SIGUSR1);
      free(malloc(3 << 20));
    }
    printf("%ld %d %d\n", helper, (int)handled, (int)by_helper);
  } else if (!strcmp(argv[1], "fork")) {
    for (long i = 0; i < 2; i++) pthread_create(&thread, NULL, be_busy, (void *)i);
    for (int i = 0; i < CHILDREN; i++) {
      pid_t pid = fork();
      if (pid == 0) {
        alarm(20);
        stop = 1;
        be_busy(NULL);
        for (int j = 0; j < 1000; j++) free(memset(malloc(j * 50), 1, j * 50));
        _exit(0);
      }
      int status = 0;
      if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        printf("child %d ended with status %#x\n", i, (unsigned)status);
        return 1;
      }
    }
    stop = 1;
    puts("done");
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(compile_c):
    return compile_c(PROGRAM, "background")


@pytest.fixture
def helped(program, preload, variant):
    """Runs it with the helper; what it prints, in words."""

    def call(*arguments, background="1", **keywords):
        done = preload(program, *arguments, LD_PRELOAD=str(variant), HAKMEM_BACKGROUND=background, **keywords)
        assert done.code == 0, done
        assert done.rest == ""
        return done.served().out.split()

    return call


@pytest.mark.parametrize("variant", ["release", pytest.param("secure", marks=pytest.mark.slow)], indirect=True)
def test_an_idle_process_shrinks_and_its_helper_sleeps(helped, record_property):
    helper, _, with_one, spent = map(int, helped("idle"))
    none, freed, without, _ = map(int, helped("idle", background="0"))
    assert helper > 0 and none == 0
    assert with_one <= without
    assert with_one < 12 << 10
    assert spent <= 1_000_000  # nanoseconds in five seconds
    note = f"freed {freed >> 10} MiB, idle {without >> 10}, with the helper {with_one >> 10}; it ran {spent / 1e6} ms in 5 s"
    record_property("note", note)


@pytest.mark.parametrize("variant", ["release", pytest.param("secure", marks=pytest.mark.slow)], indirect=True)
def test_what_is_freed_to_threads_that_sleep_goes_back(helped, record_property):
    full, with_one = map(int, helped("sleepers"))
    _, without = map(int, helped("sleepers", background="0"))
    assert with_one < full / 4
    assert with_one < without
    record_property("note", f"full {full >> 10} MiB, freed {without >> 10}, with the helper {with_one >> 10}")


@pytest.mark.parametrize("microseconds", [0, 1000, 20000, 400000])
def test_a_process_ends_while_the_helper_is_there(helped, microseconds):
    for _ in range(5):
        assert helped("exit", str(microseconds), timeout=20) == ["done"]


def test_a_process_ends_with_its_last_thread_but_the_helper(helped):
    assert helped("pthread_exit", timeout=20) == ["done"]


def test_no_signal_is_handled_by_the_helper(helped):
    helper, handled, by_helper = map(int, helped("signals"))
    assert helper > 0
    assert handled > 0
    assert by_helper == 0


def test_children_of_a_busy_process_with_a_helper(helped):
    assert helped("fork") == ["done"]
