#include "warm/process.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cold/arena.h"
#include "cold/huge.h"
#include "cold/meta.h"
#include "cold/registry.h"
#include "cold/shared_pool.h"
#include "config/options.h"
#include "observe/events.h"
#include "observe/exit_line.h"
#include "observe/stats.h"
#include "os/lock.h"
#include "os/os.h"
#include "warm/harden.h"
#include "warm/rebuild.h"

static struct lock start_lock = LOCK_INITIAL(LOCK_START);
static atomic_bool started;

static void fork_handlers_register(void);

static COLD bool start_once(void) {
  lock_take(&start_lock);
  if (!atomic_load(&started)) {
    options_read();
    harden_process();
    if (arena_start()) {
      atomic_store_explicit(&started, true, memory_order_release);
    }
  }
  lock_drop(&start_lock);
  fork_handlers_register();
  return atomic_load(&started);
}

bool process_start(void) { return likely(atomic_load_explicit(&started, memory_order_acquire)) || start_once(); }

/* Another library's handler that runs while the locks are held may itself fork. */
static void fork_prepare(void) {
  lock_take(&start_lock);
  registry_fork_lock();
  harden_fork_lock();
  huge_fork_lock();
  pool_fork_lock();
  meta_fork_lock();
  lock_fork_depth++;
}

static void fork_parent(void) {
  lock_fork_depth--;
  meta_fork_unlock();
  pool_fork_unlock();
  huge_fork_unlock();
  harden_fork_unlock();
  registry_fork_unlock();
  lock_drop(&start_lock);
}

static void fork_child(void) {
  observe_forked();
  pool_after_fork();
  rebuild_after_fork(thread_cache.heap);
  fork_parent();
}

/* At the first malloc of the process, before other libraries register theirs: handlers that prepare run last registered first, so
 * ours then hold the locks while no other library's run, which might wait for a thread that waits for a lock. */
static void fork_handlers_register(void) {
  static atomic_bool registered;
  if (!atomic_exchange(&registered, true) && pthread_atfork(fork_prepare, fork_parent, fork_child) != 0) {
    atomic_store(&registered, false);
  }
}

__attribute__((constructor(101))) static void process_loaded(void) {
  options_read(); /* again, should there have been no environment at the first malloc */
  process_start();
  stats_start();
  fork_handlers_register();
}

__attribute__((destructor(101))) static void process_ends(void) {
  if (options.verbose) {
    exit_line_print();
  }
  stats_print();
}
