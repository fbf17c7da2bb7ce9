/* shared_figure: a number of bytes, or of other things, that any thread may change.
 *
 * Owns:     nothing.
 * Promises: a figure reads as 0 where more was subtracted than added: two boxes may do so in the wrong order, and a
 *           child of fork() may have lost a step. Each change is counted (events/event.h). Nothing is ordered by it.
 * Callers:  COLD. Any thread, no lock.
 */
#ifndef HAKMEM_COLD_SHARED_FIGURE_H
#define HAKMEM_COLD_SHARED_FIGURE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t above(size_t value, size_t limit) { return value > limit ? value - limit : 0; }

static inline size_t figure_read(size_t value) { return value > SIZE_MAX / 2 ? 0 : value; }

static inline size_t figure_get(_Atomic size_t *figure) {
  return figure_read(atomic_load_explicit(figure, memory_order_relaxed));
}

static inline void figure_set(_Atomic size_t *figure, size_t to) {
  atomic_store_explicit(figure, to, memory_order_relaxed);
}

/* A peak. Two threads may store in the wrong order: the next call puts it right. */
static inline void figure_raise(_Atomic size_t *peak, size_t value) {
  if (value > figure_get(peak)) {
    figure_set(peak, value);
  }
}

static inline void figure_add(_Atomic size_t *figure, size_t by) {
  if (by > 0) {
    observe_shared_figure();
    atomic_fetch_add_explicit(figure, by, memory_order_relaxed);
  }
}

static inline void figure_subtract(_Atomic size_t *figure, size_t by) {
  if (by > 0) {
    observe_shared_figure();
    atomic_fetch_sub_explicit(figure, by, memory_order_relaxed);
  }
}

/* As much of `wanted` as there is; what was taken. */
size_t figure_take(_Atomic size_t *figure, size_t wanted);

/* What was `before` in it is `now`. */
void figure_change(_Atomic size_t *figure, size_t before, size_t now);

#endif
