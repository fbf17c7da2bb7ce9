#include "warm/background.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "cold/cold.h"
#include "config/config.h"
#include "os/os.h"
#include "warm/lend.h"
#include "warm/release.h"

#ifndef HAKMEM_BACKGROUND_MS
#define HAKMEM_BACKGROUND_MS 250
#define HAKMEM_BACKGROUND_AGE_MS 1000
#endif

/* So many looks that find nothing: none will. */
enum { QUIET_LOOKS = 8, STACK_BYTES = 64 << 10 };

_Atomic uint32_t background_period = HAKMEM_BACKGROUND_MS;
_Atomic uint32_t background_age = HAKMEM_BACKGROUND_AGE_MS;

/* ABSENT -> PRESENT by who starts the helper, PRESENT -> ABSENT by the helper itself. */
static enum helper_state { ABSENT = 0, PRESENT } _Atomic helper;

static _Atomic uint32_t events; /* something has happened that the helper must look at */
static atomic_bool sleeps;      /* until an event: it does not look by itself */
static atomic_bool main_ended;

/* ---- waking it ---- */

static void wake(void) {
  residency_tell(NULL);
  atomic_store(&sleeps, false);
  atomic_fetch_add(&events, 1); /* last: who is about to sleep will not */
  os_wake(&events);
}

void background_thread_ended(void) {
  if (likely(atomic_load_explicit(&helper, memory_order_relaxed) == ABSENT)) {
    return;
  }
  bool is_main = os_thread_id() == os_process_id();
  if (is_main) {
    atomic_store(&main_ended, true);
  }
  if (is_main || atomic_load(&sleeps)) {
    wake();
  }
}

/* ---- the helper ---- */

static bool is_wanted(void) { return options.background != 0 && !atomic_load(&main_ended); }

/* Sleeps until an event after the `seen`th, unless something is retained. */
static void sleep_after(uint32_t seen) {
  atomic_store(&sleeps, true);
  residency_tell(wake);
  if (retained_bytes() == 0 && !lend_is_pending() && is_wanted()) {
    os_wait(&events, seen);
  }
  residency_tell(NULL);
  atomic_store(&sleeps, false);
}

static void help_while_wanted(void) {
  for (uint32_t quiet = 0; is_wanted(); quiet++) {
    uint32_t seen = atomic_load(&events);
    uint32_t age = atomic_load(&background_age);
    residency_give_back_older(age);
    release_idle_cpus(age);
    release_idle_orphans();
    lend_look(age);
    if (retained_bytes() > 0 || lend_is_pending()) {
      quiet = 0;
    }
    if (quiet < QUIET_LOOKS) {
      os_wait_for(&events, seen, atomic_load(&background_period));
    } else {
      sleep_after(seen);
      quiet = 0;
    }
  }
}

static void *help(void *unused) {
  enum helper_state was;
  os_name_thread("hakmem");
  lend_begin();
  do { /* it is wanted again, perhaps, before it has said that it ends */
    residency_set_helper(true);
    help_while_wanted();
    residency_set_helper(false);
    residency_settle();
    atomic_store(&helper, ABSENT);
    was = ABSENT;
  } while (is_wanted() && atomic_compare_exchange_strong(&helper, &was, PRESENT));
  return unused;
}

/* ---- starting it ---- */

/* `stack_bytes` is 0 for the system's default. */
static bool start_with(size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  bool started = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                 (stack_bytes == 0 || pthread_attr_setstacksize(&attributes, stack_bytes) == 0) &&
                 pthread_create(&thread, &attributes, help, NULL) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

/* With every signal blocked, which the helper inherits. A program's TLS may be too much for a small stack. */
static bool start(void) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  size_t least = (size_t)PTHREAD_STACK_MIN;
  bool started = start_with(least > STACK_BYTES ? least : STACK_BYTES) || start_with(0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool background_follow(void) {
  enum helper_state was = ABSENT;
  if (options.background == 0 || atomic_load(&main_ended)) {
    if (atomic_load(&helper) == PRESENT) {
      wake();
    }
    return true;
  }
  if (!atomic_compare_exchange_strong(&helper, &was, PRESENT) || start()) {
    return true;
  }
  atomic_store(&helper, ABSENT);
  options.background = 0;
  return false;
}

void background_forked(void) {
  atomic_store(&main_ended, false);
  if (atomic_exchange(&helper, ABSENT) == PRESENT) {
    options.background = 0;
    residency_set_helper(false);
    residency_tell(NULL);
    atomic_store(&sleeps, false);
  }
}
