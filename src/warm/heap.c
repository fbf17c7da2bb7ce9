#include "warm/heap.h"

#include "warm/heap_hooks.h"

static struct thread_heap *heap_memory(void) {
  return pool_meta_alloc(sizeof(struct thread_heap) + hook_heap_bytes(), _Alignof(struct thread_heap));
}

/* ---- lent ---- */

void (*heap_borrower_lost)(struct thread_heap *heap);
long heap_borrower;

static void wait_for_borrower(struct thread_heap *heap) {
  long process = os_process_id();
  for (uint32_t lent; (lent = atomic_load_explicit(&heap->lent, memory_order_acquire)) != HEAP_LENT_NOT;) {
    if (process != heap_borrower) {
      heap_borrower_lost(heap); /* another library's handler in the child of fork(), which runs before ours */
    } else if (lent == HEAP_LENT_AWAITED || atomic_compare_exchange_strong(&heap->lent, &lent, HEAP_LENT_AWAITED)) {
      os_wait(&heap->lent, HEAP_LENT_AWAITED);
    }
    process = os_process_id(); /* a signal handler may have forked */
  }
}

/* It waits outside critical sections, so that a child of fork() can be mended there. */
void heap_await(struct thread_heap *heap) {
  do {
    heap_state_set(&heap->link, HEAP_OWNED);
    critical_leave();
    INVARIANT(critical_depth == 0);
    wait_for_borrower(heap);
    critical_enter();
    heap_state_set(&heap->link, HEAP_CHANGING);
    atomic_signal_fence(memory_order_seq_cst);
  } while (atomic_load_explicit(&heap->lent, memory_order_acquire) != HEAP_LENT_NOT);
}

/* ---- new ---- */

static struct thread_heap *heap_new_enrolled(bool (*enroll)(struct heap_link *heap)) {
  struct thread_heap *heap = heap_memory();
  if (heap == NULL && reclaim() > 0) {
    heap = heap_memory();
  }
  if (heap == NULL) {
    return NULL;
  }
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap->lost_top[size_class] = no_magazine_top();
  }
  critical_enter();
  if (!enroll(&heap->link)) {
    critical_leave();
    return NULL;
  }
  hook_heap(heap);
  return heap;
}

struct thread_heap *heap_new(void) {
  return heap_new_enrolled(registry_enroll);
}
struct thread_heap *heap_new_reserved(void) {
  return heap_new_enrolled(registry_enroll_reserved);
}
