#include "warm/background.h"

#include <limits.h>

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

/* ---- the job ---- */

static void (*_Atomic job)(void);
static uint32_t job_period;
static uint64_t job_due; /* the helper's */

/* Does the job if it is due; milliseconds until it is again. */
static uint32_t job_turn(void) {
  void (*now)(void) = atomic_load(&job);
  if (now == NULL) {
    return UINT32_MAX;
  }
  uint64_t time = os_milliseconds();
  if (time >= job_due) {
    now();
    time = os_milliseconds();
    job_due = time + job_period;
  }
  return (uint32_t)(job_due - time);
}

/* ---- the helper ---- */

static bool is_wanted(void) {
  return (options.background != 0 || atomic_load(&job) != NULL) && !atomic_load(&main_ended);
}

static bool gives_back(void) { return options.background != 0 && !atomic_load(&main_ended); }

/* Sleeps until an event after the `seen`th, at most so long; the job meanwhile. */
static void rest(uint32_t seen, uint32_t milliseconds) {
  uint32_t left = job_turn();
  uint32_t least = left < milliseconds ? left : milliseconds;
  if (least == UINT32_MAX) {
    os_wait(&events, seen);
  } else {
    os_wait_for(&events, seen, least);
  }
}

/* Sleeps until an event after the `seen`th, unless something is retained. */
static void sleep_after(uint32_t seen) {
  atomic_store(&sleeps, true);
  residency_tell(wake);
  while (retained_bytes() == 0 && !lend_is_pending() && gives_back() && atomic_load(&events) == seen) {
    rest(seen, UINT32_MAX);
  }
  residency_tell(NULL);
  atomic_store(&sleeps, false);
}

static void give_back_while_wanted(void) {
  residency_set_helper(true);
  lend_begin();
  for (uint32_t quiet = 0; gives_back(); quiet++) {
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
      rest(seen, atomic_load(&background_period));
    } else {
      sleep_after(seen);
      quiet = 0;
    }
  }
  residency_set_helper(false);
  residency_settle();
}

static void help_while_wanted(void) {
  while (is_wanted()) {
    uint32_t seen = atomic_load(&events);
    if (gives_back()) {
      give_back_while_wanted();
    } else {
      rest(seen, UINT32_MAX);
    }
  }
}

static void *help(void *unused) {
  enum helper_state was;
  os_name_thread("hakmem");
  do { /* it is wanted again, perhaps, before it has said that it ends */
    help_while_wanted();
    atomic_store(&helper, ABSENT);
    was = ABSENT;
  } while (is_wanted() && atomic_compare_exchange_strong(&helper, &was, PRESENT));
  return unused;
}

/* ---- starting it ---- */

/* A program's TLS may be too much for a small stack. */
static bool start(void) {
  size_t least = (size_t)PTHREAD_STACK_MIN;
  return os_thread_start(help, least > STACK_BYTES ? least : STACK_BYTES) || os_thread_start(help, 0);
}

/* False: the system has no thread for it. */
static RARE bool appear(void) {
  enum helper_state was = ABSENT;
  if (!atomic_compare_exchange_strong(&helper, &was, PRESENT) || start()) {
    return true;
  }
  atomic_store(&helper, ABSENT);
  options.background = 0;
  return false;
}

bool background_follow(void) {
  if (atomic_load(&helper) == PRESENT) {
    wake(); /* what it is wanted for may be other than it was */
    return true;
  }
  return !is_wanted() || appear();
}

bool background_each(uint32_t milliseconds, void (*each)(void)) {
  job_period = milliseconds;
  atomic_store(&job, each);
  return background_follow();
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
