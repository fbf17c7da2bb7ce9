/* heap_hooks_secure: what the secure library does at warm/heap_hooks.h. A heap has a quarantine behind it; the order of
 * a refill is random. */
#include "secure/big.h"
#include "secure/canary.h"
#include "secure/fill.h"
#include "secure/quarantine.h"

void hook_process(void) {
  canary_start();
  fill_start();
}

size_t hook_heap_bytes(void) { return sizeof(struct quarantine); }
void hook_heap(struct thread_heap *heap) { quarantine_start(quarantine_of(heap)); }

void hook_refilled(struct thread_heap *heap, void **blocks, unsigned count) { quarantine_shuffle(heap, blocks, count); }

void hook_drain(struct thread_heap *heap) { quarantine_drain(heap); }

void hook_collect(void) { big_release_all(); }
