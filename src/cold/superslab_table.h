/* superslab_table: which superslabs there are, by their index in the window, and what of the window's tables they need.
 *
 * Owns:     the range of those that have been cut, and the count of the tables' pages.
 * Promises: a superslab is never taken out. A page counts (cold/limit.h) once a superslab is cut whose records lie in
 *           it, and never less.
 * Callers:  cold/superslab.c, under the lock of the pool's first part; superslab_at, superslab_range and
 *           superslab_records_bytes: any thread.
 */
#ifndef HAKMEM_COLD_SUPERSLAB_TABLE_H
#define HAKMEM_COLD_SUPERSLAB_TABLE_H

#include <stdbool.h>

#include "cold/window.h"

/* The index of the one that an address of the window lies in. */
static inline size_t superslab_index(const void *address) { return window_unit(address) / SUPERSLAB_UNITS; }

/* NULL when none was cut there. */
static inline struct superslab *superslab_at(size_t index) {
  return atomic_load_explicit(&window_superslabs[index], memory_order_relaxed);
}

/* They lie from *first to before *end; at some indices between there is none. */
void superslab_range(size_t *first, size_t *end);

/* One has been cut. */
void superslab_enter(size_t index, struct superslab *superslab);

/* One is about to be cut: counts the pages that are used for the first time; once, however often it is cut in vain.
 * False: the limit. */
bool superslab_records_count(size_t index);

/* Bytes that are counted. */
size_t superslab_records_bytes(void);

#endif
