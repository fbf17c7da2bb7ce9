#include "warm/process.h"

#include <pthread.h>

#include "config/config.h"
#include "events/events.h"
#include "warm/background.h"
#include "warm/cpu_cache.h"
#include "warm/exit_check.h"
#include "warm/heap_hooks.h"
#include "warm/lend.h"
#include "warm/lost_threads.h"

static atomic_bool started;

/* ---- forks ---- */

static void mend_child(void) {
  cpu_forked();
  lend_forked();
  registry_forked(thread_cache.heap != NULL);
  lost_threads_mend(thread_cache.heap);
}

/* The child's thread has another number than the one that forked. */
static void forget_number(struct thread_heap *heap) {
  uint32_t note = heap != NULL ? atomic_load_explicit(&heap->link.thread, memory_order_relaxed) : 0;
  if (note != 0 && !os_notes_first_thread(note)) {
    atomic_store_explicit(&heap->link.thread, 0, memory_order_relaxed); /* warm/bind.c asks for it */
  }
}

/* Where no thread was lost the heap is whole, or will be once the call that a signal interrupted has ended. It is left
 * alone then: the system copies each page that the child changes. */
static void fork_child(void) {
  bool lost_threads = lock_fork_child();
  forget_number(thread_cache.heap);
  observe_forked();
  if (lost_threads) {
    background_forked();
    critical_defer(mend_child);
  }
}

/* At the first malloc of the process, before other libraries register theirs: handlers in the child run in the order in
 * which they were registered. May allocate. */
static void fork_handlers_register(void) {
  static atomic_bool registered;
  if (!atomic_exchange(&registered, true) && pthread_atfork(lock_fork_prepare, lock_fork_parent, fork_child) != 0) {
    atomic_store(&registered, false);
  }
}

/* ---- the start ---- */

/* Each step may be taken again, after a thread that was lost on the way or a lack of memory. */
static RARE bool start_once(void) {
  fork_handlers_register();
  lock_take(LOCK_START);
  if (!atomic_load(&started)) {
    options_read();
    hook_process();
    cpu_begin();
    residency_join(HOLDER_POOL, &pool_holder);
    residency_join(HOLDER_HUGE, &huge_holder);
    if (arena_start()) {
      atomic_store_explicit(&started, true, memory_order_release);
    }
  }
  lock_drop(LOCK_START);
  return atomic_load(&started);
}

bool process_start(void) { return likely(atomic_load_explicit(&started, memory_order_acquire)) || start_once(); }

__attribute__((constructor(101))) static void process_loaded(void) {
  lock_take(LOCK_START);
  options_read(); /* again, should there have been no environment at the first malloc */
  lock_drop(LOCK_START);
  process_start();
  fork_handlers_register();
  background_follow();
  hook_loaded();
}

/* ---- checks, and the end ---- */

size_t process_check(void) {
  struct thread_heap *heap = thread_cache.heap;
  size_t cached = 0;
  if (critical_depth != 0) { /* from within a call that a signal interrupted */
    return 0;
  }
  if (heap != NULL) {
    heap_enter(heap);
    cached = exit_check(heap);
    heap_leave(heap);
  }
  cached += guarded_check();
  size_t all = hook_check();
  return all > cached ? all : cached;
}

__attribute__((destructor(101))) static void process_ends(void) { process_check(); }
