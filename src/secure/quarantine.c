#include "secure/quarantine.h"

#include "secure/check.h"
#include "secure/os_secure.h"

void quarantine_start(struct quarantine *quarantine) { quarantine->random = os_secret(); }

void quarantine_drain(struct thread_heap *heap) {
  struct quarantine *quarantine = quarantine_of(heap);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (unsigned i = 0; i < QUARANTINE_SLOTS; i++) {
      void *block = quarantine->slot[size_class][i];
      if (block != NULL) {
        check_free(block, size_class);
        quarantine->slot[size_class][i] = NULL;
        heap_put(heap, size_class, &block, 1);
      }
    }
  }
}

void quarantine_shuffle(struct thread_heap *heap, void **blocks, unsigned count) {
  struct quarantine *quarantine = quarantine_of(heap);
  for (unsigned left = count; left > 1; left--) {
    unsigned other = (unsigned)((uint64_t)quarantine_random(quarantine) * left >> 32);
    void *block = blocks[other];
    blocks[other] = blocks[left - 1];
    blocks[left - 1] = block;
  }
}
