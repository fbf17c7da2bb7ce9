/* What unit.h offers beside the checks: threads, seeds, memory, standard error. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit/unit.h"

bool process_start(void); /* warm/process.h */

_Static_assert(sizeof(pthread_t) <= sizeof(((struct unit_thread *)0)->handle), "a thread's handle fits");

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void do_nothing(void *unused) { (void)unused; }

bool unit_begin(void) {
  /* Residency is counted in pages, and programs that are stopped leave no core. */
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!process_start()) {
    fputs("hakmem does not start\n", stderr);
    return false;
  }
  /* A test may start a thread while it holds a lock: what the C library allocates for its first one is there by then. */
  unit_in_thread(do_nothing, NULL);
  return true;
}

size_t unit_capture(void (*body)(void *), void *argument, char *text, size_t size) {
  /* A socket that keeps the borders between what is written, and holds more than any test writes. */
  int ends[2];
  int standard_error = dup(STDERR_FILENO);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) {
    abort();
  }
  body(argument);
  dup2(standard_error, STDERR_FILENO);
  close(standard_error);
  close(ends[1]);
  size_t writes = 0;
  size_t length = 0;
  ssize_t part;
  while ((part = recv(ends[0], text + length, size - 1 - length, 0)) > 0) {
    length += (size_t)part;
    writes++;
  }
  close(ends[0]);
  text[length] = '\0';
  return writes;
}

/* ---- threads, seeds ---- */

static void *run_thread(void *argument) {
  struct unit_thread *thread = argument;
  thread->body(thread->argument);
  return NULL;
}

void unit_start(struct unit_thread *thread, void (*body)(void *), void *argument) {
  thread->body = body;
  thread->argument = argument;
  pthread_t handle;
  if (pthread_create(&handle, NULL, run_thread, thread) != 0) {
    perror("pthread_create");
    abort();
  }
  thread->handle = (uintptr_t)handle;
}

void unit_join(struct unit_thread *thread) { pthread_join((pthread_t)thread->handle, NULL); }

void unit_in_thread(void (*body)(void *), void *argument) {
  struct unit_thread thread;
  unit_start(&thread, body, argument);
  unit_join(&thread);
}

uint64_t unit_seed(void) {
  const char *given = getenv("HAKMEM_TEST_SEED");
  uint64_t seed = 0;
  if (given != NULL) {
    seed = strtoull(given, NULL, 0);
  } else if (getrandom(&seed, sizeof seed / 2, 0) < 0) {
    abort();
  }
  unit_note("seed %llu (again: HAKMEM_TEST_SEED=%llu)", (unsigned long long)seed, (unsigned long long)seed);
  return seed;
}

/* ---- memory ---- */

bool unit_is_zero(const void *start, size_t bytes) {
  const char *at = start;
  return bytes == 0 || (at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0);
}

size_t unit_resident(const void *start, size_t bytes) {
  static unsigned char pages[1 << 16];
  const size_t page = page_size();
  size_t resident = 0;
  for (size_t at = 0; at < bytes; at += page * sizeof pages) {
    size_t part = bytes - at < page * sizeof pages ? bytes - at : page * sizeof pages;
    if (mincore((char *)(uintptr_t)start + at, part, pages) != 0) {
      unit_fail(__FILE__, __LINE__, "a range whose resident pages are asked for is not mapped");
      return 0;
    }
    for (size_t i = 0; i * page < part; i++) {
      resident += (pages[i] & 1) != 0 ? page : 0;
    }
  }
  return resident;
}

size_t unit_mapped(void) {
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%zu", &pages) != 1) {
    abort();
  }
  fclose(file);
  return pages * page_size();
}

void unit_limit_memory(size_t more) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  rlim_t wanted = more == SIZE_MAX ? limit.rlim_max : (rlim_t)(unit_mapped() + more);
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}
