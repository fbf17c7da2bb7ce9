#include "cold/huge_places.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/base.h"

enum { PAGE_SHIFT = 12, SHARES_SHIFT = 3, SHARES = 1 << SHARES_SHIFT };
enum { BINS = (48 - PAGE_SHIFT - SHARES_SHIFT + 1) * SHARES, BIN_WORDS = (BINS + 63) / 64 };

static RARE_ZEROES struct huge_range ranges[RANGES_MAX];
ADDRESS_KNOWN_AS(root_huge_ranges, ranges);

/* The places that are taken, by address, and behind them those that were once. */
static RARE_ZEROES uint16_t order[RANGES_MAX];
static RARE_ZEROES unsigned known;
static _Atomic unsigned taken;

unsigned places_count(void) { return atomic_load_explicit(&taken, memory_order_relaxed); }

static void set_count(unsigned count) { atomic_store_explicit(&taken, count, memory_order_relaxed); }

/* A list for each bin; a place is told by its number and one, and 0 ends a list. */
static RARE_ZEROES uint16_t first[BINS], next[RANGES_MAX], previous[RANGES_MAX];
static RARE_ZEROES uint64_t filled[BIN_WORDS];

static unsigned number_of(const struct huge_range *place) { return (unsigned)(place - ranges); }

/* ---- by length ---- */

static unsigned bin_of(size_t bytes) {
  size_t pages = bytes >> PAGE_SHIFT;
  if (pages < SHARES) {
    return (unsigned)pages;
  }
  unsigned shift = 63 - SHARES_SHIFT - (unsigned)__builtin_clzll(pages);
  return shift * SHARES + (unsigned)(pages >> shift);
}

static void enter_bin(unsigned number) {
  unsigned bin = bin_of(ranges[number].bytes);
  unsigned head = first[bin];
  next[number] = (uint16_t)head;
  previous[number] = 0;
  if (head != 0) {
    previous[head - 1] = (uint16_t)(number + 1);
  }
  first[bin] = (uint16_t)(number + 1);
  filled[bin / 64] |= UINT64_C(1) << bin % 64;
}

static void leave_bin(unsigned number) {
  unsigned bin = bin_of(ranges[number].bytes);
  if (next[number] != 0) {
    previous[next[number] - 1] = previous[number];
  }
  if (previous[number] != 0) {
    next[previous[number] - 1] = next[number];
    return;
  }
  first[bin] = next[number];
  if (first[bin] == 0) {
    filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
  }
}

/* The first bin from this one on that has a range; BINS: there is none. */
static unsigned filled_from(unsigned bin) {
  for (unsigned word = bin / 64; word < BIN_WORDS; word++) {
    uint64_t bits = filled[word] & (word == bin / 64 ? UINT64_MAX << bin % 64 : UINT64_MAX);
    if (bits != 0) {
      return word * 64 + (unsigned)__builtin_ctzll(bits);
    }
  }
  return BINS;
}

static bool fits(const struct huge_range *range, size_t bytes, size_t alignment) {
  size_t skipped = -(uintptr_t)range->start & (alignment - 1);
  return range->bytes >= bytes && range->bytes - bytes >= skipped;
}

struct huge_range *places_best(size_t bytes, size_t alignment) {
  struct huge_range *best = NULL;
  for (unsigned bin = filled_from(bin_of(bytes)); bin < BINS && best == NULL; bin = filled_from(bin + 1)) {
    for (unsigned i = first[bin]; i != 0 && (best == NULL || best->bytes > bytes); i = next[i - 1]) {
      struct huge_range *range = &ranges[i - 1];
      if (fits(range, bytes, alignment) && (best == NULL || range->bytes < best->bytes)) {
        best = range;
      }
    }
  }
  return best;
}

/* ---- by address ---- */

/* How many ranges begin before this address. */
static unsigned begin_before(const char *address) {
  unsigned low = 0;
  for (unsigned high = places_count(); low < high;) {
    unsigned middle = (low + high) / 2;
    if (ranges[order[middle]].start < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

struct neighbours places_beside(struct huge_range range) {
  unsigned i = begin_before(range.start);
  struct huge_range *before = i == 0 ? NULL : places_at(i - 1);
  struct huge_range *behind = i == places_count() ? NULL : places_at(i);
  bool joins_before = before != NULL && before->start + before->bytes == range.start;
  bool joins_behind = behind != NULL && range.start + range.bytes == behind->start;
  return (struct neighbours){joins_before ? before : NULL, joins_behind ? behind : NULL};
}

struct huge_range *places_at(unsigned i) {
  return &ranges[order[i]];
}

/* ---- changes ---- */

/* The address last: a range shows whole, or not at all. */
static void store(struct huge_range *place, struct huge_range range) {
  place->start = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  place->bytes = range.bytes;
  place->freed = range.freed;
  atomic_signal_fence(memory_order_seq_cst);
  place->start = range.start;
}

/* This place is taken, by a range that is in no order and no bin yet; the others that are taken are in both. */
static void enter(unsigned number, unsigned at) {
  unsigned count = places_count();
  memmove(&order[at + 1], &order[at], (count - at) * sizeof *order);
  order[at] = (uint16_t)number;
  set_count(count + 1);
  enter_bin(number);
}

struct huge_range *places_add(struct huge_range range) {
  unsigned count = places_count();
  if (count == RANGES_MAX) {
    return NULL;
  }
  unsigned number = count < known ? order[count] : known++;
  unsigned at = begin_before(range.start);
  store(&ranges[number], range);
  enter(number, at);
  return &ranges[number];
}

void places_change(struct huge_range *place, struct huge_range range) {
  leave_bin(number_of(place));
  store(place, range);
  enter_bin(number_of(place));
}

void places_drop(struct huge_range *place) {
  unsigned number = number_of(place);
  unsigned at = begin_before(place->start);
  leave_bin(number);
  place->start = NULL;
  unsigned count = places_count() - 1;
  memmove(&order[at], &order[at + 1], (count - at) * sizeof *order);
  order[count] = (uint16_t)number;
  set_count(count);
}

void places_mend(void) {
  set_count(0);
  memset(first, 0, sizeof first);
  memset(filled, 0, sizeof filled);
  for (unsigned number = 0; number < RANGES_MAX; number++) {
    if (ranges[number].start != NULL) {
      enter(number, begin_before(ranges[number].start));
    }
  }
  known = places_count();
  for (unsigned number = 0; number < RANGES_MAX; number++) {
    if (ranges[number].start == NULL) {
      order[known++] = (uint16_t)number;
    }
  }
}
