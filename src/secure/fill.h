/* fill: zeroes blocks when they are freed, and finds out whether they still are when they are used again.
 *
 * What a program left in a free block is gone, and whatever is written to it afterwards shows. Of a block of more
 * than FILL_ENDS_ABOVE and up to FILL_ENDS_UP_TO bytes these are the first 64 and the last 16: its beginning, where
 * pointers to functions, links and lengths lie, and what an overrun of the block before or a canary leaves. All of it
 * would more than double the time of a program that hardly touches its blocks; HAKMEM_SECURE_FILL=1 asks for it.
 *
 * Owns:     what is filled.
 * Promises: reads and writes nothing but the block, a multiple of 16 bytes. What was never used is zero as well.
 * Callers:  src/secure. Any thread.
 */
#ifndef HAKMEM_SECURE_FILL_H
#define HAKMEM_SECURE_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { FILL_PAGE = 4096, FILL_FIRST = 64, FILL_LAST = 16, FILL_ENDS_ABOVE = 64, FILL_ENDS_UP_TO = 1280 };

typedef uint64_t fill_vector __attribute__((vector_size(16), aligned(16), may_alias));

static inline fill_vector *fill_at(const void *block, size_t offset) {
  return (fill_vector *)(void *)((uintptr_t)block + offset); // NOLINT(performance-no-int-to-ptr)
}

#define FILL_CLASS(index, before, bytes) FILL_CLASS_##bytes = (index),
enum { SIZE_CLASSES(FILL_CLASS) };
enum { FILL_ENDS_CLASS = FILL_CLASS_64 + 1 }; /* the first one above FILL_ENDS_ABOVE */
enum { FILL_ENDS_CLASSES = FILL_CLASS_1280 - FILL_CLASS_64 };

/* So many sizes above FILL_ENDS_ABOVE, and so many classes from FILL_ENDS_CLASS on, are filled at their ends; the
 * others as a whole. */
extern HIDDEN struct fill_span { size_t sizes, classes; } fill_span;

void fill_start(void);

static inline bool fill_is_whole(size_t bytes) { return bytes - (FILL_ENDS_ABOVE + 1) >= fill_span.sizes; }

/* By class; true of what is no class as well. */
static inline bool fill_class_is_whole(size_t size_class) { return size_class - FILL_ENDS_CLASS >= fill_span.classes; }

/* The whole of a block. */
void fill_whole(void *block, size_t bytes);
bool fill_whole_holds(const void *block, size_t bytes);

/* Makes the pages of free blocks resident by a write that changes nothing, before they are read. Memory that is read
 * first is given the system's page of zeros, and the write that follows is a second fault, for which the system
 * interrupts every other thread of the process that runs. */
static inline void fill_begin(void *start, size_t bytes) {
  uintptr_t end = (uintptr_t)start + bytes;
  for (uintptr_t at = (uintptr_t)start; at < end; at = (at | (FILL_PAGE - 1)) + 1) {
    uint64_t none = 0;
    __atomic_compare_exchange_n((uint64_t *)at, &none, 0, false, __ATOMIC_RELAXED, // NOLINT(performance-no-int-to-ptr)
                                __ATOMIC_RELAXED);
  }
}

/* Its ends. */
static inline void fill_ends(void *block, size_t bytes) {
  const fill_vector none = {0, 0};
  fill_vector *first = fill_at(block, 0);
  first[0] = none;
  first[1] = none;
  first[2] = none;
  first[3] = none;
  *fill_at(block, bytes - FILL_LAST) = none;
}

static inline bool fill_ends_hold(const void *block, size_t bytes) {
  const fill_vector *first = fill_at(block, 0);
  fill_vector seen = first[0] | first[1] | first[2] | first[3] | *fill_at(block, bytes - FILL_LAST);
  return (seen[0] | seen[1]) == 0;
}

/* As it was filled. */
static inline bool fill_holds(const void *block, size_t bytes) {
  return fill_is_whole(bytes) ? fill_whole_holds(block, bytes) : fill_ends_hold(block, bytes);
}

/* Whether a byte of a block is filled. */
static inline bool fill_covers(size_t at, size_t bytes) {
  return fill_is_whole(bytes) || at < FILL_FIRST || at >= bytes - FILL_LAST;
}

#endif
