#include "warm/lend.h"

#include <limits.h>

#include "warm/lost_threads.h"
#include "warm/tidy.h"
#include "warm/trim.h"

/* A barrier interrupts every CPU that runs the process: before a heap grows so many heaps are borrowed at most. */
enum { GROWTH_MS = 20, GROWTH_HEAPS = 8 };

static RARE_ZEROES atomic_bool refused;      /* the system has no barrier */
static RARE_ZEROES atomic_flag borrowing;    /* one thread at a time looks for heaps to borrow */
static RARE_ZEROES struct heap_link *looked; /* where one looks next whose heap grows; NULL: from the first heap on */
static _Atomic uint32_t looked_at;           /* milliseconds: when one did last */

/* What empties the caches of CPUs is a barrier, too, and the process is registered for it (warm/cpu_cache.h). */
static bool barrier(void) { return os_restart_sequences() || os_barrier(); }

void lend_begin(void) {
  os_barrier_begin();
  atomic_store(&refused, false);
}

void lend_forked(void) { atomic_flag_clear(&borrowing); }

/* ---- which heaps ---- */

static bool was_freed_to(struct thread_heap *heap) {
  return !home_stack_is_empty(&heap->returned) ||
         atomic_load_explicit(&heap->queue.first, memory_order_relaxed) != NULL;
}

/* It is not as the helper left it. */
static bool needs_order(struct thread_heap *heap) {
  return atomic_load_explicit(&heap->uses, memory_order_relaxed) != heap->borrower.done || was_freed_to(heap);
}

static bool is_owned(const struct thread_heap *heap) { return heap_state_of(&heap->link) == HEAP_OWNED; }

bool lend_is_pending(void) {
  bool pending = false;
  for (struct heap_link *link = registry_heaps(); !pending && link != NULL; link = link->next_heap) {
    pending = is_owned(heap_of_link(link)) && needs_order(heap_of_link(link));
  }
  return pending && !atomic_load(&refused);
}

/* ---- in order ---- */

/* Everything but the magazines goes back: what the thread needs it finds again in the shared pool. */
static void put_in_order(struct thread_heap *heap) {
  heap_tidy(heap);
  trim_all(heap);
  heap->borrower.done = heap->borrower.uses;
}

static void borrow(struct thread_heap *heap, void (*put)(struct thread_heap *heap)) {
  atomic_store(&heap->lent, HEAP_LENT);
  if (!barrier()) {
    atomic_store(&refused, true);
  } else if (is_owned(heap)) {
    put(heap);
  }
  if (atomic_exchange(&heap->lent, HEAP_LENT_NOT) == HEAP_LENT_AWAITED) {
    os_wake(&heap->lent);
  }
}

static bool sleeps(struct thread_heap *heap, uint64_t now, uint32_t milliseconds) {
  uint32_t uses = atomic_load_explicit(&heap->uses, memory_order_relaxed);
  if (uses != heap->borrower.uses) {
    heap->borrower.uses = uses;
    heap->borrower.since = now;
  }
  return now - heap->borrower.since >= milliseconds;
}

/* Before anything is lent, and once a process: who waits for a heap reads it. */
static void say_who_borrows(void) {
  long process = os_process_id();
  if (heap_borrower != process) {
    heap_borrower_lost = lost_threads_take_back;
    heap_borrower = process;
  }
}

/* For a heap that grows, or for the helper. */
static NOINLINE void look(bool grows, uint32_t milliseconds) {
  if (atomic_load(&refused) || atomic_flag_test_and_set(&borrowing)) {
    return;
  }
  say_who_borrows();
  uint64_t now = os_milliseconds();
  unsigned left = grows ? GROWTH_HEAPS : UINT_MAX;
  struct heap_link *link = grows && looked != NULL ? looked : registry_heaps();
  for (; link != NULL && left > 0; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    bool wanted = is_owned(heap) && (grows ? was_freed_to(heap) : needs_order(heap));
    if (wanted && sleeps(heap, now, milliseconds)) {
      borrow(heap, grows ? heap_tidy : put_in_order);
      left--;
    }
  }
  if (grows) {
    looked = link;
  }
  atomic_flag_clear(&borrowing);
}

void lend_look(uint32_t milliseconds) { look(false, milliseconds); }

void lend_for_growth(uint64_t now) {
  uint32_t last = atomic_load_explicit(&looked_at, memory_order_relaxed);
  if ((uint32_t)now - last < GROWTH_MS) {
    return;
  }
  atomic_store_explicit(&looked_at, (uint32_t)now, memory_order_relaxed);
  if (last != 0 && registry_thread_count() > 1) {
    look(true, GROWTH_MS);
  }
}
