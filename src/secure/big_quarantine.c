#include "secure/big_quarantine.h"

#include <string.h>

#include "secure/big_edges.h"
#include "secure/os_secure.h"

enum { QUARANTINED_MAX = 16, KEPT_MAX = 1 << 20 };
static const size_t bytes_max = 256 * MIB;

/* A ring, from the oldest on; each block with its whole mapping. */
static struct quarantined {
  char *start; /* NULL: none */
  size_t bytes;
  size_t kept; /* of these, resident */
} ring[QUARANTINED_MAX];
static unsigned oldest, count;
static size_t ring_bytes;
static _Atomic size_t ring_kept;

static atomic_bool open_somewhere; /* of what was freed */

/* ---- closing ---- */

static bool may_keep(size_t bytes) {
  return bytes <= KEPT_MAX &&
         atomic_load_explicit(&ring_kept, memory_order_relaxed) + bytes <= residency_allowance() / 2;
}

static void forbid(const struct huge_entry *entry) {
  if (!os_forbid(entry->start, entry->bytes)) {
    atomic_store(&open_somewhere, true);
  }
}

/* Most of it must be resident: to zero the rest would make that resident as well. */
size_t big_quarantine_close(const struct huge_entry *entry) {
  char *first = edges_first(entry);
  size_t bytes = (size_t)(edges_end(entry) - first);
  bool keeps = may_keep(bytes) && os_resident(first, bytes) >= bytes - bytes / 4;
  if (keeps) {
    memset(first, 0, bytes);
  } else {
    os_clear(first, bytes);
  }
  forbid(entry);
  return keeps ? bytes : 0;
}

void big_quarantine_refuse(const struct huge_entry *entry) {
  forbid(entry);
  huge_free(entry->start);
}

bool big_quarantine_closes(void) { return !atomic_load(&open_somewhere); }

/* ---- the ring ---- */

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
  ring_kept -= ring[oldest].kept;
  release(&ring[oldest]);
  oldest = (oldest + 1) % QUARANTINED_MAX;
}

void big_quarantine_add(const struct huge_entry *entry, size_t kept) {
  while (count > 0 && (count == QUARANTINED_MAX || ring_bytes + entry->bytes > bytes_max)) {
    release_oldest();
  }
  struct quarantined *slot = &ring[(oldest + count) % QUARANTINED_MAX];
  slot->bytes = entry->bytes;
  slot->kept = kept;
  atomic_signal_fence(memory_order_seq_cst);
  slot->start = entry->start;
  count++;
  ring_bytes += entry->bytes;
  ring_kept += kept;
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
  ring_kept = 0;
}
