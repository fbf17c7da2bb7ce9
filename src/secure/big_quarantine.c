#include "secure/big_quarantine.h"

#include "os/os.h"

enum { QUARANTINED_MAX = 16 };
static const size_t bytes_max = 256 * MIB;

/* A ring, from the oldest on; each block with its whole mapping. */
static struct quarantined {
  char *start; /* NULL: none */
  size_t bytes;
  struct huge_note note;
} ring[QUARANTINED_MAX];
static unsigned oldest, count;
static size_t ring_bytes;

/* What is written in the ring ends its quarantine: a block is taken from the ring before it is freed. */
static void release(struct quarantined *slot) {
  char *start = slot->start;
  slot->start = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  if (start != NULL) {
    huge_free(start);
  }
}

static void release_oldest(void) {
  count--;
  ring_bytes -= ring[oldest].bytes;
  release(&ring[oldest]);
  oldest = (oldest + 1) % QUARANTINED_MAX;
}

void big_quarantine_add(const struct huge_entry *entry) {
  while (count > 0 && (count == QUARANTINED_MAX || ring_bytes + entry->bytes > bytes_max)) {
    release_oldest();
  }
  struct quarantined *slot = &ring[(oldest + count) % QUARANTINED_MAX];
  slot->bytes = entry->bytes;
  slot->note = entry->note;
  atomic_signal_fence(memory_order_seq_cst);
  slot->start = entry->start;
  count++;
  ring_bytes += entry->bytes;
}

bool big_quarantine_holds(const void *block, struct huge_note *note) {
  for (unsigned i = 0; i < QUARANTINED_MAX; i++) {
    if (ring[i].start != NULL && ring[i].note.block == block) {
      *note = ring[i].note;
      return true;
    }
  }
  return false;
}

void big_quarantine_release_all(void) {
  while (count > 0) {
    release_oldest();
  }
}

void big_quarantine_mend(void) {
  for (unsigned i = 0; i < QUARANTINED_MAX; i++) {
    release(&ring[i]);
  }
  count = 0;
  ring_bytes = 0;
}
