#include "warm/process.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cold/arena.h"
#include "cold/huge.h"
#include "cold/meta.h"
#include "cold/registry.h"
#include "cold/shared_pool.h"
#include "config/options.h"
#include "observe/exit_line.h"
#include "observe/stats.h"
#include "os/lock.h"
#include "os/os.h"
#include "warm/thread.h"

static struct lock start_lock = LOCK_INITIAL(LOCK_START);
static atomic_bool started;

static COLD bool start_once(void) {
  lock_take(&start_lock);
  if (!atomic_load(&started)) {
    options_read();
    if (arena_start()) {
      thread_key_create();
      atomic_store_explicit(&started, true, memory_order_release);
    }
  }
  lock_drop(&start_lock);
  return atomic_load(&started);
}

bool process_start(void) { return likely(atomic_load_explicit(&started, memory_order_acquire)) || start_once(); }

static void fork_prepare(void) {
  lock_take(&start_lock);
  registry_fork_lock();
  huge_fork_lock();
  pool_fork_lock();
  meta_fork_lock();
}

static void fork_parent(void) {
  meta_fork_unlock();
  pool_fork_unlock();
  huge_fork_unlock();
  registry_fork_unlock();
  lock_drop(&start_lock);
}

static void fork_child(void) {
  fork_parent();
  thread_fork_child();
}

/* Before other threads where that is possible, and registered first of all, so that other libraries' fork handlers
 * find a working allocator on both sides. */
__attribute__((constructor(101))) static void process_loaded(void) {
  options_read(); /* again, should there have been no environment at the first malloc */
  process_start();
  stats_start();
  pthread_atfork(fork_prepare, fork_parent, fork_child);
}

__attribute__((destructor(101))) static void process_ends(void) {
  if (options.verbose) {
    exit_line_print();
  }
  stats_print();
}
