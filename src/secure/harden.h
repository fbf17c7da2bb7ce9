/* harden: what the boxes of src/secure do at WARM's transitions.
 *
 * Owns:     nothing; it names them.
 * Promises: as said beside each.
 * Callers:  WARM, through warm/harden.h.
 */
#ifndef HAKMEM_SECURE_HARDEN_H
#define HAKMEM_SECURE_HARDEN_H

#include "secure/big.h"
#include "secure/canary.h"
#include "secure/fill.h"
#include "secure/quarantine.h"

/* Memory of a heap that is the quarantine's. */
enum { HEAP_EXTRA_BYTES = sizeof(struct quarantine) };

/* Before the first block, when the options have been read. */
static inline void harden_process(void) {
  canary_start();
  fill_start();
}

/* A new heap. */
void harden_heap(struct thread_heap *heap);

/* Blocks that a magazine has just been filled with. */
static inline void harden_refilled(struct thread_heap *heap, void **blocks, unsigned count) {
  quarantine_shuffle(heap, blocks, count);
}

/* The heap gives back what it holds. */
static inline void harden_drain(struct thread_heap *heap) { quarantine_drain(heap); }

/* All free memory is to go back. */
static inline void harden_collect(void) { big_release_all(); }

static inline void harden_fork_lock(void) { big_fork_lock(); }
static inline void harden_fork_unlock(void) { big_fork_unlock(); }

#endif
