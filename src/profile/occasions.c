#include "profile/occasions.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "config/config.h"
#include "os/os.h"
#include "profile/call_stacks.h"
#include "profile/os_profile.h"
#include "profile/recording.h"
#include "profile/sampler.h"

enum { PEAK_PART = 16, TRIES_AT_EXIT = 2000 };

static char pattern[OS_PATH_BYTES] = "hakmem.%p.profile";
static char path[OS_PATH_BYTES]; /* of who writes: a thread's stack may be small */
static _Atomic long writing; /* the process that has a thread which writes; a child of fork() has none */
static _Atomic unsigned numbered;
static _Atomic uint64_t peak, due_at;
static atomic_bool asked; /* by a signal that came at a bad moment */
static atomic_bool complained;

/* False: there is nothing to write, or nowhere, or another thread writes. */
static bool begin(void) {
  if (*pattern == '\0' || call_stacks_samples() == 0) {
    return false;
  }
  long mine = os_process_id();
  long other = atomic_load(&writing);
  return other != mine && atomic_compare_exchange_strong(&writing, &other, mine);
}

static void write_to(const char *behind) {
  bool written = os_path_of_process(path, pattern, behind) && recording_write(path);
  if (!written && !atomic_exchange(&complained, true)) {
    notice("hakmem: warning: no profile could be written to %.400s; HAKMEM_PROFILE_FILE=PATH names another place",
           path);
  }
  atomic_store(&writing, 0);
}

static void write_numbered(void) {
  char behind[24];
  if (begin()) {
    snprintf(behind, sizeof behind, ".%u", atomic_fetch_add(&numbered, 1) + 1);
    write_to(behind);
  }
}

/* ---- the occasions ---- */

static void look_at_peak(void) {
  uint64_t before = atomic_load_explicit(&peak, memory_order_relaxed);
  uint64_t live = sampler_live_bytes();
  if (live > before + before / PEAK_PART && atomic_compare_exchange_strong(&peak, &before, live) && begin()) {
    write_to(".peak");
  }
}

static void look_at_clock(void) {
  uint64_t now = os_milliseconds();
  uint64_t due = atomic_load_explicit(&due_at, memory_order_relaxed);
  uint64_t next = now + (uint64_t)options.profile_interval * 1000;
  if (now >= due && atomic_compare_exchange_strong(&due_at, &due, next)) {
    write_numbered();
  }
}

static void look(void) {
  if (unlikely(atomic_load_explicit(&asked, memory_order_relaxed)) && atomic_exchange(&asked, false)) {
    write_numbered();
  }
  if (options.profile_peak != 0) {
    look_at_peak();
  }
  if (options.profile_interval != 0) {
    look_at_clock();
  }
}

/* Within a malloc or free, or the sampler, the next sample sees to it. */
static void at_signal(int number) {
  (void)number;
  if (sampler_is_busy() || critical_depth != 0) {
    atomic_store(&asked, true);
  } else {
    write_numbered();
  }
}

void occasions_start(void) {
  const char *named = getenv("HAKMEM_PROFILE_FILE"); // NOLINT(concurrency-mt-unsafe): the process has one thread
  if (getauxval(AT_SECURE) != 0) {
    *pattern = '\0'; /* who runs it may not write what it may */
  } else if (named != NULL && strlen(named) < OS_PATH_BYTES) {
    memcpy(pattern, named, strlen(named) + 1);
  }
  due_at = os_milliseconds() + (uint64_t)options.profile_interval * 1000;
  sampler_told = look;
  if (options.profile_signal != 0 && !os_on_signal((int)options.profile_signal, at_signal)) {
    notice("hakmem: warning: HAKMEM_PROFILE_SIGNAL=%ld has no effect: the signal is handled or ignored already",
           (long)options.profile_signal);
  }
}

/* After the program's own handlers and destructors. */
__attribute__((destructor(101))) static void process_ends(void) {
  for (int i = 0; i < TRIES_AT_EXIT && atomic_load(&writing) == os_process_id(); i++) {
    os_sleep_a_little();
  }
  if (begin()) {
    write_to("");
  }
}
