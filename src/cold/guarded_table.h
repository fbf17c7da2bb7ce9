/* guarded_table: where guarded samples lie, and what is known of each.
 *
 *   | records | 1 MiB without access | slot, 32 KiB without access, slot, ... | 1 MiB without access |
 *
 * Small samples, of up to 32 KiB, lie in slots of one reservation; each larger one in a range of its own, which is kept
 * when it is freed until its record serves again. All have a record, small ones first.
 *
 * Owns:     the address of the reservation; the form of the records; the order in which free ones serve.
 * Promises: a record can be read at any time, in the handler of a fault too; it changes under the lock of
 *           cold/guarded.c only, and its state last. The one that has been free for the longest time serves next.
 * Callers:  cold/guarded.c, cold/guarded_pages.c, cold/guarded_lines.c. Any thread.
 */
#ifndef HAKMEM_COLD_GUARDED_TABLE_H
#define HAKMEM_COLD_GUARDED_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/os.h"

/* How many there can be; where every block is to be one, more. */
enum { GUARDED_SMALL = 64, GUARDED_LARGE = 16, GUARDED_SMALL_OF_ALL = 8192, GUARDED_LARGE_OF_ALL = 512 };

enum { GUARDED_MAX = 32 * 1024, GUARDED_STRIDE = 2 * GUARDED_MAX, GUARDED_MARGIN = 1 << 20 };

/* Of a block, live or freed last. */
struct guarded_record {
  char *block;               /* NULL: there was none */
  size_t size;               /* that was asked for */
  size_t pages;              /* bytes of the pages that it lies in */
  char *range;               /* the addresses that are its alone; NULL: a large one's, which have gone back */
  size_t range_bytes;        /* of them, guards included */
  _Atomic uint64_t freed_at; /* GUARDED_LIVE, or the number of the free; 0: never */
  long allocated_by, freed_by;
  struct stack allocated, freed;
  uint32_t next;      /* among those that are free */
  enum family family; /* that allocated it */
  bool is_counted;    /* its pages are: they may be resident */
};

#define GUARDED_LIVE UINT64_MAX

/* No record. */
#define GUARDED_NONE UINT32_MAX

enum guarded_kind { GUARDED_IS_SMALL, GUARDED_IS_LARGE, GUARDED_KINDS };

/* The records of a kind: from..from+used-1 have served, those from there to from+count-1 never have. */
struct guarded_kind_records {
  uint32_t from, count;
  _Atomic uint32_t used;
  uint32_t first_free, last_free; /* a queue */
};

struct guarded_table {
  char *slots; /* the first one */
  struct guarded_kind_records kind[GUARDED_KINDS];
  struct guarded_record record[];
};

#define GUARDED_NOWHERE ((uintptr_t)1 << 62)

/* The reservation, which begins with the table: such that nothing lies in it before there is one. And how many large
 * samples have a range. */
extern HIDDEN _Atomic uintptr_t guarded_base;
extern HIDDEN _Atomic size_t guarded_bytes;
extern HIDDEN _Atomic uint32_t guarded_ranges;

static inline bool guarded_exist(void) {
  return atomic_load_explicit(&guarded_base, memory_order_relaxed) != GUARDED_NOWHERE;
}

static inline struct guarded_table *guarded_table(void) {
  return (struct guarded_table *)atomic_load(&guarded_base); // NOLINT(performance-no-int-to-ptr)
}

static inline struct guarded_record *guarded_record(uint32_t index) { return &guarded_table()->record[index]; }

static inline bool guarded_is_live(const struct guarded_record *record) {
  return atomic_load_explicit(&record->freed_at, memory_order_acquire) == GUARDED_LIVE;
}

/* The first page of a block. */
static inline char *guarded_pages(const struct guarded_record *record) {
  return record->block - ((uintptr_t)record->block & (os_page_size() - 1));
}

/* Bytes of a table of so many records. */
size_t guarded_table_bytes(uint32_t small, uint32_t large);

/* Makes the table of a reservation that begins with it. */
void guarded_table_make(char *reservation, size_t bytes, uint32_t small, uint32_t large);

/* The first record from this one on that has served; GUARDED_NONE: there is no further one. Any thread. */
uint32_t guarded_from(uint32_t index);

/* The record that is to serve next, which is in the queue no longer; GUARDED_NONE: none is free. */
uint32_t guarded_take(enum guarded_kind kind);

/* Puts it into the queue: it has been freed, or, at the front of it, was not of use after all. */
void guarded_give(uint32_t index);
void guarded_give_back(uint32_t index);

/* Makes the queues anew, from the states. */
void guarded_requeue(void);

/* Whether an address lies in the reservation or the range of a large sample. */
bool guarded_is_around(const void *address);

/* The live block that begins here; GUARDED_NONE: none does. */
uint32_t guarded_find(const void *block);

/* The block, live or freed, that is nearest to an address, of two as near a live one; GUARDED_NONE: there was none. */
uint32_t guarded_nearest(const void *address);

/* Bytes from a block to an address that is not in it; 0: it is. */
size_t guarded_distance(const struct guarded_record *record, const void *address);

#endif
