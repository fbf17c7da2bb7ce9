/* guarded_table: where guarded samples lie, and what is known of each slot.
 *
 * Owns:     the address of the reservation; the form of its records, which lie behind it.
 * Promises: a record can be read at any time, in the handler of a fault too; it changes under the lock of
 *           cold/guarded.c only, and its state last.
 * Callers:  cold/guarded.c and cold/guarded_lines.c; guarded_holds: WARM. Any thread.
 */
#ifndef HAKMEM_COLD_GUARDED_TABLE_H
#define HAKMEM_COLD_GUARDED_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/os.h"

enum { GUARDED_SLOTS = 64, GUARDED_MAX = 32 * 1024, GUARDED_STRIDE = 2 * GUARDED_MAX };

/* The last slot is followed by one more range without access. */
#define GUARDED_BYTES ((size_t)GUARDED_SLOTS * GUARDED_STRIDE + GUARDED_MAX)

/* Of a slot's block, live or freed last. */
struct guarded_record {
  char *block;     /* NULL: there was none */
  uint32_t size;   /* that was asked for */
  uint32_t pages;  /* bytes of the pages that it lies in */
  bool is_counted; /* they are: they may be resident */
  bool front;      /* it begins where its slot does */
  long allocated_by, freed_by;
  struct stack allocated, freed;
};

struct guarded_table {
  _Atomic uint64_t freed_at[GUARDED_SLOTS]; /* 0: never; GUARDED_LIVE; or the number of the free */
  struct guarded_record record[GUARDED_SLOTS];
};

#define GUARDED_LIVE UINT64_MAX

#define GUARDED_NOWHERE ((uintptr_t)1 << 62)

extern HIDDEN _Atomic uintptr_t guarded_base; /* such that nothing lies in the range before there is one */

static inline bool guarded_holds(const void *block) {
  return (uintptr_t)block - atomic_load_explicit(&guarded_base, memory_order_relaxed) < GUARDED_BYTES;
}

static inline struct guarded_table *guarded_table(void) {
  return (struct guarded_table *)(atomic_load(&guarded_base) + GUARDED_BYTES); // NOLINT(performance-no-int-to-ptr)
}

static inline bool guarded_is_live(unsigned slot) {
  return atomic_load_explicit(&guarded_table()->freed_at[slot], memory_order_acquire) == GUARDED_LIVE;
}

/* The first page of a block. */
static inline char *guarded_pages(const struct guarded_record *record) {
  return record->block - ((uintptr_t)record->block & (os_page_size() - 1));
}

/* The slot whose live block begins here, at an address of the range; GUARDED_SLOTS: none does. */
unsigned guarded_find(const void *block);

/* The slot whose block, live or freed, is nearest to an address of the range, of two as near that with a live one;
 * GUARDED_SLOTS: none was ever used there. */
unsigned guarded_nearest(const void *address);

/* Bytes from a block to an address that is not in it; 0: it is. */
size_t guarded_distance(const struct guarded_record *record, const void *address);

#endif
