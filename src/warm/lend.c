#include "warm/lend.h"

#include "warm/lost_threads.h"
#include "warm/tidy.h"
#include "warm/trim.h"

static bool has_barrier;

void lend_begin(void) {
  has_barrier = os_barrier_begin();
  heap_helper_lost = lost_threads_take_back;
  heap_lender = os_process_id();
}

/* ---- which heaps ---- */

static bool was_freed_to(struct thread_heap *heap) {
  return !home_stack_is_empty(&heap->returned) ||
         atomic_load_explicit(&heap->queue.first, memory_order_relaxed) != NULL;
}

/* It is not as the helper left it. */
static bool needs_order(struct thread_heap *heap) {
  return heap_state_of(&heap->link) == HEAP_OWNED &&
         (atomic_load_explicit(&heap->uses, memory_order_relaxed) != heap->helper.done || was_freed_to(heap));
}

bool lend_is_pending(void) {
  bool pending = false;
  for (struct heap_link *link = registry_heaps(); has_barrier && !pending && link != NULL; link = link->next_heap) {
    pending = needs_order(heap_of_link(link));
  }
  return pending;
}

/* ---- in order ---- */

/* Everything but the magazines goes back: what the thread needs it finds again in the shared pool. */
static void put_in_order(struct thread_heap *heap) {
  heap_tidy(heap);
  trim_all(heap);
}

static void borrow(struct thread_heap *heap) {
  atomic_store(&heap->lent, HEAP_LENT);
  if (os_barrier() && heap_state_of(&heap->link) == HEAP_OWNED) {
    put_in_order(heap);
    heap->helper.done = heap->helper.uses;
  }
  if (atomic_exchange(&heap->lent, HEAP_LENT_NOT) == HEAP_LENT_AWAITED) {
    os_wake(&heap->lent);
  }
}

static bool sleeps(struct thread_heap *heap, uint64_t now, uint32_t milliseconds) {
  uint32_t uses = atomic_load_explicit(&heap->uses, memory_order_relaxed);
  if (uses != heap->helper.uses) {
    heap->helper.uses = uses;
    heap->helper.since = now;
  }
  return now - heap->helper.since >= milliseconds;
}

void lend_look(uint32_t milliseconds) {
  uint64_t now = os_milliseconds();
  for (struct heap_link *link = registry_heaps(); has_barrier && link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    if (needs_order(heap) && sleeps(heap, now, milliseconds)) {
      borrow(heap);
    }
  }
}
