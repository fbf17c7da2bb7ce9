/* heap_hooks_secure: what the secure library does at warm/heap_hooks.h. A heap has a quarantine behind it; the order
 * of a refill is random; all blocks are checked at the end of the process, and when that is asked for. */
#include "secure/big.h"
#include "secure/canary.h"
#include "secure/check.h"
#include "secure/families.h"
#include "secure/fill.h"
#include "secure/os_secure.h"
#include "secure/quarantine.h"
#include "secure/shared_quarantine.h"
#include "secure/watch.h"

void hook_process(void) {
  canary_start();
  fill_start();
  families_start();
  empty_order((uint32_t)os_secret() * 2 + 1, (uint32_t)os_secret());
}

size_t hook_heap_bytes(void) { return sizeof(struct quarantine); }
void hook_heap(struct thread_heap *heap) { quarantine_start(quarantine_of(heap)); }

void hook_refilled(struct thread_heap *heap, void **blocks, unsigned count) { quarantine_shuffle(heap, blocks, count); }

void hook_drain(struct thread_heap *heap) { quarantine_drain(heap); }

void hook_post_shared(void (*visit)(size_t size_class, void *const *top)) { shared_quarantine_drain(visit); }

LOOKS_ON void hook_each_shared(void (*visit)(void *block, void *context), void *context) {
  shared_quarantine_each(visit, context);
}

void hook_collect(void) { big_release_all(); }

size_t hook_check(void) { return process_start() ? check_all() : 0; }

void hook_loaded(void) { watch_start(); }
void hook_thread_ended(void) { watch_thread_ended(); }

LOOKS_ON void hook_each_quarantined(struct thread_heap *heap, void (*visit)(void *block, void *context),
                                    void *context) {
  const struct quarantine *quarantine = quarantine_of(heap);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (unsigned i = 0; i < QUARANTINE_SLOTS; i++) {
      void *block = *(void *const volatile *)&quarantine->slot[size_class][i];
      if (block != NULL) {
        visit(block, context);
      }
    }
  }
}
